"""The players a browser may ask for: an allow-list. What a browser sends never becomes part of a spec."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from fivestone import _core
from fivestone.apps.web.messages import BadMessage, Fields
from fivestone.board import BLACK, WHITE, Board, other
from fivestone.search import Limit, OnResult, SearchResult

__all__ = ["Opponent", "Opponents"]


class Opponent(Protocol):
    """What the server asks of a player; every player of `fivestone.match` fits."""

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult: ...

    def stop(self) -> None: ...


class _ThreatPlayer:
    """Takes the strongest threat on the board, its own or the opponent's."""

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        position, turn = _core.Position(board), board.turn
        centre = (board.size - 1) / 2

        def worth(move: int) -> tuple[float, float]:
            mine, theirs = position.threat(move, turn), position.threat(move, other(turn))
            near = sum(int(position.pattern(move, color, d)) for color in (BLACK, WHITE) for d in range(4))
            distance = abs(move % board.size - centre) + abs(move // board.size - centre)
            return max(int(mine) * 2 + 1, int(theirs) * 2) + near / 100, -distance

        return SearchResult(move=max(board.legal_moves, key=worth), value=0.0)

    def stop(self) -> None:
        pass


def _make(name: str) -> Opponent:
    return _ThreatPlayer()


class Opponents:
    """Makes the players that are allowed and keeps a few idle ones, since a player owns large tables."""

    def __init__(self, make: Callable[[str], Opponent] = _make, *, keep: int = 4) -> None:
        self._make = make
        self._keep = keep
        self._idle: dict[str, list[Opponent]] = defaultdict(list)
        self._lock = threading.Lock()

    def listing(self) -> list[dict[str, Any]]:
        """What the page offers, weakest first."""
        return [{"kind": "level", "level": level} for level in range(1, 11)] + [{"kind": "fool"}]

    def spec_of(self, fields: Fields) -> str:
        """The spec of the player that a message names by kind and level."""
        kind = fields.choice("kind", ("level", "fool"))
        if kind == "level":
            return f"level:{fields.whole('level', 1, 10)}"
        if kind == "fool":
            return "fool"
        raise BadMessage(f"there is no player of the kind {kind}")

    @contextmanager
    def borrow(self, spec: str) -> Iterator[Opponent]:
        """A player for one search; it goes back to the shelf afterwards."""
        with self._lock:
            player = self._idle[spec].pop() if self._idle[spec] else None
        if player is None:
            player = self._make(spec)
        try:
            yield player
        finally:
            with self._lock:
                if sum(map(len, self._idle.values())) < self._keep:
                    self._idle[spec].append(player)
