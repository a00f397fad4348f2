"""Proofs by threes and fours along the principal variation, while a tree search goes on.

A tree sees long sequences of threats late or never: one more proof where it is about to go tells it in time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fivestone import _core

__all__ = ["LineProber"]

_PROBES = 3  # what the share is divided into; a proof that ends early leaves its rest to the next
_PLIES = 4  # of the principal variation
_LATE = 0.85  # of the limit; from here on the move about to be played is looked at even beyond the share
_STONES_A_VISIT = 20  # what a proof search places in the time of a simulation


class LineProber:
    """Spends a share of one search on proofs; the limit is in seconds, in visits, or both."""

    def __init__(
        self,
        tree: _core.Mcts,
        share: float,
        *,
        seconds: float | None,
        visits: int | None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._tree = tree
        self._clock = clock
        self._seconds = None if seconds is None else share * seconds / _PROBES
        self._nodes = None if visits is None else max(1, int(share * visits * _STONES_A_VISIT / _PROBES))
        self._spent = 0.0  # in probes
        self._probed: set[tuple[int, ...]] = set()

    def step(self, progress: float) -> bool:
        """Looks at one more position if the share of what has passed of the limit allows it; whether it was won."""
        line = self._next_line()
        if line is None:
            return False
        urgent = progress > _LATE and len(line) == 1
        if self._spent + 1.0 > progress * _PROBES and not urgent:
            return False
        self._probed.add(line)
        started = self._clock()
        won, nodes = self._tree.prove_line(list(line), self._nodes, self._seconds)
        by_nodes = nodes / self._nodes if self._nodes is not None else 0.0
        by_time = (self._clock() - started) / self._seconds if self._seconds is not None else 0.0
        self._spent += max(by_nodes, by_time)
        return won

    def _next_line(self) -> tuple[int, ...] | None:
        """The shortest beginning of the principal variation that has not been looked at."""
        variation = tuple(self._tree.pv(_PLIES))
        lines = (variation[:length] for length in range(1, len(variation) + 1))
        return next((line for line in lines if line not in self._probed), None)
