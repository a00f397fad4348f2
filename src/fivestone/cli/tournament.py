"""fivestone tournament: everyone against everyone, or one against all, with ratings and a page to look at."""

from __future__ import annotations

import json
from pathlib import Path

import click

from fivestone.cli.contest import Settings, contest_options, print_table
from fivestone.cli.field import anchor_option, field_json, field_tables, play_field
from fivestone.match.engines import engines_in
from fivestone.match.journal import Journal
from fivestone.match.schedule import Contest
from fivestone.match.standings import Standings

__all__ = ["command"]


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option("--rounds", type=int, help="Openings each two players meet over, twice each.  [default: 6]")
@click.option("--gauntlet", is_flag=True, help="The first player against each of the others.")
@click.option(
    "--engines",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Every Gomocup engine in this folder plays too.",
)
@anchor_option
@contest_options
@click.option("--save", type=click.Path(path_type=Path), help="The folder of the games.  [default: tournament]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    players: tuple[str, ...],
    rounds: int | None,
    gauntlet: bool,
    engines: Path | None,
    anchors: tuple[str, ...],
    settings: Settings,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play PLAYERs against each other and rate them.

    Every game is kept in the folder as it ends (games.jsonl, games/*.sgf), with report.html to look at; after a kill
    at any moment --resume goes on with nothing lost and nothing played twice.
    """

    def make() -> Contest:
        everyone = players + tuple(engines_in(engines) if engines else ())
        return settings.contest(everyone, 6 if rounds is None else rounds, gauntlet=gauntlet)

    def show(journal: Journal, standings: Standings, known: dict[str, float]) -> None:
        if as_json:
            click.echo(json.dumps(field_json(standings, known)))
        else:
            print_table(field_tables(standings, known))
            click.echo(f"{journal.folder / 'report.html'}")

    play_field(settings, players, rounds, make, save or Path("tournament"), anchors, show)
