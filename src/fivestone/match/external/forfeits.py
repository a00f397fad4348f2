"""How an engine can lose a game without playing it out. The game loop counts each kind apart."""

from __future__ import annotations

from fivestone.match.player import Forfeit, ForfeitKind

__all__ = ["EngineCrashed", "EngineFailure", "EngineIllegal", "EngineTimeout"]


class EngineFailure(Forfeit):
    """An engine that cannot go on; `kind` is set by the subclasses."""

    _kind: ForfeitKind

    def __init__(self, detail: str) -> None:
        super().__init__(self._kind, detail)

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str]]:  # type: ignore[override]
        return type(self), (self.detail,)


class EngineCrashed(EngineFailure):
    """The program ended, or could not be started."""

    _kind = "crash"


class EngineTimeout(EngineFailure):
    """No answer in time."""

    _kind = "time"


class EngineIllegal(EngineFailure):
    """An answer that is no legal move."""

    _kind = "illegal"
