"""Runs an experiment step by step, keeps every finished step, and writes the report of what there is.

runs/reproduce-NAME/settings.json   what was asked for
                    clock.json      seconds spent on each step
                    steps/KEY.json  what a finished step found
                    report.md       with its pictures
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from fivestone.errors import BadFile, BadInput
from fivestone.experiments.experiment import Experiment, Settings, Step
from fivestone.experiments.report import Report, duration
from fivestone.experiments.workbench import Workbench
from fivestone.files import write_atomically

__all__ = ["Outcome", "Watcher", "run_experiment"]

_IDENTITY = ("scale", "seed", "engines")  # what must be the same for a run to go on; threads may change


class Watcher(Protocol):
    """Hears how far an experiment is, in seconds of its estimate."""

    def start(self, title: str, total: float) -> None: ...

    def step(self, number: int, count: int, title: str) -> None: ...

    def done(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class Outcome:
    """The report's text and whether everything was measured."""

    text: str
    finished: bool
    folder: Path


class _Found(dict[str, Any]):
    """What a finished step found, as its file has it: a file that lacks something is told by name."""

    def __init__(self, file: Path, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._file = file

    def __missing__(self, field: str) -> Any:
        raise BadFile(f"{self._file} cannot be read (it has no '{field}'): delete it to measure that again")


class _Folder:
    """The files of one run of an experiment."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self, name: str, settings: Settings) -> None:
        """Makes the folder this run's, or checks that it already is."""
        asked = {"experiment": name} | {key: getattr(settings, key) for key in _IDENTITY}
        file = self.path / "settings.json"
        if not file.exists():
            write_atomically(file, json.dumps(asked) + "\n")
            return
        found = self._read(file)
        different = [f"{key} {found.get(key)}" for key, value in asked.items() if found.get(key) != value]
        if different:
            raise BadInput(f"{self.path} holds a run with {', '.join(different)}: ask for the same, or another --run")

    def results(self, steps: Sequence[Step]) -> dict[str, dict[str, Any]]:
        files = {step.key: self._result(step.key) for step in steps}
        found: dict[str, dict[str, Any]] = {
            key: _Found(file, self._read(file)) for key, file in files.items() if file.exists()
        }
        for key, result in found.items():
            if not result:  # every step finds something
                raise BadFile(f"{files[key]} cannot be read (it is empty): delete it to measure that again")
        return found

    def keep(self, key: str, result: dict[str, Any]) -> None:
        write_atomically(self._result(key), json.dumps(result) + "\n")

    def clock(self) -> dict[str, float]:
        file = self.path / "clock.json"
        found = self._read(file) if file.exists() else {}
        if not all(isinstance(seconds, int | float) for seconds in found.values()):
            raise BadFile(f"{file} cannot be read (it should hold seconds): delete it to measure that again")
        return found

    def spend(self, key: str, seconds: float) -> None:
        clock = self.clock()
        clock[key] = clock.get(key, 0.0) + seconds
        write_atomically(self.path / "clock.json", json.dumps(clock) + "\n")

    def _result(self, key: str) -> Path:
        return self.path / "steps" / f"{key}.json"

    @staticmethod
    def _read(file: Path) -> dict[str, Any]:
        try:
            found = json.loads(file.read_text())
            if not isinstance(found, dict):
                raise ValueError("not a JSON object")
        except (OSError, ValueError, RecursionError) as error:
            raise BadFile(f"{file} cannot be read ({error}): delete it to measure that again") from None
        return found


def run_experiment(
    experiment: Experiment,
    path: Path,
    settings: Settings,
    *,
    watcher: Watcher,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Runs what is missing. Ctrl-C ends it early, with a report of what there is."""
    folder = _Folder(path)
    steps = experiment.steps(settings)
    folder.claim(experiment.name, settings)
    results = folder.results(steps)
    todo = [(number, step) for number, step in enumerate(steps, 1) if step.key not in results]
    watcher.start(experiment.title, sum(step.seconds for _, step in todo))
    before = 0.0
    with suppress(KeyboardInterrupt):
        for number, step in todo:
            watcher.step(number, len(steps), step.title)
            began = clock()
            try:
                bench = Workbench(path, settings, results, _share_of(step, before, watcher))
                results[step.key] = step.run(bench)
                folder.keep(step.key, results[step.key])
            finally:
                folder.spend(step.key, clock() - began)
            before += step.seconds
            watcher.done(before)
    finished = len(results) == len(steps)
    report = experiment.report(settings, results) if results else Report(experiment.title)
    _add_facts(report, experiment, settings, sum(folder.clock().values()), f"{len(results)} of {len(steps)}")
    return Outcome(report.write(path), finished, path)


def _share_of(step: Step, before: float, watcher: Watcher) -> Callable[[float], None]:
    return lambda share: watcher.done(before + share * step.seconds)


def _command(name: str, settings: Settings) -> str:
    """The command that runs the experiment again."""
    defaults = Settings()
    changed = [
        f"--{field.name} {getattr(settings, field.name)}"
        for field in dataclasses.fields(settings)
        if field.name in _IDENTITY and getattr(settings, field.name) != getattr(defaults, field.name)
    ]
    # Always said: the default depends on the machine's cores, and what is learned in a time on how many are used.
    return " ".join(["fivestone reproduce", name, *changed, f"--threads {settings.threads}"])


def _add_facts(report: Report, experiment: Experiment, settings: Settings, seconds: float, steps: str) -> None:
    """How to get these figures again, and what they were measured on."""
    report.section("How this was measured")
    facts = {
        "Source": experiment.source,
        "Command": f"`{_command(experiment.name, settings)}`",
        "Seed": str(settings.seed),
        "Wall time": duration(seconds),
        "Steps finished": steps,
        "Machine": f"{os.cpu_count()} cores ({platform.machine()}), {settings.threads} used",
        "Fivestone": metadata.version("fivestone"),
    }
    report.text("\n".join(f"- {name}: {fact}" for name, fact in facts.items()))
