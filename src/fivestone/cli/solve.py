"""fivestone solve: is there a win by threats, and what is it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from fivestone.board import BLACK, RULES, WHITE, Board, color_name
from fivestone.cli.show import game_from
from fivestone.errors import BadFile, BadInput, FivestoneError
from fivestone.search.proofs import Solution, Solver

__all__ = ["command"]

_TURNS = {"black": BLACK, "white": WHITE}


@click.command()
@click.argument("position", required=False)
@click.option("--vcf", "kind", flag_value="vcf", default="vcf", help="Look for a win by fours alone (the default).")
@click.option("--vct", "kind", flag_value="vct", help="Look for a win by threes and fours.")
@click.option("--rule", type=click.Choice(RULES), help="Rule of moves and diagrams.  [default: freestyle]")
@click.option("--board", "size", type=int, help="Board size of moves.  [default: 15]")
@click.option("--turn", type=click.Choice(list(_TURNS)), help="Side to move of a diagram.  [default: by the stones]")
@click.option("--time", "seconds", type=float, default=10.0, show_default=True, help="Seconds for each position.")
@click.option("--shortest", is_flag=True, help="Spend the time that is left on finding the shortest win.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the whole proof tree.")
@click.option("--batch", type=click.Path(dir_okay=False), help="Solve a file with a position in JSON on each line.")
def command(
    position: str | None,
    kind: str,
    rule: str | None,
    size: int | None,
    turn: str | None,
    seconds: float,
    shortest: bool,
    as_json: bool,
    batch: str | None,
) -> None:
    """Prove that the side to move in POSITION wins.

    POSITION is a row of moves such as h8i9j8, or a file with a diagram or a game record.
    """
    if not seconds > 0:
        raise BadInput(f"--time {seconds}: give a number of seconds above zero")
    if (position is None) == (batch is None):
        raise BadInput("give either a POSITION or --batch FILE")
    solver = Solver()
    if batch is not None:
        for index, board in enumerate(_batch(Path(batch), rule)):
            solution = solver.solve(board, kind, time=seconds, shortest=shortest)
            click.echo(json.dumps({"index": index, **_summary(board, solution)}))
        return
    assert position is not None
    board = _position(position, rule, size, None if turn is None else _TURNS[turn])
    if board.is_over:
        raise BadInput("the game is over: there is nothing left to win")
    solution = solver.solve(board, kind, time=seconds, shortest=shortest)
    if as_json:
        tree = None if solution.proof is None else solution.proof.to_json()["tree"]
        click.echo(json.dumps({"kind": kind, **_summary(board, solution), "tree": tree}))
    else:
        click.echo(_report(board, kind, solution))


def _summary(board: Board, solution: Solution) -> dict[str, Any]:
    proof = solution.proof
    return {
        "solved": proof is not None,
        "exhausted": solution.exhausted,
        "length": None if proof is None else proof.length,
        "moves": [] if proof is None else [board.name_of(move) for move in proof.line],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }


def _report(board: Board, kind: str, solution: Solution) -> str:
    cost = f"{solution.nodes} nodes, {solution.seconds:.3f} s"
    side, name = color_name(board.turn), kind.upper()
    if solution.proof is None:
        why = f"has no {name}" if solution.exhausted else f"may have a {name}: none was found in the time given"
        return f"{side} {why} ({cost})"
    line = " ".join(board.name_of(move) for move in solution.proof.line)
    length = solution.proof.length
    before = "at once" if length == 0 else f"with {length} move{'s' * (length > 1)} before the five"
    return f"{side} wins by {name} {before} ({cost})\n{line}"


def _position(source: str, rule: str | None, size: int | None, turn: int | None) -> Board:
    """The position of a diagram file, or the last one of a game that `show` would draw."""
    try:
        diagram = Path(source).read_text(encoding="utf-8")
        board = Board.from_diagram(diagram, turn, rule or "freestyle")
    except (OSError, ValueError, BadInput):
        if turn is not None:
            raise BadInput("--turn is for diagrams: moves and records say whose turn it is") from None
        return game_from(source, size, rule).board()
    if size is not None and size != board.size:
        raise BadInput(f"--board {size}: {source} holds a {board.size}x{board.size} board")
    return board


def _batch(path: Path, rule: str | None) -> Iterator[Board]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            yield Board.from_stones(
                [str(move) for move in data["black"]],
                [str(move) for move in data["white"]],
                _TURNS[data["turn"]],
                int(data.get("size", 15)),
                rule or str(data.get("rule", "freestyle")),
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise BadFile(f"{path}, line {number}: not a position ({error!r})") from None
        except FivestoneError as error:
            raise BadFile(f"{path}, line {number}: {error}") from None
