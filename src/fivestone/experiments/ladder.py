"""The ladder of Seeds A and C: how high a net climbs against pure tree search with its time of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fivestone.experiments.curves import seed_a_config
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Plot, Report, duration
from fivestone.experiments.workbench import TIMED, Workbench
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.measure import Ladder

__all__ = ["EXPERIMENT"]

SIZE = 9
MINUTES = 20.0  # of training for each net
# Net and opponent; the Seeds' own first.
RUNS = (("conv-a", "uct"), ("conv-c", "heuristic"), ("line", "uct"), ("line", "heuristic"))
_OPPONENTS = {"uct": "pure MCTS", "heuristic": "MCTS with a heuristic"}


class LadderExperiment:
    """Both nets against both opponents, for the same time."""

    name = "ladder"
    title = "The ladder: how high a net climbs"
    source = (
        "Seed A: ten games against pure MCTS with 1000 simulations, 1000 more at 10:0; on 9x9 two or three days to "
        "that level, and ten days more did not help it past its opponent. Seed C: the same, its MCTS with a heuristic"
    )

    def steps(self, settings: Settings) -> Sequence[Step]:
        return [
            Step(
                f"{net}-{ladder}", f"{net} against {_OPPONENTS[ladder]}", settings.seconds(MINUTES), _step(net, ladder)
            )
            for net, ladder in RUNS
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            f"{SIZE}x{SIZE}. The net plays with {settings.simulations(400)} simulations a move, its opponent with "
            "1000, and with 1000 more each time it lost all ten games. The time is that of training and of the matches "
            f"together. {TIMED}"
        )
        rows = []
        for net, ladder in RUNS:
            result = results.get(f"{net}-{ladder}")
            if result is None:
                continue
            matches = result["matches"]
            last = f"{matches[-1]['points']:g}/{matches[-1]['games']}" if matches else "-"
            beaten = matches[-1]["ladder"] - result["start"] if matches else 0
            clean = [match for match in matches if match["points"] == match["games"]]
            first = duration(clean[0]["seconds"]) if clean else "not yet"
            top = f"{beaten:,}" if beaten else "none"
            rows.append((net, _OPPONENTS[ladder], result["games"], len(matches), first, top, last))
        report.table(
            ("net", "opponent", "games learned from", "matches", "first 10:0 after", "highest 10:0", "last match"), rows
        )
        report.text("*Highest 10:0*: the number of simulations of the strongest opponent that lost every game.")
        series = {
            f"{net} against {_OPPONENTS[ladder]}": [
                (match["seconds"] / 60, match["ladder"]) for match in results[f"{net}-{ladder}"]["matches"]
            ]
            for net, ladder in RUNS
            if f"{net}-{ladder}" in results
        }
        label = "simulations of the opponent"
        report.plot(Plot("ladder", "The ladder", "minutes of training", label, series, style="step"))
        return report


def _config(net: str, ladder: str, settings: Settings) -> TrainConfig:
    """The Seeds' own training for their nets, ours for the line net; a match every minute or so."""
    if net != "line":
        return seed_a_config(SIZE, settings, net=net, ladder=ladder, evaluate_every=2)
    return config_from(
        {
            "ladder": ladder,
            "evaluate_every": 2,
            "evaluate_visits": settings.simulations(400),
            "samples_per_shard": min(8192, settings.count(81920, least=256)),
        },
        preset("9x9"),
    )


def _step(net: str, ladder: str) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        config = _config(net, ladder, bench.settings)
        seconds = bench.settings.seconds(MINUTES)
        lines = bench.train(f"{net}-{ladder}", config, seconds, measure=Ladder(config, elo=False)).metrics()
        matches = [
            {
                "seconds": line["seconds"],
                "ladder": int(line["ladder"]),
                "points": line["ladder_points"],
                "games": int(line["ladder_games"]),
            }
            for line in lines
            if "ladder" in line
        ]
        return {"games": lines[-1]["games"], "start": config.ladder_start, "matches": matches}

    return run


EXPERIMENT = LadderExperiment()
