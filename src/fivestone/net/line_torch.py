"""The line net in PyTorch: the same arrays, for the GPU and for checking the core's own gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone.errors import MissingExtra
from fivestone.net.line import LineNet
from fivestone.net.line_numpy import LEAK, size_stretch

try:
    import torch
    from torch import nn
except ImportError:
    raise MissingExtra("training with torch", "torch") from None

__all__ = ["LineTorch", "sample_loss", "torch"]


class LineTorch(nn.Module):
    """A line net with a learned generator: table row = generator(window) + a free rest."""

    windows: Any
    generator_input: Any
    generator_bias: Any
    generator_output: Any
    cell_bias: Any
    mix: Any
    mix_bias: Any
    hidden: Any
    hidden_bias: Any
    context: Any
    policy: Any
    value: Any
    value_bias: Any
    outcome: Any
    outcome_bias: Any

    def __init__(self, net: LineNet) -> None:
        super().__init__()
        self.rule = net.rule
        arrays = net.arrays()
        table = torch.from_numpy(arrays.pop("table"))
        for name, values in arrays.items():
            self.register_parameter(name, nn.Parameter(torch.from_numpy(values)))
        self.register_buffer("windows", torch.from_numpy(net.core.windows().astype(np.int64)))
        with torch.no_grad():
            self.rest = nn.Parameter(table - self.generate(torch.arange(len(table))))

    def generate(self, rows: Any) -> Any:
        """The generated part of table rows, rows x width."""
        windows = self.windows[rows]
        places = torch.arange(windows.shape[1], device=windows.device) * 4
        forth = self.generator_input[places + windows].sum(1)
        mirrored = torch.cat([windows[:, :-1].flip(1), windows[:, -1:]], 1)
        back = self.generator_input[places + mirrored].sum(1)
        hidden = _leaky(forth + self.generator_bias) + _leaky(back + self.generator_bias)
        return hidden @ self.generator_output

    def forward(self, rows: Any, empty: Any) -> tuple[Any, Any]:
        """Logits of moves (batch x cells, -inf on stones) and of win, draw and loss (batch x 3).

        `rows` is batch x cells x 4 (RowFinder.rows), `empty` batch x cells.
        """
        used, places = torch.unique(rows, return_inverse=True)
        table = self.generate(used) + self.rest[used]
        batch, cells = empty.shape
        size = round(cells**0.5)
        f = _leaky(table[places].sum(2) + self.cell_bias).view(batch, size, size, -1)
        grid = nn.functional.pad(f, (0, 0, 1, 1, 1, 1))

        def shifted(row: int, column: int) -> Any:
            return grid[:, 1 + row : 1 + row + size, 1 + column : 1 + column + size]

        edges = shifted(0, 1) + shifted(0, -1) + shifted(1, 0) + shifted(-1, 0)
        corners = shifted(1, 1) + shifted(-1, -1) + shifted(1, -1) + shifted(-1, 1)
        mixed = f * self.mix[0] + edges * self.mix[1] + corners * self.mix[2] + self.mix_bias
        g = _leaky(mixed).view(batch, cells, -1)
        pooled = _pool(g, empty, size)
        h = _leaky(g @ self.hidden + self.hidden_bias + (pooled @ self.context)[:, None])
        hidden = _leaky(torch.cat([pooled, _pool(h, empty, size)], 1) @ self.value + self.value_bias)
        logits = (h @ self.policy).masked_fill(~empty, -torch.inf)
        return logits, hidden @ self.outcome.T + self.outcome_bias

    def to_net(self) -> LineNet:
        """The net for play."""
        arrays: dict[str, NDArray[Any]] = {
            name: values.detach().cpu().numpy() for name, values in self.named_parameters() if name != "rest"
        }
        with torch.no_grad():
            everything = torch.arange(len(self.rest), device=self.rest.device)
            arrays["table"] = (self.generate(everything) + self.rest).cpu().numpy()
        return LineNet.from_arrays(self.rule, arrays)


def _leaky(x: Any) -> Any:
    return torch.maximum(x, LEAK * x)


def _pool(x: Any, empty: Any, size: int) -> Any:
    mean = (x * empty[:, :, None]).sum(1) / (size * size)
    return torch.cat([mean, mean * size_stretch(size), x.masked_fill(~empty[:, :, None], -torch.inf).amax(1)], 1)


def sample_loss(logits: Any, outcome: Any, policy: Any, z: Any, q: Any, search_share: float) -> tuple[Any, Any]:
    """Mean losses of policy and value. `policy` is batch x cells; `z` and `q` are batch.

    What the search thought, q, says nothing about draws: there the net's own opinion stands.
    """
    log_policy = torch.log_softmax(logits, 1).masked_fill(policy == 0, 0.0)
    log_outcome = torch.log_softmax(outcome, 1)
    draw = torch.minimum(log_outcome[:, 1].exp().detach(), 1 - q.abs())
    searched = torch.stack([(1 - draw + q) / 2, draw, (1 - draw - q) / 2], 1)
    ended = nn.functional.one_hot(1 - z.long(), 3).to(q.dtype)
    target = (1 - search_share) * ended + search_share * searched
    return -(policy * log_policy).sum(1).mean(), -(target * log_outcome).sum(1).mean()
