"""Playing by the mirror: a proof that one cannot be made to complete a line.

Whoever answers every stone on the cell across the centre has only lines that the opponent completed before. What breaks
the mirror is a stone too many: a stone whose cell across is not the opponent's can be part of a line that he has not
got. It does no harm where it is dead, that is where every line through it has a stone of the opponent in it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from fivestone.board import EMPTY, Board, other

__all__ = ["answers", "cannot_win", "lines", "safe_replies"]

Mask = npt.NDArray[np.bool_]


@cache
def lines(size: int, length: int) -> npt.NDArray[np.intp]:
    """All rows of `length` cells in a line, lines x length."""
    found = []
    for row in range(size):
        for column in range(size):
            for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_column = row + (length - 1) * d_row, column + (length - 1) * d_column
                if 0 <= end_row < size and 0 <= end_column < size:
                    found.append([(row + i * d_row) * size + column + i * d_column for i in range(length)])
    return np.array(found, np.intp)


def answers(board: Board) -> list[int]:
    """The legal moves across the centre from a stone of the opponent's."""
    stones, foe, last = board.stones, other(board.turn), board.size**2 - 1
    return [move for move in board.legal_moves if stones[last - move] == foe]


def cannot_win(board: Board) -> bool:
    """Whether the side that has just moved has a proof that it need never complete a line. False proves nothing.

    The proof is a way to play on. A stone whose cell across is empty is answered there. Any other stone takes a cell
    that is alone, with its cell across taken: it is answered on another one that is alone or, when that was the last,
    on a dead cell of an empty pair. The latter happens only where the cells that are alone are odd in number.
    """
    if board.rule != "freestyle":
        return False  # a longer line across may not count, and a forbidden cell cannot answer
    stones = np.frombuffer(board.stones, np.uint8)
    own, foe, empty = stones == other(board.turn), stones == board.turn, stones == EMPTY
    across = foe[::-1]
    dead, open_lines = _dead(board, foe)
    if (own & ~across)[open_lines].any():
        return False
    paired = empty & empty[::-1]
    if board.size % 2:
        paired[board.size**2 // 2] = False  # the centre is its own cell across
    alone = empty & ~paired
    unsafe = int((alone & ~dead & ~across).sum())
    if alone.sum() % 2 == 0:
        return unsafe == 0
    return unsafe <= 1 and not (paired & ~dead & ~dead[::-1]).any()


def safe_replies(board: Board) -> list[int]:
    """Moves after which `cannot_win` holds for the side to move; all that the proof itself would play."""
    stones, foe = np.frombuffer(board.stones, np.uint8), other(board.turn)
    replies = answers(board)
    if board.moves and (reply := board.size**2 - 1 - board.moves[-1]) in replies:
        replies = [reply]
    else:
        dead, _ = _dead(board, stones == foe)
        replies += [move for move in board.legal_moves if dead[move] and move not in replies]
    after, safe = board.copy(), []
    for move in replies:
        if board._wins(move, board.turn):
            continue
        after.push(move)
        if cannot_win(after):
            safe.append(move)
        after.pop()
    return safe


def _dead(board: Board, foe: Mask) -> tuple[Mask, npt.NDArray[np.intp]]:
    """The cells through which every line has one of the stones given, and the lines that have none."""
    every = lines(board.size, board.win_length)
    open_lines = every[~foe[every].any(axis=1)]
    dead = np.ones(board.size**2, np.bool_)
    dead[open_lines] = False
    return dead, open_lines
