"""The classic engine: alpha-beta over patterns, in the core, with as many threads as asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.search.evaluator import ScoringNet
from fivestone.search.result import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.weights import core_weights

__all__ = ["AlphaBeta"]

# Left on the clock for the way back from the core.
_RETURN_TIME = 0.002
_DEFAULT = Limit(time=1.0)
# The search divides by the one and widens its window by the other.
_AT_LEAST_ONE = ("line_share", "aspiration")
_MOST_TUNING = 10_000


class AlphaBeta:
    """Iterative deepening with a transposition table that is kept from search to search.

    With one thread and a limit of nodes or depth the same searches in the same order give the same results.
    """

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        multipv: int = 1,
        weights: str | Path | None = None,
        tuning: Mapping[str, int] | None = None,
        net: ScoringNet | None = None,
        asked: _core.Asked | None = None,
    ) -> None:
        """`weights` is a card file, "hand" for the hand-made ones, or None for those that come with the package.

        `tuning` replaces some of the search's own numbers, as `AlphaBeta.tuning()` lists them. A `net` judges positions
        and orders moves instead of the patterns. With one thread `asked` remembers some of the positions that were
        judged, for a net to learn from.
        """
        for name, value, least, most in (
            ("hash_mb", hash_mb, 1, 1 << 16),
            ("threads", threads, 1, 256),
            ("multipv", multipv, 1, 400),
        ):
            if not least <= value <= most:
                raise BadInput(f"{name}={value}: choose {least} to {most}")
        known = self.tuning()
        for name, value in (tuning or {}).items():
            if name not in known:
                raise BadInput(f"no search number '{name}': choose among {', '.join(known)}")
            least = 1 if name in _AT_LEAST_ONE else 0
            if not least <= value <= _MOST_TUNING:
                raise BadInput(f"{name}={value}: choose {least} to {_MOST_TUNING}")
        self._card = weights
        core_net, quantised = net.scoring() if net is not None else (None, None)
        self._check: Callable[[Board], None] = net.check if net is not None else lambda _board: None
        self._core = _core.AlphaBeta(hash_mb, threads, multipv, dict(tuning or {}), core_net, quantised, asked)

    @staticmethod
    def tuning() -> dict[str, int]:
        """The search's own numbers: margins, depths and counts."""
        return _core.AlphaBeta.tuning()

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        """Thinks until the limit is reached (a second if there is none) or the game is decided."""
        started = time.perf_counter()
        self._core.resume()  # first of all: what is stopped from now on is this search, wherever it has got to
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        self._check(board)
        weights = core_weights(board, self._card)
        wanted = limit.or_else(_DEFAULT)
        nodes = wanted.nodes or wanted.visits or 0
        seconds = 0.0
        if wanted.time is not None:
            seconds = max(wanted.time - (time.perf_counter() - started) - _RETURN_TIME, 1e-6)

        def report(found: _core.SearchReport) -> None:
            if on_result is not None:
                on_result(_result(found, weights, time.perf_counter() - started))

        depth = wanted.depth or 0
        found = self._core.search(board, weights, seconds, nodes, depth, report if on_result else None)
        return _result(found, weights, time.perf_counter() - started)

    def stop(self) -> None:
        """Ends the search that is running in another thread."""
        self._core.stop()

    def new_game(self) -> None:
        """Forgets what earlier searches found."""
        self._core.clear()


def _result(found: _core.SearchReport, weights: _core.Weights, seconds: float) -> SearchResult:
    moves = tuple(
        MoveInfo(line.move, _value(line.score, weights), visits=line.nodes, score=line.score, pv=tuple(line.pv))
        for line in found.lines
    )
    best = moves[0]
    assert best.score is not None
    return SearchResult(
        move=best.move,
        value=best.value,
        pv=best.pv,
        moves=moves,
        score=best.score,
        proven=_proven(best.score),
        depth=found.depth,
        nodes=found.nodes,
        seconds=seconds,
        notes={"deepest": float(found.deepest)},
    )


def _proven(score: int) -> int | None:
    if score >= _core.PROVEN_SCORE:
        return 1
    return -1 if score <= -_core.PROVEN_SCORE else None


def _value(score: int, weights: _core.Weights) -> float:
    proven = _proven(score)
    return float(proven) if proven is not None else weights.value_of(score)
