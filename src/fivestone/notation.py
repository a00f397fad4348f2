"""Text and boards: move names, Gomocup coordinates, compact strings and diagrams. The only code that knows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fivestone.errors import BadInput

if TYPE_CHECKING:
    from fivestone.board import Board

__all__ = [
    "format_diagram",
    "format_move",
    "format_moves",
    "format_xy",
    "parse_count",
    "parse_diagram",
    "parse_move",
    "parse_xy",
    "split_moves",
    "transform_move",
]

_MOVE = re.compile(r"([a-t])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)
_GAP = re.compile(r"[\s,]*")
_XY = re.compile(r"\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,12}", re.ASCII)
_SYMBOLS = ".XO"
_STONES = {**dict.fromkeys("Xx#*", 1), **dict.fromkeys("Oo", 2), **dict.fromkeys(".-_+", 0)}


def parse_count(text: str) -> int | None:
    """A whole number in ASCII digits, or None. Python's own test of digits passes what its `int` does not take."""
    return int(text) if _COUNT.fullmatch(text) else None


def format_move(move: int, size: int) -> str:
    """112 on a 15x15 board is "h8": columns a.. with i, row 1 at the bottom."""
    return f"{chr(ord('a') + move % size)}{move // size + 1}"


def parse_move(text: str, size: int) -> int:
    match = _MOVE.fullmatch(text.strip())
    if not match:
        raise BadInput(f"{_quoted(text)} is not a move: give a column letter and a row number, such as h8")
    column, row = ord(match[1].lower()) - ord("a"), int(match[2]) - 1
    if column >= size or row >= size:
        last = chr(ord("a") + size - 1)
        raise BadInput(f"{match[0]} is off the {size}x{size} board: columns a-{last}, rows 1-{size}")
    return row * size + column


def split_moves(text: str) -> list[str]:
    """The names in a compact string such as "h8i9j8"; spaces and commas may stand between them."""
    moves: list[str] = []
    at = _end_of_gap(text, 0)
    while at < len(text):
        match = _MOVE.match(text, at)
        if not match:
            raise BadInput(f"{_quoted(text[at:])} does not start with a move: moves look like h8i9j8")
        moves.append(match[0].lower())
        at = _end_of_gap(text, match.end())
    return moves


def _end_of_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _quoted(text: str) -> str:
    """The start of a text nobody has checked, fit for one line of an error."""
    return repr(text if len(text) <= 12 else text[:12] + "...")


def format_moves(moves: Iterable[int], size: int) -> str:
    """A compact string that fits into a URL."""
    return "".join(format_move(move, size) for move in moves)


def format_xy(move: int, size: int) -> str:
    """Gomocup coordinates: 0-based column,row."""
    return f"{move % size},{move // size}"


def parse_xy(text: str, size: int) -> int:
    match = _XY.fullmatch(text)
    if not match:
        raise BadInput(f"{_quoted(text)} is not a pair of coordinates x,y")
    x, y = int(match[1]), int(match[2])
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
        cells = re.sub(r"^\s*[0-9]{1,2}\s|\s[0-9]{1,2}\s*$", " ", line).split()
        if not cells or _is_header(cells):
            continue
        rows.append([_stone(symbol) for symbol in (cells[0] if len(cells) == 1 else cells)])
        if len(rows) > 20:
            break
    size = len(rows)
    if not 3 <= size <= 20 or any(len(row) != size for row in rows):
        raise BadInput("a diagram is a square of 3 to 20 rows of the symbols X, O and .")
    rows.reverse()
    stones = [stone for row in rows for stone in row]
    return size, [m for m, s in enumerate(stones) if s == 1], [m for m, s in enumerate(stones) if s == 2]


def _is_header(cells: list[str]) -> bool:
    """Whether the cells are column letters: a, b, c and so on, together or apart."""
    letters = "".join(cells).lower()
    return len(letters) > 2 and letters == "abcdefghijklmnopqrst"[: len(letters)]


def _stone(symbol: str) -> int:
    if symbol not in _STONES:
        raise BadInput(f"{_quoted(symbol)} is not a stone: a diagram is drawn with X, O and .")
    return _STONES[symbol]


def transform_move(move: int, size: int, symmetry: int) -> int:
    """Where a move goes under one of the 8 symmetries (see Board.transform)."""
    x, y = move % size, move // size
    if symmetry >= 4:
        x = size - 1 - x
    for _ in range(symmetry % 4):
        x, y = size - 1 - y, x
    return y * size + x
