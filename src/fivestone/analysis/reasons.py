"""Why a move is good: the threat it makes, the threat it stops, or the forced win it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fivestone import _core
from fivestone.analysis.threats import STEPS
from fivestone.board import Board, other

__all__ = ["Reason", "ReasonKind", "explain_move"]

ReasonKind = Literal[
    "wins",
    "stops five",
    "stops one five",
    "makes open four",
    "makes double four",
    "makes four-three",
    "starts forced win",
    "stops open four",
    "stops forced win",
    "makes double three",
    "makes four",
    "makes open three",
    "builds",
    "quiet",
]

_OWN: dict[int, ReasonKind] = {
    int(_core.Threat.FIVE): "wins",
    int(_core.Threat.OPEN_FOUR): "makes open four",
    int(_core.Threat.DOUBLE_FOUR): "makes double four",
    int(_core.Threat.FOUR_THREE): "makes four-three",
    int(_core.Threat.DOUBLE_THREE): "makes double three",
    int(_core.Threat.FOUR): "makes four",
    int(_core.Threat.OPEN_THREE): "makes open three",
}
_STRONG = ("makes open four", "makes double four", "makes four-three")
_TEXT: dict[ReasonKind, str] = {
    "wins": "{move} makes five in a row and wins",
    "stops five": "{move} is the only way to stop five in a row",
    "stops one five": "{move} stops one five, but there is another",
    "makes open four": "{move} makes an open four: two ways to five, only one can be stopped",
    "makes double four": "{move} makes two fours at once: only one can be stopped",
    "makes four-three": "{move} makes a four and an open three at once",
    "starts forced win": "{move} starts a win by force: {line}",
    "stops open four": "{move} stops an open three from becoming an open four",
    "stops forced win": "{move} stops a win by force: {line}",
    "makes double three": "{move} makes two open threes at once",
    "makes four": "{move} makes a four that must be answered",
    "makes open three": "{move} makes an open three that must be answered",
    "builds": "{move} builds shapes for later threats",
    "quiet": "{move} is a quiet move",
}


@dataclass(frozen=True)
class Reason:
    """A reason that can be checked on the board: the cells that show it, and the variation where there is one."""

    kind: ReasonKind
    move: int
    text: str
    cells: tuple[int, ...] = ()
    line: tuple[int, ...] = ()


def explain_move(board: Board, move: int, *, win: tuple[int, ...] = (), stopped: tuple[int, ...] = ()) -> Reason:
    """The first reason that holds for the side to move playing `move`.

    `win` is a proven forced win that the move starts, `stopped` a proven forced win of the opponent's, were it his
    turn, that the move prevents; both come from a solver and may be empty.
    """
    position = _core.Position(board)
    own = _OWN.get(int(position.threat(move, board.turn)))
    foe = other(board.turn)
    if own == "wins":
        return _reason(board, "wins", move, cells=_line_cells(board, position, move, board.turn, _core.Pattern.FIVE))
    if position.threat(move, foe) == _core.Threat.FIVE:
        cells = _line_cells(board, position, move, foe, _core.Pattern.FIVE)
        kind: ReasonKind = "stops five" if position.count(_core.Threat.FIVE, foe) == 1 else "stops one five"
        return _reason(board, kind, move, cells=cells)
    if own == "makes open four" or own == "makes double four":
        return _reason(board, own, move)
    if win:
        return _reason(board, "makes four-three" if own == "makes four-three" else "starts forced win", move, line=win)
    if position.count(_core.Threat.OPEN_FOUR, foe) and _breaks_open_three(board, move, foe):
        return _reason(board, "stops open four", move)
    if own in _STRONG:
        return _reason(board, own, move)
    if stopped:
        return _reason(board, "stops forced win", move, line=stopped)
    if own is not None:
        return _reason(board, own, move)
    builds = position.threat(move, board.turn) == _core.Threat.TWO
    return _reason(board, "builds" if builds else "quiet", move)


def _breaks_open_three(board: Board, move: int, foe: int) -> bool:
    """Whether the opponent could make an open four before the move but not after it."""
    board = board.copy()
    board.push(move)
    return _core.Position(board).count(_core.Threat.OPEN_FOUR, foe) == 0


def _reason(
    board: Board, kind: ReasonKind, move: int, *, cells: tuple[int, ...] = (), line: tuple[int, ...] = ()
) -> Reason:
    names = " ".join(board.name_of(cell) for cell in line)
    return Reason(kind, move, _TEXT[kind].format(move=board.name_of(move), line=names), cells, line)


def _line_cells(
    board: Board, position: _core.Position, move: int, color: int, pattern: _core.Pattern
) -> tuple[int, ...]:
    """The stones on the line that make the pattern, in a row through the cell."""
    for direction, (dx, dy) in enumerate(STEPS):
        if position.pattern(move, color, direction) != pattern:
            continue
        cells = []
        for way in (1, -1):
            x, y = move % board.size + way * dx, move // board.size + way * dy
            while 0 <= x < board.size and 0 <= y < board.size and board._at(y * board.size + x) == color:
                cells.append(y * board.size + x)
                x, y = x + way * dx, y + way * dy
        return tuple(sorted(cells))
    return ()
