"""Convolutional policy-value nets of one board size, run with NumPy alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.net.features import PLANES, planes_of
from fivestone.net.netfile import Arrays, read_net, write_net
from fivestone.search.evaluator import Leaves

__all__ = ["KINDS", "ConvKind", "ConvNet", "Floats"]

Floats = npt.NDArray[np.float32]
_KIND = "conv net"


@dataclass(frozen=True)
class ConvKind:
    """An architecture: what it sees, its 3x3 convolutions or residual blocks, and its heads of 1x1 convolutions."""

    planes: str
    filters: tuple[int, ...]
    policy_filters: int
    value_filters: int
    value_hidden: int = 64
    blocks: int = 0  # residual blocks of two 3x3 convolutions after the plain ones

    def shapes(self, size: int) -> dict[str, tuple[int, ...]]:
        """The arrays of a net, by name."""
        shapes: dict[str, tuple[int, ...]] = {}

        def conv(name: str, inputs: int, outputs: int, width: int) -> None:
            shapes[f"{name}.weight"] = (outputs, inputs, width, width)
            shapes[f"{name}.bias"] = (outputs,)

        def dense(name: str, inputs: int, outputs: int) -> None:
            shapes[f"{name}.weight"] = (outputs, inputs)
            shapes[f"{name}.bias"] = (outputs,)

        inputs, cells = PLANES[self.planes], size * size
        for number, outputs in enumerate(self.filters):
            conv(f"trunk{number}", inputs, outputs, 3)
            inputs = outputs
        for number in range(self.blocks):
            conv(f"block{number}a", inputs, inputs, 3)
            conv(f"block{number}b", inputs, inputs, 3)
        conv("policy_conv", inputs, self.policy_filters, 1)
        dense("policy", self.policy_filters * cells, cells)
        conv("value_conv", inputs, self.value_filters, 1)
        dense("value_hidden", self.value_filters * cells, self.value_hidden)
        dense("value", self.value_hidden, 1)
        return shapes


# The nets of the source systems, by their letters, and a small residual one.
KINDS = {
    "conv-a": ConvKind("colour", (32, 64, 128), policy_filters=4, value_filters=4),
    "conv-b": ConvKind("full", (32, 64, 128), policy_filters=4, value_filters=2),
    "conv-c": ConvKind("stones", (32, 64, 128), policy_filters=4, value_filters=2),
    "conv-e": ConvKind("full", (32, 64, 128), policy_filters=4, value_filters=2),
    "resnet": ConvKind("last", (32,), policy_filters=2, value_filters=1, value_hidden=32, blocks=4),
}


class ConvNet:
    """Weights of a convolutional net; an evaluator that needs nothing but NumPy.

    `card` says how the net was made and how strong it was measured to be.
    """

    def __init__(
        self,
        kind: str,
        size: int,
        arrays: dict[str, npt.NDArray[Any]],
        *,
        rule: str = "freestyle",
        win_length: int = 5,
        card: dict[str, Any] | None = None,
    ) -> None:
        if kind not in KINDS:
            raise BadInput(f"unknown net '{kind}': choose one of {', '.join(KINDS)}")
        Board(size, rule, win_length)
        self.kind, self.size, self.rule, self.win_length = kind, size, rule, win_length
        self.card = card or {}
        self.arrays: dict[str, Floats] = {}
        for name, shape in KINDS[kind].shapes(size).items():
            if name not in arrays or arrays[name].shape != shape:
                raise BadInput(f"the array '{name}' is missing or is not of shape {shape}")
            self.arrays[name] = np.ascontiguousarray(arrays[name], np.float32)
            if not np.isfinite(self.arrays[name]).all():
                raise BadInput(f"the array '{name}' holds values that are not numbers")

    @classmethod
    def random(cls, kind: str, size: int, *, seed: int = 0, rule: str = "freestyle", win_length: int = 5) -> ConvNet:
        """Weights drawn so that the size of signals is kept through the layers (He et al.)."""
        if kind not in KINDS:
            raise BadInput(f"unknown net '{kind}': choose one of {', '.join(KINDS)}")
        rng = np.random.default_rng(seed)
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name, shape in KINDS[kind].shapes(size).items():
            if name.endswith(".bias"):
                arrays[name] = np.zeros(shape)
                continue
            # The second convolution of a block starts small, so that a block starts as nearly nothing.
            gain = 0.1 if name.startswith("block") and name.endswith("b.weight") else 1.0
            if name in ("policy.weight", "value.weight"):
                gain = 0.1
            arrays[name] = gain * rng.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape)
        return cls(kind, size, arrays, rule=rule, win_length=win_length)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ConvNet:
        """Reads a net that `save` wrote."""

        def make(header: dict[str, Any], arrays: Arrays) -> ConvNet:
            game = {"rule": header["rule"], "win_length": header["win_length"]}
            return cls(header["kind"], header["size"], arrays, **game, card=header["card"])

        return read_net(path, _KIND, make)

    def save(self, path: str | os.PathLike[str], card: dict[str, Any] | None = None) -> None:
        """Writes the net as 16-bit floats, with a new card if one is given."""
        if card is not None:
            self.card = card
        header = {
            "kind": self.kind,
            "size": self.size,
            "rule": self.rule,
            "win_length": self.win_length,
            "card": self.card,
        }
        write_net(path, _KIND, header, {name: array.astype(np.float16) for name, array in self.arrays.items()})

    def resized(self, size: int) -> ConvNet:
        """The net for another board size: a start for learning there.

        Convolutions are kept. A weight of the dense policy layer, from one cell to another, becomes the mean over all
        pairs of cells as far apart; one of the value layer, that of the nearest cell when the boards are laid over each
        other, scaled so that the sums stay the same.
        """
        old, arrays = self.size, dict(self.arrays)
        shapes = KINDS[self.kind].shapes(size)
        arrays["policy.weight"] = _resized_policy(self.arrays["policy.weight"], old, size)
        arrays["policy.bias"] = np.full(shapes["policy.bias"], self.arrays["policy.bias"].mean())
        nearest = np.round(np.arange(size) * (old - 1) / (size - 1)).astype(np.intp)
        hidden = self.arrays["value_hidden.weight"].reshape(-1, KINDS[self.kind].value_filters, old, old)
        hidden = hidden[:, :, nearest][:, :, :, nearest] * (old / size) ** 2
        arrays["value_hidden.weight"] = hidden.reshape(shapes["value_hidden.weight"])
        return ConvNet(self.kind, size, arrays, rule=self.rule, win_length=self.win_length, card=self.card)

    def fits(self, board: Board) -> bool:
        """Whether the net is for this kind of game."""
        return (board.size, board.rule, board.win_length) == (self.size, self.rule, self.win_length)

    def check(self, leaves: Leaves) -> None:
        """Raises BadInput for positions of another kind of game."""
        if (leaves.size, leaves.rule, leaves.win_length) != (self.size, self.rule, self.win_length):
            raise BadInput(
                f"the net is for {self.size}x{self.size} {self.rule} with {self.win_length} in a row, "
                f"not for {leaves.size}x{leaves.size} {leaves.rule} with {leaves.win_length}"
            )

    def evaluate(self, leaves: Leaves) -> tuple[Floats, Floats]:
        """Policies [n, size * size] and values [n] for the side to move."""
        self.check(leaves)
        logits, value = self.forward(planes_of(leaves, KINDS[self.kind].planes))
        policy = np.exp(logits - logits.max(axis=1, keepdims=True))
        return policy / policy.sum(axis=1, keepdims=True), value

    def forward(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [n, cells] and values [n] of planes [n, planes, size, size]."""
        kind, x = KINDS[self.kind], np.ascontiguousarray(planes.transpose(0, 2, 3, 1))
        for number in range(len(kind.filters)):
            x = _relu(self._conv(x, f"trunk{number}"))
        for number in range(kind.blocks):
            inner = _relu(self._conv(x, f"block{number}a"))
            x = _relu(x + self._conv(inner, f"block{number}b"))
        logits = self._dense(self._head(x, "policy_conv"), "policy")
        hidden = _relu(self._dense(self._head(x, "value_conv"), "value_hidden"))
        return logits, np.tanh(self._dense(hidden, "value"))[:, 0]

    def _head(self, x: Floats, name: str) -> Floats:
        """A 1x1 convolution, laid out plane after plane as the dense layers expect it."""
        made = _relu(x @ self.arrays[f"{name}.weight"][:, :, 0, 0].T + self.arrays[f"{name}.bias"])
        return made.transpose(0, 3, 1, 2).reshape(len(x), -1)

    def _dense(self, x: Floats, name: str) -> Floats:
        result: Floats = x @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return result

    def _conv(self, x: Floats, name: str) -> Floats:
        """A 'same' 3x3 convolution of [n, size, size, channels] as one matrix product over all windows of the batch."""
        weight, bias = self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"]
        n, size, _, channels = x.shape
        padded = np.zeros((n, size + 2, size + 2, channels), np.float32)
        padded[:, 1:-1, 1:-1] = x
        windows = np.empty((n, size, size, 3, 3, channels), np.float32)
        for row in range(3):
            for column in range(3):
                windows[:, :, :, row, column] = padded[:, row : row + size, column : column + size]
        made = windows.reshape(n * size * size, -1) @ self._matrix(name)
        made += bias
        return made.reshape(n, size, size, len(weight))

    def _matrix(self, name: str) -> Floats:
        """The weights of a 3x3 convolution as [windows' cells, outputs]."""
        weight = self.arrays[f"{name}.weight"]
        return weight.transpose(2, 3, 1, 0).reshape(-1, len(weight))


def _resized_policy(weight: Floats, old: int, new: int) -> Floats:
    """A dense layer from filters on all cells to all cells, for another board size."""
    filters = weight.shape[1] // old**2
    reach = max(old, new) - 1

    def distances(size: int) -> npt.NDArray[np.intp]:
        """[from cell, to cell]: how far and where to, as one number."""
        rows, columns = np.divmod(np.arange(size * size), size)
        apart = [line[:, None] - line[None] + reach for line in (rows, columns)]
        return np.asarray(apart[0] * (2 * reach + 1) + apart[1], np.intp)

    found, count = distances(old).ravel(), (2 * reach + 1) ** 2
    pairs = np.maximum(np.bincount(found, minlength=count), 1)
    planes = []
    for block in weight.reshape(old**2, filters, old**2).transpose(1, 0, 2):
        planes.append((np.bincount(found, block.ravel(), count) / pairs)[distances(new)])
    return np.stack(planes, axis=1).reshape(new**2, -1).astype(np.float32)


def _relu(x: Floats) -> Floats:
    return np.maximum(x, 0)
