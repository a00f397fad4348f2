"""Starting the server: a free port, the address to open, and the browser."""

from __future__ import annotations

import errno
import re
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

from fivestone.apps.web.security import is_loopback, make_token
from fivestone.apps.web.server import WebConfig, create_app
from fivestone.errors import BadInput

__all__ = ["bind", "serve"]

_TRIES = 20
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and how this machine reaches itself


def bind(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + _TRIES, 65536) if port else 1
    for number in range(port, max(last, port + 1)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise BadInput(f"cannot serve on {host}: {error.strerror or error}") from None
        return listener
    raise BadInput(f"ports {port} to {last - 1} are all taken: choose another with --port")


def serve(
    host: str,
    port: int,
    *,
    config: WebConfig,
    open_browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serves until interrupted. Beyond loopback a token is needed; one is made when none is given."""
    import uvicorn

    if not host:
        raise BadInput("--host is empty: give an address, such as 127.0.0.1, or 0.0.0.0 for every one this machine has")
    # It is printed in an address and kept in a cookie, so it may hold nothing that means something in either.
    if config.token and not re.fullmatch("[A-Za-z0-9_-]+", config.token):
        raise BadInput("--token: use letters, digits, - and _ only")
    if not is_loopback(host) and not config.token:
        config = replace(config, token=make_token())
    listener = bind(host, port)
    actual = listener.getsockname()[1]
    if port and actual != port:
        say(f"Port {port} is taken; using {actual}.")
    query = f"?token={config.token}" if config.token else ""
    here = _EVERYWHERE.get(host, host)
    address = f"http://{f'[{here}]' if ':' in here else here}:{actual}/{query}"
    if host in _EVERYWHERE:
        say(f"From other machines: http://{socket.gethostname()}:{actual}/{query}")
    say(f"Fivestone is at {address}  (Ctrl+C stops it)")
    options = uvicorn.Config(
        create_app(config),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=262_144,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(options)
    if open_browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    server.run(sockets=[listener])
