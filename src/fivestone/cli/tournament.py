"""fivestone tournament: everyone against everyone, or one against all, with ratings and a page to look at."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import click
from rich.console import Group, RenderableType
from rich.table import Table

from fivestone.cli.contest import check_players, contest_options, limit_of, play_contest, print_table, refuse_settings
from fivestone.errors import BadInput
from fivestone.match.engines import engines_in
from fivestone.match.journal import Journal
from fivestone.match.ratings import Field
from fivestone.match.report import write_report
from fivestone.match.schedule import Contest
from fivestone.match.standings import Standings, finite

__all__ = ["command", "read_anchors", "tournament_json", "tournament_tables"]

_CROSSTABLE_WIDTH = 14  # wider fields are read in the page


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option("--rounds", type=int, help="Openings each two players meet over, twice each.  [default: 6]")
@click.option("--gauntlet", is_flag=True, help="The first player against each of the others.")
@click.option(
    "--engines",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Every Gomocup engine in this folder plays too.",
)
@click.option("--anchor", "anchors", multiple=True, metavar="NAME=ELO", help="Ties the ratings to a known one.")
@contest_options
@click.option("--save", type=click.Path(path_type=Path), help="The folder of the games.  [default: tournament]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    players: tuple[str, ...],
    rounds: int | None,
    gauntlet: bool,
    engines: Path | None,
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
    as_json: bool,
) -> None:
    """Play PLAYERs against each other and rate them.

    Every game is kept in the folder as it ends (games.jsonl, games/*.sgf), with report.html to look at; after a kill
    at any moment --resume goes on with nothing lost and nothing played twice.
    """
    if resume is not None:
        refuse_settings()
        journal = Journal.resume(resume, pairs=rounds)
        if players and players != journal.contest.players:
            raise BadInput(f"{resume} holds a tournament of {', '.join(journal.contest.players)}")
        check_players(journal.contest.players)
    else:
        everyone = players + tuple(engines_in(engines) if engines else ())
        contest = Contest(
            everyone,
            pairs=rounds or 6,
            size=size,
            rule=rule,
            win_length=win_length,
            limit=limit_of(time_, visits, nodes, depth),
            openings=openings,
            gauntlet=gauntlet,
            grace=grace,
            seed=seed,
        )
        check_players(contest.players)
        read_anchors(anchors, contest.names())
        journal = Journal.create(save or Path("tournament"), contest)
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
    if played:
        field = standings.rate(standings.present(known))
        write_report(journal.folder / "report.html", journal.folder.resolve().name, standings, played, field)
    if as_json:
        click.echo(json.dumps(tournament_json(standings, known)))
    else:
        print_table(tournament_tables(standings, known))
        click.echo(f"{journal.folder / 'report.html'}")
    if not finished:
        click.echo(f"stopped after {len(played)} games (fivestone tournament --resume {journal.folder})", err=True)
        sys.exit(130)


def read_anchors(given: tuple[str, ...], names: tuple[str, ...]) -> dict[str, float]:
    anchors: dict[str, float] = {}
    for text in given:
        name, equals, elo = text.rpartition("=")
        try:
            anchors[name] = float(elo)
        except ValueError:
            equals = ""
        if not equals or name not in names:
            raise BadInput(f"--anchor {text}: give one of the players and an Elo, such as '{names[0]}=1500'")
    return anchors


def _field(standings: Standings, known: dict[str, float]) -> Field | None:
    if not standings.games:
        return None
    return standings.rate(standings.present(known))


def tournament_tables(standings: Standings, known: dict[str, float]) -> RenderableType:
    contest = standings.contest
    games = 2 * contest.pairs * len(contest.pairings())
    title = f"{standings.games} of {games} games, {contest.size}x{contest.size} {contest.rule}"
    field = _field(standings, known)
    if field is None:
        return title
    table = Table(title=title)
    for heading in ("", "player", "Elo", "95%", "points", "share", "s/move", "forfeits"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    order = [standings.names.index(rating.name) for rating in field.ratings]
    for number, (player, rating) in enumerate(zip(order, field.ratings, strict=True), 1):
        score = standings.total(player)
        error = f"±{rating.error:.0f}" if math.isfinite(rating.error) else "?"
        pace = f"{score.seconds / score.moves:.3f}" if score.moves else "-"
        forfeits = ", ".join(f"{count} {kind}" for kind, count in sorted(score.forfeits.items())) or "none"
        share = f"{score.points / score.games:.0%}"
        points = f"{score.points:g}/{score.games}"
        table.add_row(str(number), rating.name, f"{rating.elo:.0f}", error, points, share, pace, forfeits)
    parts: list[RenderableType] = [table]
    if len(order) <= _CROSSTABLE_WIDTH:
        parts.append(_crosstable(standings, order))
    if contest.gauntlet:
        first = field[standings.names[0]]
        parts.append(f"Elo of {first.name} against this field: {first.elo:.0f} ±{first.error:.0f}")
    return Group(*parts)


def _crosstable(standings: Standings, order: list[int]) -> Table:
    table = Table(title="crosstable", show_edge=False)
    table.add_column("")
    for number in range(1, len(order) + 1):
        table.add_column(str(number), justify="right")
    for number, player in enumerate(order, 1):
        table.add_row(str(number), *(_cross(standings, player, opponent) for opponent in order))
    return table


def _cross(standings: Standings, player: int, opponent: int) -> str:
    if player == opponent:
        return "·"
    score = standings.against(player, opponent)
    return f"{score.points:g}" if score.games else ""


def tournament_json(standings: Standings, known: dict[str, float]) -> dict[str, object]:
    field = _field(standings, known)
    ratings = []
    for rating in field.ratings if field else ():
        score = standings.total(standings.names.index(rating.name))
        ratings.append(
            {
                "player": rating.name,
                "elo": finite(rating.elo),
                "error": finite(rating.error),
                "games": score.games,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "points": score.points,
                "forfeits": score.forfeits.total(),
            }
        )
    crosstable = {
        standings.names[one]: {
            standings.names[two]: standings.against(one, two).points
            for two in range(len(standings.names))
            if standings.against(one, two).games
        }
        for one in range(len(standings.names))
    }
    return {"games": standings.games, "ratings": ratings, "crosstable": crosstable}
