"""What a person sees while a net learns: a live table in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

__all__ = ["Dashboard"]

_ROWS = 8  # rounds shown
_PLAIN_SECONDS = 10.0  # between two plain lines


class Dashboard:
    """Use as a context manager; `round` takes a metrics line, `note` a remark, `tick` keeps the clock moving."""

    def __init__(
        self, title: str, *, seconds: float | None, output: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._title = title
        self._seconds = seconds
        self._console = Console(file=output)
        self._clock = clock
        self._started = clock()
        self._lines: list[dict[str, Any]] = []
        self._notes: list[str] = []
        self._printed = -_PLAIN_SECONDS
        self._live = Live(get_renderable=self._render, console=self._console, refresh_per_second=4)

    @property
    def _terminal(self) -> bool:
        return self._console.is_terminal

    def __enter__(self) -> Dashboard:
        if self._terminal:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._terminal:
            self._live.stop()

    def note(self, text: str) -> None:
        """A remark that stays on the screen."""
        self._notes = [*self._notes[-2:], text]
        if not self._terminal:
            self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def round(self, line: dict[str, Any]) -> None:
        self._lines = [*self._lines[-_ROWS + 1 :], line]
        now = self._clock()
        if not self._terminal and ("elo" in line or now - self._printed >= _PLAIN_SECONDS):
            self._printed = now
            self._console.print(_sentence(line), highlight=False, markup=False, soft_wrap=True)

    def _render(self) -> Group:
        table = Table(title=self._title, title_justify="left", expand=False)
        for heading in (
            "round",
            "games",
            "samples",
            "loss",
            "policy",
            "value",
            "draws",
            "plies",
            "sims/s",
            "Elo",
            "ladder",
        ):
            table.add_column(heading, justify="right")
        for line in self._lines:
            table.add_row(*_cells(line))
        parts: list[Any] = [table, self._clock_line()]
        parts += [Text(note, style="yellow") for note in self._notes]
        return Group(*parts)

    def _clock_line(self) -> Group | Text:
        used = self._clock() - self._started
        if self._seconds is None:
            return Text(f"{_duration(used)} so far; Ctrl-C stops and keeps everything")
        left = max(0.0, self._seconds - used)
        text = Text(f"{_duration(used)} gone, about {_duration(left)} to go; Ctrl-C stops and keeps everything")
        return Group(ProgressBar(total=self._seconds, completed=min(used, self._seconds), width=60), text)


def _cells(line: dict[str, Any]) -> list[str]:
    def number(name: str, form: str) -> str:
        return format(line[name], form) if name in line else ""

    elo = f"{line['elo']:+.0f} ± {line['elo_error']:.0f}" if "elo" in line else ""
    ladder = (
        f"{line['ladder_points']:g}/{line['ladder_games']:g} at {line['ladder']:g}" if "ladder_points" in line else ""
    )
    return [
        number("round", "d"),
        number("games", ",d"),
        number("samples", ",d"),
        number("loss", ".3f"),
        number("policy_loss", ".3f"),
        number("value_loss", ".3f"),
        number("draws", ".0%"),
        number("plies", ".0f"),
        number("simulations_per_second", ",.0f"),
        elo,
        ladder,
    ]


def _sentence(line: dict[str, Any]) -> str:
    text = f"round {line['round']}: {line['games']} games, {line['samples']} samples"
    if "loss" in line:
        text += f", loss {line['loss']:.3f}"
    if "simulations_per_second" in line:
        text += f", {line['simulations_per_second']:,.0f} simulations/s"
    if "elo" in line:
        text += f", Elo {line['elo']:+.0f} ± {line['elo_error']:.0f}"
    if "ladder_points" in line:
        text += f", ladder {line['ladder_points']:g}/{line['ladder_games']:g}"
    return text


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
