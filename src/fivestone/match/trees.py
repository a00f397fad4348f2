"""The players that are a tree search: `uct` on rollouts, `puct` on a net."""

from __future__ import annotations

from typing import Any

from fivestone.errors import BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.notation import parse_count
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

__all__ = ["make_puct", "make_uct"]


def make_uct(
    *, name: str, arg: str | None, limit: Limit, seed: int, evaluator: str = "rollout", **options: Any
) -> Player:
    """Tree search on random games, or on guided ones with evaluator=heuristic."""
    return SearcherPlayer(name, Mcts(evaluator, seed=seed, **options), _limit(name, arg, limit))


def make_puct(
    *, name: str, arg: str | None, limit: Limit, seed: int, net: str = "line", floats: bool = False, **options: Any
) -> Player:
    """Tree search on the policy and value of a net: a shipped name or a file; with floats=true a line net judges in
    floats instead of 16-bit numbers."""
    from fivestone.net import LineNet, load_net

    loaded = load_net(net)
    if isinstance(loaded, LineNet):
        loaded.floats = floats
    return SearcherPlayer(name, Mcts(loaded, seed=seed, **options), _limit(name, arg, limit))


def _limit(name: str, arg: str | None, limit: Limit) -> Limit:
    if arg is None:
        return limit
    if limit.visits is not None:
        raise BadInput(f"player '{name}': visits are given twice")
    visits = parse_count(arg)
    if not visits:
        raise BadInput(f"player '{name}': '{arg}' is not a number of visits")
    return Limit(limit.time, visits, limit.nodes, limit.depth)
