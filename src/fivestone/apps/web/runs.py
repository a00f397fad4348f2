"""Training runs for the page that watches them: looked up by name in a listing, never joined into a path."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from fivestone import records
from fivestone.apps.web.messages import BadMessage
from fivestone.train.rundir import RunDir

__all__ = ["RunShelf"]

_MOST_RUNS = 200
_MOST_POINTS = 600
_MOST_GAMES = 300


class RunShelf:
    """The runs in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _runs(self) -> dict[str, Path]:
        if not self._folder.is_dir():
            return {}
        found = [path for path in self._folder.iterdir() if (path / "config.toml").is_file()]
        found.sort(key=lambda path: -_changed(path))
        return {path.name: path for path in found[:_MOST_RUNS]}

    def _find(self, name: str) -> Path:
        runs = self._runs()
        if name not in runs:
            raise BadMessage("there is no such run")
        return runs[name]

    def listing(self) -> list[dict[str, Any]]:
        """The runs, the one that changed last first."""
        return [{"name": name, "changed": _changed(path)} for name, path in self._runs().items()]

    def run(self, name: str) -> dict[str, Any]:
        """The curves of a run, thinned out, what it was told, and the numbers of its recorded games."""
        path = self._find(name)
        lines = RunDir.open(path).metrics()
        return {
            "name": name,
            "rounds": len(lines),
            "last": _numbers(lines[-1]) if lines else {},
            "curves": _curves(lines),
            "games": sorted(self._games(path))[-_MOST_GAMES:],
            "config": (path / "config.toml").read_text(errors="replace")[:4000],
        }

    def game(self, name: str, number: int) -> dict[str, Any]:
        """One recorded game."""
        games = self._games(self._find(name))
        if number not in games:
            raise BadMessage("there is no such game")
        game = records.read(games[number])
        if game.root.setup is not None:
            raise BadMessage("this game does not start from the empty board")
        return {"size": game.size, "rule": game.rule, "moves": game.moves, "black": game.black, "white": game.white}

    def _games(self, path: Path) -> dict[int, Path]:
        folder = path / "games"
        if not folder.is_dir():
            return {}
        return {int(file.stem): file for file in folder.iterdir() if file.suffix == ".sgf" and file.stem.isdecimal()}


def _changed(path: Path) -> float:
    for name in ("metrics.jsonl", "config.toml"):
        try:
            return (path / name).stat().st_mtime
        except OSError:
            continue
    return 0.0


def _numbers(line: dict[str, Any]) -> dict[str, float]:
    """The plain numbers of a metrics line; JSON has no word for infinity, so those are left out."""
    return {
        key: value
        for key, value in line.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }


def _curves(lines: list[dict[str, Any]]) -> dict[str, list[list[float]]]:
    """[seconds, value] pairs by metric, at most _MOST_POINTS each: runs of values are averaged."""
    raw: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        numbers = _numbers(line)
        at = numbers.get("seconds", numbers.get("round", 0.0))
        for key, value in numbers.items():
            if key not in ("seconds", "round"):
                raw.setdefault(key, []).append((at, value))
    return {key: _thinned(points) for key, points in raw.items()}


def _thinned(points: list[tuple[float, float]]) -> list[list[float]]:
    every = math.ceil(len(points) / _MOST_POINTS)
    chunks = [points[start : start + every] for start in range(0, len(points), every)]
    return [[sum(p[i] for p in chunk) / len(chunk) for i in (0, 1)] for chunk in chunks]
