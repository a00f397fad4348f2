"""Seed D's experiment: does a small tree search extend an open three to an open four, with UCB1 and with UCB1-tuned?

Random games alone must tell: solver, patterns and forced moves are off, successors are the cells beside a stone and a
draw is rewarded with 0.05, as in the Seed. The position is our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import click

from fivestone import _core
from fivestone.board import BLACK, Board
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

__all__ = ["Trials", "command", "position", "run", "winning_cells"]

Rule = Literal["ucb1", "ucb1-tuned"]
RULES: tuple[Rule, ...] = ("ucb1", "ucb1-tuned")
# What the Seed reports, out of 20; for 2000 it gives no number, only that both find it.
_SEED = {("ucb1", 200): "0-1", ("ucb1-tuned", 200): "3-6", ("ucb1", 2000): "found", ("ucb1-tuned", 2000): "found"}


@dataclass(frozen=True)
class Trials:
    """How often a search of so many simulations played one of the winning cells."""

    select: Rule
    simulations: int
    found: int
    trials: int


def position() -> Board:
    """Black to move has an open three."""
    return Board.from_stones(["d5", "e5", "f5"], ["d6", "e6"], turn=BLACK, size=9)


def winning_cells(board: Board) -> set[int]:
    """Where the side to move makes an open four."""
    patterns = _core.Position(board)
    return {move for move in board.legal_moves if patterns.threat(move, board.turn) == _core.Threat.OPEN_FOUR}


def run(simulations: Sequence[int] = (200, 2000), trials: int = 20, seed: int = 0) -> list[Trials]:
    """Both rules with each number of simulations; trial i is seeded with seed + i."""
    board = position()
    winning = winning_cells(board)
    results = []
    for count in simulations:
        for select in RULES:
            found = 0
            for trial in range(trials):
                searcher = Mcts(
                    "rollout", select=select, solver=False, forced=False, near=1, draw=0.05, seed=seed + trial
                )
                found += searcher.search(board, Limit(visits=count)).move in winning
            results.append(Trials(select, count, found, trials))
    return results


@click.command()
@click.option("--trials", default=20, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=0, show_default=True)
def command(trials: int, seed: int) -> None:
    """UCB1 against UCB1-tuned: how often is the winning extension of an open three found?"""
    click.echo(position().diagram())
    click.echo(f"\n{'simulations':>11}  {'rule':10}  {'found':>8}  the Seed, of 20")
    for row in run(trials=trials, seed=seed):
        found = f"{row.found}/{row.trials}"
        click.echo(f"{row.simulations:>11}  {row.select:10}  {found:>8}  {_SEED[row.select, row.simulations]}")
