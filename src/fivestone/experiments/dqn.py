"""Seed C's first attempt: deep Q-learning, and its match against the AlphaZero nets of equal training time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fivestone.experiments.curves import seed_a_config
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Plot, Report
from fivestone.experiments.workbench import TIMED, Workbench, net_spec, tally
from fivestone.match.schedule import Contest
from fivestone.match.specs import label_of
from fivestone.train.config import config_from, preset

__all__ = ["EXPERIMENT"]

SIZES = (6, 9)
MINUTES = 10.0  # of training for each net
GAMES = 40
VISITS = 100
_EPSILON = (1.0, 0.05)  # at first, and from half of the time on
_POINTS = 60  # of the curve


class Dqn:
    """Trains a Q-net, a conv net and a line net for the same time on each size, then lets the first play the others."""

    name = "dqn"
    title = "Deep Q-learning against AlphaZero, with equal training time"
    source = (
        "Seed C: its first attempt was DQN, weak and in the end not convergent; it blames little data and the reward"
    )

    def steps(self, settings: Settings) -> Sequence[Step]:
        steps = []
        for size in SIZES:
            seconds = settings.seconds(MINUTES)
            board = f"{size}x{size}"
            steps += [
                Step(f"{size}-dqn", f"Q-learning on {board}", seconds, partial(_train_dqn, size)),
                Step(f"{size}-conv", f"AlphaZero's conv net on {board}", seconds, partial(_train_conv, size)),
                Step(f"{size}-line", f"the line net on {board}", seconds, partial(_train_line, size)),
            ]
            games = 6 * 2 * settings.pairs(GAMES)
            steps.append(
                Step(f"{size}-match", f"matches on {board}", 1.5 * games / settings.threads, partial(_play, size))
            )
        return steps

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            "Q-learning with replay, a target net, epsilon-greedy play and double Q-learning, against itself, with all "
            "eight symmetries; the conv net of Seed A and the line net by self-play; each for "
            f"{settings.seconds(MINUTES):.0f} s. The Q-net plays the move with the highest Q. *Policy* plays the move "
            f"the net likes best, *search* with {settings.simulations(VISITS)} simulations. {TIMED}"
        )
        rows = []
        for size in SIZES:
            for name, score in results.get(f"{size}-match", {}).items():
                share = f"{score['points'] / score['games']:.0%}"
                rows.append((f"{size}x{size}", name, score["wins"], score["draws"], score["losses"], share))
        report.table(("board", "opponent of the Q-net", "won", "drawn", "lost", "points"), rows)
        trained = [
            (f"{size}x{size}", kind, results[key]["games"])
            for size in SIZES
            for kind in ("dqn", "conv", "line")
            if (key := f"{size}-{kind}") in results
        ]
        report.table(("board", "net", "games learned from"), trained)
        curves = {
            f"{size}x{size}": [(second, loss) for second, loss in results[f"{size}-dqn"]["curve"]]
            for size in SIZES
            if f"{size}-dqn" in results
        }
        report.plot(Plot("loss", "Q-learning", "seconds", "temporal-difference loss", curves))
        return report


def _train_dqn(size: int, bench: Workbench) -> dict[str, Any]:
    from fivestone.experiments.qlearning import QLearner

    settings, seconds = bench.settings, bench.settings.seconds(MINUTES)
    learner = QLearner(size, seed=settings.seed, threads=settings.threads)
    began = bench.clock()
    curve: list[tuple[float, float]] = []
    losses: list[float] = []
    while (spent := bench.clock() - began) < seconds or not curve:
        high, low = _EPSILON
        loss = learner.step(max(low, high - (high - low) * 2 * spent / seconds))
        if loss is not None:
            losses.append(loss)
        if losses and spent >= len(curve) * seconds / _POINTS:
            curve.append((spent, sum(losses) / len(losses)))
            losses = []
            bench.progress(min(1.0, spent / seconds))
    path = bench.folder / f"dqn-{size}.npz"
    learner.net().save(path, {"how": "Q-learning", "games": learner.games, "seconds": seconds})
    return {"net": path.name, "games": learner.games, "curve": curve}


def _train_conv(size: int, bench: Workbench) -> dict[str, Any]:
    config = seed_a_config(size, bench.settings, self_play_net="latest", evaluate_every=0)
    return _trained(bench, f"conv-{size}", config)


def _train_line(size: int, bench: Workbench) -> dict[str, Any]:
    shard = min(8192, bench.settings.count(81920, least=256))
    config = config_from({"sizes": [size], "evaluate_every": 0, "samples_per_shard": shard}, preset("9x9"))
    return _trained(bench, f"line-{size}", config)


def _trained(bench: Workbench, key: str, config: Any) -> dict[str, Any]:
    run = bench.train(key, config, bench.settings.seconds(MINUTES))
    return {"net": str((run.path / "net.npz").relative_to(bench.folder)), "games": run.metrics()[-1]["games"]}


def _play(size: int, bench: Workbench) -> dict[str, Any]:
    settings = bench.settings

    def net(kind: str, visits: int, name: str, c: float = 1.4) -> str:
        return net_spec(bench.folder / Path(bench.results[f"{size}-{kind}"]["net"]), visits, name=name, c=c)

    visits = settings.simulations(VISITS)
    players = (
        net("dqn", 1, "dqn"),
        "random",
        "greedy",
        net("conv", 1, "conv net, policy"),
        net("conv", visits, "conv net, search", c=5.0),
        net("line", 1, "line net, policy"),
        net("line", visits, "line net, search"),
    )
    contest = Contest(
        players, pairs=settings.pairs(GAMES), size=size, openings="random:2", gauntlet=True, seed=settings.seed
    )
    standings = bench.play(f"dqn-{size}", contest)
    return {label_of(player): tally(standings.against(0, i)) for i, player in enumerate(players) if i}


EXPERIMENT = Dqn()
