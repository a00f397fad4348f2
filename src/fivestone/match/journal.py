"""The folder of a match or tournament: what is to be played, and every finished game, safe against a kill.

contest.json   who plays whom and how
games.jsonl    one finished game a line, flushed to the disk before the next one counts
games/         the same games as SGF, for people and other programs
"""

from __future__ import annotations

import json
from collections.abc import Set
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fivestone import records
from fivestone.errors import BadFile, BadInput, FivestoneError
from fivestone.files import append_line, hold, write_atomically
from fivestone.match.game import GameRecord
from fivestone.match.schedule import Contest, pairing_of

__all__ = ["Journal"]


class Journal:
    """Opened by `create` or `resume`; `games` holds what has been played, by key."""

    def __init__(self, folder: Path, contest: Contest, games: dict[str, GameRecord]) -> None:
        self.folder = folder
        self.contest = contest
        self.games = games

    @classmethod
    def create(cls, folder: Path, contest: Contest) -> Journal:
        if (folder / "contest.json").exists():
            raise BadInput(f"{folder} already holds a contest: go on with --resume {folder}, or choose another")
        write_atomically(folder / "contest.json", json.dumps(contest.to_json(), indent=1) + "\n")
        return cls(folder, contest, {})

    @classmethod
    def resume(cls, folder: Path, *, pairs: int | None = None) -> Journal:
        """Reads what was played. `pairs` asks for more (or fewer) pairs than before."""
        path = folder / "contest.json"
        try:
            contest = Contest.from_json(json.loads(path.read_text(encoding="utf-8")))
        except OSError:
            raise BadFile(f"{folder} holds no contest to resume ({path} cannot be read)") from None
        except KeyError as error:
            raise BadFile(f"{path} is not a contest: {error} is missing") from None
        except (ValueError, TypeError, RecursionError, FivestoneError) as error:
            raise BadFile(f"{path} is not a contest: {error}") from None
        games = _read_games(folder / "games.jsonl", contest)
        if pairs is not None and pairs != contest.pairs:
            contest = replace(contest, pairs=pairs)
            write_atomically(path, json.dumps(contest.to_json(), indent=1) + "\n")
        journal = cls(folder, contest, games)
        for key, game in journal.games.items():
            if not journal.sgf(key).exists():  # killed between keeping a game and writing it for people
                journal._write_sgf(key, game)
        return journal

    def sgf(self, key: str) -> Path:
        """Where a game is kept for people."""
        return self.folder / "games" / f"{key}.sgf"

    def _write_sgf(self, key: str, game: GameRecord) -> None:
        records.write(game.to_game(event=f"{self.folder.name}, game {key}"), self.sgf(key))

    def hold(self) -> AbstractContextManager[None]:
        """Keeps other processes from playing the same games meanwhile."""
        return hold(self.folder, f"{self.folder} is being played by another process: wait for it or stop it")

    def add(self, key: str, game: GameRecord) -> None:
        """Keeps a finished game; when this returns it survives a kill."""
        if key in self.games:
            raise BadInput(f"game {key} of {self.folder} has been played already")
        append_line(self.folder / "games.jsonl", json.dumps({"key": key, **game.to_json()}))
        self.games[key] = game
        self._write_sgf(key, game)


def _read_games(path: Path, contest: Contest) -> dict[str, GameRecord]:
    """A line torn by a kill is the one game that was not finished being kept: it is played again."""
    games: dict[str, GameRecord] = {}
    if not path.exists():
        return games
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from None
    pairings = frozenset(contest.pairings())
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
        except ValueError:
            continue  # no beginning of a line is JSON, so what is torn ends here
        except RecursionError:
            data = None
        try:
            key, game = _read_game(data, pairings)
        except FivestoneError as error:
            why = str(error).partition("\n")[0]  # without the board of an illegal move
            raise BadFile(f"{path}, line {number}: {why}: delete the line to play that game again") from None
        games[key] = game
    return games


def _read_game(data: Any, pairings: Set[tuple[int, int]]) -> tuple[str, GameRecord]:
    """The key is checked before anything else: a file is named after it."""
    if not isinstance(data, dict):
        raise BadFile("not a game record")
    key = data.pop("key", None)
    if pairing_of(key) not in pairings:
        raise BadFile(f"{str(key)[:40]!r} is no game of this contest")
    game = GameRecord.from_json(data)
    game.board()  # whether its moves can be played
    return key, game
