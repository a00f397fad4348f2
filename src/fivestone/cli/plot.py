"""fivestone plot: the curves of training runs as a picture."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="PNG, SVG or PDF; default: curves.png in the run."
)
def command(runs: tuple[Path, ...], output: Path | None) -> None:
    """Draw the curves of one or more training RUNS: loss, entropy, accuracy, length of games, draws, Elo."""
    from fivestone.train.plot import plot_runs
    from fivestone.train.rundir import RunDir

    target = output or runs[0] / "curves.png"
    plot_runs([RunDir.open(path) for path in runs], target)
    click.echo(f"wrote {target}")
