"""The position as a manager tells it: own and opposing stones in any order, moves, moves taken back."""

from __future__ import annotations

from collections.abc import Sequence

from fivestone import notation
from fivestone.board import BLACK, EMPTY, WHITE, Board
from fivestone.errors import BadInput, IllegalMove

__all__ = ["board_from_fields", "moves_from_points", "parse_fields", "take_back", "with_rule"]

OWN, OPPONENT = 1, 2


def parse_fields(lines: Sequence[str], size: int) -> list[tuple[int, int]]:
    """The moves and owners of `x,y,owner` lines."""
    fields: list[tuple[int, int]] = []
    for line in lines:
        point, _, owner = line.replace(" ", "").rpartition(",")
        if owner == "3":
            raise BadInput(f"'{line}': cells of won lines in a continuous game are not supported")
        if owner not in ("1", "2"):
            raise BadInput(f"'{line}' is not x,y,1 or x,y,2")
        fields.append((notation.parse_xy(point, size), int(owner)))
    if len({move for move, _ in fields}) != len(fields):
        raise BadInput("two stones on one cell")
    return fields


def board_from_fields(fields: Sequence[tuple[int, int]], size: int, rule: str) -> Board:
    """The position with the brain to move.

    Stones that come in an order in which they may have been played make a game, so that they can be taken back;
    any others are set up.
    """
    own = [move for move, owner in fields if owner == OWN]
    theirs = [move for move, owner in fields if owner == OPPONENT]
    color = BLACK if len(own) >= len(theirs) else WHITE
    owners = [owner for _, owner in fields]
    in_turn = owners == [OPPONENT if (len(owners) - index) % 2 else OWN for index in range(len(owners))]
    if in_turn:
        try:
            return Board.from_moves([move for move, _ in fields], size, rule)
        except IllegalMove:
            pass  # a five on the way, or a forbidden point: not the order of play after all
    black, white = (own, theirs) if color == BLACK else (theirs, own)
    return Board.from_stones(black, white, color, size, rule)


def moves_from_points(lines: Sequence[str], size: int, rule: str) -> Board:
    """The position after moves given one `x,y` a line, as Swap2 does."""
    return Board.from_moves([notation.parse_xy(line, size) for line in lines], size, rule)


def take_back(board: Board, move: int) -> Board:
    """The position without a stone, the side that loses it to move."""
    color = board.at(move)
    if color == EMPTY:
        raise BadInput(f"there is no stone on {notation.format_xy(move, board.size)}")
    if board.moves and board.peek() == move:
        after = board.copy()
        after.pop()
        return after
    black, white = _sides(board)
    kept = [[m for m in side if m != move] for side in (black, white)]
    return Board.from_stones(kept[0], kept[1], color, board.size, board.rule)


def with_rule(board: Board, rule: str) -> Board:
    """The same position under another rule."""
    if board.stone_count == len(board.moves):
        try:
            return Board.from_moves(board.moves, board.size, rule)
        except IllegalMove:
            pass
    black, white = _sides(board)
    return Board.from_stones(black, white, board.turn, board.size, rule)


def _sides(board: Board) -> tuple[list[int], list[int]]:
    stones = board.stones
    black = [move for move, color in enumerate(stones) if color == BLACK]
    white = [move for move, color in enumerate(stones) if color == WHITE]
    return black, white
