"""Runs an experiment at a tiny size and checks what every report must say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fivestone.experiments.catalog import find_experiment
from fivestone.experiments.experiment import Settings
from fivestone.experiments.runner import Outcome, run_experiment

__all__ = ["Silent", "reproduce", "rows_of", "step_of"]


class Silent:
    """A watcher that checks that progress only goes forward."""

    def __init__(self) -> None:
        self.total = self.at = 0.0

    def start(self, title: str, total: float) -> None:
        self.total = total

    def step(self, number: int, count: int, title: str) -> None:
        assert 1 <= number <= count

    def done(self, seconds: float) -> None:
        assert self.at - 1e-9 <= seconds <= self.total + 1e-9
        self.at = seconds


def reproduce(folder: Path, name: str, scale: float = 0.001, **settings: Any) -> Outcome:
    watcher = Silent()
    outcome = run_experiment(find_experiment(name), folder, Settings(scale=scale, **settings), watcher=watcher)
    assert outcome.finished
    assert watcher.at == pytest.approx(watcher.total), "the bar ends at its end"
    assert f"`fivestone reproduce {name} --scale {scale}" in outcome.text
    assert "- Wall time: " in outcome.text
    for link in [part.split(")")[0] for part in outcome.text.split("](")[1:]]:
        assert (folder / link).read_bytes()[:4] == b"\x89PNG", f"{link} is a picture"
    return outcome


def step_of(outcome: Outcome, key: str) -> dict[str, Any]:
    """What a step found."""
    found = json.loads((outcome.folder / "steps" / f"{key}.json").read_text())
    assert isinstance(found, dict)
    return found


def rows_of(text: str, first: str) -> list[list[str]]:
    """The cells of the table rows that begin with a cell."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if row[0] == first]
