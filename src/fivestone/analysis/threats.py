"""The threats that stand on the board, by the names players use, with the stones and the cells that matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fivestone import _core
from fivestone.board import BLACK, Board, other

__all__ = ["NamedThreat", "ThreatKind", "combinations_of", "line_stones", "threats_of"]

ThreatKind = Literal["five", "open four", "four", "open three", "double four", "four-three", "double three"]

# Column and row steps of the four directions, in the core's order.
_STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))
_COMBINATIONS: dict[_core.Threat, ThreatKind] = {
    _core.Threat.DOUBLE_FOUR: "double four",
    _core.Threat.FOUR_THREE: "four-three",
    _core.Threat.DOUBLE_THREE: "double three",
}
_ORDER: dict[str, int] = {"five": 0, "open four": 1, "four": 2, "open three": 3}


@dataclass(frozen=True)
class NamedThreat:
    """A threat of one colour: its stones, and the cells that would carry it out."""

    kind: ThreatKind
    color: int
    stones: tuple[int, ...]
    cells: tuple[int, ...]


def threats_of(board: Board, color: int) -> list[NamedThreat]:
    """The fives, fours and open threes of a colour that stand on the board, strongest first.

    A four is a line with a cell that makes five, an open four one with two; an open three has a cell that makes an
    open four. Win length 5 only.
    """
    if board.winner is not None:
        return [NamedThreat("five", color, tuple(board.winning_line), ())] if board.winner == color else []
    position = _core.Position(board)
    lines: dict[tuple[int, tuple[int, ...], str], set[int]] = {}
    for move in range(board.size * board.size):
        if board._at(move) != 0:
            continue
        for direction in range(4):
            pattern = position.pattern(move, color, direction)
            if pattern == _core.Pattern.FIVE:
                kind = "four"
            elif pattern == _core.Pattern.OPEN_FOUR:
                kind = "open three"
            else:
                continue
            stones = line_stones(board, move, color, direction, 4 if kind == "four" else 3)
            lines.setdefault((direction, stones, kind), set()).add(move)
    found = []
    for (_direction, stones, kind), cells in lines.items():
        name: ThreatKind = "open four" if kind == "four" and len(cells) > 1 else "four"
        found.append(NamedThreat("open three" if kind == "open three" else name, color, stones, tuple(sorted(cells))))
    return sorted(found, key=lambda threat: (_ORDER[threat.kind], threat.stones))


def combinations_of(board: Board, color: int) -> list[NamedThreat]:
    """The cells on which a stone of a colour would make two threats at once, strongest first. Win length 5 only.

    A point that Renju forbids to Black is none of Black's.
    """
    if board.is_over:
        return []
    position = _core.Position(board)
    found: list[NamedThreat] = []
    for threat, kind in _COMBINATIONS.items():
        if not position.count(threat, color):
            continue
        for move in range(board.size * board.size):
            if board._at(move) == 0 and position.threat(move, color) == threat:
                if color == BLACK and board.rule == "renju" and board.is_forbidden(move):
                    continue
                found.append(NamedThreat(kind, color, (), (move,)))
    return found


def line_stones(board: Board, move: int, color: int, direction: int, count: int) -> tuple[int, ...]:
    """The `count` own stones nearest to the cell on one line, without crossing an opposing stone or the edge."""
    near: list[tuple[int, int]] = []
    for way in (1, -1):
        x, y = move % board.size, move // board.size
        for distance in range(1, 5):
            x, y = x + way * _STEPS[direction][0], y + way * _STEPS[direction][1]
            if not (0 <= x < board.size and 0 <= y < board.size):
                break
            cell = y * board.size + x
            stone = board._at(cell)
            if stone == other(color):
                break
            if stone == color:
                near.append((distance, cell))
    near.sort()
    return tuple(sorted(cell for _distance, cell in near[:count]))
