"""How strong a level is on a board: its measured Elo, or what the measured boards around it suggest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fivestone.match.levels import NAMED, measured_elo

__all__ = ["Strength", "strength_of", "strength_text"]


@dataclass(frozen=True)
class Strength:
    """`measured` on this very board; read off `between` the next smaller and the next larger measured one; or only
    measured on boards all smaller or all larger, of which `board` is the nearest."""

    elo: int
    kind: Literal["measured", "between", "elsewhere"]
    board: int


def strength_of(level: str, size: int, rule: str) -> Strength | None:
    """Of "1" to "10" or "max"; None when it was measured on no board of the rule."""
    known = {board: elo[level] for (board, of), elo in measured_elo().items() if of == rule and level in elo}
    if not known:
        return None
    if size in known:
        return Strength(round(known[size]), "measured", size)
    smaller = max((board for board in known if board < size), default=None)
    larger = min((board for board in known if board > size), default=None)
    if smaller is not None and larger is not None:
        share = (size - smaller) / (larger - smaller)
        elo = known[smaller] + share * (known[larger] - known[smaller])
        return Strength(round(elo / 10) * 10, "between", size)
    nearest = smaller if smaller is not None else larger
    assert nearest is not None
    return Strength(round(known[nearest]), "elsewhere", nearest)


def strength_text(spec: str, size: int, rule: str) -> str:
    """What is known of a player by its spec, as "Elo 1108"; empty for what is no level or was not measured."""
    name, _, level = spec.partition(":")
    found = strength_of(str(NAMED.get(level, level)), size, rule) if name == "level" else None
    if found is None:
        return ""
    if found.kind == "between":
        return f"Elo about {found.elo}"
    return f"Elo {found.elo}" + (f" on {found.board}x{found.board}" if found.kind == "elsewhere" else "")
