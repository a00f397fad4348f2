"""The pattern weights: read from a card file, written to one, and turned into the core's tables.

A card is an .npz with, for each rule family it knows, the int16 arrays `FAMILY.cell`, `FAMILY.move_own` and
`FAMILY.move_foe` (2, SET_CLASSES), `FAMILY.threats` (THREAT_FLAGS,) and the number `FAMILY.scale`. A family it does not
know plays with the hand-made weights.
"""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from fivestone import _core, files
from fivestone.board import Board
from fivestone.errors import BadFile, BadInput

__all__ = [
    "FAMILIES",
    "Tables",
    "core_weights",
    "hand_made",
    "load_tables",
    "rule_family",
    "save_tables",
    "shipped_card",
]

_RULE_FAMILIES: Final = {
    _core.Rule.FREESTYLE: "freestyle",
    _core.Rule.STANDARD: "standard",
    _core.Rule.RENJU: "renju",
    _core.Rule.CARO: "caro",
    _core.Rule.CARO_EXACT: "caro",
}
FAMILIES: Final = ("freestyle", "standard", "renju", "caro")
_FAMILY_RULES: Final = {family: rule for rule, family in reversed(_RULE_FAMILIES.items())}
_SHAPES: Final = {
    "cell": (2, _core.SET_CLASSES),
    "move_own": (2, _core.SET_CLASSES),
    "move_foe": (2, _core.SET_CLASSES),
    "threats": (_core.THREAT_FLAGS,),
}
_MAX_BYTES: Final = 1 << 20
# What numpy and zipfile raise for a file that was cut short or changed.
_DAMAGE: Final = (
    *(OSError, ValueError, EOFError, KeyError, TypeError, RuntimeError, MemoryError),
    *(SyntaxError, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True)
class Tables:
    """The weights of one rule family, in score units."""

    cell: npt.NDArray[np.int16]
    move_own: npt.NDArray[np.int16]
    move_foe: npt.NDArray[np.int16]
    threats: npt.NDArray[np.int16]
    scale: float


def rule_family(rule: str) -> str:
    """The family whose weights a rule shares."""
    return _RULE_FAMILIES[Board(5, rule)._rule]


def hand_made(family: str) -> Tables:
    """The weights nobody learned."""
    cell, own, foe, threats, scale = _core.hand_made_tables(_FAMILY_RULES[family])
    arrays = [np.array(table, np.int16) for table in (cell, own, foe, threats)]
    return Tables(arrays[0], arrays[1], arrays[2], arrays[3], scale)


def shipped_card() -> Path:
    """The card that comes with the package."""
    return Path(__file__).parent.parent / "weights" / "patterns" / "tuned.npz"


def load_tables(path: Path) -> dict[str, Tables]:
    """The families a card knows."""
    if not path.is_file():
        raise BadFile(f"no weights card at {path}")
    if path.stat().st_size > _MAX_BYTES:
        raise BadFile(f"{path} is too large for a weights card")
    try:
        arrays = _read(path)
    except _DAMAGE as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadFile(f"{path} is damaged or is not a weights card: {reason}") from None
    found = {}
    for family in FAMILIES:
        if f"{family}.cell" in arrays:
            found[family] = _tables_of(arrays, family, path)
    if not found:
        raise BadFile(f"{path} is not a weights card: it has weights for none of {', '.join(FAMILIES)}")
    return found


def _read(path: Path) -> dict[str, npt.NDArray[np.generic]]:
    # On its own, np.load would also take a file that is a single array.
    with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as card:
        arrays = {name: card[name] for name in card.files}
    # What is no array comes as bytes.
    return {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}


def _tables_of(arrays: dict[str, npt.NDArray[np.generic]], family: str, path: Path) -> Tables:
    parts = {}
    for name, shape in _SHAPES.items():
        array = arrays.get(f"{family}.{name}")
        if array is None or array.shape != shape or array.dtype != np.int16:
            raise BadFile(f"{path}: {family}.{name} is missing or not int16 of shape {shape}")
        parts[name] = array.astype(np.int16)
    scale = arrays.get(f"{family}.scale")
    number = float(scale.astype(np.float64)) if scale is not None and _is_number(scale) else math.nan
    if not 0 < number < math.inf:
        raise BadFile(f"{path}: {family}.scale is missing or not a number above zero")
    return Tables(parts["cell"], parts["move_own"], parts["move_foe"], parts["threats"], number)


def _is_number(array: npt.NDArray[np.generic]) -> bool:
    return array.shape == () and array.dtype.kind in "iuf"


def save_tables(path: Path, tables: dict[str, Tables]) -> None:
    """Writes a card."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for family, table in tables.items():
        for name in _SHAPES:
            arrays[f"{family}.{name}"] = getattr(table, name)
        arrays[f"{family}.scale"] = np.array(table.scale)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    files.write_atomically(path, packed.getvalue())


@cache
def _weights(rule: _core.Rule, card: Path | None) -> _core.Weights:
    family = _RULE_FAMILIES[rule]
    known = load_tables(card) if card is not None else {}
    tables = known.get(family) or hand_made(family)
    return _core.Weights(
        rule,
        tables.cell.tolist(),
        tables.move_own.tolist(),
        tables.move_foe.tolist(),
        tables.threats.tolist(),
        tables.scale,
    )


def core_weights(board: Board, card: str | Path | None = None) -> _core.Weights:
    """The weights for a board's rule: from the shipped card, from another one, or hand-made ("hand")."""
    if board.win_length != 5:
        raise BadInput(f"patterns are for win length 5, not {board.win_length}: choose another player")
    if card == "hand":
        return _weights(board._rule, None)
    if card is None:
        shipped = shipped_card()
        return _weights(board._rule, shipped if shipped.is_file() else None)
    return _weights(board._rule, Path(card))
