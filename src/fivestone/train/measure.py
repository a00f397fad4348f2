"""Measuring while it learns: the ladder against pure tree search, and Elo against the run's own past nets."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from fivestone.board import BLACK
from fivestone.match.game import GameRecord, play_game
from fivestone.match.openings import random_opening
from fivestone.match.player import Player
from fivestone.match.ratings import rate_field
from fivestone.match.specs import make_player
from fivestone.records import Game
from fivestone.records import write as write_record
from fivestone.search import Limit
from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig
from fivestone.train.loop import Progress, ladder_of
from fivestone.train.rundir import RunDir

__all__ = ["Ladder", "ladder_spec", "play_pairs"]

_PAST = 2  # how many earlier nets a new one meets
_ELO_GAMES = 10  # games against each of them
_PLIES = 2  # random plies before a measured game, so that no two are the same
_STEP = 1000  # simulations the ladder's opponent gains when it lost every game

Pair = tuple[tuple[str, str, float], ...]


def play_pairs(
    first: Player,
    second: Player,
    games: int,
    config: TrainConfig,
    *,
    seed: int,
    limit: Limit,
    on_game: Callable[[GameRecord], None] = lambda _record: None,
) -> list[Pair]:
    """Games in pairs with colours swapped from random openings: (black, white, points of Black) for each."""
    rng = random.Random(seed)
    size = config.sizes[-1] if len(config.sizes) == 1 else max(config.sizes, key=lambda s: (s == 15, s))
    pairs: list[Pair] = []
    for _ in range((games + 1) // 2):
        opening = random_opening(_PLIES, rng, size, config.rule, config.win_length)
        pair = []
        for black, white in ((first, second), (second, first)):
            record = play_game(
                black,
                white,
                size=size,
                rule=config.rule,
                win_length=config.win_length,
                opening=opening,
                limit=limit,
            )
            on_game(record)
            pair.append((black.name, white.name, record.points(BLACK)))
        pairs.append(tuple(pair))
    return pairs


class Ladder:
    """The measure of the source systems: ten games against pure tree search, which grows by a step when it lost all.

    Called by the loop after a round; keeps what it knows in the run's progress and the played pairs in its metrics.
    Without `elo` there are no matches against past nets.
    """

    def __init__(
        self, config: TrainConfig, *, elo: bool = True, opponents: Callable[..., Player] = make_player
    ) -> None:
        self._config = config
        self._rated = elo
        self._opponents = opponents

    def __call__(self, backend: Backend, run: RunDir, progress: Progress) -> dict[str, Any]:
        config, number = self._config, progress.round
        before = progress.measured
        backend.save_net(run.net_path(number), {"round": number, "games": progress.games, "seconds": progress.seconds})
        ladder = ladder_of(config, before)
        net = self._net(backend, run, number)
        sample: list[GameRecord] = []
        opponent = self._opponents(ladder_spec(config, ladder), seed=config.seed + number)
        pairs = play_pairs(
            net, opponent, config.evaluate_games, config, seed=number, limit=Limit(), on_game=sample.append
        )
        points = _points(pairs, net.name)
        self._save_game(run, number, sample[0])
        games = 2 * len(pairs)
        rate = points / games
        clean = points == games
        best = float(before.get("best_rate", -1.0))
        result: dict[str, Any] = {
            "ladder": ladder + (_STEP if clean else 0),
            "ladder_points": points,
            "ladder_games": games,
            "promote": float(rate > best),
            "best_rate": -1.0 if clean else max(best, rate),
        }
        return result | (self._elo(backend, run, net, number) if self._rated else {})

    def _elo(self, backend: Backend, run: RunDir, net: Player, number: int) -> dict[str, Any]:
        """Elo over all nets of the run so far, the first one at 0."""
        past = [other for other in run.net_numbers() if other < number]
        pairs: list[Pair] = [
            tuple((str(b), str(w), float(p)) for b, w, p in pair)
            for line in run.metrics()
            for pair in line.get("elo_pairs", ())
        ]
        new: list[Pair] = []
        for other in past[-_PAST:]:
            opponent = self._net(backend, run, other)
            new += play_pairs(net, opponent, _ELO_GAMES, self._config, seed=number * 1000 + other, limit=Limit())
        if not pairs and not new:
            return {"elo": 0.0, "elo_error": 0.0}
        field = rate_field(pairs + new, anchors={_name(past[0]): 0.0})
        rating = field[net.name]
        return {"elo": rating.elo, "elo_error": rating.error, "elo_pairs": new}

    def _net(self, backend: Backend, run: RunDir, number: int) -> Player:
        player = backend.player(run.net_path(number))
        player.name = _name(number)
        return player

    def _save_game(self, run: RunDir, number: int, record: GameRecord) -> None:
        game = Game.from_board(record.board(), black=record.black, white=record.white)
        write_record(game, run.path / "games" / f"{number:06}.sgf")


def ladder_spec(config: TrainConfig, visits: int) -> str:
    """The ladder's opponent as a player."""
    return f"uct:visits={visits}" + (",evaluator=heuristic" if config.ladder == "heuristic" else "")


def _name(number: int) -> str:
    return f"round {number}"


def _points(pairs: list[Pair], name: str) -> float:
    return sum(
        points if black == name else 1 - points
        for pair in pairs
        for black, white, points in pair
        if name in (black, white)
    )
