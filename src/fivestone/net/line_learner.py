"""Teaching a line net with torch, on a GPU: what the core's Learner does, for whole shards of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone.errors import BadInput
from fivestone.net.line import LineNet
from fivestone.net.line_numpy import RowFinder
from fivestone.net.line_torch import LineTorch, sample_loss, torch

__all__ = ["TorchLearner"]

Arrays = dict[str, NDArray[Any]]


class _Shards:
    """Samples of several shards by number."""

    def __init__(self, shards: Sequence[Arrays]) -> None:
        self._shards = list(shards)
        counts = [len(shard["size"]) for shard in self._shards]
        self._starts = np.concatenate([[0], np.cumsum(counts)])
        self._stones = [_starts(shard["size"].astype(np.int64) ** 2) for shard in self._shards]
        self._policies = [_starts(shard["policy_count"].astype(np.int64)) for shard in self._shards]

    def __len__(self) -> int:
        return int(self._starts[-1])

    def by_size(self, numbers: NDArray[np.int64]) -> dict[int, Arrays]:
        """Stones, turns, policies over all cells, z and q of the samples, for each board size among them."""
        groups: dict[int, list[tuple[Any, ...]]] = {}
        for number in numbers:
            at = int(np.searchsorted(self._starts, number, side="right")) - 1
            shard, i = self._shards[at], int(number - self._starts[at])
            size = int(shard["size"][i])
            first, policy = self._stones[at][i], self._policies[at][i]
            visited = slice(policy, policy + int(shard["policy_count"][i]))
            target = np.zeros(size * size, dtype=np.float32)
            visits = shard["policy_visits"][visited].astype(np.float32)
            target[shard["policy_moves"][visited]] = visits / max(1.0, float(visits.sum()))
            stones = shard["stones"][first : first + size * size].reshape(size, size)
            groups.setdefault(size, []).append((stones, shard["turn"][i], target, shard["z"][i], shard["q"][i]))
        names = ("stones", "turn", "policy", "z", "q")
        return {
            size: {name: np.stack(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
            for size, rows in sorted(groups.items())
        }


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)])[:-1]


class TorchLearner:
    """Learns from shards on a torch device. The loss and the settings are those of the core's Learner.

    Table rests are stepped with all others, not only where they are used, which a GPU does not feel.
    """

    def __init__(
        self,
        net: LineNet,
        *,
        device: str = "cuda",
        value_weight: float = 1.0,
        search_share: float = 0.3,
        decay: float = 1e-4,
        average: float = 0.999,
    ) -> None:
        try:
            self._model = LineTorch(net).to(device)
        except (RuntimeError, AssertionError) as error:
            raise BadInput(f"torch cannot use the device '{device}': {str(error).splitlines()[0]}") from None
        self._device = device
        self._value_weight, self._search_share, self._average = value_weight, search_share, average
        self._finder = RowFinder(net)
        self._optimizer = torch.optim.AdamW(self._model.parameters(), lr=1e-3, weight_decay=decay)
        self._mean = {name: values.detach().clone() for name, values in self._model.named_parameters()}
        self.steps = 0

    def train(
        self, shards: Sequence[Arrays], steps: int, batch: int, rate: float, seed: int, threads: int = 1
    ) -> dict[str, float]:
        """Learns from random batches; returns the mean losses. `threads` is for torch on the CPU."""
        samples = _Shards(shards)
        if len(samples) == 0:
            raise BadInput("there is nothing to learn from: the window is empty")
        torch.set_num_threads(max(1, threads))
        rng = np.random.default_rng(seed)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        sums = np.zeros(6)
        for _ in range(steps):
            sums += self._step(samples.by_size(rng.integers(0, len(samples), batch)), batch)
        policies = max(1.0, sums[3])
        return {
            "policy": sums[0] / policies,
            "entropy": sums[1] / policies,
            "value": sums[2] / max(1, steps * batch),
            "policy_right": sums[4] / policies,
            "value_right": sums[5] / max(1, steps * batch),
            "samples": float(steps * batch),
        }

    def _step(self, groups: dict[int, Arrays], batch: int) -> NDArray[np.float64]:
        """One step; returns the sums of policy loss, entropy and value loss, and how many samples had a policy, had it
        right and had their value right."""
        self._optimizer.zero_grad()
        sums = np.zeros(6)
        for arrays in groups.values():
            count = len(arrays["z"])
            rows = self._finder.rows_of(arrays["stones"], arrays["turn"])
            logits, outcome = self._model(
                self._to_device(rows.astype(np.int64)), self._to_device(arrays["stones"].reshape(count, -1) == 0)
            )
            target, z, q = (self._to_device(arrays[name]) for name in ("policy", "z", "q"))
            policy, value = sample_loss(logits, outcome, target, z, q, self._search_share)
            ((policy + self._value_weight * value) * (count / batch)).backward()
            shares = arrays["policy"]
            entropy = -float((shares * np.log(np.where(shares > 0, shares, 1))).sum())
            visited = shares.sum(1) > 0
            chosen = np.take_along_axis(shares, logits.detach().argmax(1, keepdim=True).cpu().numpy(), 1)[:, 0]
            policy_right = (visited & (chosen == shares.max(1))).sum()
            value_right = (outcome.detach().argmax(1).cpu().numpy() == 1 - arrays["z"]).sum()
            sums += [policy.item() * count, entropy, value.item() * count, visited.sum(), policy_right, value_right]
        self._optimizer.step()
        self.steps += 1
        keep = min(self._average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for name, values in self._model.named_parameters():
                self._mean[name].mul_(keep).add_(values, alpha=1 - keep)
        return sums

    def _to_device(self, array: NDArray[Any]) -> Any:
        return torch.from_numpy(array).to(self._device)

    def net(self, mean: bool = True) -> LineNet:
        """The net to play with: the running mean of the weights, or the weights as they stand."""
        if not mean:
            return self._model.to_net()
        kept = {name: values.detach().clone() for name, values in self._model.named_parameters()}
        self._load(self._mean)
        net = self._model.to_net()
        self._load(kept)
        return net

    def _load(self, weights: dict[str, Any]) -> None:
        with torch.no_grad():
            for name, values in self._model.named_parameters():
                values.copy_(weights[name])

    def state(self) -> Arrays:
        """Everything that changes while learning."""
        arrays: Arrays = {"step": np.array([self.steps], dtype=np.int64)}
        for name, values in self._model.named_parameters():
            moments = self._optimizer.state.get(values, {})
            arrays[f"weights.{name}"] = values.detach().cpu().numpy().copy()
            arrays[f"mean.{name}"] = self._mean[name].cpu().numpy().copy()
            for key in ("exp_avg", "exp_avg_sq"):
                moment = moments.get(key, torch.zeros_like(values))
                arrays[f"{key}.{name}"] = moment.detach().cpu().numpy().copy()
        return arrays

    def restore(self, state: Arrays) -> None:
        """Goes on where `state` was taken."""
        try:
            steps = int(state["step"][0])
            for name, values in self._model.named_parameters():
                weights = state[f"weights.{name}"]
                if weights.shape != tuple(values.shape):
                    raise BadInput("the state is that of another net")
                with torch.no_grad():
                    values.copy_(self._to_device(weights))
                    self._mean[name].copy_(self._to_device(state[f"mean.{name}"]))
                self._optimizer.state[values] = {
                    "step": torch.tensor(float(steps)),
                    "exp_avg": self._to_device(state[f"exp_avg.{name}"]).clone(),
                    "exp_avg_sq": self._to_device(state[f"exp_avg_sq.{name}"]).clone(),
                }
            self.steps = steps
        except KeyError as error:
            raise BadInput(f"the state lacks {error}") from None
