"""Piskvork's .psq: a header, a line a move (1-based column, row, milliseconds), the names, a code.

Gomocup adds a last line with the winner (1 or 2 for the first or the second name, 0 for a draw) and the rule; we read
and write it, with -1 for no result.
The header is "Piskvorky 15x15, 11:11, 0" or just "Piskvorky 15x15"; its last figure is 1 if the second name began.
"""

from __future__ import annotations

import re

from fivestone.board import BLACK, EMPTY, WHITE
from fivestone.errors import BadFile, BadInput
from fivestone.records.game import Game
from fivestone.records.sgf import rule_named

__all__ = ["format_psq", "parse_psq"]

_HEADER = re.compile(
    r"piskvorky\s+([0-9]{1,3})\s*x\s*([0-9]{1,3})(?:\s*,\s*-?[0-9]{1,6}:-?[0-9]{1,6})?(?:\s*,\s*([01]))?\s*,?\s*",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*(?:,\s*(-?[0-9]{1,10})\s*)?", re.ASCII)
_VERDICT = re.compile(r"\s*(-1|[0-2])\s*,\s*([A-Za-z][A-Za-z -]*)", re.ASCII)
_CODE = re.compile(r"\s*-?[0-9]+\s*", re.ASCII)


def parse_psq(text: str) -> Game:
    lines = text.lstrip("\ufeff \t\r\n").splitlines()
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if not header:
        raise BadFile("not a .psq file: the first line is not 'Piskvorky 15x15, 11:11, 0'")
    if header[1] != header[2]:
        raise BadFile(f"the .psq board of {header[1]}x{header[2]} is not square")
    size, at = int(header[1]), 1
    moves: list[int] = []
    seconds: list[float | None] = []
    while at < len(lines) and (match := _MOVE.fullmatch(lines[at])):
        column, row = int(match[1]) - 1, int(match[2]) - 1
        if not (0 <= column < size and 0 <= row < size):
            raise BadFile(f"move {len(moves) + 1} of the .psq, {column + 1},{row + 1}, is off the {size}x{size} board")
        moves.append(row * size + column)
        if len(moves) > size * size:
            raise BadFile("the .psq has more moves than the board has cells")
        seconds.append(max(0, int(match[3])) / 1000 if match[3] else None)
        at += 1
    rest = lines[at:]
    while rest and not rest[-1].strip():
        rest.pop()
    # A name may be empty or a number: what tells names from the code alone is how many lines there are.
    named = len(rest) >= 3 or (len(rest) == 2 and not _CODE.fullmatch(rest[0]))
    names = [name.strip() for name in rest[:2]] if named else ["", ""]
    second_began = header[3] == "1"
    black, white = reversed(names) if second_began else names
    verdict = _VERDICT.fullmatch(rest[-1]) if rest else None
    game = Game.from_moves(moves, size, "freestyle", seconds=seconds, black=black, white=white)
    if verdict:
        game.rule = rule_named(verdict[2]) or "freestyle"
        winner = {"-1": "", "0": "Draw", "1": "W+" if second_began else "B+", "2": "B+" if second_began else "W+"}
        game.result = winner[verdict[1]]
    try:
        game.start()
    except BadInput as error:
        raise BadFile(f"the .psq board cannot be played on: {error}") from None
    game.warnings += game.check()
    return game


def format_psq(game: Game) -> str:
    """The main line; comments and variations have no place in the format."""
    if game.win_length != 5:
        raise BadInput("a .psq record is of five in a row: write SGF for another win length")
    lines = [f"Piskvorky {game.size}x{game.size}, 11:11, 0"]
    if game.root.setup is not None:
        raise BadInput("a .psq record starts from the empty board: write SGF to keep the set-up")
    color = BLACK
    for node in game.line():
        if node.setup is not None or (node.color != EMPTY and (node.move is None or node.color != color)):
            raise BadInput("a .psq record cannot hold a pass or a set-up: write SGF")
        if node.move is not None:
            milliseconds = round((node.seconds or 0) * 1000)
            lines.append(f"{node.move % game.size + 1},{node.move // game.size + 1},{milliseconds}")
            color = WHITE if color == BLACK else BLACK
    for name in (game.black, game.white):
        line = " ".join(name.splitlines()).strip()
        lines.append(line.replace(",", " ") if _MOVE.fullmatch(line) else line)
    lines.append("0")
    stated = game.stated_winner()
    lines.append(f"{-1 if stated is None else stated},{game.rule.capitalize()}")
    return "\n".join(lines) + "\n"
