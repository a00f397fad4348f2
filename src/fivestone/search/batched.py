"""The external driver: leaves of one tree or of many, judged together by an evaluator in Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fivestone import _core
from fivestone.search.evaluator import Evaluator, Leaves

__all__ = ["run_together"]


def run_together(
    trees: Sequence[_core.Mcts],
    evaluator: Evaluator,
    simulations: Sequence[int],
    *,
    batch: int = 16,
    rule: str = "freestyle",
    win_length: int = 5,
) -> list[int]:
    """Makes up to simulations[i] more in trees[i], up to `batch` leaves of each tree at a time.

    The trees stand on boards of one size, rule and win length. Returns how many simulations each tree made: fewer
    when its root is proven or it is stopped.
    """
    made = [0] * len(trees)
    active = [i for i in range(len(trees)) if simulations[i] > 0]
    while active:
        parts = []
        for i in active:
            started, stones, turns, lasts, hashes = trees[i].collect(batch, simulations[i] - made[i])
            made[i] += started
            parts.append((i, started, stones, turns, lasts, hashes))
        stones, turns, lasts, hashes = (np.concatenate([part[k] for part in parts]) for k in (2, 3, 4, 5))
        leaves = Leaves(stones, turns, lasts, hashes, rule, win_length)
        if len(leaves):
            policy, value = evaluator.evaluate(leaves)
            policy = np.ascontiguousarray(policy.reshape(len(leaves), -1), np.float32)
            value = np.ascontiguousarray(value, np.float32)
            first = 0
            for i, _, _, turns, _, _ in parts:
                trees[i].judge(policy[first : first + len(turns)], value[first : first + len(turns)])
                first += len(turns)
        active = [part[0] for part in parts if part[1] > 0 and made[part[0]] < simulations[part[0]]]
        active = [i for i in active if not trees[i].stopped]
    return made
