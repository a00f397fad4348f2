"""Ten levels for people, from a first game to everything the program has.

A level is visits, depth and a seeded error, never time, so it plays the same on every machine. Weak levels err as
people do: they rarely overlook a five, sometimes an open four, often a four-three, and quiet moves most of all; what
they then play is still a move they like, not nonsense. The error depends on the seed and the position alone: the same
position gives the same move, whatever was played or taken back before.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.attention import KINDS, Fact, Kind, facts_of, plans_of
from fivestone.match.flagship import flagship_net, flagship_spec
from fivestone.match.player import Player
from fivestone.match.specs import make_player, nearest
from fivestone.search import Limit, MoveInfo, OnResult, SearchResult
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.mcts import Mcts
from fivestone.search.weights import core_weights

__all__ = ["LEVELS", "NAMED", "FlagshipPlayer", "Level", "LevelPlayer", "make_level", "measured_elo", "parse_level"]


@dataclass(frozen=True)
class Level:
    """How a level errs and how far it looks.

    `misses` is how likely it overlooks each kind of threat when one is on the board, and the best quiet move when
    none is. `spread` is how far down its list it then looks, in score for a move picked by its looks and in value for
    one picked by search. `nodes` is what it searches; 0 means that it only looks at the board. `net_nodes` is what it
    searches instead where a net has learned the game; 0 means that it plays by patterns there too. `rollouts` is what
    it plays with where patterns say nothing, at other lengths than five.
    """

    number: int
    misses: tuple[float, float, float, float]
    spread: float
    nodes: int = 0
    depth: int | None = None
    lines: int = 1
    net_nodes: int = 0
    rollouts: int = 0

    def miss(self, kind: Kind | None) -> float:
        return self.misses[-1] if kind is None else self.misses[KINDS.index(kind)]


#                misses five, open four, four-three, quiet
LEVELS: tuple[Level, ...] = (
    Level(1, (0.08, 0.30, 0.52, 0.97), spread=30, rollouts=8),
    Level(2, (0.04, 0.18, 0.44, 0.90), spread=20, rollouts=16),
    Level(3, (0.015, 0.11, 0.34, 0.80), spread=15, rollouts=32),
    Level(4, (0.004, 0.045, 0.18, 0.52), spread=7, rollouts=64),
    Level(5, (0.0005, 0.02, 0.09, 0.42), spread=0.15, nodes=1000, depth=3, lines=6, rollouts=125),
    Level(6, (0.0, 0.005, 0.04, 0.235), spread=0.11, nodes=2500, depth=3, lines=5, rollouts=250),
    Level(7, (0.0, 0.0, 0.02, 0.17), spread=0.10, nodes=4500, depth=4, lines=4, rollouts=500),
    Level(8, (0.0, 0.0, 0.0, 0.13), spread=0.08, nodes=7000, depth=6, lines=3, rollouts=1000),
    Level(9, (0.0, 0.0, 0.0, 0.0), spread=0.0, nodes=12000, net_nodes=1200, rollouts=4000),
    Level(10, (0.0, 0.0, 0.0, 0.0), spread=0.0, nodes=30000, net_nodes=2700, rollouts=16000),
)
NAMED = {"easy": 2, "normal": 5, "hard": 8}
_MAX = Limit(nodes=500_000, visits=50_000)


def parse_level(text: str | None) -> Level | None:
    """The level that "7" or "easy" names; None for "max"."""
    known = [*(str(level.number) for level in LEVELS), *NAMED, "max"]
    if text is None or text not in known:
        raise BadInput(f"level:{text or ''} does not exist; {nearest(text or '', known)}")
    return None if text == "max" else LEVELS[(NAMED.get(text) or int(text)) - 1]


def make_level(*, name: str, arg: str | None, limit: Limit, seed: int) -> Player:
    level = parse_level(arg)
    return FlagshipPlayer(name, seed) if level is None else LevelPlayer(name, level, seed)


@cache
def measured_elo() -> dict[tuple[int, str], dict[str, float]]:
    """The measured Elo of the levels by number and "max", for each board size and rule that was measured.

    A measure is a file data/ratings-SIZE-RULE.json, just as `fivestone rate --out` wrote it.
    """
    found: dict[tuple[int, str], dict[str, float]] = {}
    for file in (resources.files("fivestone.match") / "data").iterdir():
        if not (file.name.startswith("ratings-") and file.name.endswith(".json")):
            continue
        table = json.loads(file.read_text(encoding="utf-8"))
        names = {rating["player"]: float(rating["elo"]) for rating in table["ratings"] if rating["elo"] is not None}
        levels = {name.removeprefix("level:"): elo for name, elo in names.items() if name.startswith("level:")}
        found[table["contest"]["size"], table["contest"]["rule"]] = levels
    return found


class FlagshipPlayer:
    """The strongest player for each board it is shown, with a fixed count of nodes or visits unless the limit of the
    game is tighter."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.limit = _MAX
        self._seed = seed
        self._players: dict[str, Player] = {}

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        spec = flagship_spec(board.size, board.rule, board.win_length)
        player = self._players.get(spec) or make_player(spec, seed=self._seed)
        self._players[spec] = player
        return player.choose(board, _tighter(limit, self.limit), on_result)

    def new_game(self) -> None:
        for player in self._players.values():
            player.new_game()

    def stop(self) -> None:
        for player in list(self._players.values()):
            player.stop()

    def close(self) -> None:
        for player in self._players.values():
            player.close()


def _tighter(limit: Limit, counts: Limit) -> Limit:
    """The clock of the one, and of each count the smaller."""

    def smaller(one: int | None, other: int | None) -> int | None:
        return min((count for count in (one, other) if count is not None), default=None)

    return Limit(limit.time, smaller(limit.visits, counts.visits), smaller(limit.nodes, counts.nodes), limit.depth)


class LevelPlayer:
    """Plays at a level. The limit of the game does not matter to it."""

    def __init__(self, name: str, level: Level, seed: int = 0) -> None:
        self.name = name
        self.level = level
        self.limit = Limit(nodes=max(1, level.nodes))
        self._seed = seed
        self._searches: dict[str | None, AlphaBeta] = {}  # by the net that judges

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if board.is_over:
            raise BadInput("the game is over: there is nothing to choose")
        rng = random.Random(f"{self._seed}/{self.level.number}/{board.hash}")
        if board.win_length != 5:
            rollouts = Mcts("rollout", seed=rng.getrandbits(32), reuse=False)
            return rollouts.search(board, Limit(visits=self.level.rollouts), on_result)
        weights = core_weights(board, "hand")
        position = _core.Position(board)
        facts = facts_of(board, position)
        seen = [fact for fact in facts if rng.random() >= self.level.miss(fact.kind)]
        missed = {move for fact in facts if fact not in seen for move in fact.moves}
        errs = rng.random() < self.level.miss(None)
        if self.level.nodes == 0:
            move = self._look(board, position, seen, missed, errs, rng)
            value = weights.value_of(position.score)
            result = SearchResult(move, value, (move,), (MoveInfo(move, value),))
        else:
            result = self._think(board, position, seen, missed, errs, rng)
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
        board: Board,
        position: _core.Position,
        seen: Sequence[Fact],
        missed: set[int],
        errs: bool,
        rng: random.Random,
    ) -> SearchResult:
        """The best move found, unless it rests on something overlooked; sometimes a lesser quiet one."""
        level = self.level
        net = flagship_net(board.size, board.rule) if level.net_nodes else None
        search = self._searcher(net)
        search.new_game()  # what earlier searches found would make the move depend on them
        found = search.search(board, Limit(nodes=level.net_nodes if net else level.nodes, depth=level.depth))
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

    def _searcher(self, net: str | None) -> AlphaBeta:
        if net not in self._searches:
            from fivestone.net import LineNet, load_net

            judge = load_net(net) if net else None
            assert judge is None or isinstance(judge, LineNet)
            self._searches[net] = AlphaBeta(hash_mb=8, multipv=self.level.lines, net=judge)
        return self._searches[net]

    def new_game(self) -> None:
        pass

    def stop(self) -> None:
        for search in list(self._searches.values()):
            search.stop()

    def close(self) -> None:
        pass
