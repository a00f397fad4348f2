"""The line net: policy and value from the line windows through every cell, computed by the core.

docs/line-net.md says what it computes; `line_numpy` says the same in NumPy.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone import _core
from fivestone.board import RULES, Board
from fivestone.errors import BadInput
from fivestone.net.netfile import Arrays, read_net, write_net

__all__ = ["LineNet", "core_rule"]

_KIND = "line net"


def core_rule(rule: str) -> _core.Rule:
    if rule not in RULES:
        raise BadInput(f"unknown rule '{rule}': choose one of {', '.join(RULES)}")
    return Board(5, rule)._rule


class LineNet:
    """Weights of a line net for one rule, good for every board size from 5 to 20. Plays with `Mcts(evaluator=net)`.

    One for freestyle also judges games of standard and renju, as well as windows shortened to its own can tell.

    `card` says how the net was made and how strong it was measured to be. A search judges in 16-bit numbers, which is
    faster and hardly less exact; `floats` makes it use floats, as `evaluate` always does.
    """

    def __init__(self, core: _core.CoreLineNet, card: dict[str, Any] | None = None) -> None:
        self.core = core
        self.card = card or {}
        self.floats = False

    @classmethod
    def random(cls, rule: str = "freestyle", seed: int = 0, width: int = 32) -> LineNet:
        """Random weights, from which training starts. The width is 16, 32 or 64."""
        try:
            return cls(_core.CoreLineNet.random(core_rule(rule), seed, width))
        except ValueError as error:
            raise BadInput(str(error)) from None

    @classmethod
    def from_arrays(cls, rule: str, arrays: dict[str, NDArray[Any]], card: dict[str, Any] | None = None) -> LineNet:
        """A net from arrays as `arrays()` gives them, in any float type."""
        try:
            core = _core.CoreLineNet(core_rule(rule), int(arrays["cell_bias"].shape[0]))
            for name in core.arrays():
                values = np.ascontiguousarray(arrays[name], dtype=np.float32)
                if not np.isfinite(values).all():
                    raise BadInput(f"the array '{name}' holds values that are not numbers")
                core.set_array(name, values)
        except KeyError as error:
            raise BadInput(f"the array {error} is missing") from None
        except (ValueError, TypeError, IndexError) as error:
            raise BadInput(str(error)) from None
        return cls(core, card)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LineNet:
        """Reads a net that `save` wrote."""
        return read_net(path, _KIND, lambda header, arrays: cls.from_arrays(header["rule"], arrays, header["card"]))

    def save(self, path: str | os.PathLike[str], card: dict[str, Any] | None = None) -> None:
        """Writes the net, with a new card if one is given. Table rows are stored as 16-bit floats."""
        if card is not None:
            self.card = card
        arrays: Arrays = dict(self.arrays())
        arrays["table"] = np.clip(arrays["table"], -65504, 65504).astype(np.float16)
        write_net(path, _KIND, {"rule": self.rule, "width": self.width, "card": self.card}, arrays)

    @property
    def rule(self) -> str:
        return next(rule for rule in RULES if core_rule(rule) == self.core.rule)

    @property
    def width(self) -> int:
        return self.core.width

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Copies of all arrays by name."""
        return self.core.arrays()

    def check(self, board: Board) -> None:
        """Raises BadInput where the net is not for this kind of game."""
        if board.win_length != 5 or not self.core.judges(board._rule):
            game = f"{board.rule}, {board.win_length} in a row"
            raise BadInput(f"the net is for {self.rule}, five in a row, not for {game}: choose a net trained for it")

    def judges(self, threads: int, seed: int) -> _core.Judges:
        """What judges the leaves of a tree inside the core, one for each thread."""
        return _core.line_net_judges(*self.scoring(), threads)

    def scoring(self) -> tuple[_core.CoreLineNet, _core.QuantisedNet | None]:
        """What alpha-beta judges with inside the core: the net, and the same in 16-bit numbers unless in floats."""
        return self.core, None if self.floats else self.quantised

    @cached_property
    def quantised(self) -> _core.QuantisedNet | None:
        """The net in 16-bit numbers; None where they cannot hold it, as with weights of very different sizes."""
        return _core.quantised(self.core)

    def outcomes(self, boards: Sequence[Board]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policies (boards x cells, 0 where no move is legal) and probabilities of win, draw and loss (boards x 3).

        All boards have one size, and none is over.
        """
        try:
            policy, outcome = self.core.evaluate(list(boards))
        except ValueError as error:
            raise BadInput(str(error)) from None
        return policy, outcome

    def evaluate(self, boards: Sequence[Board]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policies (boards x cells) and values (boards) in [-1, 1] for the side to move."""
        policy, outcome = self.outcomes(boards)
        return policy, outcome[:, 0] - outcome[:, 2]
