"""The fool: a player that tries to lose, however hard its opponent tries not to win.

`fool:simple` plays the move with the lowest winning chances, as its judge sees them. `fool` plays the misere game, in
which whoever completes a line loses: it keeps the opponent's lines open and its own dead, and searches the end exactly.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fivestone.board import EMPTY, Board, other
from fivestone.errors import BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.search import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.mcts import Mcts

__all__ = ["Fool", "SimpleFool", "make_fool"]

# A line of the opponent that a stone would kill costs this to the power of his stones in it; a line of the fool's own
# that it would feed costs more, for only the opponent can kill that.
_OPEN_FOE = 4.0
_OPEN_OWN = 6.0


def make_fool(*, name: str, arg: str | None, limit: Limit, seed: int, **options: Any) -> Player:
    """`fool`, with solve=N cells left to search; or `fool:simple`, with net= a net to judge by."""
    if arg is None:
        if "net" in options:
            raise BadInput(f"player '{name}': net is for fool:simple")
        return SearcherPlayer(name, Fool(seed=seed, **options), limit)
    if arg != "simple":
        raise BadInput(f"player '{name}': '{arg}' is not a kind of fool; choose fool or fool:simple")
    if "solve" in options:
        raise BadInput(f"player '{name}': solve is for fool")
    return SearcherPlayer(name, SimpleFool(seed=seed, **options), limit)


@cache
def _windows(size: int, length: int) -> npt.NDArray[np.intp]:
    """All rows of `length` cells in a line, windows x length."""
    found = []
    for row in range(size):
        for column in range(size):
            for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_column = row + (length - 1) * d_row, column + (length - 1) * d_column
                if 0 <= end_row < size and 0 <= end_column < size:
                    found.append([(row + i * d_row) * size + column + i * d_column for i in range(length)])
    return np.array(found, np.intp)


def _costs(board: Board) -> npt.NDArray[np.float64]:
    """What a stone of the side to move would spoil, for every cell."""
    windows = _windows(board.size, board.win_length)
    stones = np.frombuffer(board.stones, np.uint8)[windows]
    own = (stones == board.turn).sum(axis=1)
    foe = (stones == other(board.turn)).sum(axis=1)
    worth = np.where(own == 0, _OPEN_FOE**foe, 0.0) + np.where(foe == 0, _OPEN_OWN ** (own + 1.0), 0.0)
    costs = np.zeros(board.size**2)
    np.add.at(costs, windows, worth[:, None])
    return costs


class Fool:
    """Searches the misere game when `solve` cells are left, and before that leaves open what the opponent can complete.

    It completes a line of its own only when every move does.
    """

    def __init__(self, *, seed: int = 0, solve: int = 80, visits: int = 40_000) -> None:
        if not 0 <= solve <= 400 or visits < 1:
            raise BadInput(f"solve={solve}, visits={visits}: choose 0 to 400 cells and 1 or more visits")
        self._random = random.Random(seed)
        self._solve, self._visits = solve, visits
        self._search = Mcts("rollout", seed=seed, misere=True, memory_mb=64, reuse=False)

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        moves = board.legal_moves
        costs = _costs(board)
        ranks = {move: (board._wins(move, board.turn), float(costs[move]), self._random.random()) for move in moves}
        values = dict.fromkeys(moves, 0.0)
        proven = None
        if board.stones.count(EMPTY) <= self._solve:
            found = self._search.search(board, Limit(time=limit.time, visits=self._visits))
            proven = found.proven
            values.update({info.move: info.value for info in found.moves if info.visits})
        # Values are those of the misere game: high is what the fool wants. Among equals the cost decides.
        best = sorted(moves, key=lambda move: (ranks[move][0], -round(values[move], 2), *ranks[move][1:]))
        infos = tuple(MoveInfo(move, -values[move]) for move in best)
        result = SearchResult(best[0], -values[best[0]], (best[0],), infos, proven=None if proven is None else -proven)
        if on_result is not None:
            on_result(result)
        return result

    def stop(self) -> None:
        self._search.stop()


class SimpleFool:
    """Plays the move after which its judge gives it the lowest winning chances: the patterns, or a net."""

    def __init__(self, *, seed: int = 0, net: str | None = None) -> None:
        self._random = random.Random(seed)
        self._net: Any = None
        if net is not None:
            from fivestone.net import load_net

            self._net = load_net(net)
        self._judge = Mcts("heuristic", plies=0, reuse=False)

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        values = self._values(board)
        best = sorted(values, key=lambda move: (values[move], self._random.random()))
        infos = tuple(MoveInfo(move, values[move]) for move in best)
        result = SearchResult(best[0], values[best[0]], (best[0],), infos)
        if on_result is not None:
            on_result(result)
        return result

    def _values(self, board: Board) -> dict[int, float]:
        """The value of every legal move for the side to move."""
        values: dict[int, float] = {}
        asked: dict[int, Board] = {}
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if after.is_over:
                values[move] = 0.0 if after.winner is None else 1.0
            elif self._net is not None:
                asked[move] = after
            else:
                values[move] = -self._judge.search(after, Limit(visits=1)).value
        if asked:
            _, judged = self._net.evaluate(list(asked.values()))
            values.update(zip(asked, (-float(value) for value in judged), strict=True))
        return values

    def stop(self) -> None:
        """A move takes a fraction of a second."""
