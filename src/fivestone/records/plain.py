"""Plain lists of moves as people print them: 1-based pairs such as "13. (5, 1)(5, 7)", or names such as "h8 i9".

Lines before the moves say who played, on what board and by which rule; a line after them says who won. All of them may
be left out, spaces are free, and the last move may stand alone.
"""

from __future__ import annotations

import re

from fivestone.board import BLACK, EMPTY, RULES, WHITE
from fivestone.errors import BadFile, BadInput
from fivestone.records.game import Game
from fivestone.records.sgf import rule_named

__all__ = ["format_plain", "parse_plain"]

_PAIR = re.compile(r"\(\s*([0-9]{1,3})\s*[,;]\s*([0-9]{1,3})\s*\)", re.ASCII)
_NAME = re.compile(r"([A-Ta-t])([1-9][0-9]?)(?![0-9])")
_NUMBER = re.compile(r"[0-9]{1,3}\s*[.):]+|[\s,;|-]+", re.ASCII)
_SIZE = re.compile(r"([0-9]{1,2})\s*(?:x|\*|×|by)\s*([0-9]{1,2})(?![0-9])", re.IGNORECASE | re.ASCII)
_ONE_SIDE = re.compile(r"\bboard(?:\s+size)?\s*[:=]?\s*([0-9]{1,2})(?![0-9])", re.IGNORECASE | re.ASCII)
_IN_A_ROW = re.compile(r"([3-6])\s+in\s+a\s+row", re.IGNORECASE)
_KEYED = re.compile(r"\s*(black|white|date|event|place|result|rule)\s*[:=]\s*(.*)", re.IGNORECASE)
_INLINE = re.compile(r"\b(black|white)\s*[:=]\s*([^,;()]+)", re.IGNORECASE)
_SIDE = re.compile(r"([^,;:()]+?)\s*\(\s*(black|white)\s*\)", re.IGNORECASE)
_BETWEEN = re.compile(r"^\W*(?:(?:vs?|versus|against)\b\W*)?", re.IGNORECASE)
_ONE_LINE = re.compile(r".*[,;]\s*(black|white)\s*[:=]", re.IGNORECASE)
_LONGEST = 1000  # characters of a header or result line that are looked at
_WIN = re.compile(
    r"\b(black|white)\b[^.\n]*?\b(?:wins|won|win|winner|victory)\b|\b(?:winner|won by)\b(?:\W|is)*\b(black|white)\b",
    re.IGNORECASE,
)
_DRAW = re.compile(r"\b(draw|drawn|tie|1/2)\b", re.IGNORECASE)
_SCORES = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "Draw"}


def parse_plain(text: str) -> Game:
    lines = text.removeprefix("\ufeff").splitlines()
    reader = _Reader(_PAIR if _PAIR.search("\n".join(line for line in lines if not _KEYED.fullmatch(line))) else _NAME)
    for line in lines:
        reader.read_line(line)
    return reader.finish()


class _Reader:
    """Goes through the lines: header, moves, result."""

    def __init__(self, kind: re.Pattern[str]) -> None:
        self._kind = kind
        self._points: list[tuple[int, int]] = []
        self._size: int | None = None
        self._game = Game()

    def read_line(self, line: str) -> None:
        if keyed := _KEYED.fullmatch(line):
            if _ONE_LINE.match(keyed[2][:_LONGEST]):  # "Black: A, White: B, 9x9"
                self._read_header(line)
            else:
                self._set(keyed[1].lower(), keyed[2].strip())
        elif (found := self._moves_in(line)) is not None:
            self._points += found
        elif self._points:
            self._read_result(line)
        else:
            self._read_header(line)

    def _moves_in(self, line: str) -> list[tuple[int, int]] | None:
        """The moves of a line that holds nothing but moves and their numbers, or None."""
        found, at = [], 0
        while at < len(line):
            if move := self._kind.match(line, at):
                column = int(move[1]) if self._kind is _PAIR else ord(move[1].lower()) - ord("a") + 1
                found.append((column, int(move[2])))
                at = move.end()
            elif filler := _NUMBER.match(line, at):
                at = filler.end()
            elif found and self._kind is _PAIR:
                if self._kind.search(line, at):
                    raise BadFile(f"cannot read {line[at : at + 20].strip()!r} between the moves")
                self._points += found
                self._read_result(line[at:])
                return []
            else:
                return None
        return found or ([] if not line.strip() else None)

    def _set(self, key: str, value: str) -> None:
        if key == "rule":
            rule = rule_named(value)
            if rule is None:
                self._game.warnings.append(f"the rule {value[:40]!r} is unknown: read as freestyle")
            self._game.rule = rule or "freestyle"
        elif key == "result":
            self._game.result = value
        else:
            setattr(self._game, key, value)

    def _read_header(self, line: str) -> None:
        line = line[:_LONGEST]
        if size := _SIZE.search(line):
            if size[1] != size[2]:
                raise BadFile(f"the board of {size[0]} is not square")
            self._size = int(size[1])
        elif side := _ONE_SIDE.search(line):  # "board size 9"
            self._size = int(side[1])
        if row := _IN_A_ROW.search(line):
            self._game.win_length = int(row[1])
        for color, name in _INLINE.findall(line):
            setattr(self._game, color.lower(), name.strip())
        for name, color in _SIDE.findall(line):  # "A (Black) - B (White)"
            setattr(self._game, color.lower(), _BETWEEN.sub("", name).strip())
        words = line.lower()
        for rule in sorted(RULES, key=len, reverse=True):
            if re.search(rf"\b{rule}\b", words):
                self._game.rule = rule
                break

    def _read_result(self, line: str) -> None:
        line = line[:_LONGEST]
        if not line.strip():
            return
        if self._game.result:
            self._game.root.comment = "\n".join(filter(None, [self._game.root.comment, line.strip()]))
        else:
            self._game.result = _result_in(line) or line.strip()

    def finish(self) -> Game:
        game = self._game
        if not self._points and self._size is None:
            raise BadFile("no moves found: give SGF, .psq, pairs such as (8, 8) or names such as h8")
        if len(self._points) > 400:
            raise BadFile("there are more moves than a board has cells")
        largest = max((max(point) for point in self._points), default=0)
        game.size = self._size or min((s for s in (15, 19, 20) if s >= largest), default=20)
        if largest > game.size or any(min(point) < 1 for point in self._points):
            bad = next(p for p in self._points if max(p) > game.size or min(p) < 1)
            raise BadFile(f"{bad} is off the {game.size}x{game.size} board, which is numbered from 1")
        game.win_length = min(game.win_length, game.size)
        moves = [(row - 1) * game.size + column - 1 for column, row in self._points]
        game.root.children = Game.from_moves(moves, game.size).root.children
        try:
            game.start()
        except BadInput as error:
            raise BadFile(f"the board cannot be played on: {error}") from None
        game.warnings += game.check()
        return game


def _result_in(text: str) -> str | None:
    if text.strip() in _SCORES:
        return _SCORES[text.strip()]
    if win := _WIN.search(text):
        return "B+" if (win[1] or win[2]).lower() == "black" else "W+"
    return "Draw" if _DRAW.search(text) else None


def format_plain(game: Game) -> str:
    """The main line; times, comments and variations have no place in the format."""
    if game.root.setup is not None:
        raise BadInput("a plain list starts from the empty board: write SGF to keep the set-up")
    lines = [f"Board: {game.size}x{game.size}, {game.win_length} in a row", f"Rule: {game.rule}"]
    for key in ("black", "white", "date", "event", "place"):
        if value := " ".join(str(getattr(game, key)).split()):
            lines.append(f"{key.capitalize()}: {value}")
    pairs, color = [], BLACK
    for node in game.line():
        if node.setup is not None or (node.color != EMPTY and (node.move is None or node.color != color)):
            raise BadInput("a plain list cannot hold a pass or a set-up: write SGF")
        if node.move is not None:
            pairs.append(f"({node.move % game.size + 1}, {node.move // game.size + 1})")
            color = WHITE if color == BLACK else BLACK
    for number in range(0, len(pairs), 2):
        lines.append(f"{number // 2 + 1}. {''.join(pairs[number : number + 2])}")
    said = {"B+": "Black wins", "W+": "White wins", "Draw": "Draw"}
    if game.result.strip():
        result = " ".join(game.result.split())
        lines.append(said.get(result, f"Result: {result}"))
    return "\n".join(lines) + "\n"
