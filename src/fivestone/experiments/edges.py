"""Seed C's weakness: do attacks along the edges and corners get more than attacks in the middle?"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fivestone import notation
from fivestone.experiments.curves import seed_a_config
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Report
from fivestone.experiments.workbench import Workbench, net_spec, tally
from fivestone.files import write_atomically
from fivestone.match.rim import rim_opening
from fivestone.match.schedule import Contest
from fivestone.net.conv import ConvNet
from fivestone.net.load import load_net, shipped_nets

__all__ = ["EXPERIMENT"]

Where = Literal["rim", "middle"]
GAMES = 20
VISITS = 400  # of the attacker and of the nets
TRAIN_MINUTES = 20.0
ENOUGH_GAMES = 1000  # a net that learned from fewer is weak everywhere, and says nothing about edges
LEVELS = (*(str(number) for number in range(1, 11)), "max")


@dataclass(frozen=True)
class _Defender:
    """Who is attacked, on which board; a net of its own that no one ships is trained first."""

    key: str
    spec: str
    size: int
    seconds: float  # a game


class Edges:
    """Every level and the conv nets, attacked on the rim from openings there, and in the middle from balanced ones."""

    name = "edges"
    title = "Attacks along edges and corners: who holds"
    source = "Seed C, Gomoku Deep: it defends badly at the edges and corners; a human who always plays there wins"

    def steps(self, settings: Settings) -> Sequence[Step]:
        defenders = _defenders(settings)
        steps = []
        if not any(defender.key.startswith("conv") for defender in defenders):
            seconds = settings.seconds(TRAIN_MINUTES)
            steps.append(Step("train", "training a conv net, since none ships that knows enough", seconds, _train))
            defenders.append(_Defender("conv-9", "", 9, 8.0))
        games = 2 * settings.pairs(GAMES)
        for defender in defenders:
            for where in ("rim", "middle"):
                seconds = games * defender.seconds / settings.threads
                title = f"{defender.key} on {defender.size}x{defender.size}, attacked on the {where}"
                if where == "middle":
                    title = title.replace("on the middle", "in the middle")
                steps.append(Step(f"{defender.key}-{where}", title, seconds, _step(defender, where)))
        return steps

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.text(
            "The attacker searches with the shipped line net. On the rim it considers only cells within 3 of an edge, "
            "unless someone is about to win, and games start with three stones there; in the middle it plays freely "
            "from balanced openings. Games are the defender's: won-drawn-lost. A player that is blind at the edges "
            "gets fewer points there than in the middle."
        )
        rows = []
        for key in dict.fromkeys(key.rpartition("-")[0] for key in results if key != "train"):
            rim, middle = results.get(f"{key}-rim"), results.get(f"{key}-middle")
            if rim is None or middle is None:
                continue
            shares = [result["points"] / result["games"] for result in (rim, middle)]
            holds = "loses anywhere" if not any(shares) else "yes" if shares[0] >= min(shares[1], 0.5) else "no"
            rows.append((key, _score(rim), f"{shares[0]:.0%}", _score(middle), f"{shares[1]:.0%}", holds))
        report.table(("defender", "on the rim", "points", "in the middle", "points", "holds on the rim"), rows)
        games = 2 * settings.pairs(GAMES)
        # What the scores of two equals, of so many games each, differ by at most 19 times of 20.
        chance = min(1.0, 1.96 * math.sqrt(0.5 / games))
        report.text(
            "*Holds*: at least half of the points on the rim, or no fewer than in the middle. With "
            f"{games} games each a difference of up to {chance:.0%} of the points is within chance. The conv nets play "
            "by net and tree alone, without what patterns know."
        )
        return report


def _score(result: Any) -> str:
    return f"{result['wins']}-{result['draws']}-{result['losses']}"


def _defenders(settings: Settings) -> list[_Defender]:
    """The levels on 15x15, and every conv net that ships, if it has learned enough, on its own board."""
    levels = [_Defender(f"level-{text}", f"level:{text}", 15, 60.0 if text == "max" else 4.0) for text in LEVELS]
    convs = []
    for name, path in shipped_nets().items():
        net = load_net(path)
        if not isinstance(net, ConvNet) or net.card.get("games", 0) < ENOUGH_GAMES:
            continue
        if net.win_length == 5 and net.size >= 8 and net.rule == "freestyle":
            spec = net_spec(path, settings.simulations(VISITS), name=name, c=5.0)
            convs.append(_Defender(name, spec, net.size, 20.0))
    return levels + convs


def _train(bench: Workbench) -> dict[str, Any]:
    config = seed_a_config(9, bench.settings, self_play_net="latest", evaluate_every=0)
    run = bench.train("conv-9", config, bench.settings.seconds(TRAIN_MINUTES))
    return {"net": str((run.path / "net.npz").relative_to(bench.folder)), "games": run.metrics()[-1]["games"]}


def _step(defender: _Defender, where: Where) -> Callable[[Workbench], dict[str, Any]]:
    def run(bench: Workbench) -> dict[str, Any]:
        settings = bench.settings
        visits = settings.simulations(VISITS)
        spec = defender.spec or net_spec(bench.folder / bench.results["train"]["net"], visits, name="conv-9", c=5.0)
        attacker = f"rim:visits={visits}" if where == "rim" else f"puct:net=line,visits={visits}"
        pairs = settings.pairs(GAMES)
        openings = (
            str(_write_openings(bench.folder, defender.size, pairs, settings.seed)) if where == "rim" else "balanced"
        )
        contest = Contest((spec, attacker), pairs=pairs, size=defender.size, openings=openings, seed=settings.seed)
        return tally(bench.play(f"{defender.key}-{where}", contest).against(0, 1))

    return run


def _write_openings(folder: Path, size: int, count: int, seed: int) -> Path:
    """The openings on the rim as a file, for the workers that play from them."""
    rng = random.Random(seed)
    path = folder / f"rim-{size}.txt"
    lines = [notation.format_moves(list(rim_opening(rng, size)), size) for _ in range(count)]
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return path


EXPERIMENT = Edges()
