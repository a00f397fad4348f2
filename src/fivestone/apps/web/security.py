"""Who may talk to the server: host and origin checks, the access token, and the headers of a strict page."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard", "is_loopback", "make_token"]

_COOKIE = "fivestone_token"
_LOOPBACK_NAMES = {"localhost", "127.0.0.1", "::1"}


def make_token() -> str:
    return secrets.token_urlsafe(18)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host_name(authority: str) -> str:
    """The name in a Host header, without its port; empty when it makes no sense."""
    try:
        return (urlsplit(f"//{authority}").hostname or "").lower()
    except ValueError:
        return ""


def _authority(origin: str) -> str | None:
    """The name and port in an Origin header; None when it makes no sense."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


class Guard:
    """Middleware for pages and websockets alike.

    - The Host must be a loopback name, unless a token guards the server: a foreign name that points at this
      machine is refused.
    - A websocket, or a request that a browser marks with an Origin, must come from the page's own origin.
    - With a token, every request needs it: in the query once, in a cookie from then on.
    """

    def __init__(self, app: ASGIApp, token: str | None = None, hosts: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._token = token or None  # an empty one would let everyone in
        self._hosts = _LOOPBACK_NAMES | hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        cookie = self._cookie(scope)

        async def send_locked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    *_locked_headers(headers.get("host", "")),
                    *cookie,
                ]
            await send(message)

        await self._app(scope, receive, send_locked)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> str | None:
        host = headers.get("host", "")
        if self._token is None and _host_name(host) not in self._hosts:
            return "this server answers to its own address only"
        origin = headers.get("origin")
        if scope["type"] == "websocket" and origin is None:
            return "an origin is needed"
        if origin is not None and _authority(origin) != host.lower():
            return "this origin may not use the server"
        if self._token is not None and not self._has_token(scope, headers):
            return "open the address that was printed when the server started: it carries the token"
        return None

    def _has_token(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        assert self._token is not None
        given = [_query_token(scope)]
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            morsel = None
        given.append(morsel.value if morsel else "")
        return any(secrets.compare_digest(value.encode(), self._token.encode()) for value in given)

    def _cookie(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        if self._token is None or not _query_token(scope):
            return []
        value = f"{_COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", value.encode())]


def _query_token(scope: Scope) -> str:
    query = parse_qs(bytes(scope.get("query_string", b"")).decode("latin-1"))
    return query.get("token", [""])[0]


def _locked_headers(host: str) -> list[tuple[bytes, bytes]]:
    # Safari before 15.4 does not count ws: as 'self', so the socket's address is named too.
    socket = f" ws://{host} wss://{host}" if host and not set(host) & set(" ;,'\"") else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self'{socket}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy.encode("latin-1")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    ]


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": reason})
        return
    body = f"Refused: {reason}.\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
