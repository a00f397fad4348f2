"""Small games solved exactly, and whether a net plays them without a mistake.

Tic-tac-toe is solved by minimax. Four in a row on 6x6 is won by Black; the win is proven by threats: by continuous
threes, each of which must be answered, or by a quiet move after which every answer loses to them, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from fivestone.board import BLACK, WHITE, Board, other
from fivestone.match.mirror import lines

__all__ = ["Picks", "ThreatSolver", "flawless_share", "minimax", "winning_share"]

# From positions of one kind to the move a player picks in each.
Picks = Callable[[Sequence[Board]], Sequence[int]]
_QUIET = 2  # quiet moves the win takes after a first move in the middle


def minimax(board: Board) -> int:
    """The value of a tiny game for the side to move: 1, 0 or -1."""
    return _value(board.stones, board.turn, board.size, board.win_length)


@cache
def _value(stones: bytes, turn: int, size: int, win_length: int) -> int:
    best = -1
    for cell, stone in enumerate(stones):
        if stone:
            continue
        after = stones[:cell] + bytes([turn]) + stones[cell + 1 :]
        if any(all(after[c] == turn for c in line) for line in _lines_through(cell, size, win_length)):
            return 1
        best = max(best, 0 if 0 not in after else -_value(after, other(turn), size, win_length))
        if best == 1:
            return 1
    return best


@cache
def _lines(size: int, length: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(line) for line in lines(size, length).tolist())


@cache
def _lines_through(cell: int, size: int, length: int) -> tuple[tuple[int, ...], ...]:
    return tuple(line for line in _lines(size, length) if cell in line)


def flawless_share(picks: Picks, size: int = 3, win_length: int = 3) -> float:
    """The share of the positions a player gets into, with either colour and against every reply, in which its move
    keeps the value of the position. 1.0 is optimal play."""
    asked = kept = 0
    for color in (BLACK, WHITE):
        boards = [Board(size, win_length=win_length)]
        if color == WHITE:
            boards = _after_every_move(boards)
        while boards:
            good = []
            for board, move in zip(boards, picks(boards), strict=True):
                before = minimax(board)
                board.push(move)
                winner = board.winner
                after = 1 if winner is not None else 0 if board.is_over else -minimax(board)
                asked += 1
                if after == before:
                    kept += 1
                    good.append(board)
            boards = _after_every_move([board for board in good if not board.is_over])
    return kept / asked


def _after_every_move(boards: Sequence[Board]) -> list[Board]:
    """Every position one move on that is not over, each once."""
    found: dict[int, Board] = {}
    for board in boards:
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if not after.is_over:
                found.setdefault(after.hash, after)
    return list(found.values())


class ThreatSolver:
    """Proves wins of the side to move, by continuous threats and a few quiet moves. Cells are bits of a number."""

    def __init__(self, size: int, win_length: int) -> None:
        self._cells = size * size
        self._all = (1 << self._cells) - 1
        self._lines = [sum(1 << cell for cell in line) for line in _lines(size, win_length)]
        self._near = win_length - 1
        self._threats: dict[tuple[int, int], bool] = {}
        self._quiet: dict[tuple[int, int, int], bool] = {}

    def wins(self, board: Board, quiet: int) -> bool:
        """Whether the side to move wins with at most so many quiet moves."""
        own, foe = _bits(board.stones, board.turn), _bits(board.stones, other(board.turn))
        return self._wins(own, foe, quiet)

    def loses(self, board: Board, quiet: int) -> bool:
        """Whether the side to move loses whatever it plays, to at most so many quiet moves."""
        own, foe = _bits(board.stones, board.turn), _bits(board.stones, other(board.turn))
        return quiet >= 0 and self._all_lose(foe, own, quiet)

    def completes(self, board: Board) -> bool:
        """Whether the side to move can complete a line."""
        return bool(self._completing(_bits(board.stones, board.turn), _bits(board.stones, other(board.turn))))

    def threatens(self, board: Board) -> bool:
        """Whether the side that moved last threatens to complete a line."""
        return bool(self._completing(_bits(board.stones, other(board.turn)), _bits(board.stones, board.turn)))

    def _completing(self, own: int, foe: int) -> int:
        """The cells where `own` completes a line."""
        cells = 0
        for line in self._lines:
            if not line & foe and (line & own).bit_count() == self._near:
                cells |= line & ~own
        return cells

    def _by_threats(self, own: int, foe: int) -> bool:
        key = (own, foe)
        if key not in self._threats:
            self._threats[key] = self._search_threats(own, foe)
        return self._threats[key]

    def _search_threats(self, own: int, foe: int) -> bool:
        if self._completing(own, foe):
            return True
        must = self._completing(foe, own)
        if must.bit_count() > 1:
            return False
        tries = must
        if not must:
            for line in self._lines:
                if not line & foe and (line & own).bit_count() == self._near - 1:
                    tries |= line & ~own
        for move in _cells(tries):
            after = own | move
            threats = self._completing(after, foe)
            if threats.bit_count() > 1 or (threats and self._by_threats(after, foe | threats)):
                return True
        return False

    def _wins(self, own: int, foe: int, quiet: int) -> bool:
        if self._by_threats(own, foe):
            return True
        if quiet == 0:
            return False
        key = (own, foe, quiet)
        if key not in self._quiet:
            must = self._completing(foe, own)
            tries = must or self._all & ~(own | foe)
            self._quiet[key] = must.bit_count() < 2 and any(
                self._all_lose(own | move, foe, quiet - 1) for move in self._ordered(tries, own, foe)
            )
        return self._quiet[key]

    def _ordered(self, cells: int, own: int, foe: int) -> list[int]:
        """The cells on most of the lines still open to `own` first."""
        open_lines = [line for line in self._lines if not line & foe]
        worth = {
            cell: sum(1 + (line & own).bit_count() for line in open_lines if line & cell) for cell in _cells(cells)
        }
        return sorted(worth, key=lambda cell: -worth[cell])

    def _all_lose(self, own: int, foe: int, quiet: int) -> bool:
        """Whether every reply of `foe`, to move, loses against `own` with at most so many quiet moves."""
        if self._completing(foe, own):
            return False
        if quiet == 0 and not self._by_threats(own, foe):  # a reply elsewhere would be enough
            return False
        must = self._completing(own, foe)
        if must.bit_count() > 1:
            return True
        replies = must or self._all & ~(own | foe)
        return bool(replies) and all(self._wins(own, foe | reply, quiet) for reply in self._ordered(replies, foe, own))


def _bits(stones: bytes, color: int) -> int:
    return sum(1 << cell for cell, stone in enumerate(stones) if stone == color)


def _cells(bits: int) -> list[int]:
    """Each bit by itself."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found


def winning_share(picks: Picks, solver: ThreatSolver, size: int = 6, win_length: int = 4) -> float:
    """How many of White's replies to its first move a player with Black beats, against the longest defence.

    A move after which the win is not proven any more, or needs one more quiet move than before, ends the attempt.
    1.0 is optimal play.
    """
    start = Board(size, win_length=win_length)
    start.push(picks([start])[0])
    if not solver.loses(start, _QUIET):
        return 0.0
    boards = _after_every_move([start])
    replies, won = len(boards), 0
    while boards:
        going = []
        for board, move in zip(boards, picks(boards), strict=True):
            needed = next(q for q in range(_QUIET + 1) if solver.wins(board, q))
            board.push(move)
            if board.winner is not None:
                won += 1
            elif not board.is_over and solver.loses(board, needed - (not solver.threatens(board))):
                board.push(_longest_defence(board, solver))
                going.append(board)
        boards = going
    return won / replies


def _longest_defence(board: Board, solver: ThreatSolver) -> int:
    """The reply that leaves the most quiet moves to be found; the first of them, so that a check can be repeated."""
    needs: dict[int, int] = {}
    for move in board.legal_moves:
        board.push(move)
        needs[move] = next((q for q in range(_QUIET + 1) if solver.wins(board, q)), -1)
        # One that does not even stop the next stone is no defence.
        needs[move] -= solver.completes(board)
        board.pop()
    return max(needs, key=lambda move: needs[move])
