"""Renju can forbid Black every answer to a threat: the game is lost, and a legal move is made all the same."""

from __future__ import annotations

import pytest

from fivestone.board import BLACK, Board
from fivestone.match.specs import make_player
from fivestone.search import Limit

# White is about to make a four that Black can only stop on forbidden points.
LOST = "g9h7g11g8h10f8f9h8e8h6h9i8j8e9g7g6j9i9i6i11i10k11l12h5h4f5e4g5e5e6f6g4d4c3h3i4k2j5i5f7j3g2"


@pytest.mark.parametrize(
    "spec", ["greedy", "alphabeta:depth=1", "alphabeta:depth=4", "alphabeta:nodes=2000,threads=2", "uct:200", "level:7"]
)
def test_a_legal_move_is_made(spec: str) -> None:
    board = Board.from_moves(LOST, 15, "renju")
    assert board.turn == BLACK
    assert board.forbidden_moves
    player = make_player(spec, seed=1)
    result = player.choose(board, Limit(nodes=500))
    assert board.is_legal(result.move)
    assert all(board.is_legal(info.move) for info in result.moves)
    player.close()
