"""Text and boards: move names, Gomocup coordinates, compact strings and diagrams. The only code that knows them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fivestone.errors import BadInput

if TYPE_CHECKING:
    from fivestone.board import Board

__all__ = [
    "format_diagram",
    "format_move",
    "format_moves",
    "format_xy",
    "parse_diagram",
    "parse_move",
    "parse_xy",
    "split_moves",
    "transform_move",
]

_MOVE = re.compile(r"([a-t])([1-9][0-9]?)")
_SYMBOLS = ".XO"


def format_move(move: int, size: int) -> str:
    """112 on a 15x15 board is "h8": columns a.. with i, row 1 at the bottom."""
    return f"{chr(ord('a') + move % size)}{move // size + 1}"


def parse_move(text: str, size: int) -> int:
    match = _MOVE.fullmatch(text.strip().lower())
    if not match:
        raise BadInput(f"'{text}' is not a move: give a column letter and a row number, such as h8")
    column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    if column >= size or row >= size:
        raise BadInput(f"{text} is off the {size}x{size} board: columns a-{chr(ord('a') + size - 1)}, rows 1-{size}")
    return row * size + column


def split_moves(text: str) -> list[str]:
    """The names in a compact string such as "h8i9j8"; spaces and commas may stand between them."""
    moves: list[str] = []
    rest = text.strip().lower()
    while rest:
        match = _MOVE.match(rest)
        if not match:
            raise BadInput(f"'{rest[:12]}' does not start with a move: moves look like h8i9j8")
        moves.append(match[0])
        rest = rest[match.end() :].lstrip(" ,\t\r\n")
    return moves


def format_moves(moves: list[int], size: int) -> str:
    """A compact string that fits into a URL."""
    return "".join(format_move(move, size) for move in moves)


def format_xy(move: int, size: int) -> str:
    """Gomocup coordinates: 0-based column,row."""
    return f"{move % size},{move // size}"


def parse_xy(text: str, size: int) -> int:
    parts = text.strip().split(",")
    try:
        x, y = (int(part) for part in parts)
    except ValueError:
        raise BadInput(f"'{text}' is not a pair of coordinates x,y") from None
    if not (0 <= x < size and 0 <= y < size):
        raise BadInput(f"{x},{y} is off the {size}x{size} board")
    return y * size + x


def format_diagram(board: Board, *, coordinates: bool = True) -> str:
    """The position as text, top row first: X black, O white, . empty."""
    stones, size = board.stones, board.size
    lines = []
    for row in reversed(range(size)):
        cells = " ".join(_SYMBOLS[stones[row * size + column]] for column in range(size))
        lines.append(f"{row + 1:2} {cells}" if coordinates else cells)
    if coordinates:
        lines.append("   " + " ".join(chr(ord("a") + column) for column in range(size)))
    return "\n".join(lines)


def parse_diagram(text: str) -> tuple[int, list[int], list[int]]:
    """Size, black moves and white moves of a diagram, with or without coordinates.

    Black is X, x, # or *; white is O or o; empty is a dot, a dash, an underscore or a plus sign.
    """
    rows: list[list[int]] = []
    for line in text.splitlines():
        cells = re.sub(r"^\s*\d+\s|\s\d+\s*$", " ", line)
        if re.fullmatch(r"[a-t](\s+[a-t])*", cells.strip().lower()) and not re.fullmatch(r"[ox\s]*", cells.lower()):
            continue
        symbols = cells.split()
        if len(symbols) == 1:
            symbols = list(symbols[0])
        if not symbols:
            continue
        rows.append([_stone(symbol) for symbol in symbols])
    size = len(rows)
    if not 3 <= size <= 20 or any(len(row) != size for row in rows):
        raise BadInput("a diagram is a square of 3 to 20 rows of the symbols X, O and .")
    rows.reverse()
    stones = [stone for row in rows for stone in row]
    return size, [m for m, s in enumerate(stones) if s == 1], [m for m, s in enumerate(stones) if s == 2]


def _stone(symbol: str) -> int:
    if symbol in "Xx#*":
        return 1
    if symbol in "Oo":
        return 2
    if symbol in ".-_+":
        return 0
    raise BadInput(f"'{symbol}' is not a stone: a diagram is drawn with X, O and .")


def transform_move(move: int, size: int, symmetry: int) -> int:
    """Where a move goes under one of the 8 symmetries (see Board.transform)."""
    x, y = move % size, move // size
    if symmetry >= 4:
        x = size - 1 - x
    for _ in range(symmetry % 4):
        x, y = size - 1 - y, x
    return y * size + x
