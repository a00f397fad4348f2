"""Ten levels for people, from a first game to everything the program has.

A level is visits, depth and a seeded error, never time, so it plays the same on every machine. Weak levels err as
people do: they rarely overlook a five, sometimes an open four, often a four-three, and quiet moves most of all; what
they then play is still a move they like, not nonsense. The error depends on the seed and the position alone: the same
position gives the same move, whatever was played or taken back before.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.attention import KINDS, Fact, Kind, facts_of, plans_of
from fivestone.match.player import Player, SearcherPlayer
from fivestone.match.specs import nearest
from fivestone.search import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.weights import core_weights

__all__ = ["LEVELS", "NAMED", "Level", "LevelPlayer", "make_level", "parse_level"]


@dataclass(frozen=True)
class Level:
    """How a level errs and how far it looks.

    `misses` is how likely it overlooks each kind of threat when one is on the board, and the best quiet move when
    none is. `spread` is how far down its list it then looks, in score for a move picked by its looks and in value for
    one picked by search. `nodes` is what it searches; 0 means that it only looks at the board.
    """

    number: int
    misses: tuple[float, float, float, float]
    spread: float
    nodes: int = 0
    depth: int | None = None
    lines: int = 1

    def miss(self, kind: Kind | None) -> float:
        return self.misses[-1] if kind is None else self.misses[KINDS.index(kind)]


#                misses five, open four, four-three, quiet
LEVELS: tuple[Level, ...] = (
    Level(1, (0.10, 0.45, 0.75, 0.90), spread=14),
    Level(2, (0.05, 0.28, 0.60, 0.80), spread=10),
    Level(3, (0.02, 0.15, 0.45, 0.65), spread=8),
    Level(4, (0.005, 0.07, 0.30, 0.50), spread=6),
    Level(5, (0.0, 0.03, 0.16, 0.40), spread=0.15, nodes=400, depth=2, lines=6),
    Level(6, (0.0, 0.01, 0.08, 0.30), spread=0.12, nodes=1200, depth=3, lines=5),
    Level(7, (0.0, 0.0, 0.03, 0.20), spread=0.10, nodes=4000, depth=4, lines=4),
    Level(8, (0.0, 0.0, 0.0, 0.10), spread=0.08, nodes=10000, depth=6, lines=3),
    Level(9, (0.0, 0.0, 0.0, 0.0), spread=0.0, nodes=20000),
    Level(10, (0.0, 0.0, 0.0, 0.0), spread=0.0, nodes=100000),
)
NAMED = {"easy": 2, "normal": 5, "hard": 8}
_MAX_NODES = 1_000_000


def parse_level(text: str | None) -> Level | None:
    """The level that "7" or "easy" names; None for "max"."""
    known = [*(str(level.number) for level in LEVELS), *NAMED, "max"]
    if text is None or text not in known:
        raise BadInput(f"level:{text or ''} does not exist; {nearest(text or '', known)}")
    return None if text == "max" else LEVELS[(NAMED.get(text) or int(text)) - 1]


def make_level(*, name: str, arg: str | None, limit: Limit, seed: int) -> Player:
    level = parse_level(arg)
    if level is None:
        return SearcherPlayer(name, AlphaBeta(), Limit(nodes=_MAX_NODES))
    return LevelPlayer(name, level, seed)


class LevelPlayer:
    """Plays at a level. The limit of the game does not matter to it."""

    def __init__(self, name: str, level: Level, seed: int = 0) -> None:
        self.name = name
        self.level = level
        self._seed = seed
        self._search = AlphaBeta(hash_mb=8, multipv=level.lines) if level.nodes else None

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if board.is_over:
            raise BadInput("the game is over: there is nothing to choose")
        weights = core_weights(board, "hand")
        rng = random.Random(f"{self._seed}/{self.level.number}/{board.hash}")
        position = _core.Position(board)
        facts = facts_of(board, position)
        seen = [fact for fact in facts if rng.random() >= self.level.miss(fact.kind)]
        missed = {move for fact in facts if fact not in seen for move in fact.moves}
        errs = rng.random() < self.level.miss(None)
        if self._search is None:
            move = self._look(board, position, seen, missed, errs, rng)
            value = weights.value_of(position.score)
            result = SearchResult(move, value, (move,), (MoveInfo(move, value),))
        else:
            result = self._think(self._search, board, position, seen, missed, errs, rng)
        if on_result is not None:
            on_result(result)
        return result

    def _look(
        self,
        board: Board,
        position: _core.Position,
        seen: Sequence[Fact],
        missed: set[int],
        errs: bool,
        rng: random.Random,
    ) -> int:
        """The most urgent thing it sees, or a move it likes."""
        for fact in seen:
            moves = [move for move in fact.moves if move not in missed]
            if moves:
                return max(moves, key=position.promise)
        plans = [move for move in plans_of(board) if move not in missed] or plans_of(board)
        likes = [float(position.promise(move)) for move in plans]
        if not errs:
            return plans[likes.index(max(likes))]
        spread = self.level.spread if self.level.spread >= 1 else 6.0
        return rng.choices(plans, [math.exp((like - max(likes)) / spread) for like in likes])[0]

    def _think(
        self,
        search: AlphaBeta,
        board: Board,
        position: _core.Position,
        seen: Sequence[Fact],
        missed: set[int],
        errs: bool,
        rng: random.Random,
    ) -> SearchResult:
        """The best move found, unless it rests on something overlooked; sometimes a lesser quiet one."""
        level = self.level
        search.new_game()  # what earlier searches found would make the move depend on them
        found = search.search(board, Limit(nodes=level.nodes, depth=level.depth))
        move = found.move
        if move in missed:
            move = self._look(board, position, seen, missed, errs, rng)
        elif errs and found.proven is None and not any(move in fact.moves for fact in seen):
            near = [info for info in found.moves if info.move not in missed]
            move = rng.choices(near, [math.exp((info.value - found.value) / level.spread) for info in near])[0].move
        value = next((info.value for info in found.moves if info.move == move), found.value)
        return SearchResult(
            move, value, (move,), found.moves, depth=found.depth, nodes=found.nodes, seconds=found.seconds
        )

    def new_game(self) -> None:
        pass

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()

    def close(self) -> None:
        pass
