"""The engine pool: bounded, fair between clients, never starved by long work, and always to be stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from fivestone.apps.web.pool import EnginePool, QueueFull, Stopped, Ticket
from fivestone.apps.web.session import RateLimit


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def blocker(started: list[str], name: str, gate: threading.Event) -> Callable[[Ticket], str]:
    def work(ticket: Ticket) -> str:
        started.append(name)
        assert gate.wait(10)
        return name

    return work


def test_clients_take_turns_however_many_requests_one_has() -> None:
    async def scene() -> list[str]:
        pool, gate, started = EnginePool(1), threading.Event(), []
        first = asyncio.ensure_future(pool.run("a", blocker(started, "a1", gate), Ticket()))
        await settle()
        rest = [
            asyncio.ensure_future(pool.run(name[0], blocker(started, name, gate), Ticket()))
            for name in ("a2", "a3", "a4", "b1", "c1")
        ]
        await settle()
        gate.set()
        await asyncio.gather(first, *rest)
        pool.close()
        return started

    assert asyncio.run(scene()) == ["a1", "a2", "b1", "c1", "a3", "a4"]


def test_no_more_run_at_once_than_there_are_workers() -> None:
    async def scene() -> tuple[int, int]:
        pool, gate, started = EnginePool(2), threading.Event(), []
        jobs = [asyncio.ensure_future(pool.run(i, blocker(started, str(i), gate), Ticket())) for i in range(5)]
        await settle()
        seen = pool.running, pool.waiting
        gate.set()
        await asyncio.gather(*jobs)
        pool.close()
        return seen

    assert asyncio.run(scene()) == (2, 3)


def test_long_work_leaves_a_thread_for_moves() -> None:
    async def scene() -> list[str]:
        pool, gate, started = EnginePool(2), threading.Event(), []
        long = [
            asyncio.ensure_future(pool.run(i, blocker(started, f"long {i}", gate), Ticket(), long=True))
            for i in range(2)
        ]
        await settle()
        move = await asyncio.wait_for(pool.run("me", lambda ticket: "moved", Ticket()), 10)
        assert len(started) == 1
        gate.set()
        await asyncio.gather(*long)
        pool.close()
        return [move, *started]

    assert asyncio.run(scene()) == ["moved", "long 0", "long 1"]


def test_waiting_work_is_withdrawn_and_running_work_is_told() -> None:
    async def scene() -> tuple[str, bool]:
        pool, told = EnginePool(1), threading.Event()

        def work(ticket: Ticket) -> str:
            ticket.on_stop(told.set)
            assert told.wait(10)
            return "best so far"

        running, waiting = Ticket(), Ticket()
        first = asyncio.ensure_future(pool.run("a", work, running))
        second = asyncio.ensure_future(pool.run("a", work, waiting))
        await settle()
        waiting.stop()
        with pytest.raises(Stopped):
            await second
        running.stop()
        result = await first
        pool.close()
        return result, pool.waiting == 0

    assert asyncio.run(scene()) == ("best so far", True)


def test_a_client_cannot_fill_the_queue() -> None:
    async def scene() -> None:
        pool, gate, started = EnginePool(1, per_client=2), threading.Event(), []
        jobs = [asyncio.ensure_future(pool.run("a", blocker(started, str(i), gate), Ticket())) for i in range(3)]
        await settle()
        with pytest.raises(QueueFull):
            await pool.run("a", blocker(started, "too many", gate), Ticket())
        gate.set()
        await asyncio.gather(*jobs)
        pool.close()

    asyncio.run(scene())


def test_an_error_reaches_whoever_asked_and_frees_the_thread() -> None:
    async def scene() -> str:
        pool = EnginePool(1)

        def fail(ticket: Ticket) -> None:
            raise ValueError("broken")

        with pytest.raises(ValueError, match="broken"):
            await pool.run("a", fail, Ticket())
        result = await pool.run("a", lambda ticket: "fine", Ticket())
        pool.close()
        return result

    assert asyncio.run(scene()) == "fine"


def test_the_rate_limit_is_a_bucket_that_fills_again() -> None:
    now = [0.0]
    limit = RateLimit(rate=2, burst=3, clock=lambda: now[0])
    assert [limit.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [limit.take() for _ in range(2)] == [True, False]
