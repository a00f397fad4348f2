"""What a training loop asks of the kind of net it trains."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fivestone.match.player import Player
from fivestone.train.rundir import Arrays
from fivestone.train.window import Window

__all__ = ["Backend", "Shard"]


@dataclass(frozen=True)
class Shard:
    """The yield of one round of self-play."""

    samples: Arrays
    stats: dict[str, float] = field(default_factory=dict)  # games, simulations, seconds, draws, plies ...


class Backend(Protocol):
    """A net that makes samples, learns from them, and can be put away and taken out again."""

    def generate(self, number: int, stop: threading.Event) -> Shard | None:
        """Plays the games of round `number`, or returns None when stopped before the end."""

    def learn(self, window: Window, number: int, new_samples: int) -> dict[str, float]:
        """Learns from the window; returns the losses."""

    def state(self) -> Arrays:
        """Everything needed to go on exactly from here."""

    def restore(self, state: Arrays) -> None: ...

    def promote(self) -> None:
        """Makes the net learned so far the one that plays the next games, where that is not always so."""

    def set_ladder(self, simulations: int) -> None:
        """How far the ladder's opponent has risen, for nets that learn from games against it."""

    def save_net(self, path: Path, card: dict[str, Any]) -> None:
        """Writes the net that would play now."""

    def player(self, net: Path) -> Player:
        """A player with a saved net, for measuring."""

    def close(self) -> None:
        """Gives back what is shared with other programs."""
