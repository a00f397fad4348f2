"""Seed A's curves: loss and entropy of its conv net on four board sizes, and how many games an hour it learns from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Plot, Report
from fivestone.experiments.workbench import TIMED, Workbench
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.measure import Ladder

__all__ = ["EXPERIMENT", "seed_a_config"]

SIZES = (6, 7, 8, 9)
MINUTES = 15.0  # of training on each size
_SEED_GAMES_AN_HOUR = 4000 / 48
_KEPT = ("games", "seconds", "loss", "policy_loss", "value_loss", "entropy", "draws", "simulations_per_second")


def seed_a_config(size: int, settings: Settings, **changes: Any) -> TrainConfig:
    """Seed A's training: self-play by the best net, a tournament against pure tree search every 100 games or so."""
    games = min(25, settings.count(250, least=4))
    return config_from(
        {
            "sizes": [size],
            "simulations": settings.simulations(400),
            "evaluate_visits": settings.simulations(400),
            "games_at_once": games,
            "samples_per_shard": games * size,  # fewer than so many games yield: a round is `games` games
            "evaluate_every": 4,
            "window_min": 10_000,
        }
        | changes,
        preset("seed-a"),
    )


class Curves:
    """The same training on each size, for the same time."""

    name = "curves"
    title = "Loss and entropy of Seed A's net while it learns"
    source = (
        "Seed A, a bachelor thesis: 4000 games on 9x9 in about two days; loss and entropy fell by nearly half, faster "
        "on smaller boards; on 6x6 most games are draws. Seed C, 9x9: 3000 games, loss from above 4 to somewhat above 2"
    )

    def steps(self, settings: Settings) -> Sequence[Step]:
        return [
            Step(f"{size}x{size}", f"training on {size}x{size}", settings.seconds(MINUTES), _step(size))
            for size in SIZES
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            f"Self-play with {settings.simulations(400)} simulations a move by the best net so far, which is the one "
            "that did best against pure tree search; learning from all eight symmetries. Loss and entropy are those of "
            f"the first and the last round; draws are those of the last quarter. {TIMED}"
        )
        rows = []
        for name, result in results.items():
            lines = result["rounds"]
            games, seconds = lines[-1]["games"], lines[-1]["seconds"]
            last = lines[-max(1, len(lines) // 4) :]
            draws = sum(line["draws"] for line in last) / len(last)
            rows.append(
                (
                    name,
                    f"{games}",
                    f"{3600 * games / seconds:.0f}",
                    f"{lines[0]['loss']:.2f}",
                    f"{lines[-1]['loss']:.2f}",
                    f"{1 - lines[-1]['loss'] / lines[0]['loss']:.0%}",
                    f"{1 - lines[-1]['entropy'] / lines[0]['entropy']:.0%}",
                    f"{draws:.0%}",
                )
            )
        rows += [
            ("Seed A, 9x9", "4000", f"{_SEED_GAMES_AN_HOUR:.0f}", "", "", "nearly half", "nearly half", ""),
            ("Seed A, 6x6", "", "", "", "", "faster", "faster", "most"),
            ("Seed C, 9x9", "3000", "", "above 4", "somewhat above 2", "", "", ""),
        ]
        headings = ("board", "games", "games an hour", "first loss", "last loss", "loss fell", "entropy fell", "draws")
        report.table(headings, rows)
        for quantity in ("loss", "entropy"):
            series = {
                name: [(line["games"], line[quantity]) for line in result["rounds"]] for name, result in results.items()
            }
            report.plot(
                Plot(quantity, f"{quantity.capitalize()} while it learns", "games of self-play", quantity, series)
            )
        return report


def _step(size: int) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        config = seed_a_config(size, bench.settings)
        run = bench.train(f"{size}x{size}", config, bench.settings.seconds(MINUTES), measure=Ladder(config, elo=False))
        return {"rounds": [{name: line[name] for name in _KEPT} for line in run.metrics()]}

    return run


EXPERIMENT = Curves()
