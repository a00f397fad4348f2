"""The report of an experiment: Markdown with tables and plots, and beside ours the figures of the source system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from fivestone.files import write_atomically

__all__ = ["Plot", "Report", "duration"]

_NUMBERS = set("0123456789.,:%+-±/ ×xk")


@dataclass(frozen=True)
class Plot:
    """Curves over a common axis; `name` is the file's."""

    name: str
    title: str
    x_label: str
    y_label: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    style: Literal["line", "step"] = "line"


@dataclass
class Report:
    """Built part by part; `markdown` gives the text, `write` the files."""

    title: str
    parts: list[str | Plot] = field(default_factory=list)

    def text(self, paragraph: str) -> None:
        self.parts.append(paragraph)

    def section(self, heading: str) -> None:
        self.parts.append(f"## {heading}")

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """A table with columns as wide as they need, so that it can be read as it stands, too."""
        cells = [[str(cell) for cell in row] for row in rows]
        # Two at least: Markdown wants a dash beside the colon of a column of numbers.
        widths = [max(2, *(len(text) for text in column)) for column in zip(headings, *cells, strict=True)]
        right = [bool(cells) and all(set(row[i]) <= _NUMBERS for row in cells) for i in range(len(headings))]
        rule = [f"{'-' * (width - 1)}:" if end else "-" * width for width, end in zip(widths, right, strict=True)]
        lines = [
            "| " + " | ".join(t.rjust(w) if end else t.ljust(w) for t, w, end in zip(row, widths, right, strict=True))
            for row in ([*headings], rule, *cells)
        ]
        self.parts.append("\n".join(f"{line} |" for line in lines))

    def plot(self, plot: Plot) -> None:
        """A picture, left out where there is nothing to draw."""
        if any(plot.series.values()):
            self.parts.append(plot)

    def markdown(self, drawn: bool = True) -> str:
        """The whole text; a plot is a link to its file, or a word on how to get it."""
        texts = [f"# {self.title}"]
        for part in self.parts:
            if isinstance(part, str):
                texts.append(part)
            elif drawn:
                texts.append(f"![{part.title}]({part.name}.png)")
            else:
                texts.append(f"({part.title}: plots need an extra, pip install 'fivestone[plot]')")
        return "\n\n".join(texts) + "\n"

    def write(self, folder: Path) -> str:
        """Writes report.md and its pictures; returns the text."""
        plots = [part for part in self.parts if isinstance(part, Plot)]
        text = self.markdown(drawn=_draw(plots, folder))
        write_atomically(folder / "report.md", text)
        return text


def _draw(plots: Sequence[Plot], folder: Path) -> bool:
    """False without matplotlib."""
    if not plots:
        return True
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for plot in plots:
        figure, axis = pyplot.subplots(figsize=(8, 4.2), layout="constrained")
        for name, points in plot.series.items():
            if points:
                x, y = zip(*points, strict=True)
                marker = "o" if len(points) < 30 else None
                where = "steps-post" if plot.style == "step" else "default"
                axis.plot(x, y, label=name, linewidth=1.4, marker=marker, markersize=3, drawstyle=where)
        axis.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
        figure.savefig(folder / f"{plot.name}.png", dpi=110)
        pyplot.close(figure)
    return True


def duration(seconds: float) -> str:
    """ "12 s", "5 min" or "2 h 10 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
