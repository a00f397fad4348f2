"""fivestone show: draw a position in the terminal."""

from __future__ import annotations

import click

from fivestone.board import RULES, Board

__all__ = ["command"]


@click.command()
@click.argument("moves")
@click.option("--board", "size", default=15, show_default=True, help="Board size.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES))
def command(moves: str, size: int, rule: str) -> None:
    """Draw the position after MOVES, such as h8i9j8."""
    click.echo(Board.from_moves(moves, size, rule).diagram())
