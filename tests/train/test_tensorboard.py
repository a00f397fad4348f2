"""The numbers of a run as TensorBoard reads them back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fivestone.train.tensorboard import Scalars

LINES = [
    {"round": 0, "seconds": 2.5, "games": 40, "loss": 4.5, "elo_pairs": [], "note": "text"},
    {"round": 1, "seconds": 5.0, "games": 80, "loss": 4.0, "elo": 12.0, "kl": float("nan")},
    {"round": 2, "seconds": 7.5, "games": 120, "loss": 3.5, "policy_accuracy": 0.5},
]


def test_tensorboard_reads_the_numbers_back(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with Scalars(tmp_path) as scalars:
        for line in LINES:
            scalars.write(line)
    # A run that was killed after round 2's line and runs that round again.
    with Scalars(tmp_path) as scalars:
        scalars.write(LINES[2] | {"loss": 3.25})
    found = EventAccumulator(str(tmp_path)).Reload()
    points = [(event.step, event.wall_time, event.value) for event in found.Scalars("loss/loss")]
    assert points == [(0, 2.5, 4.5), (1, 5.0, 4.0), (2, 7.5, 3.25)]
    assert [event.value for event in found.Scalars("run/games")] == [40, 80, 120]
    assert [event.value for event in found.Scalars("strength/elo")] == [12]
    assert [event.value for event in found.Scalars("accuracy/policy_accuracy")] == [0.5]
    expected = {"loss/loss", "accuracy/policy_accuracy", "run/games", "run/seconds", "strength/elo"}
    assert set(found.Tags()["scalars"]) == expected


def test_training_goes_on_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)  # as if not installed
    with Scalars(tmp_path / "here") as scalars:
        scalars.write(LINES[0])
    monkeypatch.undo()
    (tmp_path / "file").write_text("a folder that cannot be made")
    with Scalars(tmp_path / "file") as scalars:
        scalars.write(LINES[0])
    assert not (tmp_path / "here").exists()
