"""The strongest player there is for a board, a rule and a budget, by its spec."""

from __future__ import annotations

__all__ = ["flagship_spec"]

_TABLES_MB = 256
# The boards and the rule that the shipped line net has learned.
_NET_SIZES = range(6, 21)
_NET_RULE = "freestyle"


def flagship_spec(size: int, rule: str, win_length: int = 5, threads: int = 1, memory_mb: int | None = None) -> str:
    """What `level:max` and the Gomocup brain play with. `memory_mb` is what its tables may take.

    Patterns and nets are for five in a row; other lengths are left to rollouts.
    """
    tables = _TABLES_MB if memory_mb is None else max(1, memory_mb)
    if win_length != 5:
        return f"uct:memory_mb={tables},threads={threads}"
    net = "net=line," if rule == _NET_RULE and size in _NET_SIZES else ""
    return f"alphabeta:{net}hash_mb={tables},threads={threads}"
