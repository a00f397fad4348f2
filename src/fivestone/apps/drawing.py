"""A board in the terminal, in colour."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.style import Style
from rich.text import Text

from fivestone.board import BLACK, EMPTY, Board

__all__ = ["draw_board", "print_board"]

_WOOD = "rgb(214,172,110)"
_GRID = "rgb(128,96,52)"
_BLACK = "rgb(16,16,16)"
_WHITE = "rgb(255,255,255)"
_LAST = "rgb(226,128,100)"
_WIN = "rgb(122,176,84)"
_FORBIDDEN = "rgb(168,40,40)"


def print_board(board: Board, console: Console, marks: Mapping[int, str] | None = None) -> None:
    """Draws on a console in as many colours as it has; few colours tell White by a hollow stone."""
    few = console.color_system not in ("256", "truecolor")
    console.print(draw_board(board, marks, hollow=few), highlight=False)


def draw_board(board: Board, marks: Mapping[int, str] | None = None, *, hollow: bool = False) -> Text:
    """The position, top row first. The last move stands on red, the winning line on green.

    Points that Renju forbids to Black are crossed when it is Black's turn; `marks` puts a character on empty cells.
    """
    size, stones = board.size, board.stones
    winning = set(board.winning_line)
    last = board.moves[-1] if board.move_count else None
    crossed = set(board.forbidden_moves) if board.turn == BLACK and board.winner is None else set()
    text = Text()
    for row in reversed(range(size)):
        text.append(f"{row + 1:2} ")
        for move in range(row * size, (row + 1) * size):
            ground = _WIN if move in winning else _LAST if move == last else _WOOD
            if stones[move] != EMPTY:
                symbol, color = _stone(stones[move], hollow)
            elif marks and move in marks:
                symbol, color = marks[move][0], _BLACK
            else:
                symbol, color = ("×", _FORBIDDEN) if move in crossed else ("·", _GRID)
            text.append(f"{symbol} ", Style(color=color, bgcolor=ground))
        text.append("\n")
    text.append("   " + " ".join(chr(ord("a") + column) for column in range(size)))
    return text


def _stone(color: int, hollow: bool) -> tuple[str, str]:
    if color == BLACK:
        return "●", _BLACK
    return ("○", _BLACK) if hollow else ("●", _WHITE)
