"""Samples put together, turned and mirrored."""

from __future__ import annotations

import numpy as np

from fivestone.train.rundir import Arrays

__all__ = ["merge_samples", "symmetric"]


def merge_samples(parts: list[Arrays]) -> Arrays:
    """One block from several, in order; games are numbered on."""
    merged = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    games = np.cumsum([0, *(len(part["game_size"]) for part in parts[:-1])])
    merged["game"] = np.concatenate([part["game"] + first for part, first in zip(parts, games, strict=True)]).astype(
        parts[0]["game"].dtype
    )
    return merged


def symmetric(
    stones: np.ndarray, policy: np.ndarray, last: np.ndarray, symmetries: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions [n, size, size] with their policies and last moves, each under its own one of the 8 symmetries."""
    size = stones.shape[1]
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    order = np.empty((8, size, size), np.int32)  # where each cell of the result comes from
    for symmetry in range(8):
        flipped = cells[:, ::-1] if symmetry >= 4 else cells
        order[symmetry] = np.rot90(flipped, symmetry % 4)
    inverse = np.argsort(order.reshape(8, -1), axis=1).astype(np.int32)
    source = order[symmetries].reshape(len(stones), -1)
    moved = [np.take_along_axis(x.reshape(len(x), -1), source, axis=1).reshape(x.shape) for x in (stones, policy)]
    last = np.where(last < 0, last, inverse[symmetries, np.maximum(last, 0)]).astype(np.int32)
    return moved[0], moved[1], last
