"""The players a browser may ask for: an allow-list. Of what a browser sends, only checked numbers reach a spec."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import product
from typing import Any

from fivestone.apps.strength import strength_of
from fivestone.apps.web.messages import MAX_SIZE, MIN_SIZE, Fields
from fivestone.board import RULES
from fivestone.match.levels import LEVELS
from fivestone.match.player import Player
from fivestone.match.specs import known_players, make_player
from fivestone.net import game_of, shipped_nets

__all__ = ["Opponents"]

_MOST_VISITS = 5000
_NET_VISITS = 800
_CONV_VISITS = 150  # a convolution in NumPy takes milliseconds, and a move should not take seconds
_NET_SECONDS = 5
_NET_MEMORY_MB = 64


class Opponents:
    """Makes the players that are allowed and keeps a few idle ones, since a player owns large tables."""

    def __init__(self, make: Callable[[str], Player] = make_player, *, keep: int = 8) -> None:
        self._make = make
        self._keep = keep
        self._kinds = [
            "level",
            "max",
            *(["fool"] if "fool" in known_players() else []),
            *(["net"] if shipped_nets() else []),
        ]
        self._idle: OrderedDict[int, tuple[str, Player]] = OrderedDict()  # the longest idle first
        self._lock = threading.Lock()

    def listing(self) -> list[dict[str, Any]]:
        """What the page offers, weakest first."""
        levels: list[dict[str, Any]] = [
            {"kind": "level", "level": level.number, "elo": _elo(str(level.number))} for level in LEVELS
        ]
        levels.append({"kind": "max", "elo": _elo("max")})
        games = {name: game_of(path) for name, path in shipped_nets().items()}
        nets = [
            {
                "kind": "net",
                "net": name,
                "rule": game.rule,
                "size": game.size,
                "visits": _NET_VISITS if game.size is None else _CONV_VISITS,  # conv nets are of one size
            }
            for name, game in games.items()
            if game.win_length == 5
        ]
        return levels + [{"kind": "fool"}] * ("fool" in self._kinds) + nets

    def spec_of(self, fields: Fields) -> str:
        """The spec of the player that a message names by kind and level. The seed makes games differ."""
        kind = fields.choice("kind", self._kinds)
        seed = fields.whole("seed", 0, 2**31 - 1, 0)
        if kind == "level":
            return f"level:{fields.whole('level', 1, len(LEVELS))},seed={seed}"
        if kind == "max":
            return f"level:max,seed={seed}"
        if kind == "net":
            net, visits = fields.choice("net", shipped_nets()), fields.whole("visits", 1, _MOST_VISITS, 400)
            return f"puct:net={net},visits={visits},time={_NET_SECONDS},memory_mb={_NET_MEMORY_MB},seed={seed}"
        return f"fool,seed={seed}"

    @contextmanager
    def borrow(self, spec: str) -> Iterator[Player]:
        """A player for one search; it goes back to the shelf afterwards, and the longest idle one leaves it."""
        with self._lock:
            number = next((number for number, (name, _) in self._idle.items() if name == spec), None)
            player = self._idle.pop(number)[1] if number is not None else None
        if player is None:
            player = self._make(spec)
        try:
            yield player
        finally:
            with self._lock:
                self._idle[id(player)] = spec, player
                leaving = self._idle.popitem(last=False)[1][1] if len(self._idle) > self._keep else None
            if leaving is not None:
                leaving.close()


def _elo(level: str) -> dict[str, dict[int, dict[str, Any]]]:
    """What is known of a level's strength, by rule and board size."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for rule, size in product(RULES, range(MIN_SIZE, MAX_SIZE + 1)):
        strength = strength_of(level, size, rule)
        if strength is not None:
            found.setdefault(rule, {})[size] = asdict(strength)
    return found
