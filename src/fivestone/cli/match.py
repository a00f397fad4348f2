"""fivestone match: two players, many games, and who is stronger by how much."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import click
from rich.table import Table

from fivestone.cli.contest import Settings, contest_options, open_journal, play_contest, print_table
from fivestone.errors import BadInput
from fivestone.match.game import GameRecord
from fivestone.match.schedule import Contest
from fivestone.match.sprt import Sprt
from fivestone.match.standings import Score, Standings

__all__ = ["command"]


@click.command()
@click.argument("players", nargs=-1, metavar="A B")
@click.option("--games", type=int, help="Games to play; colours are swapped on each opening.  [default: 100]")
@contest_options
@click.option("--sprt", help="Stop when it is clear whether A is better by ELO0 or ELO1, such as 0,20.")
@click.option("--save", type=click.Path(path_type=Path), help="Keep every game in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    players: tuple[str, ...],
    games: int | None,
    settings: Settings,
    sprt: str | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play A against B, each a player spec: random, alphabeta:depth=4, uct:1000, puct:net=line,visits=400,
    level:7, gomocup:PATH.

    Every opening is played twice with colours swapped. Ctrl-C keeps what was played and prints the table; --resume
    goes on where it stopped.
    """
    if games is not None and (games < 2 or games % 2):
        raise BadInput(f"--games {games}: colours are swapped on each opening, so give an even number")
    test = _parse_sprt(sprt) if sprt else None

    def make() -> Contest:
        if len(players) != 2:
            raise BadInput(f"a match is between two players, not {len(players)}: try fivestone tournament")
        return settings.contest(players, (games or 100) // 2)

    contest, journal = open_journal(settings, players, games // 2 if games else None, make, save)
    if len(contest.players) != 2:
        raise BadInput(f"{settings.resume} is no match of two: go on with fivestone tournament --resume")
    played: dict[str, GameRecord] = {} if journal is None else journal.games.copy()
    if test is not None:
        click.echo(_expectation(test), err=True)

    def standings() -> Standings:
        return Standings(contest, played)

    finished = play_contest(
        contest,
        played,
        journal=journal,
        concurrency=settings.concurrency,
        draw=lambda: _table(contest, standings(), test),
        decided=lambda: test is not None and test.state(_pairs(standings())).verdict is not None,
    )
    if as_json:
        click.echo(json.dumps(_json(standings(), test)))
    else:
        print_table(_table(contest, standings(), test))
    if crash := _first_crash(played):
        click.echo(crash, err=True)
    if not finished:
        where = f" (fivestone match --resume {journal.folder})" if journal else ""
        click.echo(f"stopped after {len(played)} games{where}", err=True)
        sys.exit(130)


def _parse_sprt(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"--sprt {text}: give two Elo differences, such as 0,20") from None
    return Sprt(low, high)


def _expectation(test: Sprt) -> str:
    at_low, at_high = test.expected_games(test.elo0), test.expected_games(test.elo1)
    between = test.expected_games((test.elo0 + test.elo1) / 2)
    return (
        f"SPRT {test.elo0:g},{test.elo1:g} (5% errors): about {at_low:.0f} games if the truth is {test.elo0:g} Elo, "
        f"{at_high:.0f} if it is {test.elo1:g}, {between:.0f} halfway between; fewer with draws"
    )


def _first_crash(played: dict[str, GameRecord]) -> str | None:
    """Why a player was out of the game, which a count of forfeits does not tell."""
    for key, game in played.items():
        if game.reason == "crash":
            return f"game {key} was forfeited by a crash: {game.detail}"
    return None


def _pairs(standings: Standings) -> list[list[float]]:
    return list(standings.against(0, 1).pairs.values())


def _json(standings: Standings, test: Sprt | None) -> dict[str, object]:
    result: dict[str, object] = standings.match_json()
    if test is not None:
        state = test.state(_pairs(standings))
        bounds = [round(state.lower, 3), round(state.upper, 3)]
        result["sprt"] = {"llr": round(state.llr, 3), "bounds": bounds, "verdict": state.verdict}
    return result


def _table(contest: Contest, standings: Standings, test: Sprt | None) -> Table:
    score = standings.against(0, 1)
    result = score.estimate()
    caption = f"Elo difference {_elo(result.elo)}, 95% interval {_elo(result.low)} to {_elo(result.high)}"
    caption += f"; better with probability {result.superiority:.1%}"
    if test is not None:
        state = test.state(_pairs(standings))
        verdict = {"H1": "accepted", "H0": "rejected", None: "open"}[state.verdict]
        caption += f"\nSPRT {test.elo0:g},{test.elo1:g}: LLR {state.llr:.2f} of {state.lower:.2f} to {state.upper:.2f}"
        caption += f", {verdict}"
    board = f"{contest.size}x{contest.size} {contest.rule}"
    table = Table(title=f"{score.games} of {2 * contest.pairs} games, {board}", caption=caption)
    table.add_column("player")
    for heading in ("points", "share", "won", "drawn", "lost", "time", "s/move", "forfeits"):
        table.add_column(heading, justify="right")
    for player in (0, 1):
        table.add_row(standings.names[player], *_row(standings.against(player, 1 - player)))
    return table


def _row(score: Score) -> list[str]:
    share = f"{score.points / score.games:.1%}" if score.games else "-"
    pace = f"{score.seconds / score.moves:.3f}" if score.moves else "-"
    forfeits = ", ".join(f"{count} {kind}" for kind, count in sorted(score.forfeits.items())) or "none"
    counts = [str(score.wins), str(score.draws), str(score.losses)]
    return [f"{score.points:g}", share, *counts, _duration(score.seconds), pace, forfeits]


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def _elo(elo: float) -> str:
    if math.isinf(elo):
        return "+∞" if elo > 0 else "-∞"
    return f"{elo:+.0f}"
