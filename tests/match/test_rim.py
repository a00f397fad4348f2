"""The rim attacker stays on the rim until someone is about to win."""

from __future__ import annotations

import random

import pytest

from fivestone import Board
from fivestone.errors import BadInput
from fivestone.match.rim import rim_cells, rim_opening
from fivestone.match.specs import make_player
from fivestone.search import Limit


@pytest.mark.parametrize(("size", "width", "inside"), [(15, 3, 81), (9, 1, 49), (8, 3, 4), (6, 3, 0), (6, 5, 0)])
def test_rim_cells(size: int, width: int, inside: int) -> None:
    cells = rim_cells(size, width)
    assert len(cells) == len(set(cells)) == size * size - inside
    assert all(min(c % size, c // size, size - 1 - c % size, size - 1 - c // size) < width for c in cells)


def test_openings_on_the_rim() -> None:
    rng = random.Random(1)
    openings = [rim_opening(rng, 15) for _ in range(50)]
    assert len(set(openings)) > 40
    for opening in openings:
        assert set(opening) <= set(rim_cells(15, 3))
        board = Board.from_moves(opening, 15)
        assert board.stone_count == 3


def test_plays_on_the_rim_while_nothing_is_urgent() -> None:
    player = make_player("rim:visits=60,width=2")
    board = Board(15)
    for white in ("h8", "g9", "i7"):
        move = player.choose(board, Limit()).move
        assert move in rim_cells(15, 2)
        board.push(move)
        board.push(white)


def test_leaves_the_rim_to_stop_a_five_and_to_make_one() -> None:
    player = make_player("rim:visits=60,width=2")
    stop = Board.from_stones(["a1", "b1", "a15", "c15", "e8"], ["f8", "g8", "h8", "i8", "a2"], turn=1)
    assert stop.name_of(player.choose(stop, Limit()).move) == "j8"
    make = Board.from_stones(["f8", "g8", "h8", "i8"], ["f9", "g9", "h9", "i9"], turn=1)
    assert make.name_of(player.choose(make, Limit()).move) in ("e8", "j8")


def test_width_is_checked() -> None:
    with pytest.raises(BadInput, match="1 to 10"):
        make_player("rim:width=0")
