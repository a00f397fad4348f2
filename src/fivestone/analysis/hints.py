"""A hint: a good move with a reason a person can check."""

from __future__ import annotations

from dataclasses import dataclass

from fivestone.analysis.reasons import Reason, explain_move
from fivestone.analysis.wins import forced_win, stopped_win
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.player import Player
from fivestone.search import Limit

__all__ = ["Hint", "hint"]


@dataclass(frozen=True)
class Hint:
    """The move, its value for the side to move, why, and what is expected to follow."""

    move: int
    value: float
    reason: Reason
    pv: tuple[int, ...] = ()


def hint(board: Board, adviser: Player, limit: Limit) -> Hint:
    """What to play and why: a forced win if there is one, else what the adviser finds."""
    if board.is_over:
        raise BadInput("the game is over: there is no move to suggest")
    win = forced_win(board)
    if win is not None:
        move = win.line[0]
        return Hint(move, 1.0, explain_move(board, move, win=win.line), win.line)
    found = adviser.choose(board, limit)
    reason = explain_move(board, found.move, stopped=stopped_win(board, found.move))
    return Hint(found.move, found.value, reason, found.pv)
