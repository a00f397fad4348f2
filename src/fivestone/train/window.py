"""The replay window: the samples a net learns from, oldest shards dropped as new ones come."""

from __future__ import annotations

from collections import deque

from fivestone.train.config import TrainConfig
from fivestone.train.rundir import Arrays

__all__ = ["Window", "sample_count"]


def sample_count(samples: Arrays) -> int:
    """How many samples a shard holds."""
    return len(samples["size"])


class Window:
    """The newest shards, as many as the config allows at this stage of the run."""

    def __init__(self, config: TrainConfig) -> None:
        self._config = config
        self._shards: deque[tuple[int, Arrays]] = deque()
        self._count = 0

    def __len__(self) -> int:
        """Samples in the window."""
        return self._count

    @property
    def shards(self) -> list[tuple[int, Arrays]]:
        """Number and samples, oldest first."""
        return list(self._shards)

    @property
    def first(self) -> int:
        """The number of the oldest shard, or 0."""
        return self._shards[0][0] if self._shards else 0

    def capacity(self, total_samples: int) -> int:
        config = self._config
        grown = int(config.window_growth * total_samples)
        return min(config.window_max, max(config.window_min, grown))

    def filled(self, new_samples: int) -> bool:
        """Whether it has all it holds at first: another shard like the last would not fit."""
        return self._count + new_samples > self._config.window_min

    def add(self, number: int, samples: Arrays, total_samples: int) -> None:
        """Adds the newest shard; drops the oldest ones that the capacity leaves no room for (never the newest)."""
        self._shards.append((number, samples))
        self._count += sample_count(samples)
        while len(self._shards) > 1 and self._count > self.capacity(total_samples):
            _number, dropped = self._shards.popleft()
            self._count -= sample_count(dropped)
