"""Engines that are programs of their own and speak the Gomocup protocol. The only package that needs POSIX."""

from __future__ import annotations

import os

from fivestone.errors import BadInput
from fivestone.match.external.forfeits import EngineCrashed, EngineIllegal, EngineTimeout
from fivestone.match.player import Player
from fivestone.search import Limit

__all__ = ["EngineCrashed", "EngineIllegal", "EngineTimeout", "make_gomocup"]


def make_gomocup(*, name: str, arg: str | None, limit: Limit, seed: int, **options: object) -> Player:
    """The player behind `gomocup:PATH`. A seed means nothing to another program."""
    if not arg:
        raise BadInput("gomocup needs the path of an engine: gomocup:path/to/engine")
    if os.name != "posix":
        raise BadInput("other engines can be run on Linux, macOS and other POSIX systems only")
    from fivestone.match.external.engine import GomocupEngine

    return GomocupEngine(arg, name=name, limit=limit, **options)  # type: ignore[arg-type]
