"""Training a line net: self-play and learning both in the core, without a framework; learning on a GPU if asked."""

from __future__ import annotations

import math
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fivestone import _core
from fivestone.errors import BadFile, BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.net.device import choose_device
from fivestone.net.line import LineNet
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.search.mcts import Mcts
from fivestone.train.alphabeta_games import AlphaBetaGames
from fivestone.train.backend import Shard
from fivestone.train.config import TrainConfig
from fivestone.train.rundir import Arrays
from fivestone.train.window import Window

if TYPE_CHECKING:
    from fivestone.net.line_learner import TorchLearner

__all__ = ["LineBackend", "per_game", "round_seed", "self_play_settings", "shard_arrays"]

_SAMPLES = "samples"
_BEST = "best."  # prefix of the arrays of the best net in a state
_TAUGHT = "taught"
# A net to start from has learned before. It plays, unchanged, until the window is as full as it is to be at first;
# then it learns at the rate of a net that has learned from so many times `learning_rate_half` samples ...
_TAUGHT_HALVES = 3
_RAMP_ROUNDS = 5  # ... which it comes to in so many rounds, for the optimiser knows nothing of its gradients yet.


class LineBackend:
    """Implements Backend for the line net.

    The core's own learner is for the CPU; a GPU learns in torch, and so does "cpu:0", torch's own name of the CPU.
    """

    def __init__(self, config: TrainConfig, *, init: str | None = None, device: str = "auto") -> None:
        self.config = config
        self._device = choose_device(device)
        self._free = device == "auto"  # to learn where a checkpoint that is taken up was learned
        self._threads = config.threads or os.cpu_count() or 1
        net = LineNet.random(config.rule, config.seed, config.width) if init is None else _fitting(init, config)
        self._learner = self._new_learner(net)
        self._best = net if config.self_play_net == "best" else None
        self._window = _core.SampleWindow()
        self._in_window = -1  # the newest shard in it
        self._samples = 0  # learned from so far
        self._taught = init is not None
        self._learned_rounds = 0
        if self._taught:
            self._keep_mean()

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        net, seed = self.playing_net(), round_seed(self.config.seed, number, 1)
        if self.config.search == "alphabeta":
            games_of = AlphaBetaGames(net, self.config)
            found = games_of.generate(seed, self.config.samples_per_shard, self._threads, stop)
        else:
            found = self._tree_games(net, seed, stop)
        if found is None:
            return None
        samples, games, stats = found
        return Shard(shard_arrays(samples, games), per_game(stats))

    def _tree_games(
        self, net: LineNet, seed: int, stop: threading.Event
    ) -> tuple[Arrays, Arrays, dict[str, float]] | None:
        play = _core.SelfPlay(net.core, self_play_settings(self.config))
        done = threading.Event()
        watcher = threading.Thread(target=_stop_when, args=(stop, done, play), daemon=True)
        watcher.start()
        try:
            return play.generate(seed, samples=self.config.samples_per_shard, threads=self._threads)
        finally:
            done.set()
            watcher.join()

    def learn(self, window: Window, number: int, new_samples: int) -> dict[str, float]:
        config = self.config
        if self._taught and self._learned_rounds == 0 and not window.filled(new_samples):
            return {}
        steps = max(1, round(new_samples * config.reuse / config.batch))
        rate = self._rate()
        self._samples += new_samples
        self._learned_rounds += 1
        seed = round_seed(config.seed, number, 2)
        losses = self._train(window, steps, rate, seed)
        return {
            "loss": losses["policy"] + losses["value"],
            "policy_loss": losses["policy"],
            "value_loss": losses["value"],
            "target_entropy": losses["entropy"],
            "policy_accuracy": losses["policy_right"],
            "value_accuracy": losses["value_right"],
            "learning_rate": rate,
        }

    def _rate(self) -> float:
        config = self.config
        age = self._samples / config.learning_rate_half
        if not self._taught:
            return config.learning_rate / (1 + age)
        ramp = min(1.0, (self._learned_rounds + 1) / _RAMP_ROUNDS)
        return ramp * config.learning_rate / (1 + _TAUGHT_HALVES + age)

    def _keep_mean(self) -> None:
        """Counts the learner's steps from where the running mean has its full length: the start is not to be forgotten,
        as a random one is."""
        state = self._learner.state()
        state["step"][:] = math.ceil((10 * self.config.ema - 1) / (1 - self.config.ema)) if self.config.ema < 1 else 0
        self._learner.restore(state)

    def _train(self, window: Window, steps: int, rate: float, seed: int) -> dict[str, float]:
        if not isinstance(self._learner, _core.Learner):
            shards = [samples for _number, samples in window.shards]
            return self._learner.train(shards, steps, self.config.batch, rate, seed, self._threads)
        for number, samples in window.shards:
            if number > self._in_window:
                self._window.add(samples)
                self._in_window = number
        self._window.trim(len(window))
        return self._learner.train(self._window, steps, self.config.batch, rate, seed, self._threads)

    def state(self) -> Arrays:
        state: Arrays = self._learner.state() | {_SAMPLES: np.array(self._samples)}
        state[_TAUGHT] = np.array([int(self._taught), self._learned_rounds])
        if self._best is not None:
            state |= {_BEST + name: array for name, array in self._best.arrays().items()}
        return state

    def restore(self, state: Arrays) -> None:
        best = {name.removeprefix(_BEST): array for name, array in state.items() if name.startswith(_BEST)}
        in_core = "dense" in state
        if in_core != isinstance(self._learner, _core.Learner):
            if not self._free:
                where = "on the CPU" if in_core else "in torch"
                raise BadInput(f"the run was learned {where}, and goes on so only: leave --device out")
            self._device = "cpu" if in_core else choose_device("auto").replace("cpu", "cpu:0")
            self._learner = self._new_learner(self._learned())
        try:
            self._samples = int(state[_SAMPLES])
            taught, self._learned_rounds = (int(number) for number in state.get(_TAUGHT, (0, 0)))
            self._taught = bool(taught)
            self._learner.restore({name: array for name, array in state.items() if not name.startswith(_BEST)})
        except (ValueError, KeyError, BadInput) as error:
            raise BadFile(f"the checkpoint does not fit the run's config: {error}") from None
        if self.config.self_play_net == "best":
            self._best = LineNet.from_arrays(self.config.rule, best)

    def promote(self) -> None:
        if self.config.self_play_net == "best":
            self._best = self._learned()

    def set_ladder(self, simulations: int) -> None:
        """Plays against itself alone."""

    def save_net(self, path: Path, card: dict[str, Any]) -> None:
        self._learned().save(path, card)

    def player(self, net: Path) -> Player:
        searcher = Mcts(evaluator=LineNet.load(net), select="puct", c=self.config.cpuct)
        return SearcherPlayer(net.stem, searcher, Limit(visits=self.config.evaluate_visits))

    def playing_net(self) -> LineNet:
        """The net that plays the next games."""
        return self._best or self._learned()

    def close(self) -> None:
        """Gives back what is shared with other programs; a local backend holds nothing."""

    def _learned(self) -> LineNet:
        net = self._learner.net(mean=True)
        return net if isinstance(net, LineNet) else LineNet(net)

    def _new_learner(self, net: LineNet) -> _core.Learner | TorchLearner:
        config = self.config
        settings = {"search_share": config.value_mix, "decay": config.l2, "average": config.ema}
        if self._device == "cpu":
            return _core.Learner(net.core, **settings)
        from fivestone.net.line_learner import TorchLearner

        return TorchLearner(net, device=self._device, **settings)


def self_play_settings(config: TrainConfig) -> dict[str, Any]:
    """What the core's self-play is told."""
    names = (
        "simulations",
        "fast_simulations",
        "full_share",
        "cpuct",
        "noise_share",
        "noise_alpha",
        "temperature_plies",
        "late_temperature",
        "random_plies",
        "random_share",
        "balance_tries",
        "resign_below",
        "resign_check",
        "leaf_vcf",
    )
    settings: dict[str, Any] = {name: getattr(config, name) for name in names}
    return settings | {"sizes": list(config.sizes), "size_weights": list(config.size_weights)}


def shard_arrays(samples: Arrays, games: Arrays) -> Arrays:
    """Samples and games as they are stored together."""
    return samples | {f"game_{name}": array for name, array in games.items()}


def per_game(stats: dict[str, float]) -> dict[str, float]:
    """The stats of a round with what is counted over its games turned into shares and means."""
    games = max(1.0, stats["games"])
    shares = {name: stats[name] / games for name in ("draws", "black_wins", "plies", "proven", "resigned")}
    speed = stats["simulations"] / max(1e-9, stats["seconds"])
    rest = {name: value for name, value in stats.items() if name != "seconds"}
    return rest | shares | {"simulations_per_second": speed}


def _stop_when(stop: threading.Event, done: threading.Event, play: _core.SelfPlay) -> None:
    """Passes a stop on to a running self-play."""
    while not done.wait(0.05):
        if stop.is_set():
            play.stop()


def _fitting(name: str, config: TrainConfig) -> LineNet:
    net = load_net(name)
    if not isinstance(net, LineNet) or net.rule != config.rule:
        raise BadInput(f"--init {name}: not a line net for {config.rule}")
    return net


def round_seed(seed: int, number: int, purpose: int) -> int:
    """A seed of its own for each round and purpose."""
    return int(np.random.SeedSequence([seed, number, purpose]).generate_state(1, np.uint64)[0])
