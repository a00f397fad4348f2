"""fivestone show: draw a position or a game in the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from fivestone import records
from fivestone.board import RULES, WHITE, Board, color_name
from fivestone.errors import BadFile, BadInput
from fivestone.records import Game, Node

__all__ = ["command", "game_from", "is_file"]

_ENDINGS = tuple(f".{kind}" for kind in records.FORMATS)


@click.command()
@click.argument("source", metavar="FILE|MOVES")
@click.option("--move", "number", type=click.IntRange(min=0), help="Show the position after this many moves.")
@click.option("--board", "size", type=int, help="Board size for MOVES.  [default: 15]")
@click.option("--rule", type=click.Choice(RULES), help="Rule for MOVES.  [default: freestyle]")
@click.option("--win-length", type=int, help="Stones in a row for MOVES.  [default: 5]")
def command(source: str, number: int | None, size: int | None, rule: str | None, win_length: int | None) -> None:
    """Draw a game record (SGF, .psq or a list of moves) or the position after MOVES, such as h8i9j8."""
    game = game_from(source, size, rule, win_length)
    line = [node for node in game.line() if node.color]
    if number is not None and number > len(line):
        raise BadInput(f"the game has {len(line)} moves: --move {number} is past its end")
    at = len(line) if number is None else number
    node = line[at - 1] if at else game.root
    board = game.board(node) if at < len(line) else game.board()
    for text in _headline(game):
        click.echo(text)
    _draw(board)
    for text in _about(game, line, at, board):
        click.echo(text)
    for warning in game.warnings:
        click.echo(f"note: {warning}", err=True)


def is_file(source: str) -> bool:
    """Whether there is a file of this name; moves may be longer than any name."""
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def game_from(source: str, size: int | None = None, rule: str | None = None, win_length: int | None = None) -> Game:
    """The game in a file, or of a string of moves."""
    if is_file(source):
        if (size, rule, win_length) != (None, None, None):
            raise BadInput("--board, --rule and --win-length are for MOVES: a file says them itself")
        return records.read(source)
    if source.lower().endswith(_ENDINGS):
        raise BadFile(f"there is no file {source}")
    size = 15 if size is None else size
    win_length = 5 if win_length is None else win_length
    board = Board.from_moves(source, size, rule or "freestyle", win_length)
    return Game.from_board(board)


def _headline(game: Game) -> list[str]:
    """Who played, where and when; nothing for a bare string of moves."""
    lines = []
    if game.black or game.white:
        lines.append(f"{game.black or '?'} (Black) - {game.white or '?'} (White)   {game.result}".rstrip())
    elif game.result:
        lines.append(f"Result {game.result}")
    about = ", ".join(filter(None, [game.event, game.place, game.date]))
    return lines + ([about] if about else [])


def _draw(board: Board) -> None:
    from rich.console import Console

    console = Console()
    if console.is_terminal:
        from fivestone.apps.drawing import print_board

        print_board(board, console)
    else:
        click.echo(board.diagram())


def _about(game: Game, line: list[Node], at: int, board: Board) -> list[str]:
    """The lines under the board: how it stands, the move just played and what was said about it."""
    row = "" if board.win_length == 5 else f", {board.win_length} in a row"
    lines = [f"{board.size}x{board.size} {board.rule}{row}. {_standing(game, board, at == len(line))}"]
    node = line[at - 1] if at else game.root
    if at:
        name = "pass" if node.move is None else board.name_of(node.move)
        details = [f"move {at} of {len(line)}: {color_name(node.color)} {name}"]
        if node.seconds is not None:
            details.append(f"{node.seconds:.1f} s")
        if node.value is not None:
            details.append(f"value {node.value:+.2f}")
        if len(others := _alternatives(game, node)) > 0:
            details.append("or " + ", ".join(board.name_of(move) for move in others))
        lines.append(", ".join(details))
    return lines + node.comment.splitlines()


def _alternatives(game: Game, node: Node) -> list[int]:
    """The other moves the record has at this place."""
    siblings = game.path(node)[-2].children
    return [other.move for other in siblings if other is not node and other.move is not None]


def _standing(game: Game, board: Board, at_end: bool) -> str:
    winner = game.winner() if at_end else board.winner
    if winner is not None:
        foul = board.winner is None and winner == WHITE
        return f"{color_name(winner)} has won" + (": Black played on a forbidden point." if foul else ".")
    if board.is_draw:
        return "A draw."
    return f"{color_name(board.turn)} to move."
