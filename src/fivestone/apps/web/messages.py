"""Reading what a browser sent, as if a stranger had: every field is checked before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fivestone.board import BLACK, RULES, WHITE, Board
from fivestone.errors import FivestoneError

__all__ = ["MAX_MESSAGE", "MAX_SIZE", "MIN_SIZE", "BadMessage", "Fields", "parse_message"]

MAX_MESSAGE = 262_144
MAX_NODES = 5000
MIN_SIZE, MAX_SIZE = 5, 20


class BadMessage(FivestoneError):
    """A message that the protocol does not allow."""


@dataclass(frozen=True)
class Fields:
    """The fields of one message, taken out one by one with their types and bounds."""

    data: dict[str, Any]

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadMessage(f"'{key}' must be a whole number from {low} to {high}")
        return value

    def choice(self, key: str, options: Iterable[str], default: str | None = None) -> str:
        value = self.data.get(key, default)
        options = list(options)
        if not isinstance(value, str) or value not in options:
            raise BadMessage(f"'{key}' must be one of {', '.join(options)}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            raise BadMessage(f"'{key}' must be true or false")
        return value

    def text(self, key: str, longest: int, default: str | None = None) -> str:
        value = self.data.get(key, default)
        if not isinstance(value, str) or len(value) > longest:
            raise BadMessage(f"'{key}' must be text of at most {longest} characters")
        return value

    def table(self, key: str) -> Fields:
        value = self.data.get(key)
        if not isinstance(value, dict):
            raise BadMessage(f"'{key}' must be an object")
        return Fields(value)

    def moves(self, key: str, size: int) -> list[int]:
        value = self.data.get(key)
        cells = size * size
        if not isinstance(value, list) or len(value) > cells:
            raise BadMessage(f"'{key}' must be a list of at most {cells} moves")
        for move in value:
            if isinstance(move, bool) or not isinstance(move, int) or not 0 <= move < cells:
                raise BadMessage(f"'{key}' holds something that is not a cell of a {size}x{size} board")
        return value

    def nodes(self, key: str, size: int) -> list[tuple[int, int, float]] | None:
        """A tree of moves as [number of the parent or -1, move, seconds] each, parents first; None when left out."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) > MAX_NODES:
            raise BadMessage(f"'{key}' must be a list of at most {MAX_NODES} moves")
        nodes: list[tuple[int, int, float]] = []
        for item in value:
            if not isinstance(item, list) or len(item) != 3:
                raise BadMessage(f"'{key}' must hold lists of three numbers")
            parts = Fields({"parent": item[0], "move": item[1]})
            seconds = item[2]
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 1e6:
                raise BadMessage(f"'{key}' holds a time that makes no sense")
            nodes.append(
                (parts.whole("parent", -1, len(nodes) - 1), parts.whole("move", 0, size * size - 1), float(seconds))
            )
        return nodes

    def _stones(self, size: int, rule: str) -> Board:
        """A set-up position: the stones of either side and whose turn it is."""
        return Board.from_stones(
            self.moves("black", size), self.moves("white", size), self.whole("turn", BLACK, WHITE), size, rule
        )

    def board(self, key: str = "game") -> Board:
        """The position a message carries, every move of it checked against the rules."""
        game = self.table(key)
        size = game.whole("size", MIN_SIZE, MAX_SIZE)
        rule = game.choice("rule", RULES, "freestyle")
        board = Board(size, rule) if game.data.get("setup") is None else game.table("setup")._stones(size, rule)
        for move in game.moves("moves", size):
            if not board.is_legal(move):
                raise BadMessage(f"{board.name_of(move)} is not legal after {len(board.moves)} moves")
            board.push(move)
        return board


def parse_message(text: str) -> tuple[int, str, Fields]:
    """The number, the kind and the fields of a message."""
    if len(text) > MAX_MESSAGE:
        raise BadMessage("the message is too long")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadMessage("the message is not JSON") from None
    if not isinstance(data, dict):
        raise BadMessage("a message is an object")
    fields = Fields(data)
    return fields.whole("id", 0, 2**31 - 1), fields.text("op", 20), fields


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
