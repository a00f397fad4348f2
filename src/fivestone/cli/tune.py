"""fivestone tune: learn the pattern weights from games of the engine against itself."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from fivestone import files
from fivestone.board import RULES
from fivestone.errors import BadInput
from fivestone.search import Limit
from fivestone.search.weights import load_tables, rule_family, save_tables
from fivestone.train.patterns import GamePlan, Sample, fit, play_games

__all__ = ["command"]


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--games", default=1000, show_default=True, type=click.IntRange(min=1), help="Games to learn from.")
@click.option("--nodes", default=2000, show_default=True, type=click.IntRange(min=1), help="Nodes a move.")
@click.option("--board", "size", default=15, show_default=True, type=click.IntRange(5, 20), help="Board size.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES))
@click.option("--weights", help="Play with this card, or with 'hand'.  [default: the shipped one]")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes.")
@click.option("--epochs", default=12, show_default=True, type=click.IntRange(min=1), help="Passes over the samples.")
@click.option("--seed", default=0, show_default=True, help="Decides the games and the order of the samples.")
@click.option("--keep", type=click.Path(path_type=Path, exists=True), help="Take the other rules from this card.")
def command(
    out: Path,
    games: int,
    nodes: int,
    size: int,
    rule: str,
    weights: str | None,
    workers: int,
    epochs: int,
    seed: int,
    keep: Path | None,
) -> None:
    """Play games, fit the weights to them and write a card to OUT (.npz) with a .json beside it that says how.

    Whether they are better is for a match to say: fivestone match alphabeta:weights=OUT alphabeta --sprt 0,20
    """
    Limit(nodes=nodes)  # refuses what no search can count
    _check_out(out)
    families = load_tables(keep) if keep is not None else {}
    plan = GamePlan(size=size, rule=rule, nodes=nodes, weights=weights, seed=seed)
    samples: list[Sample] = []
    with click.progressbar(play_games(plan, games, workers), length=games, label="Games") as bar:
        for game in bar:
            samples += game
    tables, report = fit(samples, epochs=epochs, seed=seed)
    families[rule_family(rule)] = tables
    save_tables(out, families)
    card = {"games": games, **asdict(plan), "weights": weights or "shipped", "epochs": epochs, **asdict(report)}
    files.write_atomically(out.with_suffix(".json"), json.dumps(card, indent=1) + "\n")
    click.echo(
        f"{report.samples} positions; held out: score {report.score_loss:.4f} bits, promise {report.promise_loss:.3f}"
        f" nats, first choice right {report.agreement:.0%}"
    )


def _check_out(out: Path) -> None:
    """Tells before hours of games, not after them, that the card cannot be written."""
    if out.suffix != ".npz":  # another suffix could be the one of the .json beside it
        raise BadInput(f"{out}: the name of a weights card ends in .npz")
    files.check_writable(out)
