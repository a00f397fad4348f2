"""Points, pairs, forfeits and time of a contest so far."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fivestone.board import BLACK, WHITE, other
from fivestone.match.game import GameRecord
from fivestone.match.ratings import Estimate, Field, estimate, rate_field
from fivestone.match.schedule import Contest, sides_of

__all__ = ["Score", "Standings", "finite"]


@dataclass
class Score:
    """One player's results against one opponent or all of them. Forfeits are those of the player itself."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    # The points of each pair; one number while its second game is still to come.
    pairs: dict[str, list[float]] = field(default_factory=dict)
    forfeits: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    moves: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def add(self, pair: str, game: GameRecord, color: int) -> None:
        points = game.points(color)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.pairs.setdefault(pair, []).append(points)
        if game.forfeit is not None and game.winner == other(color):
            self.forfeits[game.forfeit] += 1
        self.seconds += game.time_used(color)
        first = (game.opening % 2 == 0) == (color == BLACK)
        self.moves += (len(game.seconds) + first) // 2

    def estimate(self) -> Estimate:
        return estimate(list(self.pairs.values()))

    def counts(self) -> dict[str, float]:
        """The plain numbers, for JSON."""
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "forfeits": self.forfeits.total(),
        }


class Standings:
    """Computed afresh from the games, so that it is the same after a resume."""

    def __init__(self, contest: Contest, games: Mapping[str, GameRecord]) -> None:
        self.contest = contest
        self.names = contest.names()
        self.games = len(games)
        self._totals = [Score() for _ in self.names]
        self._met: dict[tuple[int, int], Score] = defaultdict(Score)
        self._rated: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
        for key, game in games.items():
            black, white = sides_of(key, game)
            pair = key.rpartition("-")[0]
            for player, opponent, color in ((black, white, BLACK), (white, black, WHITE)):
                self._totals[player].add(pair, game, color)
                self._met[player, opponent].add(pair, game, color)
            self._rated[pair].append((self.names[black], self.names[white], game.points(BLACK)))

    def total(self, player: int) -> Score:
        return self._totals[player]

    def against(self, player: int, opponent: int) -> Score:
        return self._met[player, opponent]

    def present(self, anchors: Mapping[str, float]) -> dict[str, float]:
        """The anchors that have played already."""
        return {name: elo for name, elo in anchors.items() if self._totals[self.names.index(name)].games}

    def rated_pairs(self) -> list[list[tuple[str, str, float]]]:
        """(black, white, points of Black) of the games, pair by pair, as `rate_field` takes them."""
        return list(self._rated.values())

    def rate(self, anchors: Mapping[str, float] | None = None, bootstrap: int = 0) -> Field:
        """Elo of the whole field, with error bars."""
        return rate_field(self.rated_pairs(), anchors=anchors, bootstrap=bootstrap)

    def match_json(self) -> dict[str, Any]:
        """The first player's result against the second, for --json."""
        score, theirs = self.against(0, 1), self.against(1, 0)
        result = score.estimate()
        return {
            "players": list(self.names),
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "points": score.points,
            "elo": finite(result.elo),
            "elo_low": finite(result.low),
            "elo_high": finite(result.high),
            "forfeits": score.forfeits.total() + theirs.forfeits.total(),
            "forfeits_by": [dict(score.forfeits), dict(theirs.forfeits)],
            "seconds": [round(score.seconds, 3), round(theirs.seconds, 3)],
        }


def finite(number: float) -> float | None:
    """JSON knows no infinity: null means that nothing bounds it."""
    return round(number, 1) if math.isfinite(number) else None
