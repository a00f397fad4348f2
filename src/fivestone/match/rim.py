"""The rim attacker: plays along the edges and in the corners, where some nets never learned to look."""

from __future__ import annotations

import random

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.attention import facts_of
from fivestone.match.openings import Opening
from fivestone.match.player import Player, SearcherPlayer
from fivestone.search import Limit, OnResult, SearchResult
from fivestone.search.mcts import Mcts

__all__ = ["RimAttacker", "make_rim", "rim_cells", "rim_opening"]


def rim_cells(size: int, width: int) -> list[int]:
    """The cells at most `width` from an edge, the edge itself being 1."""
    inside = range(width, size - width)
    return [
        row * size + column for row in range(size) for column in range(size) if not (row in inside and column in inside)
    ]


def rim_opening(rng: random.Random, size: int, width: int = 3, stones: int = 3) -> Opening:
    """A few stones close together on the rim."""
    cells = rim_cells(size, width)
    chosen = [rng.choice(cells)]
    while len(chosen) < stones:
        row, column = divmod(chosen[0], size)
        near = [c for c in cells if max(abs(c // size - row), abs(c % size - column)) <= 2 and c not in chosen]
        chosen.append(rng.choice(near))
    return tuple(chosen)


class RimAttacker:
    """Searches with a net, and considers only cells on the rim unless someone is about to win."""

    def __init__(self, searcher: Mcts, width: int) -> None:
        if not 1 <= width <= 10:
            raise BadInput(f"width={width}: choose 1 to 10 cells from the edge")
        self._searcher = searcher
        self._width = width

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        urgent = not board.is_over and facts_of(board, _core.Position(board))
        rim = [] if urgent else [move for move in rim_cells(board.size, self._width) if board.is_legal(move)]
        return self._searcher.search(board, limit, on_result, only=rim)

    def stop(self) -> None:
        self._searcher.stop()

    def new_game(self) -> None:
        self._searcher.new_game()


def make_rim(*, name: str, arg: str | None, limit: Limit, seed: int, net: str = "line", width: int = 3) -> Player:
    from fivestone.net import load_net

    return SearcherPlayer(name, RimAttacker(Mcts(load_net(net), seed=seed), width), limit)
