"""Plays games in worker processes, so that a crash, a long search or Ctrl-C never takes the table down."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from fivestone.errors import BadInput, FivestoneError
from fivestone.match.game import GameRecord
from fivestone.match.schedule import GameTask, play_task
from fivestone.match.specs import format_spec, parse_spec, threads_of

__all__ = ["cores", "fit_to_cores", "play_all"]

_TRIES = 2  # a game whose worker dies (a crash in native code, a lack of memory) is tried again once


def cores() -> int:
    """How many threads can search at once without slowing each other's clock."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def fit_to_cores(concurrency: int, players: Iterable[str], available: int) -> tuple[int, str | None]:
    """How many games may run at once, and a remark if that is fewer than asked.

    Only one player of a game thinks at a time, so a game needs as many cores as its hungrier player has threads.
    """
    if concurrency < 1:
        raise BadInput(f"concurrency {concurrency}: play at least one game at a time")
    hungriest = max(players, key=threads_of)
    threads = threads_of(hungriest)
    if threads > available:
        name = format_spec(parse_spec(hungriest))
        raise BadInput(f"player '{name}' asks for {threads} threads; this machine has {available} cores")
    most = available // threads
    if concurrency <= most:
        return concurrency, None
    reason = f"{available} cores" + (f" and {threads} threads a player" if threads > 1 else "")
    return most, f"{concurrency} games at once would slow the clocks with {reason}: playing {most} at once"


def play_all(tasks: Iterable[GameTask], concurrency: int) -> Generator[tuple[GameTask, GameRecord], None, None]:
    """Plays the tasks, several at once, and gives each game as it ends. Closing the iterator stops the workers."""
    queue = iter(tasks)
    workers: dict[Connection, _Worker] = {}
    try:
        for _ in range(concurrency):
            if (task := next(queue, None)) is None:
                break
            worker = _Worker()
            workers[worker.connection] = worker
            worker.give(task)
        while workers:
            for connection in wait(list(workers)):
                assert isinstance(connection, Connection)
                worker = workers[connection]
                task = worker.task
                record = worker.take()
                if record is None:
                    del workers[connection]
                    worker = worker.replacement()
                    workers[worker.connection] = worker
                    continue
                following = next(queue, None)
                if following is None:
                    del workers[connection]
                    worker.stop()
                else:
                    worker.give(following)
                yield task, record
    finally:
        for worker in workers.values():
            worker.stop()


class _Worker:
    """A process that plays one game at a time."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs,))
        self.process.start()
        theirs.close()
        self.task: GameTask
        self.tries = 0

    def give(self, task: GameTask) -> None:
        self.task = task
        self.tries += 1
        with contextlib.suppress(OSError):  # a dead worker is noticed when its answer is taken
            self.connection.send(task)

    def take(self) -> GameRecord | None:
        """The game, or None if the process died; an error the user can put right is raised."""
        try:
            answer: Any = self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            return None
        self.tries = 0
        if isinstance(answer, GameRecord):
            return answer
        assert isinstance(answer, Exception)
        raise answer

    def replacement(self) -> _Worker:
        """A new process for the game that killed this one."""
        if self.tries >= _TRIES:
            code = self.process.exitcode
            raise FivestoneError(
                f"the process playing {self.task.black} against {self.task.white} died twice (exit code {code})"
            )
        worker = _Worker()
        worker.tries = self.tries
        worker.give(self.task)
        return worker

    def stop(self) -> None:
        """Ends the process: kindly, so that it can close engines it started, then for good."""
        self.connection.close()
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(connection: Connection) -> None:
    """The loop of a worker. Ctrl-C is for the parent; when the parent is gone, so is the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_parent, daemon=True).start()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        answer: Any
        try:
            answer = play_task(task)
        except Exception as error:
            answer = _sendable(error)
        try:
            connection.send(answer)
        except OSError:
            return


def _leave(*_: object) -> None:
    """Unwinds the stack, which closes the players."""
    raise SystemExit(1)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _sendable(error: Exception) -> Exception:
    """The error, or its text where it is not ours (it may hold what cannot be sent)."""
    if isinstance(error, FivestoneError):
        return error
    return FivestoneError(f"{type(error).__name__}: {error}")
