import io
from pathlib import Path

import numpy as np
import pytest

from fivestone.errors import BadFile, BadInput
from fivestone.train.config import preset
from fivestone.train.rundir import RunDir


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def run(tmp_path: Path, warnings: list[str]) -> RunDir:
    return RunDir.create(tmp_path / "run", preset("tiny"), warnings.append)


def _state(value: int) -> dict[str, np.ndarray]:
    return {"step": np.array(value), "weights": np.arange(value)}


def test_shards_round_trip(run: RunDir) -> None:
    run.save_shard(3, _state(5))
    loaded = run.load_shard(3)
    assert loaded is not None
    assert loaded["step"] == 5
    np.testing.assert_array_equal(loaded["weights"], np.arange(5))
    assert run.shard_numbers() == [3]
    assert run.load_shard(4) is None


@pytest.mark.parametrize("damage", ["truncate", "garbage", "empty", "array", "other"])
def test_damaged_checkpoint_falls_back_to_the_one_before(run: RunDir, warnings: list[str], damage: str) -> None:
    run.save_checkpoint(1, _state(1), keep=3)
    run.save_checkpoint(2, _state(2), keep=3)
    path = run.path / "checkpoints" / "000002.npz"
    content = path.read_bytes()
    array, other = io.BytesIO(), io.BytesIO()
    np.save(array, np.arange(3))
    np.savez(other, size=np.arange(3))
    half = content[: len(content) // 2]
    damaged = {"truncate": half, "garbage": b"x" * 99, "empty": b"", "array": array.getvalue()}
    path.write_bytes((damaged | {"other": other.getvalue()})[damage])
    found = run.last_checkpoint(needs=("step",))
    assert found is not None
    assert found[0] == 1
    assert "000002.npz is damaged" in warnings[0]
    assert (run.path / "checkpoints" / "000002.broken").exists()


def test_old_checkpoints_go(run: RunDir) -> None:
    for number in range(5):
        run.save_checkpoint(number, _state(number), keep=2)
    assert sorted(entry.name for entry in (run.path / "checkpoints").iterdir()) == ["000003.npz", "000004.npz"]


def test_pickles_are_never_loaded(run: RunDir, warnings: list[str]) -> None:
    (run.path / "selfplay").mkdir()
    np.savez(run.path / "selfplay" / "000001.npz", evil=np.array([print], dtype=object))
    assert run.load_shard(1) is None
    assert "damaged" in warnings[0]


def test_metrics_rewind_and_skip_torn_lines(run: RunDir) -> None:
    for number in range(3):
        run.append_metrics({"round": number, "loss": 1.0})
    with open(run.path / "metrics.jsonl", "a") as file:
        file.write('{"round": 3, "lo')
    assert [line["round"] for line in run.metrics()] == [0, 1, 2]
    run.rewind_metrics(2)
    assert [line["round"] for line in run.metrics()] == [0, 1]


def test_a_run_is_not_overwritten_and_not_invented(run: RunDir, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--resume"):
        RunDir.create(run.path, preset("tiny"))
    with pytest.raises(BadFile, match="not a training run"):
        RunDir.open(tmp_path)
