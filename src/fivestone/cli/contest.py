"""What `match`, `tournament` and `rate` have in common: their options, their folder, and playing with a live table."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console, RenderableType
from rich.live import Live

from fivestone.board import RULES
from fivestone.errors import BadInput
from fivestone.match.game import GameRecord
from fivestone.match.journal import Journal
from fivestone.match.pool import cores, fit_to_cores, play_all
from fivestone.match.schedule import Contest
from fivestone.match.specs import make_player, parse_spec
from fivestone.search import Limit

__all__ = ["Settings", "check_players", "contest_options", "limit_of", "open_journal", "play_contest", "print_table"]

# Options that decide which games are played.
_SETTLED = {
    *("size", "rule", "win_length", "time_", "visits", "nodes", "depth", "openings", "grace", "seed"),
    *("gauntlet", "engines", "reach", "save"),
}


@dataclass(frozen=True)
class Settings:
    """What the shared options say."""

    size: int
    rule: str
    win_length: int
    limit: Limit
    openings: str
    concurrency: int
    grace: float
    seed: int
    resume: Path | None

    def contest(self, players: tuple[str, ...], pairs: int, **shape: Any) -> Contest:
        """The contest of these players; `shape` says who meets whom."""
        return Contest(
            players,
            pairs=pairs,
            size=self.size,
            rule=self.rule,
            win_length=self.win_length,
            limit=self.limit,
            openings=self.openings,
            grace=self.grace,
            seed=self.seed,
            **shape,
        )


def contest_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options every contest takes; the command gets them as one argument, `settings`."""

    @functools.wraps(command)
    def gathered(
        *, time_: float | None, visits: int | None, nodes: int | None, depth: int | None, **values: Any
    ) -> None:
        shared = {field.name: values.pop(field.name) for field in fields(Settings) if field.name != "limit"}
        command(settings=Settings(limit=limit_of(time_, visits, nodes, depth), **shared), **values)

    options = [
        click.option("--board", "size", default=15, show_default=True, help="Board size."),
        click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES)),
        click.option("--win-length", default=5, show_default=True, help="Stones in a row that win."),
        click.option("--time", "time_", type=float, help="Seconds a move.  [default: 1, without another limit]"),
        click.option("--visits", type=int, help="Tree visits a move."),
        click.option("--nodes", type=int, help="Nodes a move."),
        click.option("--depth", type=int, help="Depth of the search."),
        click.option(
            "--openings",
            default="balanced",
            show_default=True,
            help="balanced, random:K (K stones), swap2, none, or a file.",
        ),
        click.option("--concurrency", default=1, show_default=True, help="Games at once."),
        click.option("--grace", default=0.5, show_default=True, help="Seconds a move may be late."),
        click.option("--seed", default=0, show_default=True, help="Decides openings and players' dice."),
        click.option("--resume", type=click.Path(path_type=Path), help="Go on with the games in this folder."),
    ]
    for option in reversed(options):
        gathered = option(gathered)
    return gathered


def open_journal(
    settings: Settings, players: tuple[str, ...], pairs: int | None, make: Callable[[], Contest], save: Path | None
) -> tuple[Contest, Journal | None]:
    """The contest to play and its folder: the one to resume, or a new one where `save` says.

    A resumed contest has its settings; one given beside --resume would be ignored, so it is refused.
    """
    if settings.resume is None:
        contest = make()
        check_players(contest.players)
        return contest, None if save is None else Journal.create(save, contest)
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in _SETTLED:
            raise BadInput(f"{option.opts[0]} is settled by the folder of --resume: leave it out")
    journal = Journal.resume(settings.resume, pairs=pairs)
    if players and players != journal.contest.players:
        raise BadInput(f"{settings.resume} holds games of {', '.join(journal.contest.players)}")
    check_players(journal.contest.players)
    return journal.contest, journal


def limit_of(time_: float | None, visits: int | None, nodes: int | None, depth: int | None) -> Limit:
    return Limit(time_, visits, nodes, depth).or_else(Limit(time=1.0))


def check_players(players: tuple[str, ...]) -> None:
    """Builds each player once, so that a mistake in a spec is told before the first game."""
    for text in players:
        parse_spec(text)
        make_player(text).close()


def play_contest(
    contest: Contest,
    games: dict[str, GameRecord],
    *,
    journal: Journal | None,
    concurrency: int,
    draw: Callable[[], RenderableType],
    decided: Callable[[], bool] = lambda: False,
) -> bool:
    """Plays what is missing from `games`, with a live table on a terminal. False if it was interrupted.

    Every game is in the journal before it is in the table.
    """
    allowed, remark = fit_to_cores(concurrency, contest.players, cores())
    for line in filter(None, (remark, contest.remark())):
        click.echo(line, err=True)
    todo = [task for task in contest.tasks() if task.key not in games]
    console = Console(stderr=True)
    held = contextlib.nullcontext() if journal is None else journal.hold()
    with held, _live(console, draw) as refresh, contextlib.closing(play_all(todo, allowed)) as played:
        try:
            if decided():
                return True
            for task, game in played:
                if journal is not None:
                    journal.add(task.key, game)
                games[task.key] = game
                refresh()
                if decided():
                    break
        except KeyboardInterrupt:
            if journal is not None:  # the last game may have been kept but not yet counted
                games.update(Journal.resume(journal.folder).games)
            return False
    return True


def print_table(table: RenderableType) -> None:
    """To a terminal as wide as it is, to a file as wide as needed."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(table)


@contextlib.contextmanager
def _live(console: Console, draw: Callable[[], RenderableType]) -> Iterator[Callable[[], None]]:
    if not console.is_terminal:
        yield lambda: None
        return
    with Live(draw(), console=console, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(draw(), refresh=True)
