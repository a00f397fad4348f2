"""The line net in 16-bit numbers against the one in floats."""

from __future__ import annotations

import numpy as np
import pytest
from netpositions import random_board
from numpy.typing import NDArray

from fivestone import _core, notation
from fivestone.board import RULES, Board
from fivestone.net import LineNet, load_net
from fivestone.search.mcts import Mcts
from fivestone.search.result import Limit


def shipped() -> LineNet:
    net = load_net("line")
    assert isinstance(net, LineNet)
    return net


def game_boards(net: LineNet, size: int, seed: int) -> list[Board]:
    """The positions of a game the net plays against itself, with some luck."""
    player, board, boards = Mcts(net, seed=seed, temperature=1.0), Board(size), []
    while not board.is_over and len(boards) < 40:
        boards.append(board.copy())
        board.push(player.search(board, Limit(visits=16)).move)
    return boards


def divergence(p: NDArray[np.float32], q: NDArray[np.float32]) -> NDArray[np.float64]:
    """KL divergence of the policies of each board."""
    p64, q64 = p.astype(np.float64), q.astype(np.float64)
    ratio = np.where(p64 > 0, p64, 1) / np.where(q64 > 0, q64, 1)
    result: NDArray[np.float64] = (p64 * np.log(ratio)).sum(axis=1)
    return result


def compare(net: LineNet, boards: list[Board]) -> tuple[float, float]:
    """The worst divergence of the policies and the worst error of win, draw and loss."""
    assert net.quantised is not None
    policy, outcome = net.core.evaluate(boards)
    other_policy, other_outcome = net.quantised.evaluate(boards)
    return float(divergence(policy, other_policy).max()), float(np.abs(outcome - other_outcome).max())


@pytest.mark.parametrize("size", [6, 9, 15, 20])
def test_the_shipped_net_judges_games_alike_in_16_bits(size: int) -> None:
    net = shipped()
    worst_policy, worst_outcome = compare(net, game_boards(net, size, seed=size))
    assert worst_policy < 1e-3
    assert worst_outcome < 0.02


@pytest.mark.parametrize("rule", RULES)
def test_random_nets_judge_alike_in_16_bits_under_every_rule(rule: str) -> None:
    rng = np.random.default_rng(11)
    net = LineNet.random(rule, seed=4, width=16 if rule == "renju" else 32)
    worst_policy, worst_outcome = compare(net, [random_board(rng, 12, rule) for _ in range(10)])
    assert worst_policy < 1e-5
    assert worst_outcome < 0.005


@pytest.mark.parametrize("width", [16, 32, 64])
def test_all_kernels_give_the_same_to_the_last_bit(width: int) -> None:
    rng = np.random.default_rng(12)
    net = LineNet.random(seed=6, width=width)
    assert net.quantised is not None
    names = _core.kernel16_names(width)
    assert names[-1] == "portable"
    for size in (5, 9, 15, 20):
        boards = [random_board(rng, size, most=60) for _ in range(6)]
        expected = net.quantised.evaluate(boards, "portable")
        for name in names:
            for one, other in zip(net.quantised.evaluate(boards, name), expected, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=name)


@pytest.mark.parametrize("symmetry", range(8))
def test_symmetries_hold_to_the_last_bit(symmetry: int) -> None:
    net = shipped()
    assert net.quantised is not None
    board = random_board(np.random.default_rng(13), 11)
    policy, outcome = net.quantised.evaluate([board])
    turned_policy, turned_outcome = net.quantised.evaluate([board.transform(symmetry)])
    places = [notation.transform_move(move, 11, symmetry) for move in range(121)]
    np.testing.assert_allclose(turned_policy[0][places], policy[0], rtol=1e-6)
    np.testing.assert_array_equal(turned_outcome, outcome)


def test_a_net_of_large_weights_is_judged_alike_or_left_to_floats() -> None:
    rng = np.random.default_rng(14)
    arrays = LineNet.random(seed=8).arrays()
    boards = [random_board(rng, 10) for _ in range(8)]
    left_to_floats = 0
    for name in ("table", "cell_bias", "mix", "mix_bias", "hidden", "context", "policy", "value", "outcome"):
        for factor in (1e-3, 30.0, 1e6):
            net = LineNet.from_arrays("freestyle", arrays | {name: arrays[name] * np.float32(factor)})
            if net.quantised is None:
                left_to_floats += 1
            else:
                assert compare(net, boards)[1] < 0.1, (name, factor)
            assert net.judges(1, 0) is not None
    assert left_to_floats >= 3


def test_one_row_far_off_the_others_leaves_the_net_to_floats() -> None:
    arrays = LineNet.random(seed=9).arrays()
    arrays["table"][4321] *= 1e5
    net = LineNet.from_arrays("freestyle", arrays)
    assert net.quantised is None
    board = Board.from_moves(["e5", "f6"], size=9)
    assert Mcts(net, seed=1).search(board, Limit(visits=50)).visits >= 50


def test_a_search_uses_floats_where_they_are_asked_for() -> None:
    board = Board.from_moves(["h8", "i9", "j8"])
    values = []
    for floats in (False, True):
        net = shipped()
        net.floats = floats
        values.append(Mcts(net, seed=1).search(board, Limit(visits=200)).value)
    assert values[0] != values[1]
    assert values[0] == pytest.approx(values[1], abs=0.05)
