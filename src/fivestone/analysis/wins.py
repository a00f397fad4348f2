"""Wins by force: by continuous fours, or by threes and fours, and whether a move keeps or stops one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fivestone.board import BLACK, WHITE, Board, other
from fivestone.match.player import Player
from fivestone.search import Limit
from fivestone.search.proofs import solve

__all__ = [
    "Win",
    "WinKind",
    "best_defence",
    "forced_win",
    "holding_moves",
    "played_out",
    "stopped_win",
    "threatened_win",
    "win_by_fours",
]

WinKind = Literal["fours", "threats"]

_FOURS_NODES = 200_000
_THREATS_NODES = 100_000  # a tenth of a second or so when there is no such win
_SHORT_NODES = 20_000
_LONGEST_LINE = 60


@dataclass(frozen=True)
class Win:
    """A proven win: by continuous fours, or by threes and fours; its main line, both sides, as far as the five."""

    kind: WinKind
    line: tuple[int, ...]


def win_by_fours(board: Board, nodes: int = _FOURS_NODES) -> tuple[int, ...]:
    """A win by continuous fours for the side to move, as the moves of its main line; empty when none was found."""
    if board.is_over or board.win_length != 5:
        return ()
    proof = solve(board, kind="vcf", nodes=nodes)
    return tuple(proof.line) if proof is not None else ()


def forced_win(board: Board) -> Win | None:
    """What the side to move has: a win by fours, or where there is none by threes and fours."""
    line = win_by_fours(board)
    if line:
        return Win("fours", line)
    if board.is_over or board.win_length != 5:
        return None
    proof = solve(board, kind="vct", nodes=_THREATS_NODES, shortest=True)
    return None if proof is None else Win("threats", tuple(proof.line))


def threatened_win(board: Board, nodes: int = _FOURS_NODES) -> tuple[int, ...]:
    """The win by fours the opponent would have if the side to move did nothing."""
    stones = board.stones
    black = [move for move, stone in enumerate(stones) if stone == BLACK]
    white = [move for move, stone in enumerate(stones) if stone == WHITE]
    passed = Board.from_stones(black, white, other(board.turn), board.size, board.rule, board.win_length)
    return win_by_fours(passed, nodes)


def stopped_win(board: Board, move: int) -> tuple[int, ...]:
    """The opponent's win by fours that the move prevents, if there was one; a four that only delays it does not."""
    threat = threatened_win(board)
    if not threat:
        return ()
    after = board.copy()
    after.push(move)
    if after.is_over:
        return threat
    if win_by_fours(after):
        return ()
    fives = _fives(after, board.turn)
    if len(fives) == 1:
        after.push(fives[0])
        return () if after.is_over or threatened_win(after) else threat
    return threat


def played_out(board: Board, line: Sequence[int], judge: Player, limit: Limit) -> tuple[int, ...]:
    """A line that a search has proven to win, as far as the five: where it breaks off, fours or the judge go on.

    Empty when that does not lead to a five soon enough to be shown.
    """
    attacker, game = board.turn, board.copy()
    coming = list(line)
    played: list[int] = []
    while not game.is_over and len(played) < _LONGEST_LINE:
        if game.turn == attacker:
            win = win_by_fours(game, _SHORT_NODES)
            if win:
                return (*played, *win)
        move = coming.pop(0) if coming else judge.choose(game, limit).move
        game.push(move)
        played.append(move)
    return tuple(played) if game.winner == attacker else ()


def best_defence(board: Board, kind: WinKind) -> int | None:
    """The answer that holds out longest when the side that just moved still wins by force; None when it does not.

    By threats a move counts if it makes a four or threatens to win by fours, and every answer to it leaves a win.
    """
    if board.is_over or _fives(board, board.turn):
        return None
    attacker = other(board.turn)
    answers = _fives(board, attacker)  # a four leaves no other
    if not answers and kind == "threats":
        threat = threatened_win(board)
        if not threat:
            return None
        # What the opponent would play himself stops most threats: those that hold are found soon.
        answers = [*threat, *(move for move in board.legal_moves if move not in threat)]
    longest, best = 0, None
    for answer in answers:
        if not board.is_legal(answer):
            continue
        after = board.copy()
        after.push(answer)
        left = _length_of_win(after, kind)
        if not left:
            return None
        if left > longest:
            longest, best = left, answer
    return best


def holding_moves(board: Board, most: int) -> list[int]:
    """The moves that leave the opponent, who threatens to win by fours, no win by force.

    Empty when nothing of the kind is threatened, or when more than `most` moves hold.
    """
    if board.is_over or not threatened_win(board):
        return []
    holding: list[int] = []
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        if not after.is_over and (win_by_fours(after, _SHORT_NODES) or forced_win(after)):
            continue
        holding.append(move)
        if len(holding) > most:
            return []
    return holding


def _length_of_win(board: Board, kind: WinKind) -> int:
    """The moves of a win of the kind, 0 when there is none; a short one is found without much ado."""
    line = win_by_fours(board, _SHORT_NODES) or win_by_fours(board)
    if line or kind == "fours":
        return len(line)
    win = forced_win(board)
    return 0 if win is None else len(win.line)


def _fives(board: Board, color: int) -> list[int]:
    """Where a colour would make five."""
    return [move for move in board.legal_moves if board._wins(move, color)]
