"""Game records in and out, by way of `fivestone.records`."""

from __future__ import annotations

from typing import Any

from fivestone import records
from fivestone.apps.web.messages import MAX_SIZE, MIN_SIZE, BadMessage
from fivestone.board import BLACK, EMPTY, Board, color_name, other

__all__ = ["export_game", "import_game"]

_DEEPEST = MAX_SIZE * MAX_SIZE


def import_game(text: str) -> dict[str, Any]:
    """The tree of a record, as the page keeps it: [move, seconds, value, [children]]."""
    game = records.parse(text)
    if not MIN_SIZE <= game.size <= MAX_SIZE or game.win_length != 5:
        raise BadMessage(f"the board of this record is not played here: {MIN_SIZE} to {MAX_SIZE} lines, five in a row")
    if any(node.setup is not None for node in game.nodes()):
        raise BadMessage("records with stones set up before the first move are not read here yet")
    board = Board(game.size, game.rule)
    return {
        "size": game.size,
        "rule": game.rule,
        "moves": _main_line(game),
        "tree": [-1, 0, None, _children(game.root, board)],
        "black": game.black[:60],
        "white": game.white[:60],
        "warnings": game.warnings[:5],
    }


def _main_line(game: records.Game) -> list[int]:
    board, moves = Board(game.size, game.rule), []
    for move in game.moves:
        if not board.is_legal(move):
            break
        board.push(move)
        moves.append(move)
    return moves


def _children(node: records.Node, board: Board) -> list[Any]:
    """The legal continuations; what the rules do not allow, and passes, are left out with all that follows."""
    found: list[Any] = []
    seen: set[int] = set()
    for child in node.children:
        if child.move is None and child.color == EMPTY:
            found += _children(child, board)  # only a comment: go on below it
            continue
        move = child.move
        if move is None or child.color != board.turn or move in seen or not board.is_legal(move):
            continue
        seen.add(move)
        board.push(move)
        found.append([move, child.seconds or 0, None, _children(child, board)])
        board.pop()
    return found


def export_game(board: Board, format: str, *, resigned: int = 0, names: tuple[str, str] = ("", "")) -> str:
    result = ""
    if board.winner is not None:
        result = "B+" if board.winner == BLACK else "W+"
    elif resigned:
        result = f"{color_name(other(resigned))[0]}+R"
    elif board.is_over:
        result = "Draw"
    record = records.Game.from_board(board, black=names[0], white=names[1], result=result)
    return records.format_game(record, format)
