"""Game records in and out, by way of `fivestone.records`."""

from __future__ import annotations

from typing import Any

from fivestone import records
from fivestone.apps.web.messages import MAX_SIZE, MIN_SIZE, BadMessage
from fivestone.board import BLACK, EMPTY, Board, color_name, other

__all__ = ["export_game", "import_game"]


def import_game(text: str) -> dict[str, Any]:
    """A record as the page takes it: [number of the parent or -1, move, seconds] for each node, parents first."""
    game = records.parse(text)
    if not MIN_SIZE <= game.size <= MAX_SIZE or game.win_length != 5:
        raise BadMessage(f"the board of this record is not played here: {MIN_SIZE} to {MAX_SIZE} lines, five in a row")
    if any(node.setup is not None for node in game.nodes()):
        raise BadMessage("records with stones set up before the first move are not read here yet")
    return {
        "size": game.size,
        "rule": game.rule,
        "nodes": _nodes(game),
        "black": game.black[:60],
        "white": game.white[:60],
        "warnings": game.warnings[:5],
    }


def _nodes(game: records.Game) -> list[list[float]]:
    """The tree, main line first. Moves the rules do not allow, and passes, are left out with all that follows."""
    board = Board(game.size, game.rule)
    nodes: list[list[float]] = []
    waiting = [(child, -1, 0) for child in reversed(game.root.children)]  # a node, its parent, the stones before it
    while waiting:
        node, parent, depth = waiting.pop()
        while len(board.moves) > depth:
            board.pop()
        if node.move is not None:
            if node.color != board.turn or not board.is_legal(node.move):
                continue
            board.push(node.move)
            nodes.append([parent, node.move, node.seconds or 0])
            parent, depth = len(nodes) - 1, depth + 1
        elif node.color != EMPTY:
            continue
        waiting += [(child, parent, depth) for child in reversed(node.children)]
    return nodes


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
