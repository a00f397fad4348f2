"""The learner in torch against the core's, and put away and taken out again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from netpositions import random_board, random_samples
from numpy.typing import NDArray

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.net import LineNet
from fivestone.net.line_numpy import RowFinder

pytest.importorskip("torch")
from fivestone.net.line_learner import TorchLearner


def _shard(seed: int, count: int = 8) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    return random_samples(rng, [random_board(rng, size) for size in (6, 9) for _ in range(count // 2)])[0]


def test_a_step_is_that_of_the_core() -> None:
    # One sample again and again, so that both learners draw the same batch.
    rng = np.random.default_rng(1)
    shard, _policies = random_samples(rng, [random_board(rng, 9)])
    net = LineNet.random(seed=2)
    torch_learner, learner = TorchLearner(net, device="cpu"), _core.Learner(net.core)
    window = _core.SampleWindow()
    window.add(shard)
    for step in range(3):
        found = torch_learner.train([shard], 1, 4, 1e-2, seed=step)
        expected = learner.train(window, 1, 4, 1e-2, seed=step)
        for name in ("policy", "entropy", "value", "policy_right", "value_right"):
            assert found[name] == pytest.approx(expected[name], rel=1e-3, abs=1e-4), name
    arrays, expected_arrays = torch_learner.net().arrays(), learner.net().arrays()
    for name in ("hidden", "context", "value", "mix", "policy", "outcome"):
        np.testing.assert_allclose(arrays[name], expected_arrays[name], atol=2e-3, err_msg=name)


def test_learning_lowers_the_loss() -> None:
    shards = [_shard(1), _shard(2)]
    learner = TorchLearner(LineNet.random(seed=3), device="cpu")
    first = learner.train(shards, 1, 16, 3e-3, seed=1)
    learner.train(shards, 40, 16, 3e-3, seed=2)
    last = learner.train(shards, 1, 16, 3e-3, seed=1)
    assert last["policy"] < 0.8 * first["policy"]
    assert last["samples"] == 16
    assert first["policy_right"] < 0.5 < last["policy_right"] <= 1
    assert last["value_right"] <= 1


def test_a_restored_learner_goes_on_bit_for_bit() -> None:
    first = TorchLearner(LineNet.random(seed=4), device="cpu")
    first.train([_shard(1)], 2, 4, 1e-3, seed=1)
    second = TorchLearner(LineNet.random(seed=5), device="cpu")
    second.restore(first.state())
    for learner in (first, second):
        learner.train([_shard(1)], 2, 4, 1e-3, seed=2)
    for name, values in first.state().items():
        np.testing.assert_array_equal(values, second.state()[name])
    with pytest.raises(BadInput, match="lacks"):
        second.restore({})


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(BadInput, match="device"):
        TorchLearner(LineNet.random(), device="nowhere")
    with pytest.raises(BadInput, match="empty"):
        TorchLearner(LineNet.random(), device="cpu").train([], 1, 4, 1e-3, seed=1)


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_rows_from_stones_are_those_of_the_core(rule: str) -> None:
    net = LineNet.random(rule)
    rng = np.random.default_rng(6)
    finder = RowFinder(net)
    for size in (5, 9, 15):
        board: Board = random_board(rng, size, rule)
        position = _core.Position(board)
        stones = board.stones
        expected = [
            [net.core.row(board.turn, stones[move], code) for code in position.codes(move)]
            for move in range(size * size)
        ]
        np.testing.assert_array_equal(finder.rows(board), expected)
