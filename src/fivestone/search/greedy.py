"""The greedy player: one ply on the pattern scorer, in well under a millisecond."""

from __future__ import annotations

import time
from pathlib import Path

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.search.result import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.weights import core_weights

__all__ = ["Greedy"]


class Greedy:
    """Takes a five, stops one, makes or stops an open four, and otherwise plays what scores best at once."""

    def __init__(self, weights: str | Path | None = None) -> None:
        self._card = weights

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        """The move it likes best; no limit is short enough to matter."""
        started = time.perf_counter()
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        weights = core_weights(board, self._card)
        move, score = _core.greedy_move(board, weights)
        value = weights.value_of(score)
        result = SearchResult(
            move=move,
            value=value,
            pv=(move,),
            moves=(MoveInfo(move, value, score=score, pv=(move,)),),
            score=score,
            depth=1,
            seconds=time.perf_counter() - started,
        )
        if on_result is not None:
            on_result(result)
        return result

    def stop(self) -> None:
        """Nothing to stop: the answer is already there."""
