"""One websocket: reads requests, runs each as a task, and answers every one with a result or an error."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fivestone.apps.web.messages import BadMessage, Fields, parse_message
from fivestone.apps.web.pool import EnginePool, Stopped, Ticket
from fivestone.errors import FivestoneError

__all__ = ["Handler", "RateLimit", "Request", "Session"]

_log = logging.getLogger(__name__)

_MAX_OPEN_REQUESTS = 16


@dataclass
class RateLimit:
    """A token bucket: `burst` messages at once, `rate` a second from then on."""

    rate: float = 50.0
    burst: float = 200.0
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._level = self.burst
        self._last = self.clock()

    def take(self) -> bool:
        now = self.clock()
        self._level = min(self.burst, self._level + (now - self._last) * self.rate)
        self._last = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


@dataclass
class Request:
    """What a handler gets: the fields, the pool to search in, and a way to send what is known so far."""

    fields: Fields
    ticket: Ticket
    client: int
    pool: EnginePool
    emit: Callable[[dict[str, Any]], None]

    def crowded(self) -> bool:
        """Whether somebody waits for an engine."""
        return self.pool.waiting > 0

    async def search(self, work: Callable[[Ticket], Any], *, long: bool = False) -> Any:
        """Runs blocking work in the pool; tells the page when it has to wait."""
        if self.pool.is_busy(long=long):
            self.emit({"queued": self.pool.waiting + 1})
        return await self.pool.run(self.client, work, self.ticket, long=long)


Handler = Callable[[Request], Awaitable[dict[str, Any]]]


class Session:
    """Holds nothing but the requests under way: the page owns its games."""

    _count = 0

    def __init__(
        self, websocket: WebSocket, handlers: Mapping[str, Handler], pool: EnginePool, limit: RateLimit
    ) -> None:
        Session._count += 1
        self._client = Session._count
        self._socket = websocket
        self._handlers = handlers
        self._pool = pool
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._open: dict[int, tuple[Ticket, asyncio.Task[None]]] = {}
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        await self._socket.accept()
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._take(message.get("text"))
        except WebSocketDisconnect:
            pass
        finally:
            for ticket, _ in self._open.values():
                ticket.stop()
            for _, task in list(self._open.values()):
                task.cancel()

    async def _take(self, text: str | None) -> None:
        number = -1
        try:
            if not self._limit.take():
                raise BadMessage("too many messages: slow down")
            if text is None:
                raise BadMessage("a message is text")
            number, op, fields = parse_message(text)
            if op == "stop":
                self._stop(fields.whole("target", 0, 2**31 - 1))
                return
            if number in self._open:
                raise BadMessage("this number is in use")
            if op not in self._handlers:
                raise BadMessage(f"unknown request; the known ones are {', '.join(self._handlers)}")
            if len(self._open) >= _MAX_OPEN_REQUESTS:
                raise BadMessage("too many requests at once")
        except FivestoneError as error:
            await self._send({"id": number, "error": str(error)})
            return
        ticket = Ticket()
        task = asyncio.create_task(self._answer(number, self._handlers[op], fields, ticket))
        self._open[number] = ticket, task

    def _stop(self, number: int) -> None:
        if number in self._open:
            self._open[number][0].stop()

    async def _answer(self, number: int, handler: Handler, fields: Fields, ticket: Ticket) -> None:
        async def send_partial(part: dict[str, Any]) -> None:
            if not self._sending.locked():  # a browser that reads slowly gets fewer of them, not a longer queue
                await self._send({"id": number, "partial": True, **part})

        def emit(part: dict[str, Any]) -> None:
            """Sends a partial result; callable from the search's own thread."""
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(lambda: asyncio.ensure_future(send_partial(part)))

        try:
            answer = await handler(Request(fields, ticket, self._client, self._pool, emit))
        except Stopped:
            answer = {"stopped": True}
        except FivestoneError as error:
            answer = {"error": str(error)}
        except Exception:
            _log.exception("a request failed")
            answer = {"error": "the server could not answer this; the reason is in its log"}
        finally:
            self._open.pop(number, None)
        await self._send({"id": number, **answer})

    async def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message, separators=(",", ":"))
        async with self._sending:
            if self._socket.application_state is not WebSocketState.CONNECTED:
                return
            try:
                await self._socket.send_text(text)
            except (RuntimeError, WebSocketDisconnect):
                return  # gone in the meantime
