"""The strongest player there is for a board, a rule and a budget, by its spec."""

from __future__ import annotations

__all__ = ["flagship_spec"]


def flagship_spec(size: int, rule: str, win_length: int = 5, threads: int = 1, memory_mb: int | None = None) -> str:
    """What `level:max` and the Gomocup brain play with. `memory_mb` is what its tables may take."""
    return "greedy"
