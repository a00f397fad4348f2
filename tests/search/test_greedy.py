"""The greedy player and the scores kept by push and pop."""

import io
import random
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone import _core
from fivestone.board import RULES, Board
from fivestone.errors import BadFile, BadInput
from fivestone.match.specs import make_player
from fivestone.search.greedy import Greedy
from fivestone.search.result import Limit
from fivestone.search.weights import FAMILIES, core_weights, hand_made, load_tables, save_tables, shipped_card
from walks import walk


def _choose(board: Board) -> int:
    return Greedy().search(board, Limit()).move


@settings(deadline=None, max_examples=40)
@given(rule=st.sampled_from(RULES), size=st.integers(5, 20), seed=st.integers(0, 10**6))
def test_scores_follow_push_and_pop(rule: str, size: int, seed: int) -> None:
    rng = random.Random(seed)
    board = Board(size, rule)
    for position in walk(board, rng, 60):
        fresh = _core.Position(board)
        assert (position.score, position.cell_score) == (fresh.score, fresh.cell_score)


def test_score_is_the_same_for_both_colours() -> None:
    black, white = ["h8", "h9", "j10"], ["g7", "c3", "d3"]
    one = _core.Position(Board.from_stones(black, white, turn=1))
    two = _core.Position(Board.from_stones(white, black, turn=2))
    assert one.score == two.score
    assert one.cell_score == -_core.Position(Board.from_stones(black, white, turn=2)).cell_score


@settings(deadline=None, max_examples=60)
@given(rule=st.sampled_from(RULES), size=st.integers(5, 20), seed=st.integers(0, 10**6))
def test_takes_a_five_and_plays_only_legal_moves(rule: str, size: int, seed: int) -> None:
    rng = random.Random(seed)
    board = Board(size, rule)
    while not board.is_over and len(board.moves) < 60:
        stones = board.stones
        fives = [move for move in board.legal_moves if board._wins(move, board.turn)]
        move = _choose(board)
        assert move in board.legal_moves
        assert not fives or move in fives
        assert board.stones == stones
        board.push(move if rng.random() < 0.7 else rng.choice(board.legal_moves))


def test_extends_its_own_open_three_before_anything_quieter() -> None:
    board = Board.from_stones(["h8", "i8", "j8"], ["c3", "d12", "m13"], turn=1)
    assert board.name_of(_choose(board)) in ("g8", "k8")
    board = Board.from_stones(["h8", "i8", "j8"], ["c3", "d12"], turn=2)
    assert board.name_of(_choose(board)) in ("f8", "g8", "k8", "l8")


def test_a_game_that_is_over_is_refused() -> None:
    board = Board.from_moves("a1a2b1b2c1c2d1d2e1")
    with pytest.raises(BadInput, match="over"):
        _choose(board)


def test_cards_come_back_as_they_were_written(tmp_path) -> None:
    card = tmp_path / "card.npz"
    tables = {family: hand_made(family) for family in FAMILIES}
    tables["standard"].cell[0, 7] = 321
    save_tables(card, tables)
    again = load_tables(card)
    assert set(again) == set(FAMILIES)
    assert again["standard"].cell[0, 7] == 321
    assert again["renju"].scale == tables["renju"].scale
    assert core_weights(Board(15, "caro-exact"), card).scale == pytest.approx(tables["caro"].scale)


def _damaged(kind: str) -> bytes:
    whole = shipped_card().read_bytes()
    middle = len(whole) // 3
    packed = io.BytesIO()
    if kind == "cut short":
        return whole[:13820]
    if kind == "changed":
        return whole[:middle] + bytes(byte ^ 255 for byte in whole[middle : middle + 400]) + whole[middle + 400 :]
    if kind == "one array":
        np.save(packed, np.zeros(3))
    elif kind == "other arrays":
        np.savez(packed, card=np.zeros(3))
    elif kind == "no arrays":
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("freestyle.cell", "text")
    elif kind == "scale":
        tables = hand_made("renju")
        parts = {f"renju.{name}": getattr(tables, name) for name in ("cell", "move_own", "move_foe", "threats")}
        np.savez(packed, **parts, **{"renju.scale": np.array("wide")})
    return packed.getvalue()


@pytest.mark.parametrize("kind", ["empty", "cut short", "changed", "one array", "other arrays", "no arrays", "scale"])
def test_a_damaged_card_is_refused_in_one_line(tmp_path, kind: str) -> None:
    card = tmp_path / "card.npz"
    card.write_bytes(_damaged(kind))
    with pytest.raises(BadFile, match=r"card\.npz") as refused:
        load_tables(card)
    assert "\n" not in str(refused.value)
    with pytest.raises(BadFile, match=r"card\.npz"):
        make_player(f"alphabeta:weights={card}")


def test_a_bad_card_is_refused(tmp_path) -> None:
    card = tmp_path / "card.npz"
    with pytest.raises(BadFile, match="no weights card"):
        load_tables(card)
    card.write_bytes(b"not a card")
    with pytest.raises(BadFile, match="not a weights card"):
        load_tables(card)
    with pytest.raises(BadInput, match="win length"):
        core_weights(Board(9, win_length=4))
