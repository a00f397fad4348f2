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


def export_game(
    board: Board,
    format: str,
    *,
    nodes: list[tuple[int, int, float]] | None = None,
    resigned: int = 0,
    names: tuple[str, str] = ("", ""),
) -> str:
    """A record of the board's game; `nodes`, as `import_game` gives them, add variations and times."""
    result = ""
    if board.winner is not None:
        result = "B+" if board.winner == BLACK else "W+"
    elif resigned:
        result = f"{color_name(other(resigned))[0]}+R"
    elif board.is_over:
        result = "Draw"
    record = records.Game.from_board(board, black=names[0], white=names[1], result=result)
    if nodes is not None:
        record.root = records.Node()
        _add_nodes(record.root, nodes, Board(board.size, board.rule))
    return records.format_game(record, format)


def _add_nodes(root: records.Node, nodes: list[tuple[int, int, float]], board: Board) -> None:
    """Grows the tree; every move is checked in the position it is played in."""
    children: dict[int, list[int]] = {}
    for number, (parent, _, _) in enumerate(nodes):
        children.setdefault(parent, []).append(number)
    waiting = [(number, root, 0) for number in reversed(children.get(-1, []))]
    while waiting:
        number, before, depth = waiting.pop()
        while len(board.moves) > depth:
            board.pop()
        _, move, seconds = nodes[number]
        if not board.is_legal(move):
            raise BadMessage(f"{board.name_of(move)} is not legal after {depth} moves")
        node = before.add(move, board.turn, seconds=seconds or None)
        board.push(move)
        waiting += [(child, node, depth + 1) for child in reversed(children.get(number, []))]
