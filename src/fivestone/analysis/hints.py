"""A hint: a good move with a reason a person can check."""

from __future__ import annotations

from dataclasses import dataclass

from fivestone.analysis.reasons import Reason, explain_move
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.player import Player
from fivestone.search import Limit, SearchResult
from fivestone.search.proofs import solve

__all__ = ["Hint", "explained", "forced_win", "hint", "stopped_win", "threatened_win"]

_SOLVER_NODES = 200_000


@dataclass(frozen=True)
class Hint:
    """The move, its value for the side to move, why, and what is expected to follow."""

    move: int
    value: float
    reason: Reason
    pv: tuple[int, ...] = ()


def forced_win(board: Board, nodes: int = _SOLVER_NODES) -> tuple[int, ...]:
    """A win by continuous fours for the side to move, as the moves of its main line; empty when none was found."""
    if board.is_over or board.win_length != 5:
        return ()
    proof = solve(board, kind="vcf", nodes=nodes)
    return tuple(proof.line) if proof is not None else ()


def threatened_win(board: Board, nodes: int = _SOLVER_NODES) -> tuple[int, ...]:
    """The win by fours the opponent would have if the side to move did nothing."""
    stones = board.stones
    black = [move for move, stone in enumerate(stones) if stone == 1]
    white = [move for move, stone in enumerate(stones) if stone == 2]
    passed = Board.from_stones(black, white, 3 - board.turn, board.size, board.rule, board.win_length)
    return forced_win(passed, nodes)


def hint(board: Board, adviser: Player, limit: Limit) -> Hint:
    """What to play and why: a forced win if there is one, else what the adviser finds."""
    if board.is_over:
        raise BadInput("the game is over: there is no move to suggest")
    win = forced_win(board)
    if win:
        return Hint(win[0], 1.0, explain_move(board, win[0], win=win), win)
    result = adviser.choose(board, limit)
    return explained(board, result)


def explained(board: Board, result: SearchResult) -> Hint:
    """A search result with the reason for its move."""
    return Hint(
        result.move, result.value, explain_move(board, result.move, stopped=stopped_win(board, result.move)), result.pv
    )


def stopped_win(board: Board, move: int) -> tuple[int, ...]:
    """The opponent's forced win that the move prevents, if there was one."""
    threat = threatened_win(board)
    if not threat:
        return ()
    after = board.copy()
    after.push(move)
    return () if not after.is_over and forced_win(after) else threat
