"""A real Ray cluster on this machine: games come from its actors, and a killed one is no loss."""

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from fivestone.errors import BadInput
from fivestone.train.config import config_from, preset
from fivestone.train.samples import merge_samples

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'fivestone[cluster]'")

CONFIG = config_from({"samples_per_shard": 1024, "simulations": 16, "fast_simulations": 4}, preset("tiny"))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.long
def test_a_round_on_the_cluster_survives_a_killed_worker(cluster: None) -> None:
    from fivestone.train.cluster import RayBackend

    backend = RayBackend(CONFIG)
    whole = backend.generate(0, threading.Event())
    assert whole is not None
    assert whole.stats["workers"] == 2
    pids = _pids(backend)
    timer = threading.Timer(0.2, os.kill, (pids[0], signal.SIGKILL))
    timer.start()
    again = backend.generate(0, threading.Event())
    timer.join()
    assert again is not None
    for name, array in whole.samples.items():
        np.testing.assert_array_equal(array, again.samples[name])
    assert len(whole.samples["size"]) >= 1024
    stopped = threading.Event()
    stopped.set()
    assert backend.generate(1, stopped) is None


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ConnectionError("refused"), "no Ray cluster at here:1"),
        (Exception("The node timed out.\nMuch more."), r"Ray did not start: The node timed out\.$"),
    ],
)
def test_a_cluster_that_does_not_come_up_is_said(
    monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    from fivestone.train.cluster import RayBackend

    def fail(**_options: object) -> None:
        raise error

    monkeypatch.setattr(ray, "init", fail)
    with pytest.raises(BadInput, match=message):
        RayBackend(CONFIG, address="here:1")


def _pids(backend: Any) -> list[int]:
    return [ray.get(actor.__ray_call__.remote(lambda _self: os.getpid())) for actor in backend._actors]


def test_merged_parts_number_their_games_on() -> None:
    parts = [
        {"game": np.array([0, 1], np.uint32), "game_size": np.array([9, 9], np.uint8)},
        {"game": np.array([0, 0, 1], np.uint32), "game_size": np.array([6, 6], np.uint8)},
    ]
    merged = merge_samples(parts)
    assert merged["game"].tolist() == [0, 1, 2, 2, 3]
    assert merged["game"].dtype == np.uint32
    assert merged["game_size"].tolist() == [9, 9, 6, 6]
