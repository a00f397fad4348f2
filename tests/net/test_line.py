"""The compiled line net against NumPy, under the symmetries, and on disk."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from netpositions import random_board

from fivestone import _core, notation
from fivestone.board import RULES, Board
from fivestone.errors import BadFile, BadInput
from fivestone.net import LineNet, game_of, line_numpy, load_net, netfile, shipped_nets
from fivestone.search.mcts import Mcts
from fivestone.search.result import Limit


@pytest.fixture(scope="module")
def net() -> LineNet:
    return LineNet.random(seed=3)


def test_a_table_has_as_many_rows_as_there_are_windows_up_to_mirroring(net: LineNet) -> None:
    assert net.core.row_count == 22143
    assert LineNet.random("standard").core.row_count == (364 * 364 * 3 + 364 * 3) // 2
    windows = net.core.windows()
    assert len(np.unique(windows, axis=0)) == len(windows)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kernels", _core.kernel_names(32))
def test_the_compiled_net_computes_what_numpy_does(rule: str, kernels: str) -> None:
    rng = np.random.default_rng(5)
    net = LineNet.random(rule, seed=int(rng.integers(100)))
    for size in (5, 9, 15, 20):
        boards = [random_board(rng, size, rule) for _ in range(3)]
        policy, outcome = net.core.evaluate(boards, kernels)
        expected_policy, expected_outcome = line_numpy.evaluate(net, boards)
        np.testing.assert_allclose(policy, expected_policy, atol=1e-6)
        np.testing.assert_allclose(outcome, expected_outcome, atol=1e-5)


@pytest.mark.parametrize("width", [16, 64])
def test_other_widths_compute_what_numpy_does(width: int) -> None:
    rng = np.random.default_rng(6)
    net = LineNet.random(seed=1, width=width)
    boards = [random_board(rng, 11) for _ in range(4)]
    for kernels in _core.kernel_names(width):
        policy, outcome = net.core.evaluate(boards, kernels)
        expected_policy, expected_outcome = line_numpy.evaluate(net, boards)
        np.testing.assert_allclose(policy, expected_policy, atol=1e-6)
        np.testing.assert_allclose(outcome, expected_outcome, atol=1e-5)


@pytest.mark.parametrize("rule", ["standard", "renju"])
def test_a_freestyle_net_judges_games_where_six_are_no_five_as_numpy_does(net: LineNet, rule: str) -> None:
    rng = np.random.default_rng(9)
    quantised = net.quantised
    assert quantised is not None
    for size in (5, 9, 15):
        # One after the other, as a player goes from game to game.
        boards = [random_board(rng, size, of) for of in (rule, "freestyle", rule, rule)]
        expected = line_numpy.evaluate(net, boards)
        for found, wanted in zip(net.core.evaluate(boards), expected, strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-5)
        for found, wanted in zip(quantised.evaluate(boards), expected, strict=True):
            np.testing.assert_allclose(found, wanted, atol=0.05)


def test_a_freestyle_net_knows_that_a_five_can_not_end_beside_a_stone_of_its_own(net: LineNet) -> None:
    def outcome(rule: str, color: int) -> bytes:
        pair, corners = [15 * 7 + 11, 15 * 7 + 12], [0, 14]
        sides = [pair, corners] if color == 1 else [corners, pair]
        return net.outcomes([Board.from_stones(*sides, turn=1, size=15, rule=rule)])[1].tobytes()

    for color in (1, 2):
        assert outcome("standard", color) != outcome("freestyle", color)
    assert outcome("renju", 1) == outcome("standard", 1)  # Black needs exactly five
    assert outcome("renju", 2) == outcome("freestyle", 2)


@pytest.mark.parametrize("symmetry", range(8))
def test_a_turned_or_mirrored_board_is_judged_alike(net: LineNet, symmetry: int) -> None:
    rng = np.random.default_rng(7)
    for size in (6, 9, 15):
        board = random_board(rng, size)
        policy, value = net.evaluate([board])
        turned_policy, turned_value = net.evaluate([board.transform(symmetry)])
        places = [notation.transform_move(move, size, symmetry) for move in range(size * size)]
        np.testing.assert_allclose(turned_policy[0][places], policy[0], rtol=1e-5)
        np.testing.assert_allclose(turned_value, value, atol=1e-6)


def test_exchanging_colours_and_turn_changes_nothing_where_the_rule_treats_both_alike(net: LineNet) -> None:
    board = random_board(np.random.default_rng(8), 9)
    sides = [[move for move, stone in enumerate(board.stones) if stone == color] for color in (1, 2)]
    swapped = Board.from_stones(sides[1], sides[0], turn=3 - board.turn, size=9)
    for one, other in zip(net.evaluate([board]), net.evaluate([swapped]), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_policy_is_over_legal_moves_and_sums_to_one() -> None:
    net = LineNet.random("renju", seed=2)
    board = Board.from_moves(["h8", "a1", "h9", "c1", "i10", "e1", "j10", "g1"], rule="renju")
    assert board.forbidden_moves
    policy, _value = net.evaluate([board])
    legal = np.zeros(225, dtype=bool)
    legal[board.legal_moves] = True
    assert (policy[0][legal] > 0).all()
    assert (policy[0][~legal] == 0).all()
    assert policy.sum() == pytest.approx(1, abs=1e-5)


def test_the_start_spreads_the_policy_and_leaves_the_value_open(net: LineNet) -> None:
    policy, value = net.evaluate([random_board(np.random.default_rng(9), 9)])
    assert policy.max() < 0.2
    assert abs(value[0]) < 0.8


def test_what_does_not_fit_is_refused(net: LineNet) -> None:
    with pytest.raises(BadInput, match="another rule"):
        net.evaluate([Board(9, "caro")])
    with pytest.raises(BadInput, match="same size"):
        net.evaluate([Board(9), Board(10)])
    with pytest.raises(BadInput, match="over"):
        net.evaluate([Board.from_moves(["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"], size=9)])
    with pytest.raises(BadInput, match="16, 32 or 64"):
        LineNet.random(width=33)


def test_a_net_comes_back_from_disk(net: LineNet, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    net.save(path, {"games": 3})
    assert path.stat().st_size < 2_000_000
    again = load_net(path)
    assert (again.rule, again.width, again.card) == ("freestyle", 32, {"games": 3})
    for name, values in net.arrays().items():
        np.testing.assert_allclose(again.arrays()[name], values, rtol=1e-3, atol=1e-6)


def test_a_file_that_is_no_net_is_refused_in_one_line(net: LineNet, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    with pytest.raises(BadInput, match="shipped name"):
        load_net(path)
    path.write_bytes(b"PK nonsense")
    with pytest.raises(BadFile, match=r"not a (line )?net"):
        load_net(path)
    net.save(path)
    arrays = dict(np.load(path))
    for change in (
        {"table": arrays["table"][:5]},
        {"policy": np.full(32, np.nan, dtype=np.float32)},
        {"card": np.array(json.dumps({"format": "another"}))},
        {"card": np.array("{}")},
    ):
        np.savez(path, **(arrays | change))
        with pytest.raises(BadFile, match=r"not a (line )?net"):
            load_net(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadFile, match=r"not a (line )?net"):
        load_net(path)


def test_a_file_that_unpacks_into_too_much_is_not_unpacked(
    net: LineNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net.save(tmp_path / "net.npz")
    with zipfile.ZipFile(tmp_path / "net.npz") as archive:
        monkeypatch.setattr(netfile, "_MOST_BYTES", sum(entry.file_size for entry in archive.infolist()) - 1)
    with pytest.raises(BadFile, match="too large"):
        LineNet.load(tmp_path / "net.npz")
    with pytest.raises(BadFile, match="too large"):  # not even its card
        game_of(tmp_path / "net.npz")


def test_a_search_with_a_net_finds_a_win_and_refuses_another_rule(net: LineNet) -> None:
    search = Mcts(net, seed=1)
    board = Board.from_moves(["e5", "a1", "f5", "a3", "g5", "a5"], size=9)
    result = search.search(board, Limit(visits=100))
    assert result.proven == 1
    assert board.name_of(result.move) in ("d5", "h5")
    with pytest.raises(BadInput, match="freestyle"):
        search.search(Board(9, "caro"), Limit(visits=10))


def test_the_shipped_net_loads_plays_and_has_a_card() -> None:
    shipped = shipped_nets()
    assert "line" in shipped
    assert sum(path.stat().st_size for path in shipped.values()) < 8_000_000
    net = load_net("line")
    assert isinstance(net, LineNet)
    assert {"made_by", "games", "strength"} <= set(net.card)
    for size in (6, 9, 20):
        policy, value = net.evaluate([Board(size)])
        assert policy.sum() == pytest.approx(1, abs=1e-4)
        assert abs(float(value[0])) < 1
