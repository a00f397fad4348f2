"""A run that starts from a net that exists keeps what the net knows."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from rounds import trained

from fivestone import Board, _core
from fivestone.net.line import LineNet
from fivestone.net.load import load_net
from fivestone.train.config import config_from, preset
from fivestone.train.line_backend import LineBackend
from fivestone.train.loop import Budget, TrainLoop
from fivestone.train.measure import Ladder
from fivestone.train.rundir import RunDir
from fivestone.train.window import Window

CONFIG = config_from(
    {
        "simulations": 24,
        "fast_simulations": 8,
        "samples_per_shard": 128,
        "batch": 64,
        "window_min": 500,
        "window_max": 500,
        "evaluate_every": 0,
        "threads": 1,
    },
    preset("9x9"),
)


def train(path: Path, init: str | None, rounds: int) -> LineBackend:
    return trained(path, CONFIG, LineBackend(CONFIG, init=init, device="cpu"), rounds)


def loss(net: LineNet, samples: dict[str, np.ndarray]) -> float:
    """Of policy and value together over samples the net has not learned from; a rate of 0 changes nothing."""
    window = _core.SampleWindow()
    window.add(samples)
    losses = _core.Learner(net.core).train(window, 8, 128, 0.0, seed=5)
    return float(losses["policy"] + losses["value"])


def drift(net: LineNet, first: LineNet, samples: dict[str, np.ndarray]) -> float:
    """How far the two nets are apart on the samples' positions: what differs in policy and in value, up to 2 each."""
    boards, at = [], 0
    for size, turn in zip(samples["size"].tolist(), samples["turn"].tolist(), strict=True):
        stones = samples["stones"][at : at + size * size]
        at += size * size
        black, white = (np.flatnonzero(stones == color).tolist() for color in (1, 2))
        boards.append(Board.from_stones(black, white, turn=turn, size=size))
    (policy, value), (first_policy, first_value) = net.evaluate(boards), first.evaluate(boards)
    return float((np.abs(policy - first_policy).sum(axis=1) + np.abs(value - first_value)).mean())


def test_it_plays_unchanged_until_the_window_is_filled_and_resumes_so(tmp_path: Path) -> None:
    shipped = load_net("line")
    assert isinstance(shipped, LineNet)
    waiting = train(tmp_path / "run", "line", 2)
    for name, array in waiting.playing_net().arrays().items():
        np.testing.assert_allclose(array, shipped.arrays()[name], atol=1e-6, err_msg=name)
    lines = RunDir.open(tmp_path / "run").metrics()
    assert ["loss" in line for line in lines] == [False, False]
    again = train(tmp_path / "run", None, 4)
    whole = train(tmp_path / "whole", "line", 4)
    assert ["loss" in line for line in RunDir.open(tmp_path / "run").metrics()] == [False, False, True, True]
    for name, values in whole.state().items():
        np.testing.assert_array_equal(values, again.state()[name], err_msg=name)


def test_a_run_killed_in_its_first_round_starts_from_the_same_net(tmp_path: Path) -> None:
    backend = LineBackend(CONFIG, init="line", device="cpu")
    stopped = threading.Event()
    stopped.set()
    TrainLoop(RunDir.create(tmp_path / "run", CONFIG), CONFIG, backend, Ladder(CONFIG)).train(Budget(), stopped)
    again = LineBackend(CONFIG, device="cpu")
    TrainLoop(RunDir.open(tmp_path / "run"), CONFIG, again, Ladder(CONFIG)).resume()
    for name, values in backend.state().items():
        np.testing.assert_array_equal(values, again.state()[name], err_msg=name)


def test_what_the_net_knows_is_kept_while_it_learns_on(tmp_path: Path) -> None:
    shipped = load_net("line")
    assert isinstance(shipped, LineNet)
    judge = LineBackend(config_from({"seed": 77, "samples_per_shard": 512}, CONFIG), init="line", device="cpu")
    shard = judge.generate(0, threading.Event())
    assert shard is not None
    before = loss(shipped, shard.samples)
    learned = train(tmp_path / "run", "line", 8).playing_net()
    # The same learned at the full rate from the first samples on, with a running mean that starts short.
    hasty = LineBackend(CONFIG, device="cpu")
    hasty._learner = hasty._new_learner(shipped)
    run, window = RunDir.open(tmp_path / "run"), Window(CONFIG)
    for number in run.shard_numbers() * 2:
        samples = run.load_shard(number)
        assert samples is not None
        window.add(number, samples, 128)
        hasty.learn(window, number, 128)
    assert loss(learned, shard.samples) < before + 0.005
    assert drift(learned, shipped, shard.samples) < 0.1 < drift(hasty.playing_net(), shipped, shard.samples)


@pytest.mark.parametrize(("sizes", "waits"), [([6], True), ([7], False)])
def test_a_conv_net_waits_too_unless_it_is_for_another_board(sizes: list[int], waits: bool, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from fivestone.net.conv import ConvNet
    from fivestone.train.conv_backend import ConvBackend

    net = ConvNet.random("conv-b", 6, seed=3)
    net.save(tmp_path / "net.npz")
    few = {
        "simulations": 4,
        "games_at_once": 2,
        "samples_per_shard": 2,
        "batch": 16,
        "window_min": 200,
        "reuse": 0.2,
        "threads": 1,
    }
    config = config_from({"sizes": sizes} | few, preset("seed-b"))
    backend = ConvBackend(config, init=str(tmp_path / "net.npz"), device="cpu")
    shard = backend.generate(0, threading.Event())
    assert shard is not None
    window = Window(config)
    window.add(0, shard.samples, len(shard.samples["turn"]))
    assert (backend.learn(window, 0, 40) == {}) == waits
    if waits:
        again = ConvBackend(config, device="cpu")
        again.restore(backend.state())
        assert again.learn(window, 1, 40) == {}
        assert again._factor == pytest.approx(0.1)  # of the rate: the divergence raises it from there
        assert "loss" in again.learn(window, 1, config.window_min)
