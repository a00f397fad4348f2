"""Seed B's fool: does the player that tries to lose still lose when its opponent plays badly, or tries to lose, too?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Report
from fivestone.experiments.workbench import Workbench, tally
from fivestone.match.schedule import Contest

__all__ = ["EXPERIMENT"]

SIZES = (9, 15)
GAMES = 100
VISITS = 20_000  # the fool's own
# Opponent -> what the fool is held to: (wins, draws, losses) -> met or not, in words, and seconds a game on 9x9.
OPPONENTS: dict[str, tuple[Callable[[int, int, int], bool] | None, str, float]] = {
    "level:max": (lambda won, drawn, lost: won + drawn == 0, "loses all", 12.0),
    "random": (lambda won, drawn, lost: lost >= 0.9 * (won + drawn + lost), "loses 90% or more", 0.3),
    "fool:simple": (lambda won, drawn, lost: won == 0 and lost > drawn, "never wins, loses more than it draws", 0.6),
    "fool": (None, "as it comes", 1.0),
}


class FoolExperiment:
    """A match of the fool against each opponent on each board, from the empty board, colours alternating."""

    name = "fool"
    title = "The fool: losing on purpose"
    source = (
        "Seed B, an artificial fool: plays the move with the lowest winning probability. It gives no count; its model, "
        "a published weakest Othello program, won about 1000 of several million games"
    )

    def steps(self, settings: Settings) -> Sequence[Step]:
        games = 2 * settings.pairs(GAMES)
        return [
            Step(
                _key(size, opponent),
                f"fool against {opponent} on {size}x{size}",
                games * seconds * (size / 9) ** 2 / settings.threads,
                _step(size, opponent),
            )
            for size in SIZES
            for opponent, (_, _, seconds) in OPPONENTS.items()
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        visits = settings.simulations(VISITS)
        report.text(
            "Colours alternate, games start from the empty board. Won, drawn and lost are the fool's own: it wants to "
            f"lose; it takes {visits:,} visits. The Seed's version, which plays the lowest winning probability of its "
            "judge, is `fool:simple`."
        )
        rows = []
        for size in SIZES:
            for opponent, (held, words, _) in OPPONENTS.items():
                result = results.get(_key(size, opponent))
                if result is None:
                    continue
                counts = (result["wins"], result["draws"], result["losses"])
                verdict = "" if held is None else "yes" if held(*counts) else "no"
                rows.append((f"{size}x{size}", opponent, result["games"], *counts, words, verdict))
        report.table(("board", "opponent", "games", "won", "drawn", "lost", "it should be", "is it"), rows)
        return report


def _key(size: int, opponent: str) -> str:
    return f"{size}-{opponent.replace(':', '-')}"


def _spec(player: str, settings: Settings) -> str:
    """The player; in a run too small to mean much, with fewer visits for the fool."""
    visits = settings.simulations(VISITS)
    return f"fool:visits={visits}" if player == "fool" and visits < VISITS else player


def _step(size: int, opponent: str) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        settings = bench.settings
        players = (_spec("fool", settings), _spec(opponent, settings))
        contest = Contest(players, pairs=settings.pairs(GAMES), size=size, openings="none", seed=settings.seed)
        return tally(bench.play(_key(size, opponent), contest).against(0, 1))

    return run


EXPERIMENT = FoolExperiment()
