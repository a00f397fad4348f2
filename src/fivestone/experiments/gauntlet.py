"""Seed D's tournament: alpha-beta, greedy and MCTS against every Gomocup engine in a folder, 12 games each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Report
from fivestone.experiments.workbench import Workbench, tally
from fivestone.match.engines import check_engine, engines_in
from fivestone.match.ratings import rate_field
from fivestone.match.schedule import Contest
from fivestone.match.specs import label_of
from fivestone.search import Limit

__all__ = ["EXPERIMENT"]

SIZE = 20
GAMES = 12
SECONDS_A_MOVE = 1.0
_ENGINES = (
    *("PUREROCKY", "PELA17", "NOESIS", "ZETOR17", "FIVEROW", "SPARKLE"),
    *("VALKYRIE", "PISQ7", "EULRING", "YIXIN17", "WINE", "MUSHROOM"),
)


@dataclass(frozen=True)
class _Row:
    """One of our players, the Seed's player of the same kind, its Elo and its wins of 12 against _ENGINES."""

    spec: str
    kind: str
    elo: int
    wins: tuple[int, ...]

    @property
    def player(self) -> str:
        """What tables call our player."""
        return label_of(self.spec)


_ROWS = (
    _Row("alphabeta", "alpha-beta", 1395, (11, 1, 6, 1, 10, 4, 12, 6, 2, 1, 0, 12)),
    _Row("greedy", "greedy", 1111, (9, 0, 0, 0, 9, 0, 5, 3, 1, 0, 0, 11)),
    # As the Seed's: 2000 simulations over cells near the stones, a draw rewarded with 0.05.
    _Row("uct:2000,near=2,draw=0.05,name=tree search", "MCTS", 942, (4, 0, 1, 0, 6, 0, 3, 2, 0, 0, 0, 7)),
)
# Ratings on the Gomocup scale (20x20 freestyle, list of 2026), to which ours are tied.
_GOMOCUP = {
    "YIXIN": 2217.0,
    "WINE": 1891.0,
    "CARBON": 1672.0,
    "PELA": 1509.0,
    "ZETOR": 1376.0,
    "EULRING": 1253.0,
    "SPARKLE": 1136.0,
    "NOESIS": 960.0,
    "PISQ": 826.0,
    "VALKYRIE": 670.0,
    "FIVEROW": 670.0,
    "PUREROCKY": 670.0,
    "MUSHROOM": 304.0,
}


class Gauntlet:
    """A gauntlet for each of our three players."""

    name = "gauntlet"
    title = "Alpha-beta, greedy and MCTS against Gomocup engines"
    source = "Seed D, a course project: 12 games against each of 12 Gomocup engines on 20x20"

    def steps(self, settings: Settings) -> Sequence[Step]:
        if settings.engines is None:
            raise BadInput("the gauntlet needs --engines FOLDER, a folder of Gomocup engines")
        engines = engines_in(Path(settings.engines))
        games = 2 * settings.pairs(GAMES) * len(engines)
        return [
            Step(row.kind, f"{row.player} against {len(engines)} engines", 40.0 * games / settings.threads, _step(row))
            for row in _ROWS
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        games = 2 * settings.pairs(GAMES)
        report.text(
            f"{SIZE}x{SIZE}, freestyle, {games} games against each engine from balanced openings, colours swapped, "
            f"{_seconds(settings):g} s a move for alpha-beta and the engines. Won games; beside them the Seed's own of "
            "12, where it met the same engine (its versions may differ)."
        )
        found = [(row, results[row.kind]) for row in _ROWS if row.kind in results]
        engines = list(dict.fromkeys(name for _, result in found for name in result["against"]))
        headings = ["engine", *(text for row, _ in found for text in (row.player, f"Seed's {row.kind}"))]
        lines = [[name, *(t for row, res in found for t in _cells(row, res, name))] for name in engines]
        report.table(headings, lines)
        report.table(("player", "Elo", "Seed's player", "Elo"), _elo_rows(found))
        report.text(
            "Elo by maximum likelihood with 95% intervals, on the Gomocup scale where the folder holds an engine whose "
            "rating is known by its name, else with the field's mean at 0."
        )
        return report


def _cells(row: _Row, result: Any, name: str) -> tuple[str, str]:
    score = result["against"].get(name)
    ours = "" if score is None else f"{score['wins']}/{score['games']}"
    seeds = {_word(engine): wins for engine, wins in zip(_ENGINES, row.wins, strict=True)}
    return ours, str(seeds.get(_word(name), ""))


def _elo_rows(found: Sequence[tuple[_Row, Any]]) -> list[tuple[str, str, str, str]]:
    pairs = [[(str(b), str(w), float(p)) for b, w, p in pair] for _, result in found for pair in result["pairs"]]
    if not pairs:
        return []
    names = {name for pair in pairs for black, white, _ in pair for name in (black, white)}
    field = rate_field(pairs, anchors={name: _GOMOCUP[_word(name)] for name in names if _word(name) in _GOMOCUP})
    return [
        (row.player, f"{field[row.player].elo:.0f} ± {field[row.player].error:.0f}", row.kind, str(row.elo))
        for row, _ in found
    ]


def _seconds(settings: Settings) -> float:
    """Time for a move; less only in a run too small to mean much."""
    return min(SECONDS_A_MOVE, 10 * settings.scale)


def _word(name: str) -> str:
    """An engine's name without its version: "pela17" and "PELA" are the same."""
    return re.sub(r"[^A-Z]", "", name.upper())


def _step(row: _Row) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        settings = bench.settings
        assert settings.engines is not None
        engines = engines_in(Path(settings.engines))
        for engine in engines:
            check_engine(engine, Board(SIZE))
        contest = Contest(
            (row.spec, *engines),
            pairs=settings.pairs(GAMES),
            size=SIZE,
            limit=Limit(time=_seconds(settings)),
            gauntlet=True,
            seed=settings.seed,
        )
        standings = bench.play(row.kind, contest)
        names = contest.names()  # two engines may be called the same
        against = {names[i]: tally(standings.against(0, i)) for i in range(1, len(names))}
        return {"against": against, "pairs": standings.rated_pairs()}

    return run


EXPERIMENT = Gauntlet()
