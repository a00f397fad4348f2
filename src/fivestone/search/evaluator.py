"""Evaluators: policy and value of many positions at once, for the tree that asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput

__all__ = ["CachedEvaluator", "Evaluator", "Floats", "Leaves", "NativeEvaluator", "ScoringNet"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Leaves:
    """A batch of n positions of one size, rule and win length, row 0 at the bottom.

    stones [n, size, size] is 0 empty, 1 black, 2 white; turns [n] 1 or 2; last_moves [n] row * size + column or -1.
    """

    stones: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint8]
    last_moves: npt.NDArray[np.int32]
    hashes: npt.NDArray[np.uint64]
    rule: str = "freestyle"
    win_length: int = 5

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def size(self) -> int:
        return int(self.stones.shape[1])

    @classmethod
    def of(cls, boards: Sequence[Board]) -> Leaves:
        """The batch of the boards, which must be alike."""
        kinds = {(board.size, board.rule, board.win_length) for board in boards}
        if len(kinds) != 1:
            raise BadInput("a batch holds at least one board, and all of one size, rule and win length")
        ((size, rule, win_length),) = kinds
        stones = np.frombuffer(b"".join(board.stones for board in boards), np.uint8)
        return cls(
            stones.reshape(len(boards), size, size),
            np.array([board.turn for board in boards], np.uint8),
            np.array([board.moves[-1] if board.moves else -1 for board in boards], np.int32),
            np.array([board.hash for board in boards], np.uint64),
            rule,
            win_length,
        )

    def take(self, chosen: npt.NDArray[np.intp]) -> Leaves:
        """Some of the positions, by index."""
        return Leaves(
            self.stones[chosen],
            self.turns[chosen],
            self.last_moves[chosen],
            self.hashes[chosen],
            self.rule,
            self.win_length,
        )


@runtime_checkable
class Evaluator(Protocol):
    """Judges positions in batches."""

    def evaluate(self, leaves: Leaves) -> tuple[Floats, Floats]:
        """policy [n, size * size], not negative (it is normalised over the legal moves), and value [n] in [-1, 1] for
        the side to move."""


class ScoringNet(Protocol):
    """A net that alpha-beta can judge with inside the core."""

    def scoring(self) -> tuple[_core.CoreLineNet, _core.QuantisedNet | None]:
        """The net, and the same in 16-bit numbers unless floats are wanted."""

    def check(self, board: Board) -> None:
        """Raises BadInput where it is not for this kind of game."""


@runtime_checkable
class NativeEvaluator(Protocol):
    """Judges leaves inside the core, without coming back to Python."""

    def judges(self, threads: int, seed: int) -> _core.Judges:
        """One for each thread."""

    def check(self, board: Board) -> None:
        """Raises BadInput where it cannot judge such games: the core would read past its tables."""


class CachedEvaluator:
    """Remembers the last `size` judgements of an evaluator by the position's hash.

    An evaluator that looks at the last move is not a function of the position alone: set `last_move`.
    """

    def __init__(self, evaluator: Evaluator, size: int = 100_000, *, last_move: bool = False) -> None:
        if size < 1:
            raise BadInput(f"a cache of {size} positions: choose 1 or more")
        self.evaluator = evaluator
        self.hits = 0
        self._size = size
        self._last_move = last_move
        self._known: OrderedDict[tuple[int, int], tuple[Floats, np.float32]] = OrderedDict()

    def evaluate(self, leaves: Leaves) -> tuple[Floats, Floats]:
        lasts = leaves.last_moves.tolist() if self._last_move else [-1] * len(leaves)
        keys = list(zip(leaves.hashes.tolist(), lasts, strict=True))
        found = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: index for index, key in enumerate(keys) if key not in found}
        self.hits += len(keys) - len(missing)
        if missing:
            policy, value = self.evaluator.evaluate(leaves.take(np.fromiter(missing.values(), np.intp)))
            # Rows are copied: a view would keep its whole batch in memory.
            found.update({key: (policy[row].copy(), value[row]) for row, key in enumerate(missing)})
        for key in keys:
            self._known[key] = found[key]
            self._known.move_to_end(key)
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return np.stack([found[key][0] for key in keys]), np.array([found[key][1] for key in keys], np.float32)
