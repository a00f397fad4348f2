"""The loop: self-play, learning, measuring, round after round, so that a kill at any instant costs at most one round.

Round n plays its games with the state of checkpoint n, saves them as shard n, learns from the window, measures when it
is due, writes the metrics line n and then checkpoint n + 1. What a killed run left of round n is run again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from fivestone.errors import BadFile
from fivestone.train.backend import Backend, Shard
from fivestone.train.config import TrainConfig
from fivestone.train.rundir import RunDir
from fivestone.train.window import Window, sample_count

__all__ = ["Budget", "Measure", "Progress", "TrainLoop", "ladder_of"]

_PROGRESS_KEY = "loop.progress"


@dataclass
class Progress:
    """What is known of a run at the end of a round; kept in every checkpoint."""

    round: int = 0
    seconds: float = 0.0
    samples: int = 0
    games: int = 0
    measured: dict[str, float] = field(default_factory=dict)  # what the last evaluation said, and its ladder


@dataclass(frozen=True)
class Budget:
    """When to stop: after so many seconds of this call, or at so many rounds of the run; whichever comes first."""

    seconds: float | None = None
    rounds: int | None = None


def ladder_of(config: TrainConfig, measured: dict[str, float]) -> int:
    """Simulations of the ladder's opponent after what was measured."""
    return int(measured.get("ladder", config.ladder_start))


class Measure(Protocol):
    """Plays the evaluation matches of a round; `promote` in what it returns says whether the net is the best yet."""

    def __call__(self, backend: Backend, run: RunDir, progress: Progress) -> dict[str, float]: ...


class TrainLoop:
    """One run of training. `report` hears of every round, `note` of everything unusual."""

    def __init__(
        self,
        run: RunDir,
        config: TrainConfig,
        backend: Backend,
        measure: Measure,
        *,
        report: Callable[[dict[str, Any]], None] = lambda _line: None,
        note: Callable[[str], None] = lambda _line: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.run = run
        self.config = config
        self.backend = backend
        self.progress = Progress()
        self._measure = measure
        self._report = report
        self._note = note
        self._clock = clock
        self._window = Window(config)

    def resume(self) -> None:
        """Takes up the run from its last good checkpoint and says what it found."""
        found = self.run.last_checkpoint(needs=(_PROGRESS_KEY,))
        if found is None:
            if self.run.had_checkpoints():
                raise BadFile(
                    f"no checkpoint of {self.run.path} can be read: put one back into {self.run.path / 'checkpoints'}, "
                    "or start another --run (--init takes a net of this one)"
                )
            self._note("no checkpoint yet: starting from the beginning")
            self.run.rewind_metrics(0)
            return
        number, state = found
        self.progress = Progress(**json.loads(str(state.pop(_PROGRESS_KEY))))
        self.backend.restore(state)
        self.run.rewind_metrics(number)
        total = 0
        lines = {line["round"]: line for line in self.run.metrics()}
        for shard_number in self.run.shard_numbers():
            if shard_number >= number:
                break
            samples = self.run.load_shard(shard_number)
            if samples is None:
                continue
            total = int(lines.get(shard_number, {}).get("samples", total + sample_count(samples)))
            self._window.add(shard_number, samples, total)
        self._note(
            f"resuming at round {number}: {self.progress.games} games, {self.progress.samples} samples so far, "
            f"{len(self._window)} of them in the window"
        )

    def train(self, budget: Budget, stop: threading.Event | None = None) -> Progress:
        """Runs rounds until the budget is used up or `stop` is set; a round cut short is dropped."""
        stop = stop or threading.Event()
        started = self._clock()
        if not self.run.checkpoint_numbers():
            # What the run starts from may be a net somebody gave, which a run that is taken up does not know of.
            self._save(self.progress)
        while not stop.is_set():
            if budget.rounds is not None and self.progress.round >= budget.rounds:
                break
            if budget.seconds is not None and self._clock() - started >= budget.seconds:
                break
            if not self._round(stop):
                break
        return self.progress

    def _round(self, stop: threading.Event) -> bool:
        started = self._clock()
        number = self.progress.round
        self.backend.set_ladder(ladder_of(self.config, self.progress.measured))
        shard = self._play(number, stop)
        if shard is None:
            return False
        new_samples = sample_count(shard.samples)
        progress = Progress(**asdict(self.progress))
        progress.samples += new_samples
        progress.games += int(shard.stats.get("games", 0))
        self._window.add(number, shard.samples, progress.samples)
        played = self._clock()
        losses = self.backend.learn(self._window, number, new_samples)
        learned = self._clock()
        line: dict[str, Any] = {
            **shard.stats,
            **losses,
            "round": number,
            "samples": progress.samples,
            "games": progress.games,
            "window": len(self._window),
            "self_play_seconds": played - started,
            "learn_seconds": learned - played,
        }
        every = self.config.evaluate_every
        if every and (number + 1) % every == 0:
            progress.round = number + 1
            measured = self._measure(self.backend, self.run, progress)
            if measured.get("promote"):
                self.backend.promote()
            progress.measured = measured
            line |= measured
        self._finish(progress, line, started)
        return True

    def _play(self, number: int, stop: threading.Event) -> Shard | None:
        """The shard of the round: from the disk when an interrupted round had finished it, else newly played."""
        samples = self.run.load_shard(number)
        if samples is not None:
            stats = json.loads(str(samples.pop("stats"))) if "stats" in samples else {}
            self._note(f"shard {number} was already there")
            return Shard(samples, stats)
        shard = self.backend.generate(number, stop)
        if shard is not None:
            self.run.save_shard(number, shard.samples | {"stats": np.array(json.dumps(shard.stats))})
        return shard

    def _finish(self, progress: Progress, line: dict[str, Any], started: float) -> None:
        progress.round = int(line["round"]) + 1
        progress.seconds += self._clock() - started
        line["seconds"] = progress.seconds
        self.run.append_metrics(line)
        self._save(progress)
        oldest = self._window.first
        self.run.remove_shards(lambda number: number >= oldest)
        self.progress = progress
        self._report(line)

    def _save(self, progress: Progress) -> None:
        state = self.backend.state() | {_PROGRESS_KEY: np.array(json.dumps(asdict(progress)))}
        self.run.save_checkpoint(progress.round, state, self.config.keep_checkpoints)
