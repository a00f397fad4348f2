"""What a person could notice on the board: threats by kind, and the cells where people look for a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from fivestone import _core
from fivestone.board import Board, other

__all__ = ["KINDS", "Fact", "Kind", "facts_of", "plans_of"]

Kind = Literal["five", "open four", "four-three"]
KINDS: Final[tuple[Kind, ...]] = ("five", "open four", "four-three")

_THREATS: Final[dict[Kind, tuple[_core.Threat, ...]]] = {
    "five": (_core.Threat.FIVE,),
    "open four": (_core.Threat.OPEN_FOUR, _core.Threat.DOUBLE_FOUR),
    "four-three": (_core.Threat.FOUR_THREE, _core.Threat.DOUBLE_THREE),
}


@dataclass(frozen=True)
class Fact:
    """A threat that one side has: playing one of these cells makes or stops it."""

    kind: Kind
    own: bool
    moves: tuple[int, ...]


def facts_of(board: Board, position: _core.Position) -> list[Fact]:
    """The threats on the board, most urgent first: own before the opponent's of the same kind."""
    cells: dict[tuple[Kind, bool], list[int]] = {}
    for move in board.legal_moves:
        for own, color in ((True, board.turn), (False, other(board.turn))):
            threat = position.threat(move, color)
            for kind, threats in _THREATS.items():
                if threat in threats:
                    cells.setdefault((kind, own), []).append(move)
    order = [(kind, own) for kind in KINDS for own in (True, False)]
    return [Fact(kind, own, tuple(cells[kind, own])) for kind, own in order if (kind, own) in cells]


def plans_of(board: Board) -> list[int]:
    """The cells people think of: near a stone, or the middle of an empty board."""
    size, stones = board.size, board.stones
    legal = board.legal_moves
    if board.stone_count == 0:
        reach = 1 if size < 9 else 2
        middle = range((size - 1) // 2 - reach, size // 2 + reach + 1)
        return [move for move in legal if move % size in middle and move // size in middle]
    near = [move for move in legal if _has_neighbour(stones, size, move)]
    return near or legal


def _has_neighbour(stones: bytes, size: int, move: int) -> bool:
    x, y = move % size, move // size
    for row in range(max(0, y - 2), min(size, y + 3)):
        start = row * size
        if any(stones[start + max(0, x - 2) : start + min(size, x + 3)]):
            return True
    return False
