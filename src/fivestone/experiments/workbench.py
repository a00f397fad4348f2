"""What a step of an experiment works with: a folder, training runs and matches that can be taken up again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from fivestone.experiments.experiment import Results, Settings
from fivestone.match.journal import Journal
from fivestone.match.pool import cores, fit_to_cores, play_all
from fivestone.match.schedule import Contest
from fivestone.match.specs import Spec, format_spec
from fivestone.match.standings import Score, Standings
from fivestone.train.backend import Backend
from fivestone.train.backends import make_backend
from fivestone.train.config import TrainConfig
from fivestone.train.loop import Budget, Measure, Progress, TrainLoop
from fivestone.train.rundir import RunDir, hold_run

__all__ = ["TIMED", "Workbench", "net_spec", "tally"]

# What a report that tells times of training says of them.
TIMED = "Times of training are the processor's, shared out among the threads: other work on the machine does not count."


def net_spec(net: Path, visits: int, *, name: str | None = None, pure: bool = True, c: float = 1.4) -> str:
    """The player that searches with a net. `pure`: by net and tree alone, without what patterns know."""
    options = {"net": str(net), "visits": str(visits), "c": f"{c:g}"}
    if pure:
        options |= {"forced": "no", "near": "0"}
    if name is not None:
        options["name"] = name
    return format_spec(Spec("puct", None, options))


def tally(score: Score) -> dict[str, Any]:
    """A score as a step keeps it."""
    return {**score.counts(), "seconds_a_move": score.seconds / max(1, score.moves)}


def _unmeasured(backend: Backend, run: RunDir, progress: Progress) -> dict[str, float]:
    return {}


def _train_for(loop: TrainLoop, seconds: float, stop: threading.Event) -> Progress:
    """Until the run is so many seconds old; one round at least, so that there is something to report."""
    if loop.progress.round == 0:
        loop.train(Budget(rounds=1), stop)
    return loop.train(Budget(seconds=seconds - loop.progress.seconds), stop)


class Workbench:
    """`results` are those of the steps before; `on_progress` hears which share of the step is done."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        results: Results,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.results: Mapping[str, Mapping[str, Any]] = results
        self.progress = on_progress

    def clock(self) -> float:
        """Seconds by which training is measured: the processor's, shared out among the threads. Other work on the
        machine does not count, so that what is trained for equal times stays comparable."""
        return time.process_time() / self.settings.threads

    def train(
        self,
        key: str,
        config: TrainConfig,
        seconds: float,
        *,
        measure: Measure = _unmeasured,
        stop: threading.Event | None = None,
    ) -> RunDir:
        """Trains for so many seconds in all, counting those of a run that was interrupted; `stop` ends it sooner.

        The net is `net.npz` in the run. Training goes on in a thread, so that Ctrl-C is heard at once; the round under
        way is then dropped.
        """
        config = replace(config, threads=self.settings.threads, seed=config.seed + self.settings.seed)
        path = self.folder / "train" / key
        with hold_run(path):
            return self._train(path, config, seconds, measure, stop or threading.Event())

    def _train(
        self, path: Path, config: TrainConfig, seconds: float, measure: Measure, stop: threading.Event
    ) -> RunDir:
        old = (path / "config.toml").exists()
        run = RunDir.open(path) if old else RunDir.create(path, config)
        backend = make_backend(config)

        def on_round(line: dict[str, Any]) -> None:
            self.progress(min(1.0, line["seconds"] / seconds))

        loop = TrainLoop(run, config, backend, measure, report=on_round, clock=self.clock)
        if old:
            loop.resume()
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(_train_for, loop, seconds, stop)
            try:
                progress = future.result()
            except KeyboardInterrupt:
                stop.set()
                raise
        card = {"run": path.name, "round": progress.round, "games": progress.games, "seconds": progress.seconds}
        backend.save_net(run.path / "net.npz", card)
        backend.close()
        return run

    def play(self, key: str, contest: Contest) -> Standings:
        """Plays what is missing of a contest."""
        folder = self.folder / "matches" / key
        old = (folder / "contest.json").exists()
        journal = Journal.resume(folder) if old else Journal.create(folder, contest)
        contest = journal.contest
        tasks = list(contest.tasks())
        todo = [task for task in tasks if task.key not in journal.games]
        concurrency, _ = fit_to_cores(self.settings.threads, contest.players, cores())
        with journal.hold(), contextlib.closing(play_all(todo, concurrency)) as played:
            for task, game in played:
                journal.add(task.key, game)
                self.progress(len(journal.games) / len(tasks))
        return Standings(contest, journal.games)
