"""The web app: a starlette server that keeps no game, and a page of plain ES modules that does.

The page owns the game, so a lost connection or a restarted server loses nothing: every request carries the
whole position, and the server checks it as if it came from a stranger.
"""

from fivestone.apps.web.server import WebConfig, create_app

__all__ = ["WebConfig", "create_app"]
