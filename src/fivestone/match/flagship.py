"""The strongest player there is for a board, a rule and a budget, by its spec."""

from __future__ import annotations

__all__ = ["flagship_net", "flagship_spec"]

_TABLES_MB = 256
# The boards that the shipped line net has learned, and the rules it judges well: freestyle, which it has learned, and
# two that are close to it. Under Caro, where a five can be blocked, it is no better than patterns.
_NET_SIZES = range(6, 21)
_NET_RULES = ("freestyle", "standard", "renju")


def flagship_net(size: int, rule: str, win_length: int = 5) -> str | None:
    """The shipped net that knows the game on this board."""
    return "line" if win_length == 5 and rule in _NET_RULES and size in _NET_SIZES else None


def flagship_spec(size: int, rule: str, win_length: int = 5, threads: int = 1, memory_mb: int | None = None) -> str:
    """What `level:max` and the Gomocup brain play with. `memory_mb` is what its tables may take.

    Patterns and nets are for five in a row; other lengths are left to rollouts.
    """
    tables = _TABLES_MB if memory_mb is None else max(1, memory_mb)
    if win_length != 5:
        return f"uct:memory_mb={tables},threads={threads}"
    net = flagship_net(size, rule)
    judge = f"net={net}," if net else ""
    return f"alphabeta:{judge}hash_mb={tables},threads={threads}"
