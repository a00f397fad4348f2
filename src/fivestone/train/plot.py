"""The curves of a run as a picture: loss, entropy, accuracy, games, Elo over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fivestone.errors import BadFile, BadInput, MissingExtra
from fivestone.train.rundir import RunDir

__all__ = ["plot_runs"]

# Title and the metrics drawn in each panel; a panel without any data is left out.
_PANELS = (
    ("Loss", ("loss", "policy_loss", "value_loss")),
    ("Entropy of the policy", ("entropy", "target_entropy")),
    ("Accuracy", ("policy_accuracy", "value_accuracy")),
    ("Length of a game (plies)", ("plies",)),
    ("Share of games", ("draws", "black_wins")),
    ("Elo (0: the first net measured)", ("elo",)),
    ("Ladder: simulations of the opponent", ("ladder",)),
    ("Simulations per second", ("simulations_per_second",)),
)


def plot_runs(runs: Sequence[RunDir], output: Path) -> None:
    """Draws the runs into one PNG, SVG or PDF, told by its ending."""
    if output.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise BadInput(f"cannot write {output.name}: give a name that ends in .png, .svg or .pdf")
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("plotting", "plot") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    # A line that does not say when it was cannot be drawn.
    curves = {_label(run, runs): [line for line in run.metrics() if "seconds" in line] for run in runs}
    panels = [panel for panel in _PANELS if any(_has(lines, panel[1]) for lines in curves.values())]
    if not panels:
        raise BadFile(f"nothing to plot yet in {', '.join(str(run.path) for run in runs)}")
    rows = (len(panels) + 1) // 2
    figure, axes = pyplot.subplots(rows, 2, figsize=(11, 3.1 * rows), squeeze=False, layout="constrained")
    for axis, (title, names) in zip(axes.flat, panels, strict=False):
        _draw(axis, title, names, curves)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    try:
        figure.savefig(output, dpi=130)
    except OSError as error:
        raise BadFile(f"cannot write {output}: {error.strerror}") from None
    finally:
        pyplot.close(figure)


def _label(run: RunDir, runs: Sequence[RunDir]) -> str:
    """The name of the run's folder; its path where another has the same name."""
    alike = [other for other in runs if other.path.name == run.path.name]
    return run.path.name if len(alike) == 1 else str(run.path)


def _has(lines: list[dict[str, Any]], names: Sequence[str]) -> bool:
    return any(name in line for line in lines for name in names)


def _draw(axis: Any, title: str, names: Sequence[str], curves: dict[str, list[dict[str, Any]]]) -> None:
    for run_name, lines in curves.items():
        for name in names:
            points = [(line["seconds"] / 60, line[name]) for line in lines if name in line]
            if not points:
                continue
            label = name.replace("_", " ") if len(curves) == 1 else f"{run_name}: {name.replace('_', ' ')}"
            x, y = zip(*points, strict=True)
            drawn = axis.plot(x, y, label=label, linewidth=1.3, marker="o" if len(points) < 25 else None, markersize=3)
            bars = [line.get(f"{name}_error") for line in lines if name in line]
            if all(bar is not None for bar in bars):
                low = [value - bar for value, bar in zip(y, bars, strict=True)]
                high = [value + bar for value, bar in zip(y, bars, strict=True)]
                axis.fill_between(x, low, high, alpha=0.2, color=drawn[0].get_color())
    axis.set_title(title, fontsize=10)
    axis.set_xlabel("minutes of training", fontsize=8)
    axis.grid(alpha=0.3)
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=8)
