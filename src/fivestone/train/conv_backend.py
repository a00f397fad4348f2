"""Training a convolutional net in torch, as the source systems did."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fivestone.board import Board
from fivestone.errors import BadFile, BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.match.specs import make_player
from fivestone.net.conv import KINDS, ConvNet
from fivestone.net.conv_torch import TorchEvaluator, on_device
from fivestone.net.device import choose_device
from fivestone.net.features import planes_of
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.search.evaluator import CachedEvaluator, Evaluator, Leaves
from fivestone.search.mcts import Mcts
from fivestone.train.backend import Shard
from fivestone.train.config import TrainConfig
from fivestone.train.conv_selfplay import SAMPLE_ARRAYS, play_games
from fivestone.train.line_backend import round_seed
from fivestone.train.measure import ladder_spec
from fivestone.train.rundir import Arrays
from fivestone.train.samples import symmetric
from fivestone.train.window import Window

__all__ = ["ConvBackend"]

_UPDATE = 5  # steps after which the learning rate is looked at, as the source systems do after each game
_KL_TARGET = 0.02  # of an update; the learning rate is lowered above twice this and raised below half of it
_FACTOR_RANGE = (0.1, 10.0)
_EXAMPLES = 256  # positions by which the scales of 8-bit integers are set
_WAITING = "waiting"
_EXAMPLE = "example."  # prefix of their arrays in a state


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
        first = self._first_net(init)
        self._module = on_device(first if first.size == self._size else first.resized(self._size), self._device)
        self._optimizer = torch.optim.Adam(self._module.parameters(), lr=config.learning_rate, weight_decay=config.l2)
        self._ladder = config.ladder_start
        self._factor = 1.0  # of the learning rate, by the KL divergence
        self._waiting = init is not None and first.size == self._size
        if self._waiting:  # a net that has learned before: until the window is filled; then it learns slowly at first
            self._factor = _FACTOR_RANGE[0]
        self._best = self._net()
        self._examples = self._random_examples() if config.int8 else {}

    def _first_net(self, init: str | None) -> ConvNet:
        config = self.config
        if init is None:
            return ConvNet.random(
                config.net, self._size, seed=config.seed, rule=config.rule, win_length=config.win_length
            )
        net = load_net(init)
        game = (config.net, config.rule, config.win_length)
        if not isinstance(net, ConvNet) or (net.kind, net.rule, net.win_length) != game:
            raise BadInput(f"--init {init}: not a {config.net} net for {config.rule}")
        return net

    def _board(self) -> Board:
        return Board(self._size, self.config.rule, self.config.win_length)

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        net = self._best if self.config.self_play_net == "best" else self._net()
        examples = self._leaves(self._examples) if self._examples else None
        seed = round_seed(self.config.seed, number, 1)
        rival = None
        if self.config.opponent == "ladder":
            rival = make_player(ladder_spec(self.config, self._ladder), seed=seed)
        return play_games(self.config, self._evaluator(net, examples), seed, stop, rival)

    def _evaluator(self, net: ConvNet, examples: Leaves | None = None) -> Evaluator:
        """Judges with the net, where int8 is set in ONNX Runtime: in integers if there are examples."""
        if not self.config.int8:
            return TorchEvaluator(net, self._device)
        from fivestone.net.conv_onnx import OnnxEvaluator

        return OnnxEvaluator(net, torch.get_num_threads(), examples=examples)

    def _random_examples(self) -> Arrays:
        """Positions of random games, for want of better ones."""
        rng = random.Random(self.config.seed)
        boards: list[Board] = []
        while len(boards) < _EXAMPLES:
            board = self._board()
            for _ in range(rng.randrange(self._size**2)):
                if not board.is_over:
                    board.push(rng.choice(board.legal_moves))
            boards.append(board)
        leaves = Leaves.of(boards)
        return {"stones": leaves.stones, "turn": leaves.turns, "last": leaves.last_moves}

    def _leaves(self, samples: Arrays) -> Leaves:
        """Samples as leaves; what evaluates them does not look at the hashes."""
        stones = samples["stones"].reshape(-1, self._size, self._size)
        hashes = np.zeros(len(stones), np.uint64)
        return Leaves(stones, samples["turn"], samples["last"], hashes, self.config.rule, self.config.win_length)

    # Learning.

    def learn(self, window: Window, number: int, new_samples: int) -> dict[str, float]:
        config = self.config
        if self._examples:
            newest = window.shards[-1][1]
            chosen = np.linspace(0, len(newest["turn"]) - 1, _EXAMPLES).astype(np.intp)
            self._examples = {name: newest[name][chosen] for name in self._examples}
        self._waiting = self._waiting and not window.filled(new_samples)
        if self._waiting:
            return {}
        rng = np.random.default_rng(round_seed(config.seed, number, 2))
        samples = {name: np.concatenate([shard[name] for _n, shard in window.shards]) for name in SAMPLE_ARRAYS}
        steps = max(1, round(new_samples * config.reuse / config.batch))
        totals, divergences = np.zeros(5), []
        self._module.train()
        for step in range(steps):
            planes, *targets = self._batch(samples, rng)
            policy, value, _result = targets
            if step % _UPDATE == 0:
                probe, before = planes, self._log_policy(planes)
                for group in self._optimizer.param_groups:
                    group["lr"] = config.learning_rate * self._factor
            logits, guess = self._module(planes)
            logs = torch.log_softmax(logits, dim=1)
            policy_loss = -(policy * logs).sum(dim=1).mean()
            value_loss = ((value - guess) ** 2).mean()
            self._optimizer.zero_grad()
            (policy_loss + value_loss).backward()
            self._optimizer.step()
            totals += np.array([policy_loss.item(), value_loss.item(), *_seen(logs.detach(), guess.detach(), *targets)])
            if step % _UPDATE == _UPDATE - 1:
                divergences.append(float((before.exp() * (before - self._log_policy(probe))).sum(dim=1).mean()))
                self._adapt(divergences[-1])
        policy_mean, value_mean, entropy_mean, policy_right, value_right = totals / steps
        return {
            "loss": policy_mean + value_mean,
            "policy_loss": policy_mean,
            "value_loss": value_mean,
            "entropy": entropy_mean,
            "policy_accuracy": policy_right,
            "value_accuracy": value_right,
            "kl": float(np.mean(divergences)) if divergences else 0.0,
            "learning_rate": config.learning_rate * self._factor,
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

    def _batch(self, samples: Arrays, rng: np.random.Generator) -> list[Any]:
        """Planes, policies, values and results of random samples, each under a random one of the eight symmetries."""
        chosen = rng.integers(0, len(samples["turn"]), self.config.batch)
        size = self._size
        stones, policy, last = symmetric(
            samples["stones"].reshape(-1, size, size)[chosen],
            samples["policy"].reshape(-1, size, size)[chosen],
            samples["last"][chosen],
            rng.integers(0, 8, self.config.batch),
        )
        leaves = self._leaves({"stones": stones, "turn": samples["turn"][chosen], "last": last})
        planes = planes_of(leaves, KINDS[self.config.net].planes)
        mix = self.config.value_mix
        value = (1 - mix) * samples["z"][chosen] + mix * samples["q"][chosen]
        made = (planes, policy.reshape(len(chosen), -1), value.astype(np.float32), samples["z"][chosen])
        return [torch.from_numpy(np.ascontiguousarray(array)).to(self._device) for array in made]

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
        state |= {_EXAMPLE + name: array for name, array in self._examples.items()}
        return state | {"factor": np.array(self._factor), _WAITING: np.array(self._waiting)}

    def restore(self, state: Arrays) -> None:
        config = self.config
        try:
            arrays = {name.removeprefix("net."): a for name, a in state.items() if name.startswith("net.")}
            best = {name.removeprefix("best."): a for name, a in state.items() if name.startswith("best.")}
            game = {"rule": config.rule, "win_length": config.win_length}
            self._module = on_device(ConvNet(config.net, self._size, arrays, **game), self._device)  # type: ignore[arg-type]
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
            self._waiting = bool(state.get(_WAITING, False))
            self._examples = {name: state[_EXAMPLE + name] for name in self._examples}
        except (KeyError, ValueError, BadInput) as error:
            raise BadFile(f"the checkpoint does not fit the run's config: {error}") from None

    def set_ladder(self, simulations: int) -> None:
        self._ladder = simulations

    def promote(self) -> None:
        self._best = self._net()

    def save_net(self, path: Path, card: dict[str, Any]) -> None:
        self._net().save(path, card)

    def player(self, net: Path) -> Player:
        evaluator = CachedEvaluator(self._evaluator(ConvNet.load(net)), last_move=True)
        # What is measured is the net: without the forced moves that patterns would add.
        searcher = Mcts(evaluator, select="puct", c=self.config.cpuct, forced=False, near=0)
        return SearcherPlayer(net.stem, searcher, Limit(visits=self.config.evaluate_visits))

    def close(self) -> None:
        """Holds nothing that is shared."""


def _seen(logs: Any, guess: Any, policy: Any, _value: Any, result: Any) -> tuple[float, float, float]:
    """Means over a batch: the entropy of the net's policy; how often its first choice is a most visited move; how often
    its value is nearest to how the game ended."""
    entropy = -(logs.exp() * logs).sum(dim=1).mean()
    chosen = policy.gather(1, logs.argmax(dim=1, keepdim=True))[:, 0]
    policy_right = (chosen == policy.max(dim=1).values).float().mean()
    value_right = ((guess - result).abs() < 0.5).float().mean()
    return entropy.item(), policy_right.item(), value_right.item()
