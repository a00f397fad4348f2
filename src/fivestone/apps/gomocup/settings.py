"""What a manager tells the brain with INFO."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fivestone.match.timekeeper import TimeControl
from fivestone.search import Limit

__all__ = ["Settings", "rule_name"]

_UNLIMITED = 2147483647  # the protocol's word for no limit on the time of a game
_OVERHEAD_MB = 64  # the interpreter, the libraries and the nets, before any table
_LEAST_TABLES_MB = 2
# Managers state the memory only after START: until then take little enough for the tightest of them.
_UNTOLD_TABLES_MB = 16
_FREE_TABLES_MB = 128
# Some 130 million positions: the search of a move seldom sees more, and a larger table is only slower to clear.
_MOST_TABLES_MB = 2048
_MOST_THREADS = 256
# No board is deeper and no search as long: what is more is no limit.
_MOST_DEPTH = 400
_MOST_NODES = 10**12
_SENSIBLE = 2**63  # what does not fit 64 bits was not meant


def rule_name(mask: int) -> str:
    """The rule of Gomocup's bit mask: 1 exactly five, 2 continuous (which changes nothing here), 4 renju, 8 caro."""
    if mask & 8:
        return "caro-exact" if mask & 1 else "caro"
    if mask & 4:
        return "renju"
    return "standard" if mask & 1 else "freestyle"


@dataclass
class Settings:
    """The facts, in our units; keys that are unknown, and values that make no sense, are passed over."""

    time: TimeControl = field(default_factory=TimeControl)
    rule: str = "freestyle"
    threads: int = 1
    memory_mb: int | None = None  # for everything; 0 for no limit
    tables_mb: int | None = None  # for the tables alone, where that was said
    depth: int | None = None
    nodes: int | None = None

    def tell(self, key: str, value: str) -> None:
        setter = self._setters().get(key.lower())
        if setter is None:
            return
        try:
            number = int(value.split()[0])
        except (ValueError, IndexError):
            return
        if abs(number) < _SENSIBLE:
            setter(number)

    def limit(self, seconds: float) -> Limit:
        return Limit(time=seconds, nodes=self.nodes, depth=self.depth)

    def tables(self) -> int:
        """Megabytes that tables may take."""
        return min(self._room(), _MOST_TABLES_MB)

    def _room(self) -> int:
        if self.memory_mb is None:
            return self.tables_mb or _UNTOLD_TABLES_MB
        if self.memory_mb == 0:
            return self.tables_mb or _FREE_TABLES_MB
        room = max(_LEAST_TABLES_MB, self.memory_mb - _OVERHEAD_MB)
        return min(room, self.tables_mb or room)

    def _setters(self) -> dict[str, Callable[[int], None]]:
        return {
            "timeout_turn": self._set_turn,
            "timeout_match": self._set_match,
            "time_left": self._set_left,
            "max_memory": self._set_memory,
            "hash_size": self._set_tables,
            "rule": self._set_rule,
            "thread_num": self._set_threads,
            "max_depth": self._set_depth,
            "max_node": self._set_nodes,
        }

    def _set_turn(self, milliseconds: int) -> None:
        self.time.turn = min(max(0, milliseconds), _UNLIMITED) / 1000

    def _set_match(self, milliseconds: int) -> None:
        self.time.match = milliseconds / 1000 if 0 < milliseconds < _UNLIMITED else None

    def _set_left(self, milliseconds: int) -> None:
        self.time.left = milliseconds / 1000 if milliseconds < _UNLIMITED else None

    def _set_memory(self, bytes_: int) -> None:
        self.memory_mb = max(1, bytes_ >> 20) if bytes_ > 0 else 0

    def _set_tables(self, kilobytes: int) -> None:
        self.tables_mb = max(_LEAST_TABLES_MB, kilobytes >> 10) if kilobytes > 0 else None

    def _set_rule(self, mask: int) -> None:
        self.rule = rule_name(mask)

    def _set_threads(self, threads: int) -> None:
        self.threads = min(max(1, threads), _MOST_THREADS)

    def _set_depth(self, depth: int) -> None:
        self.depth = depth if 0 < depth <= _MOST_DEPTH else None

    def _set_nodes(self, nodes: int) -> None:
        self.nodes = nodes if 0 < nodes <= _MOST_NODES else None
