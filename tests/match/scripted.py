"""Players for tests: they follow a script, and take as much time on a fake clock as they are told."""

from __future__ import annotations

from collections.abc import Iterable

from fivestone import Board
from fivestone.search import Limit, OnResult, SearchResult


class FakeClock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """Plays the moves in turn, given by name or number; an entry may instead be an exception to raise."""

    def __init__(
        self,
        moves: str | Iterable[str | int | Exception],
        name: str = "scripted",
        clock: FakeClock | None = None,
        seconds: float = 0.0,
        limit: Limit | None = None,
    ) -> None:
        self.name = name
        self.moves = list(moves.split() if isinstance(moves, str) else moves)
        self.clock, self.seconds = clock, seconds
        self.limit = limit or Limit()
        self.games = 0

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if self.clock is not None:
            self.clock.now += self.seconds
        step = self.moves.pop(0)
        if isinstance(step, Exception):
            raise step
        return SearchResult(move=board.parse(step) if isinstance(step, str) else step, value=0.25)

    def new_game(self) -> None:
        self.games += 1

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass
