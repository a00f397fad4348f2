"""Why a move is good: the threat it makes, the threat it stops, or the forced win it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fivestone import _core
from fivestone.analysis.threats import line_stones, threats_of
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
# {shapes} is the stones that show it, each line in brackets, or nothing.
_TEXT: dict[ReasonKind, str] = {
    "wins": "{move} makes five in a row and wins",
    "stops five": "{move} is the only way to stop five in a row{shapes}",
    "stops one five": "{move} stops one five{shapes}, but there is another",
    "makes open four": "{move} makes an open four{shapes}: two ways to five, only one can be stopped",
    "makes double four": "{move} makes two fours at once{shapes}: only one can be stopped",
    "makes four-three": "{move} makes a four and an open three at once{shapes}",
    "starts forced win": "{move} starts a win by force: {line}",
    "stops open four": "{move} stops an open three{shapes} from becoming an open four",
    "stops forced win": "{move} stops a win by force: {line}",
    "makes double three": "{move} makes two open threes at once{shapes}",
    "makes four": "{move} makes a four{shapes} that must be answered",
    "makes open three": "{move} makes an open three{shapes} that must be answered",
    "builds": "{move} builds shapes for later threats{shapes}",
    "quiet": "{move} is a quiet move",
}
# How many stones besides the new one a shape that is built for later has.
_BUILT = {_core.Pattern.OPEN_TWO: 1, _core.Pattern.THREE: 2}


@dataclass(frozen=True)
class Reason:
    """A reason that can be checked on the board: lines of stones that show it, or a variation.

    The stones are those of the threat that the move makes, itself among them, or of the threat that it stops.
    """

    kind: ReasonKind
    move: int
    text: str
    shapes: tuple[tuple[int, ...], ...] = ()
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
        return _reason(board, "wins", move, shapes=_made(board, move))
    if position.threat(move, foe) == _core.Threat.FIVE:
        kind: ReasonKind = "stops five" if position.count(_core.Threat.FIVE, foe) == 1 else "stops one five"
        return _reason(board, kind, move, shapes=_stopped(board, move, foe, ("four", "open four")))
    if own == "makes open four" or own == "makes double four":
        return _reason(board, own, move, shapes=_made(board, move))
    if win and (own == "makes four-three" or own == "makes double three"):
        return _reason(board, own, move, shapes=_made(board, move), line=win)
    if win:
        return _reason(board, "starts forced win", move, line=win)
    if position.count(_core.Threat.OPEN_FOUR, foe) and _breaks_open_three(board, move, foe):
        return _reason(board, "stops open four", move, shapes=_stopped(board, move, foe, ("open three",)))
    if own in _STRONG:
        return _reason(board, own, move, shapes=_made(board, move))
    if stopped:
        return _reason(board, "stops forced win", move, line=stopped)
    if own is not None:
        return _reason(board, own, move, shapes=_made(board, move))
    if position.threat(move, board.turn) == _core.Threat.TWO:
        return _reason(board, "builds", move, shapes=_built(board, position, move))
    return _reason(board, "quiet", move)


def _breaks_open_three(board: Board, move: int, foe: int) -> bool:
    """Whether the opponent could make an open four before the move but not after it."""
    board = board.copy()
    board.push(move)
    return _core.Position(board).count(_core.Threat.OPEN_FOUR, foe) == 0


def _made(board: Board, move: int) -> tuple[tuple[int, ...], ...]:
    """The lines of stones of the threats that the move makes."""
    after = board.copy()
    after.push(move)
    shapes = [threat.stones for threat in threats_of(after, board.turn) if move in threat.stones]
    return tuple(shape for shape in shapes if not any(set(shape) < set(whole) for whole in shapes))


def _stopped(board: Board, move: int, foe: int, kinds: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The lines of stones of the opponent's threats that are gone, or less, after the move."""
    after = board.copy()
    after.push(move)
    left = {(threat.stones, threat.cells) for threat in threats_of(after, foe)}
    standing = [threat for threat in threats_of(board, foe) if threat.kind in kinds]
    return tuple(threat.stones for threat in standing if (threat.stones, threat.cells) not in left)


def _built(board: Board, position: _core.Position, move: int) -> tuple[tuple[int, ...], ...]:
    """The lines of stones of the open twos and threes that the move makes."""
    shapes = []
    for direction in range(4):
        others = _BUILT.get(position.pattern(move, board.turn, direction))
        if others is not None:
            shapes.append(tuple(sorted((move, *line_stones(board, move, board.turn, direction, others)))))
    return tuple(shapes)


def _reason(
    board: Board,
    kind: ReasonKind,
    move: int,
    *,
    shapes: tuple[tuple[int, ...], ...] = (),
    line: tuple[int, ...] = (),
) -> Reason:
    def names(moves: tuple[int, ...]) -> str:
        return " ".join(board.name_of(cell) for cell in moves)

    shown = f" ({', '.join(names(shape) for shape in shapes)})" if shapes else ""
    text = _TEXT[kind].format(move=board.name_of(move), line=names(line), shapes=shown)
    return Reason(kind, move, text, shapes, line)
