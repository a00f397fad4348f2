"""Self-play on a Ray cluster: actors play, the learner stays here.

Ray restarts actors that die and repeats what they were doing; each round takes in the CPUs that have joined. A round is
cut into parts whose seeds depend on the round and the part alone, so which machine plays what does not matter.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from fivestone import _core
from fivestone.errors import BadInput, MissingExtra
from fivestone.net.line import LineNet
from fivestone.train.backend import Shard
from fivestone.train.config import TrainConfig
from fivestone.train.line_backend import LineBackend, per_game, round_seed, self_play_settings, shard_arrays
from fivestone.train.rundir import Arrays
from fivestone.train.samples import merge_samples

__all__ = ["RayBackend"]

_PART_SAMPLES = 512  # of one task; small enough that a worker that joins late finds something to do
_POLL_SECONDS = 0.2

Played = tuple[Arrays, Arrays, dict[str, float]]


def _import_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("training on a cluster", "cluster") from None
    return ray


class SelfPlayActor:
    """Plays one part of a round with the weights it is sent. Lives in a process of its own, on any machine."""

    def __init__(self, rule: str, settings: dict[str, Any]) -> None:
        self._rule = rule
        self._settings = settings

    def play(self, arrays: Arrays, seed: int, samples: int) -> Played:
        started = time.process_time()
        net = LineNet.from_arrays(self._rule, arrays)
        found = _core.SelfPlay(net.core, self._settings).generate(seed, samples=samples, threads=1)
        assert found is not None
        moves, games, stats = found
        return moves, games, stats | {"cpu_seconds": time.process_time() - started}


class RayBackend(LineBackend):
    """A line backend whose games are played by the actors of a cluster."""

    def __init__(
        self, config: TrainConfig, *, init: str | None = None, device: str = "auto", address: str | None = None
    ) -> None:
        super().__init__(config, init=init, device=device)
        self._ray = _import_ray()
        try:
            self._ray.init(
                address=address,
                ignore_reinit_error=True,
                log_to_driver=False,
                logging_level="WARNING",
                include_dashboard=False,
            )
        except ConnectionError:
            raise BadInput(f"no Ray cluster at {address}: start one with 'ray start --head'") from None
        except Exception as error:  # Ray raises it bare where its own processes do not come up
            raise BadInput(f"Ray did not start: {str(error).splitlines()[0]}") from None
        self._actors: list[Any] = []

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        config = self.config
        self._hire()
        weights = self._ray.put(self.playing_net().arrays())
        parts = max(1, round(config.samples_per_shard / _PART_SAMPLES))
        waiting = list(range(parts))
        running: dict[Any, tuple[int, Any]] = {}
        idle = list(self._actors)
        played: dict[int, Played] = {}
        while len(played) < parts:
            while waiting and idle:
                part, actor = waiting.pop(0), idle.pop()
                task = actor.play.remote(weights, round_seed(config.seed, number, 1000 + part), _PART_SAMPLES)
                running[task] = (part, actor)
            done, _ = self._ray.wait(list(running), num_returns=1, timeout=_POLL_SECONDS)
            if stop.is_set():
                return None
            for task in done:
                part, actor = running.pop(task)
                try:
                    played[part] = self._ray.get(task)
                    idle.append(actor)
                except self._ray.exceptions.RayError:
                    # The actor is gone for good, with its machine; somebody else plays the part.
                    self._actors.remove(actor)
                    waiting.append(part)
                    idle += self._hire()
        return self._shard([played[part] for part in range(parts)])

    def _shard(self, played: list[Played]) -> Shard:
        stats: dict[str, float] = {}
        for _samples, _games, part in played:
            for name, value in part.items():
                stats[name] = stats.get(name, 0.0) + value
        # The parts ran side by side; their seconds added up are those of one core.
        samples = merge_samples([shard_arrays(samples, games) for samples, games, _stats in played])
        return Shard(samples, per_game(stats) | {"workers": float(len(self._actors))})

    def _hire(self) -> list[Any]:
        """An actor for every CPU of the cluster that has none yet; the new ones."""
        cpus = int(self._ray.cluster_resources().get("CPU", 1))
        actor = self._ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(SelfPlayActor)
        new = [actor.remote(self.config.rule, self_play_settings(self.config)) for _ in range(cpus - len(self._actors))]
        self._actors += new
        return new

    def close(self) -> None:
        self._ray.shutdown()
