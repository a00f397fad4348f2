"""What a convolutional net sees of a position: planes of the board, each source system's own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fivestone.board import BLACK
from fivestone.search.evaluator import Leaves

__all__ = ["PLANES", "planes_of"]

Floats = npt.NDArray[np.float32]


def _colour(leaves: Leaves) -> list[npt.NDArray[np.bool_] | Floats]:
    """One plane: +1 black, -1 white. Whose turn it is follows from the number of stones."""
    return [(leaves.stones == 1).astype(np.float32) - (leaves.stones == 2)]


def _stones(leaves: Leaves) -> list[npt.NDArray[np.bool_] | Floats]:
    """Two planes: own stones, the opponent's."""
    turn = leaves.turns[:, None, None]
    return [leaves.stones == turn, leaves.stones == 3 - turn]


def _last(leaves: Leaves) -> list[npt.NDArray[np.bool_] | Floats]:
    """Three planes: own stones, the opponent's, the last move."""
    cells = np.arange(leaves.size * leaves.size).reshape(leaves.size, leaves.size)
    return [*_stones(leaves), cells[None] == leaves.last_moves[:, None, None]]


def _full(leaves: Leaves) -> list[npt.NDArray[np.bool_] | Floats]:
    """Four planes: own stones, the opponent's, the last move, all ones when Black is to move."""
    black = np.broadcast_to((leaves.turns == BLACK)[:, None, None], leaves.stones.shape)
    return [*_last(leaves), black]


_MAKERS: dict[str, tuple[int, Callable[[Leaves], list[npt.NDArray[np.bool_] | Floats]]]] = {
    "colour": (1, _colour),
    "stones": (2, _stones),
    "last": (3, _last),
    "full": (4, _full),
}
# How many planes each way of seeing has.
PLANES = {name: count for name, (count, _maker) in _MAKERS.items()}


def planes_of(leaves: Leaves, name: str) -> Floats:
    """[n, planes, size, size] for one of PLANES."""
    return np.stack(_MAKERS[name][1](leaves), axis=1).astype(np.float32)
