"""fivestone rate: the built-in players on one scale."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from fivestone.cli.contest import check_players, contest_options, limit_of, play_contest, print_table, refuse_settings
from fivestone.cli.tournament import read_anchors, tournament_json, tournament_tables
from fivestone.errors import BadInput
from fivestone.files import write_atomically
from fivestone.match.journal import Journal
from fivestone.match.report import write_report
from fivestone.match.schedule import Contest
from fivestone.match.standings import Standings

__all__ = ["FIELD", "command"]

# From weak to strong: neighbours in this order meet.
FIELD = (
    "fool",
    "random",
    "uct:100",
    "level:1",
    "uct:1000",
    "level:2",
    "level:3",
    "uct:10000",
    "level:4",
    "greedy",
    "level:5",
    "level:6",
    "uct:100000",
    "alphabeta:depth=2",
    "level:7",
    "alphabeta:depth=4",
    "level:8",
    "alphabeta:depth=6",
    "level:9",
    "level:10",
    "alphabeta:depth=8",
    "level:max",
)


@click.command()
@click.argument("players", nargs=-1, metavar="[PLAYER...]")
@click.option("--rounds", type=int, help="Openings each two neighbours meet over, twice each.  [default: 10]")
@click.option("--reach", default=3, show_default=True, help="How many of those after it in the list each player meets.")
@click.option("--anchor", "anchors", multiple=True, metavar="NAME=ELO", help="Ties the ratings to a known one.")
@contest_options
@click.option("--save", type=click.Path(path_type=Path), help="The folder of the games.  [default: rating]")
@click.option("--out", type=click.Path(path_type=Path), help="Write the table as JSON to this file too.")
def command(
    players: tuple[str, ...],
    rounds: int | None,
    reach: int,
    anchors: tuple[str, ...],
    size: int,
    rule: str,
    win_length: int,
    time_: float | None,
    visits: int | None,
    nodes: int | None,
    depth: int | None,
    openings: str,
    concurrency: int,
    grace: float,
    seed: int,
    resume: Path | None,
    save: Path | None,
    out: Path | None,
) -> None:
    """Rate PLAYERs, or all that are built in, on one Elo scale.

    Give them from weak to strong: each meets the few that follow it. Engines of known rating tie the scale to theirs:
    add gomocup:PATH,name=wine where it belongs and --anchor wine=1891. The table can be read by `fivestone rate --out`
    and is kept in the folder with the games; --resume goes on after a stop.
    """
    if resume is not None:
        refuse_settings()
        journal = Journal.resume(resume, pairs=rounds)
        if players and players != journal.contest.players:
            raise BadInput(f"{resume} rates {', '.join(journal.contest.players)}")
    else:
        contest = Contest(
            players or FIELD,
            pairs=rounds or 10,
            size=size,
            rule=rule,
            win_length=win_length,
            limit=limit_of(time_, visits, nodes, depth),
            openings=openings,
            reach=reach,
            grace=grace,
            seed=seed,
        )
        check_players(contest.players)
        read_anchors(anchors, contest.names())
        journal = Journal.create(save or Path("rating"), contest)
    known = read_anchors(anchors, journal.contest.names())
    played = journal.games.copy()
    finished = play_contest(
        journal.contest,
        played,
        journal=journal,
        concurrency=concurrency,
        draw=lambda: tournament_tables(Standings(journal.contest, played), known),
    )
    standings = Standings(journal.contest, played)
    table = {"contest": journal.contest.to_json(), "anchors": known, **tournament_json(standings, known)}
    for path in (journal.folder / "ratings.json", out):
        if path is not None:
            write_atomically(path, json.dumps(table, indent=1) + "\n")
    if played:
        field = standings.rate(standings.present(known))
        write_report(journal.folder / "report.html", journal.folder.resolve().name, standings, played, field)
    print_table(tournament_tables(standings, known))
    if not finished:
        click.echo(f"stopped after {len(played)} games (fivestone rate --resume {journal.folder})", err=True)
        sys.exit(130)
