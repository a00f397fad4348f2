"""The loop with a tiny arithmetic backend: what is under test is the order of things, not the learning."""

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fivestone.errors import BadFile
from fivestone.match.player import Player, RandomPlayer
from fivestone.train.backend import Backend, Shard
from fivestone.train.config import config_from, preset
from fivestone.train.loop import Budget, Progress, TrainLoop
from fivestone.train.rundir import Arrays, RunDir
from fivestone.train.window import Window

CONFIG = config_from({"window_min": 12, "window_max": 20, "evaluate_every": 2}, preset("tiny"))


class Killed(BaseException):
    """Stands for a kill at this very instant: nothing in the loop catches it."""


class Arithmetic:
    """Its weight is a hash of everything it ever learned from, so any difference in the history shows."""

    def __init__(self) -> None:
        self.weight = 1
        self.promoted = 0

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        if stop.is_set():
            return None
        rng = np.random.default_rng([number, self.weight])
        return Shard({"size": rng.integers(1, 100, size=8)}, {"games": 2.0})

    def learn(self, window: Window, number: int, new_samples: int) -> dict[str, float]:
        for _number, samples in window.shards:
            self.weight = (self.weight * 31 + int(samples["size"].sum())) % 1_000_003
        return {"loss": 1 / self.weight}

    def state(self) -> Arrays:
        return {"weight": np.array(self.weight), "promoted": np.array(self.promoted)}

    def restore(self, state: Arrays) -> None:
        self.weight = int(state["weight"])
        self.promoted = int(state["promoted"])

    def promote(self) -> None:
        self.promoted += 1

    def set_ladder(self, simulations: int) -> None: ...

    def save_net(self, path: Path, card: dict[str, Any]) -> None: ...

    def player(self, net: Path) -> Player:
        return RandomPlayer()

    def close(self) -> None: ...


def measure(backend: Backend, run: RunDir, progress: Progress) -> dict[str, float]:
    return {"elo": float(progress.round), "promote": float(progress.round % 4 == 0)}


def clock() -> float:
    return 0.0


def loop_in(path: Path, notes: list[str] | None = None) -> tuple[TrainLoop, Arithmetic]:
    backend = Arithmetic()
    note = (notes if notes is not None else []).append
    fresh = not (path / "config.toml").exists()
    run = RunDir.create(path, CONFIG, note) if fresh else RunDir.open(path, note)
    loop = TrainLoop(run, CONFIG, backend, measure, clock=clock, note=note)
    if not fresh:
        loop.resume()
    return loop, backend


def finished(path: Path, rounds: int) -> tuple[int, int, str]:
    loop, backend = loop_in(path)
    loop.train(Budget(rounds=rounds))
    return backend.weight, backend.promoted, (path / "metrics.jsonl").read_text()


STEPS = ["save_shard", "append_metrics", "save_checkpoint", "remove_shards"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("kill_round", [0, 1, 4])
def test_a_kill_at_any_step_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, when: str, kill_round: int
) -> None:
    expected = finished(tmp_path / "whole", 7)
    original = getattr(RunDir, step)
    calls = 0

    def killing(self: RunDir, *args: Any, **kwargs: Any) -> None:
        nonlocal calls
        calls += 1
        if calls - 1 == kill_round and when == "before":
            raise Killed
        original(self, *args, **kwargs)
        if calls - 1 == kill_round and when == "after":
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(RunDir, step, killing)
        with pytest.raises(Killed):
            finished(tmp_path / "killed", 7)
    assert finished(tmp_path / "killed", 7) == expected


def test_a_damaged_checkpoint_costs_one_round_and_changes_nothing(tmp_path: Path) -> None:
    expected = finished(tmp_path / "whole", 6)
    finished(tmp_path / "run", 5)
    newest = max((tmp_path / "run" / "checkpoints").iterdir())
    newest.write_bytes(newest.read_bytes()[:50])
    notes: list[str] = []
    loop, backend = loop_in(tmp_path / "run", notes)
    assert loop.progress.round == 4
    assert any("damaged" in note for note in notes)
    loop.train(Budget(rounds=6))
    assert (backend.weight, backend.promoted) == expected[:2]


@pytest.mark.parametrize("rounds", [0, 5])
def test_without_a_readable_checkpoint_a_run_is_kept_as_it_is(tmp_path: Path, rounds: int) -> None:
    loop, _backend = loop_in(tmp_path / "run")
    loop.train(Budget(rounds=rounds))
    for path in (tmp_path / "run" / "checkpoints").iterdir():
        path.write_bytes(b"xx")
    metrics = [line["round"] for line in loop.run.metrics()]
    for _again in range(2):  # when they are set aside, too
        with pytest.raises(BadFile, match=r"no checkpoint of .* can be read: put one back"):
            loop_in(tmp_path / "run")
    assert [line["round"] for line in loop.run.metrics()] == metrics


def test_another_archive_is_no_checkpoint(tmp_path: Path) -> None:
    finished(tmp_path / "run", 5)
    np.savez(max((tmp_path / "run" / "checkpoints").iterdir()), size=np.arange(3))
    assert loop_in(tmp_path / "run")[0].progress.round == 4


def test_a_truncated_shard_is_played_again(tmp_path: Path) -> None:
    expected = finished(tmp_path / "whole", 4)
    loop, _backend = loop_in(tmp_path / "run")
    loop.train(Budget(rounds=3))
    (tmp_path / "run" / "selfplay" / "000003.npz").write_bytes(b"PK\x03\x04 torn")
    assert finished(tmp_path / "run", 4)[0] == expected[0]


def test_stop_drops_the_round_and_keeps_the_rest(tmp_path: Path) -> None:
    loop, _backend = loop_in(tmp_path / "run")
    stop = threading.Event()
    loop._report = lambda line: stop.set() if line["round"] == 2 else None
    assert loop.train(Budget(), stop).round == 3


def test_budget_in_seconds(tmp_path: Path) -> None:
    loop, _backend = loop_in(tmp_path / "run")
    ticks = iter(range(1000))
    loop._clock = lambda: float(next(ticks))
    assert 0 < loop.train(Budget(seconds=20)).round < 20


def test_metrics_carry_totals(tmp_path: Path) -> None:
    finished(tmp_path / "run", 3)
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["games"] for line in lines] == [2, 4, 6]
    assert [line["samples"] for line in lines] == [8, 16, 24]
    assert [line.get("elo") for line in lines] == [None, 2.0, None]
