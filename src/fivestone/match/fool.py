"""The fool: a player that tries to lose, however hard its opponent tries not to win.

`fool:simple` plays the move with the lowest winning chances, as its judge sees them. `fool` plays the misere game, in
which whoever completes a line loses: it answers by the mirror, and searches the end exactly.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fivestone import _core
from fivestone.board import EMPTY, Board, other
from fivestone.errors import BadInput
from fivestone.match.mirror import answers, lines, safe_replies
from fivestone.match.player import Player, SearcherPlayer
from fivestone.search import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.mcts import Mcts
from fivestone.search.weights import core_weights

__all__ = ["Fool", "SimpleFool", "make_fool"]

# A line of the opponent that a stone would kill costs this to the power of his stones in it; a line of the fool's own
# that it would feed costs more, for only the opponent can kill that.
_OPEN_FOE = 4.0
_OPEN_OWN = 6.0
_C = 0.7  # lost 7 of 10 games against the tree's own default


def make_fool(*, name: str, arg: str | None, limit: Limit, seed: int, **options: Any) -> Player:
    """`fool`, with solve=N cells left to search; or `fool:simple`, with net= a net to judge by."""
    if arg is None:
        if "net" in options:
            raise BadInput(f"player '{name}': net is for fool:simple")
        return SearcherPlayer(name, Fool(seed=seed, **options), limit)
    if arg != "simple":
        raise BadInput(f"player '{name}': '{arg}' is not a kind of fool; choose fool or fool:simple")
    for key in ("solve", "visits"):
        if key in options:
            raise BadInput(f"player '{name}': {key} is for fool")
    return SearcherPlayer(name, SimpleFool(seed=seed, **options), limit)


def _costs(board: Board) -> npt.NDArray[np.float64]:
    """What a stone of the side to move would spoil, for every cell."""
    every = lines(board.size, board.win_length)
    stones = np.frombuffer(board.stones, np.uint8)[every]
    own = (stones == board.turn).sum(axis=1)
    foe = (stones == other(board.turn)).sum(axis=1)
    worth = np.where(own == 0, _OPEN_FOE**foe, 0.0) + np.where(foe == 0, _OPEN_OWN ** (own + 1.0), 0.0)
    costs = np.zeros(board.size**2)
    np.add.at(costs, every, worth[:, None])
    return costs


class Fool:
    """Answers across the centre until `solve` cells are left, then searches the misere game.

    The mirror keeps the lines of both alike, so that the end is decided by who searches it better. As long as it proves
    that the fool cannot be made to win, only a proven loss is better. The fool completes a line of its own only when
    every move does, and takes the opponent's last five from him only when the proof asks for it.
    """

    def __init__(self, *, seed: int = 0, solve: int = 32, visits: int = 20_000) -> None:
        if not 0 <= solve <= 400 or visits < 1:
            raise BadInput(f"solve={solve}, visits={visits}: choose 0 to 400 cells and 1 or more visits")
        self._random = random.Random(seed)
        self._solve, self._visits = solve, visits
        self._search = Mcts("rollout", seed=seed, misere=True, memory_mb=64, c=_C)

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        found = None
        if board.stones.count(EMPTY) <= self._solve:
            found = self._search.search(board, Limit(time=limit.time, visits=self._visits))
        values = {info.move: info.value for info in found.moves} if found else {}
        proven = found.proven if found else None
        best = self._placed(board) if found is None else self._sought(board, found)
        safe = safe_replies(board) if proven is None else []
        best.sort(key=lambda move: move not in safe)  # if none is, the order stands
        # Values are those of the misere game: high is what the fool wants.
        infos = tuple(MoveInfo(move, -values.get(move, 0.0)) for move in best)
        result = SearchResult(
            best[0],
            infos[0].value,
            (best[0],),
            infos,
            proven=None if proven is None else -proven,
            notes={"cannot_win": float(bool(safe) or proven in (0, 1))},
        )
        if on_result is not None:
            on_result(result)
        return result

    def _placed(self, board: Board) -> list[int]:
        """The moves by what they spoil, those that answer the opponent first."""
        costs, mirrored = _costs(board), frozenset(answers(board))
        fives = [move for move in board.legal_moves if board._wins(move, other(board.turn))]
        spoils = fives[0] if len(fives) == 1 else None
        return sorted(
            board.legal_moves,
            key=lambda move: (
                board._wins(move, board.turn),
                move == spoils,
                move not in mirrored,
                costs[move],
                self._random.random(),
            ),
        )

    def _sought(self, board: Board, found: SearchResult) -> list[int]:
        """The moves as the search ranks them, those that complete a line last."""
        return sorted((info.move for info in found.moves), key=lambda move: board._wins(move, board.turn))

    def stop(self) -> None:
        self._search.stop()

    def new_game(self) -> None:
        self._search.new_game()


class SimpleFool:
    """Plays the move after which its judge gives it the lowest winning chances: the patterns, or a net."""

    def __init__(self, *, seed: int = 0, net: str | None = None) -> None:
        self._random = random.Random(seed)
        self._net: Any = None
        if net is not None:
            from fivestone.net import load_net

            self._net = load_net(net)

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
        values = {move: 1.0 for move in board.legal_moves if board._wins(move, board.turn)}
        quiet = [move for move in board.legal_moves if move not in values]
        if self._net is None:
            return values | self._judged(board, quiet)
        asked: dict[int, Board] = {}
        for move in quiet:
            asked[move] = board.copy()
            asked[move].push(move)
        open_ = {move: after for move, after in asked.items() if not after.is_over}
        values |= dict.fromkeys(asked.keys() - open_.keys(), 0.0)
        if open_:
            _, judged = self._net.evaluate(list(open_.values()))
            values |= zip(open_, (-float(value) for value in judged), strict=True)
        return values

    def _judged(self, board: Board, moves: Sequence[int]) -> dict[int, float]:
        """What the patterns say after each move: lost when the opponent has a five."""
        if board.win_length != 5:
            raise BadInput(f"win length {board.win_length}: fool:simple plays five in a row")
        weights, position, foe = core_weights(board, "hand"), _core.Position(board), other(board.turn)
        values: dict[int, float] = {}
        for move in moves:
            position.push(move)
            five = position.count(_core.Threat.FIVE, foe) > 0
            values[move] = -1.0 if five else -weights.value_of(position.score)
            position.pop()
        return values

    def stop(self) -> None:
        """A move takes a fraction of a second."""
