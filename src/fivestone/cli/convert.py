"""fivestone convert: from one record format to another."""

from __future__ import annotations

from pathlib import Path

import click

from fivestone import records
from fivestone.errors import BadInput
from fivestone.records import Game

__all__ = ["command"]


@click.command()
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "kind", type=click.Choice(records.FORMATS), help="Format of OUT, if its name does not say.")
def command(source: Path, target: Path, kind: str | None) -> None:
    """Read a game record and write it as SGF (.sgf), Piskvork (.psq) or a plain list of moves (.txt)."""
    if target.exists() and source.exists() and target.samefile(source):
        raise BadInput(f"{target} is the file to read: give another name to write")
    game = records.read(source)
    records.write(game, target, kind)
    for warning in [*game.warnings, *_lost(game, kind or target.suffix.lstrip(".").lower())]:
        click.echo(f"note: {warning}", err=True)
    click.echo(f"{target}: {len(game.moves)} moves")


def _lost(game: Game, kind: str) -> list[str]:
    """What the format has no place for."""
    if kind == "sgf":
        return []
    nodes = list(game.nodes())
    lost = {
        "variations": any(len(node.children) > 1 for node in nodes),
        "comments": any(node.comment for node in nodes),
        "values": any(node.value is not None for node in nodes),
        "times": kind == "txt" and any(node.seconds is not None for node in nodes),
        "date, event and place": kind == "psq" and any((game.date, game.event, game.place)),
    }
    names = [name for name, is_lost in lost.items() if is_lost]
    return [f"{', '.join(names)} are left out: only SGF keeps them"] if names else []
