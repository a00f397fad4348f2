"""fivestone analyze: a whole game reviewed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fivestone.board import RULES, Board, color_name
from fivestone.errors import BadInput

if TYPE_CHECKING:
    from fivestone.analysis.review import MoveReview, Review

__all__ = ["command"]


@click.command()
@click.argument("game")
@click.option("--player", help="Who judges: a player spec (default: the strongest there is for the board).")
@click.option("--time", "seconds", default=0.5, show_default=True, type=float, help="Seconds a position.")
@click.option("--visits", type=int, help="Visits a position instead of seconds.")
@click.option("--depth", type=int, help="Depth of the search instead of seconds.")
@click.option("--board", "size", default=15, show_default=True, help="Board size, for moves typed by hand.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES), help="The same.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html",
    "page",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write a page to look at: to the file, or without one to the output.",
)
def command(
    game: str,
    player: str | None,
    seconds: float,
    visits: int | None,
    depth: int | None,
    size: int,
    rule: str,
    as_json: bool,
    page: str | None,
) -> None:
    """Review GAME: a record file (.sgf, .psq, .txt) or moves such as h8i9j8."""
    from fivestone.analysis.report import html_report
    from fivestone.analysis.review import review_game
    from fivestone.files import write_atomically
    from fivestone.match.flagship import flagship_spec
    from fivestone.match.specs import make_player
    from fivestone.search import Limit

    board, names = _read(game, size, rule)
    if board.win_length != 5:
        raise BadInput("only games of five in a row can be reviewed")
    if not board.moves:
        raise BadInput("there is nothing to review: the game has no moves")
    if as_json and page == "-":
        raise BadInput("--json and --html cannot both be printed: give --html a file")
    limit = Limit(visits=visits, depth=depth).or_else(Limit(time=seconds))
    judge = make_player(player or flagship_spec(board.size, board.rule))
    try:
        with click.progressbar(length=len(board.moves) + 1, label="Reviewing", file=sys.stderr) as bar:
            review = review_game(board, judge, limit, on_progress=lambda _done, _total: bar.update(1))
    finally:
        judge.close()
    if page == "-":
        click.echo(html_report(board, review, names))
    elif page is not None:
        write_atomically(Path(page), html_report(board, review, names))
        click.echo(f"wrote {page}", err=True)
    if as_json:
        click.echo(json.dumps(review.to_json()))
    elif page is None:
        click.echo(_text(board, review))


def _read(game: str, size: int, rule: str) -> tuple[Board, tuple[str, str]]:
    """The game and the names of its players, where they are known."""
    from fivestone.cli.show import is_file
    from fivestone.records import read

    if Path(game).suffix.lower() in (".sgf", ".psq", ".txt") or is_file(game):
        record = read(game)
        return record.board(), (record.black, record.white)
    return Board.from_moves(game, size, rule), ("", "")


def _text(board: Board, review: Review) -> str:
    def describe(item: MoveReview) -> str:
        side = color_name(item.color)
        shown = item.refutation if item.forced else item.refutation[:9]
        follow = " ".join(board.name_of(move) for move in shown)
        text = f"{item.ply + 1:3}. {side} {board.name_of(item.move)}: {item.grade}, -{item.loss:.0%}. "
        text += f"Better {board.name_of(item.best)}: {item.reason.text}."
        return text + (f" It allows {'a forced win: ' if item.forced else ''}{follow}." if follow else "")

    mistakes = review.mistakes(10)
    if not mistakes:
        return "No mistakes found."
    return "\n".join(["Mistakes, worst first:", *(describe(item) for item in mistakes)])
