"""What goes into a search and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from fivestone.board import Board
from fivestone.errors import BadInput

__all__ = ["Limit", "MoveInfo", "OnResult", "SearchResult", "Searcher"]

# More than any search gets to, and within the numbers of the core.
_MOST = {"visits": 2**31 - 1, "nodes": 10**12, "depth": 10**6}


@dataclass(frozen=True)
class Limit:
    """Any of seconds, visits, nodes and depth; the first one reached ends the search."""

    time: float | None = None
    visits: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("time", "visits", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadInput(f"a limit must be above zero: {name}={value}")
            if value is not None and value > _MOST.get(name, value):
                raise BadInput(f"a limit of {name} is at most {_MOST[name]}, not {value}: leave it out for none")

    def or_else(self, default: Limit) -> Limit:
        """This limit, or the default where this one sets nothing at all."""
        return self if self != Limit() else default


@dataclass(frozen=True)
class MoveInfo:
    """What a search found out about one root move. `value` is for the side to move at the root."""

    move: int
    value: float
    visits: int = 0
    prior: float = 0.0
    score: int | None = None
    pv: tuple[int, ...] = ()


@dataclass(frozen=True)
class SearchResult:
    """A move and why. `value` is in [-1, 1] for the side to move.

    `proven` is 1 when the side to move is proven to win, -1 when it is proven to lose, 0 for a proven draw and None
    when nothing is proven. `moves` is ordered best first.
    """

    move: int
    value: float
    pv: tuple[int, ...] = ()
    moves: tuple[MoveInfo, ...] = ()
    score: int | None = None
    proven: int | None = None
    depth: int = 0
    nodes: int = 0
    visits: int = 0
    seconds: float = 0.0
    notes: dict[str, float] = field(default_factory=dict)


OnResult = Callable[[SearchResult], None]


class Searcher(Protocol):
    """Leaves the board as it was, never prints, and can be stopped from another thread at any moment."""

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult: ...

    def stop(self) -> None: ...
