"""fivestone rate: the built-in players on one scale."""

from __future__ import annotations

import json
from pathlib import Path

import click

from fivestone.cli.contest import Settings, contest_options, print_table
from fivestone.cli.field import anchor_option, field_json, field_tables, play_field
from fivestone.files import write_atomically
from fivestone.match.journal import Journal
from fivestone.match.schedule import Contest
from fivestone.match.standings import Standings

__all__ = ["FIELD", "command"]

# From weak to strong: neighbours in this order meet.
FIELD = (
    "fool",
    "random",
    "uct:1000",
    "uct:100",
    "uct:10000",
    "uct:100000",
    "level:1",
    "level:2",
    "greedy",
    "level:3",
    "level:4",
    "level:5",
    "alphabeta:depth=2",
    "level:6",
    "level:7",
    "alphabeta:depth=4",
    "level:8",
    "puct:net=line,visits=25",
    "puct:net=line,visits=100",
    "alphabeta:depth=6",
    "puct:net=line,visits=400",
    "level:9",
    "level:10",
    "alphabeta:depth=8",
    "puct:net=line,visits=1600",
    "level:max",
)


@click.command()
@click.argument("players", nargs=-1, metavar="[PLAYER...]")
@click.option("--rounds", type=int, help="Openings each two neighbours meet over, twice each.  [default: 10]")
@click.option(
    "--reach",
    default=3,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many of those after it in the list each player meets.",
)
@anchor_option
@contest_options
@click.option("--save", type=click.Path(path_type=Path), help="The folder of the games.  [default: rating]")
@click.option("--out", type=click.Path(path_type=Path), help="Write the table as JSON to this file too.")
def command(
    players: tuple[str, ...],
    rounds: int | None,
    reach: int,
    anchors: tuple[str, ...],
    settings: Settings,
    save: Path | None,
    out: Path | None,
) -> None:
    """Rate PLAYERs, or all that are built in, on one Elo scale.

    Give them from weak to strong: each meets the few that follow it. Engines of known rating tie the scale to theirs:
    add gomocup:PATH,name=wine where it belongs and --anchor wine=1891. The table is kept as ratings.json in the folder
    with the games; --resume goes on after a stop.
    """

    def make() -> Contest:
        return settings.contest(players or FIELD, 10 if rounds is None else rounds, reach=reach)

    def show(journal: Journal, standings: Standings, known: dict[str, float]) -> None:
        table = {"contest": standings.contest.to_json(), "anchors": known, **field_json(standings, known)}
        for path in (journal.folder / "ratings.json", out):
            if path is not None:
                write_atomically(path, json.dumps(table, indent=1) + "\n")
        print_table(field_tables(standings, known))

    play_field(settings, players, rounds, make, save or Path("rating"), anchors, show)
