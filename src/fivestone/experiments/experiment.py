"""What an experiment is: steps that measure, and a report of what they found beside what a source system reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from fivestone.errors import BadInput
from fivestone.experiments.report import Report

if TYPE_CHECKING:
    from fivestone.experiments.workbench import Workbench

__all__ = ["Experiment", "Results", "Settings", "Step"]

# What each finished step found, by its key; it is kept as JSON.
Results = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Settings:
    """What a person can ask of any experiment.

    `scale` is its size: 1 is what the experiment thinks right for two cores, 0.1 takes about a tenth of the time.
    """

    scale: float = 1.0
    seed: int = 0
    threads: int = 1
    engines: str | None = None  # a folder of Gomocup engines, for the gauntlet

    def __post_init__(self) -> None:
        if not 0.0 < self.scale <= 1000.0:
            raise BadInput(f"scale {self.scale:g}: choose above 0, up to 1000")
        if not 0 <= self.seed < 1 << 62:  # a step adds to it
            raise BadInput(f"seed {self.seed}: choose 0 to {(1 << 62) - 1}")
        if self.threads < 1:
            raise BadInput(f"threads {self.threads}: choose 1 or more")

    def count(self, full: int, least: int = 1) -> int:
        """So many games or trials at scale 1."""
        return max(least, round(full * self.scale))

    def pairs(self, games: int) -> int:
        """Pairs of games, for so many games at scale 1."""
        return max(1, round(games * self.scale / 2))

    def seconds(self, minutes: float) -> float:
        """Training time by the workbench's clock, for so many minutes at scale 1."""
        return 60.0 * minutes * self.scale

    def simulations(self, full: int, least: int = 8) -> int:
        """Simulations of a search. They stay full down to a tenth of the size: fewer change what is measured."""
        return max(least, round(full * min(1.0, 10.0 * self.scale)))


@dataclass(frozen=True)
class Step:
    """A part of an experiment that is kept when it is finished. `key` names its file, `seconds` is what it may take."""

    key: str
    title: str
    seconds: float
    run: Callable[[Workbench], dict[str, Any]]


class Experiment(Protocol):
    """One experiment of a source system."""

    name: str
    title: str
    source: str  # which Seed, and in a few words what it reports

    def steps(self, settings: Settings) -> Sequence[Step]:
        """What is to be done, in order; a step may use the results of those before it."""

    def report(self, settings: Settings, results: Results) -> Report:
        """What the finished steps found; some may be missing."""
