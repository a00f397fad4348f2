"""Seed D's experiment: does a small tree search extend an open three to an open four, with UCB1 and with UCB1-tuned?

Random games alone must tell: solver, patterns and forced moves are off, successors are the cells beside a stone and a
draw is rewarded with 0.05, as in the Seed. At the root there are three candidate cells. The position is our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from fivestone import _core
from fivestone.board import BLACK, Board
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Report
from fivestone.experiments.workbench import Workbench
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

__all__ = ["EXPERIMENT", "candidates", "found_by", "position", "winning_cells"]

Rule = Literal["ucb1", "ucb1-tuned"]
RULES: tuple[Rule, ...] = ("ucb1", "ucb1-tuned")
SIMULATIONS = (200, 2000)
TRIALS = 20
# What the Seed reports, out of 20; for 2000 it gives no number, only that both find it.
_SEED = {("ucb1", 200): "0-1", ("ucb1-tuned", 200): "3-6", ("ucb1", 2000): "found", ("ucb1-tuned", 2000): "found"}


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


def found_by(select: Rule, simulations: int, trials: int, seed: int) -> int:
    """How many searches of so many simulations play the winning cell; trial i is seeded with seed + i."""
    board = position()
    winning, only = winning_cells(board), candidates(board)
    found = 0
    for trial in range(trials):
        searcher = Mcts("rollout", select=select, solver=False, forced=False, near=1, draw=0.05, seed=seed + trial)
        found += searcher.search(board, Limit(visits=simulations), only=only).move in winning
    return found


class Ucb1Tuned:
    """Both rules with each number of simulations."""

    name = "ucb1-tuned"
    title = "UCB1 against UCB1-tuned: extending an open three"
    source = "Seed D, a course project: 20 trials of 200 and of 2000 simulations"

    def steps(self, settings: Settings) -> Sequence[Step]:
        return [
            Step(f"{select}-{count}", f"{select}, {count} simulations", 0.001 * count, _step(select, count))
            for count in SIMULATIONS
            for select in RULES
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        board = position()
        names = ", ".join(board.name_of(move) for move in candidates(board))
        report.text(
            f"Black to move chooses among {names}; m10 makes an open four and wins. Random games decide: no solver, no "
            "patterns, no forced moves; below the root, the cells beside a stone; a draw counts 0.05."
        )
        report.text(f"```text\n{board.diagram()}\n```")
        rows = []
        for count in SIMULATIONS:
            for select in RULES:
                result = results.get(f"{select}-{count}")
                if result is not None:
                    found = f"{result['found']}/{result['trials']}"
                    rows.append((f"{count}", select, found, _SEED[select, count]))
        report.table(("simulations", "rule", "found", "the Seed, of 20"), rows)
        return report


def _step(select: Rule, count: int) -> Any:
    def run(bench: Workbench) -> dict[str, Any]:
        trials = bench.settings.count(TRIALS, least=2)
        return {"found": found_by(select, count, trials, bench.settings.seed), "trials": trials}

    return run


EXPERIMENT = Ucb1Tuned()
