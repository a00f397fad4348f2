"""A rated field: its table and its JSON, and playing a contest that ends in one."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Group, RenderableType
from rich.table import Table

from fivestone.cli.contest import Settings, open_journal, play_contest
from fivestone.errors import BadInput
from fivestone.match.journal import Journal
from fivestone.match.ratings import Field
from fivestone.match.report import write_report
from fivestone.match.schedule import Contest
from fivestone.match.standings import Standings, finite

__all__ = ["anchor_option", "field_json", "field_tables", "play_field"]

_MOST_ELO = 100_000  # of an anchor; no scale goes as far
_CROSSTABLE_WIDTH = 14  # wider fields are read in the page

anchor_option = click.option(
    "--anchor", "anchors", multiple=True, metavar="NAME=ELO", help="Ties the ratings to a known one."
)


def play_field(
    settings: Settings,
    players: tuple[str, ...],
    pairs: int | None,
    make: Callable[[], Contest],
    save: Path,
    anchors: tuple[str, ...],
    show: Callable[[Journal, Standings, dict[str, float]], None],
) -> None:
    """Plays what is missing, writes the page, shows the result, and leaves with 130 when it was interrupted."""

    def checked() -> Contest:
        contest = make()
        _read_anchors(anchors, contest.names())
        return contest

    contest, journal = open_journal(settings, players, pairs, checked, save)
    assert journal is not None
    known = _read_anchors(anchors, contest.names())
    played = journal.games.copy()
    finished = play_contest(
        contest,
        played,
        journal=journal,
        concurrency=settings.concurrency,
        draw=lambda: field_tables(Standings(contest, played), known),
    )
    standings = Standings(contest, played)
    if played:
        field = standings.rate(standings.present(known))
        write_report(journal.folder / "report.html", journal.folder.resolve().name, standings, played, field)
    show(journal, standings, known)
    if not finished:
        command = click.get_current_context().info_name
        click.echo(f"stopped after {len(played)} games (fivestone {command} --resume {journal.folder})", err=True)
        sys.exit(130)


def _read_anchors(given: tuple[str, ...], names: tuple[str, ...]) -> dict[str, float]:
    anchors: dict[str, float] = {}
    for text in given:
        name, equals, elo = text.rpartition("=")
        try:
            anchors[name] = float(elo)
        except ValueError:
            anchors[name] = math.nan
        if not equals or name not in names or not abs(anchors[name]) <= _MOST_ELO:
            raise BadInput(f"--anchor {text}: give one of the players and an Elo, such as '{names[0]}=1500'")
    return anchors


def _field(standings: Standings, known: dict[str, float]) -> Field | None:
    if not standings.games:
        return None
    return standings.rate(standings.present(known))


def field_tables(standings: Standings, known: dict[str, float]) -> RenderableType:
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


def field_json(standings: Standings, known: dict[str, float]) -> dict[str, object]:
    field = _field(standings, known)
    ratings = []
    for rating in field.ratings if field else ():
        score = standings.total(standings.names.index(rating.name))
        ratings.append(
            {"player": rating.name, "elo": finite(rating.elo), "error": finite(rating.error), **score.counts()}
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
