"""Game records: SGF, Piskvork's .psq and plain lists of moves, read and written."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fivestone.errors import BadFile, BadInput
from fivestone.files import write_atomically
from fivestone.records.game import MAX_BYTES, Game, Node, Setup, advance
from fivestone.records.plain import format_plain, parse_plain
from fivestone.records.psq import format_psq, parse_psq
from fivestone.records.sgf import decode, format_sgf, parse_sgf

__all__ = ["FORMATS", "Game", "Node", "Setup", "advance", "format_game", "guess_format", "parse", "read", "write"]

FORMATS = ("sgf", "psq", "txt")


def read(source: str | os.PathLike[str] | bytes) -> Game:
    """The game in a file, or in the bytes of one. The format is told by the content."""
    if isinstance(source, bytes):
        return parse(source)
    path = Path(source)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        return parse(data)
    except BadFile as error:
        raise BadFile(f"{path}: {error}") from None


def parse(data: bytes | str) -> Game:
    """The game in a text or in the bytes of a file."""
    if len(data) > MAX_BYTES:
        raise BadFile(f"a game record is at most {MAX_BYTES // 1_000_000} MB")
    text = decode(data) if isinstance(data, bytes) else data
    kind = guess_format(text)
    if kind == "sgf":
        return parse_sgf(text)
    return parse_psq(text) if kind == "psq" else parse_plain(text)


def guess_format(text: str) -> str:
    """One of FORMATS, by what the text looks like."""
    if re.match(r"\s*piskvorky\s", text, re.IGNORECASE):
        return "psq"
    return "sgf" if re.search(r"\(\s*;", text) else "txt"


def format_game(game: Game, format: str) -> str:
    """The text of a record."""
    if format not in FORMATS:
        raise BadInput(f"unknown record format '{format}': choose one of {', '.join(FORMATS)}")
    return {"sgf": format_sgf, "psq": format_psq, "txt": format_plain}[format](game)


def write(game: Game, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes a record whole or not at all; without a format the name's ending says which."""
    kind = format or Path(path).suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise BadInput(f"cannot tell the format of {path}: end its name in {', '.join('.' + f for f in FORMATS)}")
    write_atomically(path, format_game(game, kind).encode("utf-8", "replace"))
