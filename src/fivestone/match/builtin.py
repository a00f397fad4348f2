"""Factories of the built-in players, named by the registry in specs.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fivestone.errors import BadInput
from fivestone.match.player import Player, RandomPlayer, SearcherPlayer
from fivestone.search import Limit

__all__ = ["make_alphabeta", "make_random"]


def make_random(*, name: str, arg: str | None, limit: Limit, seed: int) -> Player:
    return RandomPlayer(name, seed)


def make_alphabeta(
    *,
    name: str,
    arg: str | None,
    limit: Limit,
    seed: int,
    net: str | None = None,
    weights: str | None = None,
    tuning: str = "",
    **options: Any,
) -> Player:
    """Alpha-beta on patterns, or on the value and policy of a line net: a shipped name or a file.

    `tuning` sets numbers of the search: "reduction_slope:70/null_depth:8".
    """
    from fivestone.search.alphabeta import AlphaBeta

    if weights not in (None, "hand"):
        from fivestone.search.weights import load_tables

        load_tables(Path(weights))  # a bad card shows now, not at the first move of a game
    if net is not None:
        from fivestone.net import LineNet, load_net

        loaded = load_net(net)
        if not isinstance(loaded, LineNet):
            raise BadInput(f"player '{name}': alpha-beta judges with a line net, and {net} is another kind")
        options["net"] = loaded
    return SearcherPlayer(name, AlphaBeta(tuning=_tuning(name, tuning), weights=weights, **options), limit)


def _tuning(name: str, text: str) -> dict[str, int]:
    numbers = {}
    for item in filter(None, text.split("/")):
        key, _, value = item.partition(":")
        try:
            numbers[key] = int(value)
        except ValueError:
            raise BadInput(f"player '{name}': tuning is written number:value/number:value, not '{item}'") from None
    return numbers
