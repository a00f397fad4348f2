"""Learning a line net with torch in the training loop; here torch's own name of the CPU stands in for a GPU."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.net.device import choose_device
from fivestone.net.line import LineNet
from fivestone.train.config import config_from, preset
from fivestone.train.line_backend import LineBackend
from fivestone.train.loop import Budget, TrainLoop
from fivestone.train.measure import Ladder
from fivestone.train.rundir import RunDir
from fivestone.train.window import Window, sample_count

torch = pytest.importorskip("torch")
CONFIG = config_from({"evaluate_every": 0, "samples_per_shard": 64, "batch": 32}, preset("tiny"))


def test_torch_learns_in_the_loop_and_resumes(tmp_path: Path) -> None:
    states = []
    for name, cuts in (("whole", [2]), ("cut", [1, 2])):
        run = RunDir.create(tmp_path / name, CONFIG)
        for rounds in cuts:
            backend = LineBackend(CONFIG, device="cpu:0")
            loop = TrainLoop(run, CONFIG, backend, Ladder(CONFIG))
            loop.resume()
            loop.train(Budget(rounds=rounds))
        states.append(backend.state())
    for name, values in states[0].items():
        np.testing.assert_array_equal(values, states[1][name])
    lines = RunDir.open(tmp_path / "whole").metrics()
    assert all(np.isfinite(line["loss"]) for line in lines)


@pytest.mark.parametrize(("first", "other"), [("cpu", "cpu:0"), ("cpu:0", "cpu")])
def test_a_run_goes_on_with_the_learner_it_started_with(first: str, other: str) -> None:
    state = LineBackend(CONFIG, device=first).state()
    taken_up = LineBackend(CONFIG)
    taken_up.restore(state)
    for name, values in taken_up.state().items():
        np.testing.assert_array_equal(values, state[name])
    with pytest.raises(BadInput, match="leave --device out"):
        LineBackend(CONFIG, device=other).restore(state)


def test_torch_and_the_core_learn_the_same_from_a_round() -> None:
    config = config_from({"samples_per_shard": 256, "reuse": 16.0, "ema": 0.5}, CONFIG)
    backends = [LineBackend(config, device=device) for device in ("cpu", "cpu:0")]
    shard = backends[0].generate(0, threading.Event())
    assert shard is not None
    window = Window(config)
    window.add(0, shard.samples, sample_count(shard.samples))
    losses = [backend.learn(window, 0, 256) for backend in backends]
    # The same samples in batches drawn otherwise: close, and far from the untrained net.
    first, nets = LineNet.random(config.rule, config.seed, config.width), [b.playing_net() for b in backends]
    assert losses[1]["policy_loss"] == pytest.approx(losses[0]["policy_loss"], rel=0.05)
    assert losses[1]["value_loss"] == pytest.approx(losses[0]["value_loss"], rel=0.1)
    boards = [Board.from_moves(moves, 6) for moves in ("c3", "c3d4", "c3d4d3", "c3c4b3d3d4b2", "a1f6c3")]
    start, ours, theirs = (net.evaluate(boards)[0] for net in (first, *nets))
    moved, also_moved = (ours - start).ravel(), (theirs - start).ravel()
    assert moved @ also_moved > 0.5 * np.linalg.norm(moved) * np.linalg.norm(also_moved)


@pytest.mark.parametrize(("name", "gpu", "chosen"), [
    ("auto", True, "cuda"), ("auto", False, "cpu"), ("cpu", True, "cpu"), ("cuda:1", True, "cuda:1"),
])  # fmt: skip
def test_the_gpu_is_taken_where_there_is_one(name: str, gpu: bool, chosen: str) -> None:
    assert choose_device(name, lambda: gpu) == chosen


@pytest.mark.parametrize("name", ["cuda", "tpu", "cuda:x", "auto:1", ""])
def test_a_device_that_is_not_there_is_said(name: str) -> None:
    with pytest.raises(BadInput, match="device"):
        choose_device(name, lambda: False)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_said() -> None:
    with pytest.raises(BadInput, match="cuda"):
        LineBackend(CONFIG, device="cuda")
