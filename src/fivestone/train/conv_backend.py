"""Training a convolutional net in torch, as the source systems did."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fivestone.board import Board
from fivestone.errors import BadFile, BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.net.conv import KINDS, ConvNet
from fivestone.net.conv_torch import TorchConv, TorchEvaluator, choose_device
from fivestone.net.features import planes_of
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.search.evaluator import CachedEvaluator, Leaves
from fivestone.search.mcts import Mcts
from fivestone.train.backend import Shard
from fivestone.train.config import TrainConfig
from fivestone.train.conv_selfplay import SAMPLE_ARRAYS, play_games
from fivestone.train.line_backend import round_seed
from fivestone.train.rundir import Arrays
from fivestone.train.samples import symmetric
from fivestone.train.window import Window

__all__ = ["ConvBackend"]

_KL_TARGET = 0.02  # the learning rate is lowered above twice this and raised below half of it
_FACTOR_RANGE = (0.1, 10.0)


class ConvBackend:
    """Implements Backend for the convolutional nets; one board size a net."""

    def __init__(self, config: TrainConfig, *, init: str | None = None, device: str = "auto") -> None:
        if len(config.sizes) != 1:
            raise BadInput("a conv net is for one board size: give one in sizes")
        if config.net not in KINDS:
            raise BadInput(f"net is '{config.net}': choose line, {', '.join(KINDS)}")
        self.config = config
        self._size = config.sizes[0]
        self._device = choose_device(device)
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads or max(1, torch.get_num_threads()))
        self._module = TorchConv(self._first_net(init)).to(self._device)
        self._optimizer = torch.optim.Adam(self._module.parameters(), lr=config.learning_rate, weight_decay=config.l2)
        self._factor = 1.0  # of the learning rate, by the KL divergence
        self._best = self._net()

    def _first_net(self, init: str | None) -> ConvNet:
        config = self.config
        if init is None:
            return ConvNet.random(
                config.net, self._size, seed=config.seed, rule=config.rule, win_length=config.win_length
            )
        net = load_net(init)
        if not isinstance(net, ConvNet) or net.kind != config.net or not net.fits(self._board()):
            raise BadInput(f"--init {init}: not a {config.net} net for this board and rule")
        return net

    def _board(self) -> Board:
        return Board(self._size, self.config.rule, self.config.win_length)

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        net = self._best if self.config.self_play_net == "best" else self._net()
        evaluator = TorchEvaluator(net, self._device)
        return play_games(self.config, evaluator, round_seed(self.config.seed, number, 1), stop)

    # Learning.

    def learn(self, window: Window, number: int, new_samples: int) -> dict[str, float]:
        config = self.config
        rng = np.random.default_rng(round_seed(config.seed, number, 2))
        samples = {name: np.concatenate([shard[name] for _n, shard in window.shards]) for name in SAMPLE_ARRAYS}
        steps = max(1, round(new_samples * config.reuse / config.batch))
        totals = np.zeros(3)
        rate = config.learning_rate * self._factor
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._module.train()
        probe, before = None, None
        for step in range(steps):
            planes, policy, value = self._batch(samples, rng)
            if step == 0:
                probe, before = planes, self._log_policy(planes)
            logits, guess = self._module(planes)
            logs = torch.log_softmax(logits, dim=1)
            policy_loss = -(policy * logs).sum(dim=1).mean()
            value_loss = ((value - guess) ** 2).mean()
            self._optimizer.zero_grad()
            (policy_loss + value_loss).backward()
            self._optimizer.step()
            entropy = -(logs.exp() * logs).sum(dim=1).mean()
            totals += np.array([policy_loss.item(), value_loss.item(), entropy.item()])
        after = self._log_policy(probe)
        assert before is not None
        kl = float((before.exp() * (before - after)).sum(dim=1).mean())
        self._adapt(kl)
        policy_mean, value_mean, entropy_mean = totals / steps
        return {
            "loss": policy_mean + value_mean,
            "policy_loss": policy_mean,
            "value_loss": value_mean,
            "entropy": entropy_mean,
            "kl": kl,
            "learning_rate": rate,
        }

    def _log_policy(self, planes: Any) -> Any:
        with torch.no_grad():
            return torch.log_softmax(self._module(planes)[0], dim=1)

    def _adapt(self, kl: float) -> None:
        """The source systems' rule: slower when the policy moved too far, faster when it hardly moved."""
        low, high = _FACTOR_RANGE
        if kl > 2 * _KL_TARGET:
            self._factor = max(low, self._factor / 1.5)
        elif kl < _KL_TARGET / 2:
            self._factor = min(high, self._factor * 1.5)

    def _batch(self, samples: Arrays, rng: np.random.Generator) -> tuple[Any, Any, Any]:
        """A batch of random samples, each under a random one of the eight symmetries."""
        chosen = rng.integers(0, len(samples["turn"]), self.config.batch)
        size = self._size
        stones, policy, last = symmetric(
            samples["stones"].reshape(-1, size, size)[chosen],
            samples["policy"].reshape(-1, size, size)[chosen],
            samples["last"][chosen],
            rng.integers(0, 8, self.config.batch),
        )
        hashes = np.zeros(len(chosen), np.uint64)
        leaves = Leaves(stones, samples["turn"][chosen], last, hashes, self.config.rule, self.config.win_length)
        planes = planes_of(leaves, KINDS[self.config.net].planes)
        mix = self.config.value_mix
        value = (1 - mix) * samples["z"][chosen] + mix * samples["q"][chosen]
        tensors = (planes, policy.reshape(len(chosen), -1), value.astype(np.float32))
        planes_t, policy_t, value_t = (torch.from_numpy(np.ascontiguousarray(t)).to(self._device) for t in tensors)
        return planes_t, policy_t, value_t

    # State.

    def _net(self) -> ConvNet:
        config = self.config
        return ConvNet(config.net, self._size, self._module.arrays(), rule=config.rule, win_length=config.win_length)

    def state(self) -> Arrays:
        state: Arrays = {f"net.{name}": array for name, array in self._module.arrays().items()}
        state |= {f"best.{name}": array for name, array in self._best.arrays.items()}
        for index, parameter in enumerate(self._module.parameters()):
            for name, value in self._optimizer.state.get(parameter, {}).items():
                state[f"adam.{index}.{name}"] = np.asarray(value.cpu() if hasattr(value, "cpu") else value)
        return state | {"factor": np.array(self._factor)}

    def restore(self, state: Arrays) -> None:
        config = self.config
        try:
            arrays = {name.removeprefix("net."): a for name, a in state.items() if name.startswith("net.")}
            best = {name.removeprefix("best."): a for name, a in state.items() if name.startswith("best.")}
            game = {"rule": config.rule, "win_length": config.win_length}
            self._module = TorchConv(ConvNet(config.net, self._size, arrays, **game)).to(self._device)  # type: ignore[arg-type]
            self._best = ConvNet(config.net, self._size, best, **game)  # type: ignore[arg-type]
            self._optimizer = torch.optim.Adam(
                self._module.parameters(), lr=config.learning_rate, weight_decay=config.l2
            )
            for index, parameter in enumerate(self._module.parameters()):
                names = ("step", "exp_avg", "exp_avg_sq")
                kept = {
                    n: torch.from_numpy(np.array(state[f"adam.{index}.{n}"]))
                    for n in names
                    if f"adam.{index}.{n}" in state
                }
                if kept:
                    self._optimizer.state[parameter] = {
                        n: value if n == "step" else value.to(self._device) for n, value in kept.items()
                    }
            self._factor = float(state["factor"])
        except (KeyError, ValueError, BadInput) as error:
            raise BadFile(f"the checkpoint does not fit the run's config: {error}") from None

    def promote(self) -> None:
        self._best = self._net()

    def save_net(self, path: Path, card: dict[str, Any]) -> None:
        self._net().save(path, card)

    def player(self, net: Path) -> Player:
        evaluator = CachedEvaluator(TorchEvaluator(ConvNet.load(net), self._device), last_move=True)
        searcher = Mcts(evaluator, select="puct", c=self.config.cpuct)
        return SearcherPlayer(net.stem, searcher, Limit(visits=self.config.evaluate_visits))

    def close(self) -> None:
        """Holds nothing that is shared."""
