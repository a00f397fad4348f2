"""Seed B's progress: points from ten different openings against a fixed opponent, through training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Plot, Report
from fivestone.experiments.workbench import TIMED, Workbench, net_spec
from fivestone.match.schedule import Contest
from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.loop import Progress
from fivestone.train.rundir import RunDir

__all__ = ["EXPERIMENT", "spread"]

SIZE = 8
OPENINGS = 10
STONES = 3
MINUTES = 40.0  # of training for each net
CHECKPOINTS = 5
VISITS = 200  # of the nets when they are measured
NETS = ("conv-b", "line")
OPPONENT = "level:4"  # stands in for the Seed's tester, a person
_SEED_ROWS = ((350, "1:1"), (600, "3:2"), (1150, "4:1"))


class Openings:
    """Trains, keeps nets on the way, and plays each against the same opponent from the same ten openings."""

    name = "openings"
    title = "Points from ten openings through training"
    source = "Seed B: games against its tester from ten openings: 350 games of training even, 600 3:2, 1150-1200 4:1"

    def steps(self, settings: Settings) -> Sequence[Step]:
        steps = []
        for net in NETS:
            steps.append(Step(f"train-{net}", f"training {net}", settings.seconds(MINUTES), _train_step(net)))
            seconds = CHECKPOINTS * 2 * OPENINGS * 8.0 * min(1.0, 10 * settings.scale) / settings.threads
            steps.append(Step(f"play-{net}", f"{net} against {OPPONENT}", seconds, _play_step(net)))
        return steps

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            f"{SIZE}x{SIZE}. Nets kept on the way play with {settings.simulations(VISITS)} simulations a move, by net "
            f"and tree alone, against `{OPPONENT}`, from {OPENINGS} openings of {STONES} stones, each twice. {TIMED}"
        )
        rows: list[tuple[object, ...]] = [("Seed B", games, "", ratio) for games, ratio in _SEED_ROWS]
        for net in NETS:
            for match in results.get(f"play-{net}", {}).get("matches", ()):
                points, games = match["points"], 2 * OPENINGS
                rows.append((net, match["games"], f"{match['seconds']:.0f}", f"{points:g}:{games - points:g}"))
        report.table(("net", "games of training", "seconds", "result"), rows)
        for net in NETS:
            matches = results.get(f"play-{net}", {}).get("matches", ())
            if matches:
                report.section(f"Opening by opening: {net}")
                headings = ["games of training", *(str(number) for number in range(1, OPENINGS + 1))]
                report.table(headings, [(m["games"], *(f"{p:g}" for p in m["openings"])) for m in matches])
        report.text("Points of 2 from each opening.")
        series = {
            net: [(m["games"], m["points"] / (2 * OPENINGS)) for m in results[f"play-{net}"]["matches"]]
            for net in NETS
            if f"play-{net}" in results
        }
        report.plot(Plot("openings", f"Points against {OPPONENT}", "games of training", "share of points", series))
        return report


def _config(net: str, settings: Settings) -> TrainConfig:
    """The Seed's training for its net, ours for the line net, in rounds short enough to see the beginning."""
    games = min(25, settings.count(250, least=4))
    if net == "line":
        return config_from({"sizes": [SIZE], "samples_per_shard": 1024, "evaluate_every": 1}, preset("9x9"))
    return config_from(
        {
            "sizes": [SIZE],
            "net": net,
            "simulations": settings.simulations(400),
            "games_at_once": games,
            "samples_per_shard": games * SIZE,
            "evaluate_every": 1,
        },
        preset("seed-b"),
    )


def _keep_net(backend: Backend, run: RunDir, progress: Progress) -> dict[str, float]:
    backend.save_net(run.net_path(progress.round), {"games": progress.games, "round": progress.round})
    return {}


def _train_step(net: str) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        config, seconds = _config(net, bench.settings), bench.settings.seconds(MINUTES)
        lines = bench.train(net, config, seconds, measure=_keep_net).metrics()
        return {
            "nets": [{"round": line["round"] + 1, "games": line["games"], "seconds": line["seconds"]} for line in lines]
        }

    return run


def spread(nets: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """So many of the nets, the games between them growing evenly by factors, the last one among them."""
    if len(nets) <= count:
        return list(nets)
    first, last = nets[0]["games"], nets[-1]["games"]
    wanted = [first * (last / first) ** (i / (count - 1)) for i in range(count)]
    chosen = {min(range(len(nets)), key=lambda n: abs(nets[n]["games"] - games)) for games in wanted}
    return [nets[n] for n in sorted(chosen)]


def _play_step(net: str) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        settings = bench.settings
        visits = settings.simulations(VISITS)
        chosen = spread(bench.results[f"train-{net}"]["nets"], CHECKPOINTS)
        run = RunDir.open(bench.folder / "train" / net)
        players = [
            net_spec(
                run.net_path(found["round"]), visits, name=f"round {found['round']}", c=5.0 if net != "line" else 1.4
            )
            for found in chosen
        ]
        contest = Contest(
            (OPPONENT, *players),
            pairs=OPENINGS,
            size=SIZE,
            openings=f"random:{STONES}",
            gauntlet=True,
            seed=settings.seed,
        )
        standings = bench.play(net, contest)
        matches = []
        for number, found in enumerate(chosen, 1):
            score = standings.against(number, 0)
            by_opening = [sum(score.pairs[f"0-{number}-{opening}"]) for opening in range(OPENINGS)]
            matches.append({**found, "points": score.points, "openings": by_opening})
        return {"matches": matches}

    return run


EXPERIMENT = Openings()
