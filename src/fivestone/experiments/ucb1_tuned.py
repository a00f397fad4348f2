"""Seed D's experiment: does a small tree search extend an open three to an open four, with UCB1 and with UCB1-tuned?

Random games alone must tell: solver, patterns and forced moves are off, successors are cells near a stone and a draw is
rewarded with 0.05, as in the Seed. The position is our own. The Seed speaks of three candidate cells and of successors
restricted to useful ones, and leaves open which its search chose among; so it is measured with three, and with more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from fivestone import _core
from fivestone.board import BLACK, Board
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Report
from fivestone.experiments.workbench import Workbench
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

__all__ = ["CHOICES", "EXPERIMENT", "Choice", "candidates", "found_by", "position", "winning_cells"]

Rule = Literal["ucb1", "ucb1-tuned"]
RULES: tuple[Rule, ...] = ("ucb1", "ucb1-tuned")
SIMULATIONS = (200, 2000)
TRIALS = 20
SERIES = 10  # of so many trials: the Seed's ranges are over several, too
# What the Seed reports, out of 20; for 2000 it gives no number, only that both find it.
_SEED = {("ucb1", 200): "0-1", ("ucb1-tuned", 200): "3-6", ("ucb1", 2000): "found", ("ucb1-tuned", 2000): "found"}


@dataclass(frozen=True)
class Choice:
    """Among which cells the search may choose. `near`: how far from a stone they may be, at the root and below."""

    key: str
    title: str
    three: bool
    near: int


CHOICES = (
    Choice("three", "three candidates", True, 1),
    Choice("beside", "beside a stone", False, 1),
    Choice("within-two", "within two of a stone", False, 2),
)


def position() -> Board:
    """Black to move has an open three; a white stone two cells from one end lets only the other end make it an open
    four."""
    return Board.from_stones(["j10", "k10", "l10"], ["h10", "j11", "l9"], turn=BLACK, size=20)


def candidates(board: Board) -> list[int]:
    """The open four, the four with one end, and a cell beside the three."""
    return [board.parse(name) for name in ("m10", "i10", "k11")]


def winning_cells(board: Board) -> set[int]:
    """Where the side to move makes an open four."""
    patterns = _core.Position(board)
    return {move for move in board.legal_moves if patterns.threat(move, board.turn) == _core.Threat.OPEN_FOUR}


def found_by(select: Rule, choice: Choice, simulations: int, trials: int, seed: int) -> int:
    """How many searches of so many simulations play the winning cell; trial i is seeded with seed + i."""
    board = position()
    winning, only = winning_cells(board), candidates(board) if choice.three else []
    found = 0
    for trial in range(trials):
        searcher = Mcts(
            "rollout", select=select, solver=False, forced=False, near=choice.near, draw=0.05, seed=seed + trial
        )
        found += searcher.search(board, Limit(visits=simulations), only=only).move in winning
    return found


class Ucb1Tuned:
    """Both rules with each number of simulations, among few and many cells."""

    name = "ucb1-tuned"
    title = "UCB1 against UCB1-tuned: extending an open three"
    source = "Seed D, a course project: 20 trials of 200 and of 2000 simulations"

    def steps(self, settings: Settings) -> Sequence[Step]:
        series = settings.count(SERIES)
        return [
            Step(
                _key(choice, select, count),
                f"{choice.title}, {select}, {count} simulations",
                0.0001 * count * series,
                partial(_run, choice, select, count),
            )
            for choice in CHOICES
            for count in SIMULATIONS
            for select in RULES
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        board = position()
        names = ", ".join(board.name_of(move) for move in candidates(board))
        report.text(
            "Black to move; m10 makes an open four and wins. Random games decide: no solver, no patterns, no forced "
            f"moves; a draw counts 0.05. The search chooses among three candidates ({names}), or among all cells that "
            f"are beside a stone or within two of one. *Found*: of {TRIALS} trials, the fewest and the most in "
            f"{settings.count(SERIES)} series; *in all*: of all their trials."
        )
        report.text(f"```text\n{board.diagram()}\n```")
        rows = []
        for choice in CHOICES:
            for count in SIMULATIONS:
                for select in RULES:
                    result = results.get(_key(choice, select, count))
                    if result is not None:
                        rows.append((choice.title, f"{count}", select, *_counts(result), _SEED[select, count]))
        report.table(("choice", "simulations", "rule", f"found, of {TRIALS}", "in all", "the Seed, of 20"), rows)
        return report


def _key(choice: Choice, select: Rule, count: int) -> str:
    return f"{choice.key}-{select}-{count}"


def _counts(result: Any) -> tuple[str, str]:
    found = result["found"]
    return f"{min(found)}-{max(found)}", f"{sum(found) / (TRIALS * len(found)):.0%}"


def _run(choice: Choice, select: Rule, count: int, bench: Workbench) -> dict[str, Any]:
    found = []
    for series in range(bench.settings.count(SERIES)):
        found.append(found_by(select, choice, count, TRIALS, bench.settings.seed + series * TRIALS))
        bench.progress(len(found) / bench.settings.count(SERIES))
    return {"found": found}


EXPERIMENT = Ucb1Tuned()
