"""fivestone openings: make sets of balanced openings, and sift them."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from fivestone.board import RULES
from fivestone.cli.contest import limit_of
from fivestone.errors import BadInput, FivestoneError
from fivestone.experiments.report import duration
from fivestone.files import check_writable
from fivestone.match.balance import Recipe, Trial, generate, read_trials, write_openings
from fivestone.match.openings import format_offsets, read_openings
from fivestone.match.pool import cores, fit_to_cores
from fivestone.match.sieve import Sieve, Sifted, write_kept
from fivestone.match.specs import make_player

__all__ = ["command"]


@click.group()
def command() -> None:
    """Balanced openings for fair matches."""


@command.command("generate")
@click.option("--board", "size", default=15, show_default=True, help="Board size.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES))
@click.option("--stones", default=5, show_default=True, help="Stones of an opening.")
@click.option("--count", default=50, show_default=True, type=click.IntRange(min=1), help="Openings to make.")
@click.option("--player", default="alphabeta", show_default=True, help="Who judges and plays them.")
@click.option("--games", default=20, show_default=True, help="Games each is tried in.")
@click.option("--time", "time_", type=float, help="Seconds a move.")
@click.option("--visits", type=int, help="Tree visits a move.")
@click.option("--nodes", type=int, help="Nodes a move.")
@click.option("--concurrency", default=1, show_default=True, help="Games at once.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file; OUT.jsonl keeps the trials.")
def _generate(
    size: int,
    rule: str,
    stones: int,
    count: int,
    player: str,
    games: int,
    time_: float | None,
    visits: int | None,
    nodes: int | None,
    concurrency: int,
    seed: int,
    out: Path,
) -> None:
    """Make openings that are even: 35% to 65% for Black in games of a player against itself.

    No two are the same under rotation and reflection. The same command goes on where it was stopped.
    """
    limit = limit_of(time_, visits, nodes, None)
    recipe = Recipe.of(player, limit, size=size, rule=rule, stones=stones, games=games, seed=seed)
    check_writable(out)
    allowed, remark = fit_to_cores(concurrency, [player], cores())
    if remark:
        click.echo(remark, err=True)
    accepted = 0

    def report(trial: Trial) -> None:
        nonlocal accepted
        accepted += trial.accepted
        verdict = "taken" if trial.accepted else "dropped"
        tried = f"{trial.share:.0%} for Black in {trial.games} games" if trial.games else f"value {trial.value:.2f}"
        click.echo(f"{trial.number}: {format_offsets(trial.opening, size)}: {tried}, {verdict}", err=True)

    journal = out.with_name(out.name + ".jsonl")
    stopped = False
    try:
        trials = generate(recipe, count, journal, concurrency=allowed, on_trial=report)
    except KeyboardInterrupt:
        trials = [trial for trial in read_trials(journal, recipe) if trial.accepted]
        stopped = True
    if not trials and not stopped:
        raise BadInput(f"none of the openings of {stones} stones is even: ask for other --stones or more --games")
    write_openings(out, recipe, trials)
    more = f": no more than {len(trials)} openings of {stones} stones were found" if len(trials) < count else ""
    click.echo(f"{len(trials)} openings in {out}" + (": the same command goes on" if stopped else more))
    if stopped:
        sys.exit(130)


@command.command("sift")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--board", "size", default=15, show_default=True, help="Board size.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES))
@click.option("--player", default="level:max", show_default=True, help="Who judges them.")
@click.option("--time", "time_", type=float, help="Seconds an opening.")
@click.option("--visits", type=int, help="Tree visits an opening.")
@click.option("--nodes", type=int, help="Nodes an opening.")
@click.option("--largest", default=0.35, show_default=True, help="The largest value, for either side, that is kept.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file for those that are kept.")
def _sift(
    file: Path,
    size: int,
    rule: str,
    player: str,
    time_: float | None,
    visits: int | None,
    nodes: int | None,
    largest: float,
    out: Path,
) -> None:
    """Look again at the openings of FILE, deeper, and keep those that are even.

    Stopped with Ctrl-C, or by a player that fails, it writes what it has kept so far.
    """
    sieve = Sieve(limit_of(time_, visits, nodes, None), largest, size, rule)
    openings = read_openings(file, size, rule)
    check_writable(out)
    judge = make_player(player, seed=0)
    sifted: list[Sifted] = []
    started, stopped = time.monotonic(), False
    failure: FivestoneError | None = None
    try:
        for each in sieve.sift(openings, judge):
            sifted.append(each)
            left = (time.monotonic() - started) / len(sifted) * (len(openings) - len(sifted))
            verdict = "kept" if each.kept else "dropped"
            text = f"{len(sifted)} of {len(openings)}: {format_offsets(each.opening, size)}"
            click.echo(f"{text}: {each.value:+.2f} for Black, {verdict}; about {duration(left)} to go", err=True)
    except KeyboardInterrupt:
        stopped = True
    except FivestoneError as error:
        failure = error
    finally:
        judge.close()
    if failure and not any(each.kept for each in sifted):
        raise failure
    if stopped and not any(each.kept for each in sifted):
        click.echo(f"stopped: none kept yet of {len(sifted)}, nothing written")
        sys.exit(130)
    limit = " ".join(f"--{name} {value:g}" for name, value in asdict(sieve.limit).items() if value is not None)
    kept = write_kept(out, sieve, f"{player} {limit}".strip(), sifted)
    rest = f"; {len(openings) - len(sifted)} were not looked at" if stopped or failure else ""
    click.echo(f"{kept} of {len(sifted)} openings in {out}{rest}")
    if failure:
        raise failure
    if stopped:
        sys.exit(130)
