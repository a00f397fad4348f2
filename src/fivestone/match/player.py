"""Players: whoever picks a move, be it a search, a file of openings, another program or a die."""

from __future__ import annotations

import random
from typing import Literal, Protocol

from fivestone.board import Board
from fivestone.errors import FivestoneError, IllegalMove
from fivestone.search import Limit, OnResult, Searcher, SearchResult

__all__ = ["Forfeit", "ForfeitKind", "Player", "RandomPlayer", "SearcherPlayer"]

ForfeitKind = Literal["time", "crash", "illegal"]


class Forfeit(FivestoneError):
    """A player cannot go on; the game loop gives the game to the opponent."""

    def __init__(self, kind: ForfeitKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: ForfeitKind = kind
        self.detail = detail

    def __reduce__(self) -> tuple[type[Forfeit], tuple[ForfeitKind, str]]:
        return type(self), (self.kind, self.detail)


class Player(Protocol):
    """Picks moves for one side of one game at a time; `stop` may be called from another thread."""

    name: str

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        """A move for the side to move, within the player's own limit or else the given one."""

    def new_game(self) -> None:
        """Forget what was learned from the last game."""

    def stop(self) -> None:
        """Make a running `choose` return soon with the best move so far."""

    def close(self) -> None:
        """Give back processes and memory; the player is not used again."""


class SearcherPlayer:
    """Plays what a searcher finds. Its own limit, where it has one, wins over the limit of the game."""

    def __init__(self, name: str, searcher: Searcher, limit: Limit | None = None) -> None:
        self.name = name
        self.searcher = searcher
        self.limit = limit or Limit()

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        return self.searcher.search(board, self.limit.or_else(limit), on_result)

    def new_game(self) -> None:
        reset = getattr(self.searcher, "new_game", None)
        if reset is not None:
            reset()

    def stop(self) -> None:
        self.searcher.stop()

    def close(self) -> None:
        close = getattr(self.searcher, "close", None)
        if close is not None:
            close()


class RandomPlayer:
    """Any legal move, each as likely as the others."""

    def __init__(self, name: str = "random", seed: int = 0) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        moves = board.legal_moves
        if not moves:
            raise IllegalMove(f"there is no move to choose from\n{board.diagram()}")
        result = SearchResult(move=self._random.choice(moves), value=0.0)
        if on_result is not None:
            on_result(result)
        return result

    def new_game(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass
