"""One search on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from fivestone.match.player import Player
from fivestone.search import OnResult, SearchResult

__all__ = ["Thinking"]


class Thinking:
    """Runs a task that asks the player, and posts itself when it is done.

    Afterwards `outcome` holds what the task returned, or `error` what it raised; `latest` is the last result the
    search reported on its way.
    """

    def __init__(self, player: Player, task: Callable[[OnResult], Any], post: Callable[[Thinking], None]) -> None:
        self._player = player
        self._task = task
        self._post = post
        self.outcome: Any = None
        self.error: Exception | None = None
        self.latest: SearchResult | None = None
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._player.stop()

    def join(self, timeout: float | None) -> bool:
        """Waits for the end; whether it came."""
        self._thread.join(None if timeout is None else max(0.0, timeout))
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self.outcome = self._task(self._note)
        except Exception as error:
            self.error = error
        self._post(self)

    def _note(self, result: SearchResult) -> None:
        self.latest = result
