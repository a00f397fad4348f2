"""Shards of samples put together."""

from __future__ import annotations

import numpy as np

from fivestone.train.rundir import Arrays

__all__ = ["merge_samples"]


def merge_samples(parts: list[Arrays]) -> Arrays:
    """One block from several, in order; games are numbered on."""
    merged = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    games = np.cumsum([0, *(len(part["game_size"]) for part in parts[:-1])])
    merged["game"] = np.concatenate([part["game"] + first for part, first in zip(parts, games, strict=True)]).astype(
        parts[0]["game"].dtype
    )
    return merged
