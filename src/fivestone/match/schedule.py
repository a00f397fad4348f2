"""Who plays whom, from which opening and with which colour: the games of a match or tournament, in order."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from fivestone.board import RULES
from fivestone.errors import BadInput
from fivestone.match.game import GameRecord, check_fields, play_game
from fivestone.match.openings import Opening, load_openings, remark_on
from fivestone.match.player import Player
from fivestone.match.specs import label_of, make_player
from fivestone.search import Limit

__all__ = ["Contest", "GameTask", "pairing_of", "play_task", "sides_of"]

_KEY = re.compile(r"(0|[1-9][0-9]{0,8})-(0|[1-9][0-9]{0,8})-(?:0|[1-9][0-9]{0,8})-[01]")
# What the fields of contest.json may be.
_FIELDS: Mapping[str, tuple[Any, ...]] = {
    "players": (list,),
    "pairs": (int,),
    "size": (int,),
    "rule": RULES,
    "win_length": (int,),
    "limit": (dict,),
    "openings": (str,),
    "gauntlet": (bool,),
    "reach": (int, None),
    "grace": (int, float),
    "seed": (int,),
}
_LIMIT_FIELDS: Mapping[str, tuple[Any, ...]] = {
    "time": (int, float, None),
    "visits": (int, None),
    "nodes": (int, None),
    "depth": (int, None),
}


@dataclass(frozen=True)
class GameTask:
    """One game to play. `key` names it within the contest; the same task gives the same game."""

    key: str
    black: str
    white: str
    opening: Opening
    size: int
    rule: str
    win_length: int
    limit: Limit
    grace: float
    seed: int
    swap2: bool = False


@dataclass(frozen=True)
class Contest:
    """Everything that decides which games are played; kept in the folder so that a resumed run plays the same.

    `pairs` is how many openings every two players meet over, each played twice with colours swapped. A gauntlet is
    the first player against each of the others. With a `reach` players meet only so many of those that follow them in
    the list: games between very unequal players say little.
    """

    players: tuple[str, ...]
    pairs: int
    size: int = 15
    rule: str = "freestyle"
    win_length: int = 5
    limit: Limit = field(default_factory=Limit)
    openings: str = "balanced"
    gauntlet: bool = False
    reach: int | None = None
    grace: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise BadInput("it takes two players: give at least two specs")
        if self.pairs < 1:
            raise BadInput("there is nothing to play: ask for at least one pair of games")

    def names(self) -> tuple[str, ...]:
        """What the players are called in tables, numbered where two are the same."""
        texts = [label_of(text) for text in self.players]
        return tuple(
            text if texts.count(text) == 1 else f"{text} #{texts[: i + 1].count(text)}" for i, text in enumerate(texts)
        )

    def pairings(self) -> list[tuple[int, int]]:
        count = len(self.players)
        if self.gauntlet:
            return [(0, other) for other in range(1, count)]
        reach = self.reach or count
        return [(one, two) for one in range(count) for two in range(one + 1, min(count, one + 1 + reach))]

    def tasks(self) -> Iterator[GameTask]:
        """Round by round, so that a run that is cut short has met everyone about as often."""
        for number, opening in enumerate(self._load_openings()):
            for one, two in self.pairings():
                for game, (black, white) in enumerate(((one, two), (two, one))):
                    key = f"{one}-{two}-{number}-{game}"
                    yield GameTask(
                        key=key,
                        black=self.players[black],
                        white=self.players[white],
                        opening=opening,
                        size=self.size,
                        rule=self.rule,
                        win_length=self.win_length,
                        limit=self.limit,
                        grace=self.grace,
                        seed=_seed(self.seed, key),
                        swap2=self.openings == "swap2",
                    )

    def _load_openings(self) -> list[Opening]:
        size, rule, length = self.size, self.rule, self.win_length
        return load_openings(self.openings, self.pairs, seed=self.seed, size=size, rule=rule, win_length=length)

    def remark(self) -> str | None:
        """What a user should know about the openings."""
        size, rule, length = self.size, self.rule, self.win_length
        return remark_on(self.openings, self._load_openings(), size=size, rule=rule, win_length=length)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Contest:
        check_fields(data, _FIELDS)
        check_fields(data["limit"], _LIMIT_FIELDS)
        if not all(isinstance(player, str) for player in data["players"]):
            raise BadInput("players are specs, texts")
        return cls(**{**data, "players": tuple(data["players"]), "limit": Limit(**data["limit"])})


def _seed(seed: int, key: str) -> int:
    """A number for each game that does not depend on how many others there are."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{key}".encode(), digest_size=6).digest(), "big")


def pairing_of(key: object) -> tuple[int, int] | None:
    """Which two players meet in the game of that key; None if it is no key."""
    match = _KEY.fullmatch(key) if isinstance(key, str) else None
    return None if match is None else (int(match[1]), int(match[2]))


def sides_of(key: str, game: GameRecord) -> tuple[int, int]:
    """Who had Black and who had White in the game of that key, as numbers of players."""
    one, two, _, second = (int(part) for part in key.split("-"))
    return (two, one) if bool(int(second)) != game.swapped else (one, two)


def play_task(task: GameTask) -> GameRecord:
    """Makes both players, plays the game and closes them whatever happens."""
    players: list[Player] = []
    try:
        for number, spec in enumerate((task.black, task.white)):
            players.append(make_player(spec, seed=task.seed + number))
        return play_game(
            players[0],
            players[1],
            size=task.size,
            rule=task.rule,
            win_length=task.win_length,
            opening=task.opening,
            limit=task.limit,
            grace=task.grace,
            swap2=task.seed if task.swap2 else None,
        )
    finally:
        for player in players:
            player.close()
