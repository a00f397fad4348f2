"""The convolutional nets in torch: to train them, and to run them on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from fivestone.errors import MissingExtra
from fivestone.net.conv import KINDS, ConvNet, Floats
from fivestone.net.device import choose_device
from fivestone.net.features import planes_of
from fivestone.search.evaluator import Leaves

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    raise MissingExtra("torch nets", "torch") from None

__all__ = ["TorchConv", "TorchEvaluator", "on_device"]


class TorchConv(nn.Module):
    """The same function as ConvNet.forward, with a gradient."""

    def __init__(self, net: ConvNet) -> None:
        super().__init__()
        self.kind = KINDS[net.kind]
        # A parameter's name may not hold a dot.
        for name, array in net.arrays.items():
            self.register_parameter(name.replace(".", "_"), nn.Parameter(torch.from_numpy(array.copy())))

    def arrays(self) -> dict[str, Floats]:
        """Copies of the weights under their names in a ConvNet."""
        return {
            _dotted(name): parameter.detach().cpu().numpy().astype(np.float32)
            for name, parameter in self.named_parameters()
        }

    def _conv(self, x: Any, name: str, padding: int) -> Any:
        return functional.conv2d(x, getattr(self, f"{name}_weight"), getattr(self, f"{name}_bias"), padding=padding)

    def _dense(self, x: Any, name: str) -> Any:
        return functional.linear(x, getattr(self, f"{name}_weight"), getattr(self, f"{name}_bias"))

    def forward(self, x: Any) -> tuple[Any, Any]:
        """Logits [n, cells] and values [n] of planes [n, planes, size, size]."""
        x = x.contiguous(memory_format=torch.channels_last)
        for number in range(len(self.kind.filters)):
            x = functional.relu(self._conv(x, f"trunk{number}", 1))
        for number in range(self.kind.blocks):
            inner = functional.relu(self._conv(x, f"block{number}a", 1))
            x = functional.relu(x + self._conv(inner, f"block{number}b", 1))
        logits = self._dense(functional.relu(self._conv(x, "policy_conv", 0)).flatten(1), "policy")
        hidden = functional.relu(self._conv(x, "value_conv", 0)).flatten(1)
        hidden = functional.relu(self._dense(hidden, "value_hidden"))
        return logits, torch.tanh(self._dense(hidden, "value"))[:, 0]


def on_device(net: ConvNet, device: str) -> TorchConv:
    """The net where it is to run; channels last, which is up to a fifth faster on a CPU."""
    module: TorchConv = TorchConv(net).to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return module


def _dotted(name: str) -> str:
    stem, _, last = name.rpartition("_")
    return f"{stem}.{last}"


class TorchEvaluator:
    """Runs a conv net in torch."""

    def __init__(self, net: ConvNet, device: str = "auto") -> None:
        self.net = net
        self.device = choose_device(device)
        self.module = on_device(net, self.device).eval()

    def evaluate(self, leaves: Leaves) -> tuple[Floats, Floats]:
        self.net.check(leaves)
        planes = torch.from_numpy(planes_of(leaves, KINDS[self.net.kind].planes)).to(self.device)
        with torch.inference_mode():
            logits, value = self.module(planes)
            policy = torch.softmax(logits, dim=1)
        return policy.cpu().numpy(), value.cpu().numpy()
