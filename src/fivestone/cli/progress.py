"""A bar that says how far a long piece of work is and how long it may still take."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from fivestone.experiments.report import duration

__all__ = ["ProgressBar", "time_left"]

_PLAIN_SECONDS = 30.0  # between two lines where there is no terminal


def time_left(done: float, total: float, elapsed: float) -> float:
    """Seconds to go: by the estimate at first, by the pace so far as that becomes known."""
    if done <= 0 or total <= 0:
        return total
    share = min(1.0, done / total)
    by_pace = elapsed * (total - done) / done
    return share * by_pace + (1 - share) * (total - done)


class ProgressBar:
    """Use as a context manager. On a terminal one bar for all steps, elsewhere a line a step."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console or Console(stderr=True)
        self._clock = clock
        self._total = 0.0
        self._began = self._printed = clock()
        self._text = ""
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("about {task.fields[left]} to go"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def start(self, title: str, total: float) -> None:
        self._total, self._began = total, self._clock()
        if total > 0:
            self._say(f"{title}: about {duration(total)}")
            self._task = self._bar.add_task(title, total=total, left=duration(total))

    def step(self, number: int, count: int, title: str) -> None:
        self._text = f"{number} of {count}: {title}"
        self._say(self._text)
        if self._task is not None:
            self._bar.update(self._task, description=self._text)

    def done(self, seconds: float) -> None:
        now = self._clock()
        left = duration(time_left(seconds, self._total, now - self._began))
        if self._task is not None:
            self._bar.update(self._task, completed=seconds, left=left)
        if now - self._printed >= _PLAIN_SECONDS:
            self._say(f"{self._text}: {seconds / max(self._total, 1e-9):.0%}, about {left} to go")

    def _say(self, line: str) -> None:
        if not self._console.is_terminal:
            self._printed = self._clock()
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)
