"""Factories of the built-in players, named by the registry in specs.py."""

from __future__ import annotations

from fivestone.match.player import Player, RandomPlayer
from fivestone.search import Limit

__all__ = ["make_random"]


def make_random(*, name: str, arg: str | None, limit: Limit, seed: int) -> Player:
    return RandomPlayer(name, seed)
