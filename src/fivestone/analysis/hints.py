"""A hint: a good move with a reason a person can check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fivestone.analysis.reasons import Reason, explain_move
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.player import Player
from fivestone.search import Limit, SearchResult
from fivestone.search.proofs import solve

__all__ = ["Hint", "explained", "forced_win", "hint", "played_out", "stopped_win", "threatened_win"]

_SOLVER_NODES = 200_000
_SHORT_SOLVER_NODES = 20_000
_LONGEST_LINE = 60


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


def played_out(board: Board, line: Sequence[int], judge: Player, limit: Limit) -> tuple[int, ...]:
    """A line that a search has proven to win, as far as the five: where it breaks off, fours or the judge go on.

    Empty when that does not lead to a five soon enough to be shown.
    """
    attacker, game = board.turn, board.copy()
    coming = list(line)
    played: list[int] = []
    while not game.is_over and len(played) < _LONGEST_LINE:
        if game.turn == attacker:
            win = forced_win(game, _SHORT_SOLVER_NODES)
            if win:
                return (*played, *win)
        move = coming.pop(0) if coming else judge.choose(game, limit).move
        game.push(move)
        played.append(move)
    return tuple(played) if game.winner == attacker else ()


def explained(board: Board, result: SearchResult) -> Hint:
    """A search result with the reason for its move."""
    return Hint(
        result.move, result.value, explain_move(board, result.move, stopped=stopped_win(board, result.move)), result.pv
    )


def stopped_win(board: Board, move: int) -> tuple[int, ...]:
    """The opponent's forced win that the move prevents, if there was one; a four that only delays it does not."""
    threat = threatened_win(board)
    if not threat:
        return ()
    after = board.copy()
    after.push(move)
    if after.is_over:
        return threat
    if forced_win(after):
        return ()
    fives = [cell for cell in after.legal_moves if after._wins(cell, board.turn)]
    if len(fives) == 1:
        after.push(fives[0])
        return () if after.is_over or threatened_win(after) else threat
    return threat
