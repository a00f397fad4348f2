"""The app itself: static pages, one websocket, and the services behind them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket

from fivestone import __version__
from fivestone.apps.web.handlers import Handlers, handlers_of
from fivestone.apps.web.lessons import Lessons
from fivestone.apps.web.opponents import Opponents
from fivestone.apps.web.pool import EnginePool
from fivestone.apps.web.runs import RunShelf
from fivestone.apps.web.security import Guard
from fivestone.apps.web.session import RateLimit, Session

__all__ = ["WebConfig", "create_app"]


@dataclass(frozen=True)
class WebConfig:
    """How a server is set up.

    `token`: when set, every visitor needs it. `hosts`: names the server answers to besides the loopback ones.
    `workers`: search threads. `sockets`: visitors at once. `runs`: where training runs live.
    """

    token: str | None = None
    hosts: frozenset[str] = frozenset()
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))
    sockets: int = 256
    runs: Path = Path("runs")
    opponents: Opponents = field(default_factory=Opponents)


class _Static(StaticFiles):
    """Static files that the browser asks about again each time, so that an update shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def create_app(config: WebConfig | None = None) -> Starlette:
    config = config or WebConfig()
    static = Path(str(resources.files("fivestone.apps.web"))) / "static"
    pool = EnginePool(config.workers)
    handlers = handlers_of(Handlers(config.opponents, RunShelf(config.runs))) | handlers_of(Lessons())
    open_sockets: set[WebSocket] = set()

    def page(name: str) -> Route:
        async def send(request: HttpRequest) -> Response:
            return FileResponse(static / name, headers={"cache-control": "no-cache"})

        return Route("/" if name == "index.html" else f"/{name.removesuffix('.html')}", send)

    async def health(request: HttpRequest) -> Response:
        load = {"running": pool.running, "waiting": pool.waiting, "visitors": len(open_sockets)}
        return JSONResponse({"version": __version__, **load})

    async def socket(websocket: WebSocket) -> None:
        if len(open_sockets) >= config.sockets:
            await websocket.close(4429, "too many visitors: try again later")
            return
        open_sockets.add(websocket)
        try:
            await Session(websocket, handlers, pool, RateLimit()).run()
        finally:
            open_sockets.discard(websocket)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        pool.close()

    return Starlette(
        routes=[
            page("index.html"),
            page("learn.html"),
            Route("/health", health),
            WebSocketRoute("/socket", socket),
            Mount("/static", _Static(directory=static)),
        ],
        middleware=[Middleware(Guard, token=config.token, hosts=config.hosts)],
        lifespan=lifespan,
    )
