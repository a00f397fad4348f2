"""Seed B's claim: self-play by the latest net reaches optimal play sooner than self-play by the best one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from fivestone import _core
from fivestone.board import Board
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.optimal import Picks, ThreatSolver, flawless_share, winning_share
from fivestone.experiments.report import Plot, Report, duration
from fivestone.experiments.workbench import TIMED, Workbench
from fivestone.net.conv import ConvNet
from fivestone.search import Limit
from fivestone.search.batched import run_together
from fivestone.search.evaluator import Leaves
from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.loop import Progress
from fivestone.train.measure import play_pairs
from fivestone.train.rundir import RunDir

__all__ = ["EXPERIMENT", "Gate", "picks_of", "searched_picks_of", "summary"]

_SEED_B = {"latest": "10 min", "best": "30 min"}
_GATE_GAMES = 20
_GATE_SHARE = 0.55  # of the points against the best net makes a net the best, as in AlphaGo Zero


@dataclass(frozen=True)
class _Game:
    """A small game whose optimal play is known. `share` is 1.0 when a net plays it so."""

    key: str
    title: str
    size: int
    win_length: int
    minutes: float
    seeds: int
    simulations: int
    share: Callable[[Picks], float]
    measure: str


def _four_share(picks: Picks) -> float:
    return winning_share(picks, _four_solver())


@cache
def _four_solver() -> ThreatSolver:
    """One for all checks: what it has proven it remembers."""
    return ThreatSolver(6, 4)


GAMES = (
    _Game("3x3", "tic-tac-toe", 3, 3, 6.0, 3, 50, flawless_share, "positions played without a mistake"),
    _Game("6x6", "four in a row on 6x6", 6, 4, 20.0, 2, 100, _four_share, "white replies beaten with Black"),
)
MODES = ("latest", "best")


def picks_of(net: ConvNet) -> Picks:
    """The move a net likes best in each position: by its policy alone, without search."""

    def picks(boards: Sequence[Board]) -> list[int]:
        policy, _ = net.evaluate(Leaves.of(boards))
        empty = np.frombuffer(b"".join(board.stones for board in boards), np.uint8).reshape(len(boards), -1) == 0
        return [int(move) for move in np.where(empty, policy, -1.0).argmax(axis=1)]

    return picks


def searched_picks_of(net: ConvNet, config: TrainConfig) -> Picks:
    """The move a net plays after a search as long as those of its training, without noise and without proofs."""

    def picks(boards: Sequence[Board]) -> list[int]:
        trees = [_tree(board, config.cpuct) for board in boards]
        simulations = [config.simulations] * len(trees)
        run_together(trees, net, simulations, batch=1, rule=config.rule, win_length=config.win_length)
        return [tree.best_move for tree in trees]

    return picks


def _tree(board: Board, c: float) -> _core.Mcts:
    options = _core.MctsConfig()
    options.tree.c = c
    options.tree.solver = False  # what the tree proves by itself says nothing of the net
    options.forced = False
    options.near = 0
    tree = _core.Mcts(options, 0)
    tree.set_root(board)
    return tree


class Gate:
    """Measures a net after every round: is it optimal, and with self-play by the best net, is it better than that?

    `stop` is set at the second optimal measurement in a row. Time spent on that check is not counted.
    """

    def __init__(
        self,
        config: TrainConfig,
        share: Callable[[Picks], float],
        stop: threading.Event,
        clock: Callable[[], float],
    ) -> None:
        self._config, self._share, self._stop, self._clock = config, share, stop, clock

    def __call__(self, backend: Backend, run: RunDir, progress: Progress) -> dict[str, float]:
        number, before = progress.round, progress.measured
        path = run.net_path(number)
        backend.save_net(path, {"round": number})
        net = ConvNet.load(path)
        result: dict[str, float] = {
            "share": self._share(searched_picks_of(net, self._config)),
            "alone": self._share(picks_of(net)),
            "gate_seconds": 0.0,
        }
        if result["share"] == 1.0 == before.get("share"):
            self._stop.set()
        if self._config.self_play_net == "best":
            began = self._clock()
            result |= self._promotion(backend, run, number, before.get("best"))
            result["gate_seconds"] = self._clock() - began
        _keep_only(run, {number, int(result.get("best", number))})
        return result

    def _promotion(self, backend: Backend, run: RunDir, number: int, best: float | None) -> dict[str, float]:
        if best is None:  # the first net that learned anything
            return {"promote": 1.0, "best": float(number)}
        new, old = backend.player(run.net_path(number)), backend.player(run.net_path(int(best)))
        new.name, old.name = "new", "old"
        pairs = play_pairs(new, old, _GATE_GAMES, self._config, seed=number, limit=Limit())
        points = sum(p if black == "new" else 1 - p for pair in pairs for black, _white, p in pair)
        better = points >= _GATE_SHARE * 2 * len(pairs)
        return {"promote": float(better), "best": float(number) if better else best, "gate_points": points}


def _keep_only(run: RunDir, numbers: set[int]) -> None:
    for number in run.net_numbers():
        if number not in numbers:
            run.net_path(number).unlink(missing_ok=True)


class LatestVsBest:
    """The same training with either net, several seeds each, until a net plays optimally or the time is up."""

    name = "latest-vs-best"
    title = "Self-play by the latest net against self-play by the best net"
    source = "Seed B: tic-tac-toe to optimal play in about 10 minutes with the latest net, 30 with the best"

    def steps(self, settings: Settings) -> Sequence[Step]:
        return [
            Step(
                f"{game.key}-{mode}-{seed}",
                f"{game.title}, {mode} net, seed {seed}",
                settings.seconds(game.minutes),
                partial(_run, game, mode, seed),
            )
            for game in GAMES
            for seed in range(settings.count(game.seeds))
            for mode in MODES
        ]

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            "A net plays optimally when it makes no mistake with a search as long as those of its training: on 3x3 "
            "with either colour against every reply (by minimax), on 6x6 with Black, who wins, against every first "
            "reply and then the longest defence (by a proof of the win). The search proves nothing by itself. It "
            "counts when two rounds in a row are so. The last column is for the policy alone, without search. The best "
            f"net is replaced by one that gets {_GATE_SHARE:.0%} of the points of {_GATE_GAMES} games against it. The "
            f"time is that of self-play, learning and those matches. {TIMED}"
        )
        for game in GAMES:
            rows = []
            series: dict[str, list[tuple[float, float]]] = {}
            for key, result in results.items():
                if not key.startswith(f"{game.key}-"):
                    continue
                _, mode, seed = key.split("-")
                reached = result["optimal_seconds"]
                when = duration(reached) if reached is not None else f"not in {duration(result['seconds'])}"
                shares = (f"{result['curve'][-1][1]:.0%}", f"{result['alone']:.0%}")
                rows.append((mode, seed, when, result["games"], *shares))
                series[f"{mode}, seed {seed}"] = [(seconds, share) for seconds, share in result["curve"]]
            if rows:
                report.section(game.title.capitalize())
                if game.size == 3:
                    rows += [(f"Seed B: {mode}", "", when, "", "", "") for mode, when in _SEED_B.items()]
                report.table(("net", "seed", "optimal after", "games", game.measure, "without search"), rows)
                plot = Plot(f"optimal-{game.key}", game.title.capitalize(), "seconds", game.measure, series)
                report.plot(plot)
        return report


def _config(game: _Game, mode: str, settings: Settings) -> TrainConfig:
    games = min(32, settings.count(320, least=4))
    return config_from(
        {
            "sizes": [game.size],
            "win_length": game.win_length,
            "simulations": settings.simulations(game.simulations),
            "games_at_once": games,
            "samples_per_shard": 4 * games * game.size,
            "self_play_net": mode,
            "evaluate_every": 1,
            "evaluate_visits": settings.simulations(game.simulations),
            "window_min": 4096,
            "reuse": 16.0,  # a small game has few positions: what costs time is playing it
        },
        preset("tic-tac-toe"),
    )


def _run(game: _Game, mode: str, seed: int, bench: Workbench) -> dict[str, Any]:
    config = config_from({"seed": 1 + seed}, _config(game, mode, bench.settings))
    stop = threading.Event()
    gate = Gate(config, game.share, stop, bench.clock)
    limit = bench.settings.seconds(game.minutes)
    lines = bench.train(f"{game.key}-{mode}-{seed}", config, limit, measure=gate, stop=stop).metrics()
    return summary(lines)


def summary(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The share over the time that counts, and when it was optimal twice in a row (at the first of the two)."""
    curve: list[tuple[float, float]] = []
    reached = None
    spent = 0.0
    for line in lines:
        spent += line["self_play_seconds"] + line["learn_seconds"] + line["gate_seconds"]
        if reached is None and curve and line["share"] == 1.0 == curve[-1][1]:
            reached = curve[-1][0]
        curve.append((spent, line["share"]))
    last = lines[-1]
    return {
        "curve": curve,
        "optimal_seconds": reached,
        "seconds": spent,
        "games": last["games"],
        "alone": last["alone"],
    }


EXPERIMENT = LatestVsBest()
