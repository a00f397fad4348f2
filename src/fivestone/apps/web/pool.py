"""A bounded pool of search threads with a fair queue: clients take turns, however many requests each has."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fivestone.errors import BadInput

__all__ = ["EnginePool", "QueueFull", "Stopped", "Ticket"]

T = TypeVar("T")


class QueueFull(BadInput):
    """The client, or the whole server, has too much waiting already."""


class Stopped(Exception):
    """The work was stopped before it began, so there is no result."""


@dataclass
class Ticket:
    """The handle of one piece of work; `stop` may be called from any thread and at any moment."""

    stopped: bool = False
    _callbacks: list[Callable[[], None]] = field(default_factory=list)

    def on_stop(self, callback: Callable[[], None]) -> None:
        self._callbacks.append(callback)
        if self.stopped:
            callback()

    def stop(self) -> None:
        self.stopped = True
        for callback in list(self._callbacks):
            callback()


@dataclass
class _Entry:
    ticket: Ticket
    work: Callable[[Ticket], Any]
    future: asyncio.Future[Any]
    long: bool


class EnginePool:
    """Runs work in at most `workers` threads. Long work never takes the last one, so a move is never starved.

    All methods belong to one event loop; only the work itself runs elsewhere.
    """

    def __init__(self, workers: int = 2, *, per_client: int = 8, total: int = 256) -> None:
        if workers < 1:
            raise BadInput(f"engine threads {workers}: choose 1 or more")
        self.workers = workers
        self._per_client = per_client
        self._total = total
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._waiting: OrderedDict[Hashable, deque[_Entry]] = OrderedDict()
        self._running = 0
        self._running_long = 0

    @property
    def waiting(self) -> int:
        """May be read from a search's thread too: the list is made in one step."""
        return sum(len(queue) for queue in list(self._waiting.values()))

    @property
    def running(self) -> int:
        return self._running

    def is_busy(self, *, long: bool = False) -> bool:
        """Whether new work would have to wait."""
        return not self._may_start(long)

    async def run(self, client: Hashable, work: Callable[[Ticket], T], ticket: Ticket, *, long: bool = False) -> T:
        """The result of the work, or Stopped when its ticket was stopped while it waited."""
        queue = self._waiting.get(client)
        if queue is not None and len(queue) >= self._per_client:
            raise QueueFull("too many requests are waiting: stop one first")
        if self.waiting >= self._total:
            raise QueueFull("the server is busy: try again in a moment")
        loop = asyncio.get_running_loop()
        entry = _Entry(ticket, work, loop.create_future(), long)
        self._waiting.setdefault(client, deque()).append(entry)

        def withdraw() -> None:
            if not entry.future.done() and not loop.is_closed():
                loop.call_soon_threadsafe(self._withdraw, client, entry)

        ticket.on_stop(withdraw)
        self._dispatch()
        result: T = await entry.future
        return result

    def close(self) -> None:
        for queue in self._waiting.values():
            for entry in queue:
                entry.future.cancel()
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _may_start(self, long: bool) -> bool:
        if self._running >= self.workers:
            return False
        return not long or self.workers == 1 or self._running_long < self.workers - 1

    def _withdraw(self, client: Hashable, entry: _Entry) -> None:
        queue = self._waiting.get(client)
        if queue is None or entry not in queue:
            return
        queue.remove(entry)
        if not queue:
            del self._waiting[client]
        if not entry.future.done():
            entry.future.set_exception(Stopped())

    def _next(self) -> _Entry | None:
        """The first entry that may start, taken from the client that has waited longest for its turn."""
        for client, queue in self._waiting.items():
            entry = next((entry for entry in queue if self._may_start(entry.long)), None)
            if entry is None:
                continue
            queue.remove(entry)
            if queue:
                self._waiting.move_to_end(client)
            else:
                del self._waiting[client]
            return entry
        return None

    def _dispatch(self) -> None:
        while (entry := self._next()) is not None:
            if entry.future.done():
                continue
            self._running += 1
            self._running_long += entry.long
            job = asyncio.get_running_loop().run_in_executor(self._threads, entry.work, entry.ticket)
            job.add_done_callback(lambda job, entry=entry: self._finish(entry, job))  # type: ignore[misc]

    def _finish(self, entry: _Entry, job: asyncio.Future[Any]) -> None:
        self._running -= 1
        self._running_long -= entry.long
        if not entry.future.done():
            if job.cancelled():
                entry.future.cancel()
            elif (error := job.exception()) is not None:
                entry.future.set_exception(error)
            else:
                entry.future.set_result(job.result())
        elif not job.cancelled():
            job.exception()  # nobody waits for it any more
        self._dispatch()
