"""Game records in and out, by way of `fivestone.records`."""

from __future__ import annotations

from typing import Any

from fivestone import records
from fivestone.apps.web.messages import MAX_SIZE, MIN_SIZE, BadMessage
from fivestone.board import BLACK, EMPTY, Board, color_name, other

__all__ = ["export_game", "import_game", "setup_of"]


def import_game(text: str) -> dict[str, Any]:
    """A record as the page takes it: the stones it begins with, if any, and its tree.

    A node is [number of the parent or -1, move, seconds], parents first.
    """
    game = records.parse(text)
    if not MIN_SIZE <= game.size <= MAX_SIZE or game.win_length != 5:
        raise BadMessage(f"the board of this record is not played here: {MIN_SIZE} to {MAX_SIZE} lines, five in a row")
    board, first = _beginning(game)
    nodes, left_out = _nodes(board, first)
    warnings = game.warnings[:5]
    if left_out:
        warnings.append(f"left out of the record, with what follows: {left_out} moves that cannot be played there")
    return {
        "size": game.size,
        "rule": game.rule,
        "setup": setup_of(board),
        "nodes": nodes,
        "black": game.black[:60],
        "white": game.white[:60],
        "warnings": warnings,
    }


def setup_of(board: Board) -> dict[str, Any] | None:
    """The stones and the turn before the first move, as the page takes them; None for an empty board."""
    setup = records.Game.from_board(board).root.setup
    return None if setup is None else {"black": list(setup.black), "white": list(setup.white), "turn": setup.turn}


def _beginning(game: records.Game) -> tuple[Board, list[records.Node]]:
    """The position the page begins with, and the nodes that follow it.

    That is the empty board, or the last place of the main line where stones are set up or a turn is left out.
    """
    board = game.start()
    begin, first = board.copy(), game.root.children
    beside = [game.root]  # the node and its siblings
    for node in [game.root, *game.line()]:
        passed = node.color != EMPTY and node.move is None
        if node.setup is not None or passed or (node.color != EMPTY and node.color != board.turn):
            turn = other(node.color) if passed else node.color or None
            board = records.advance(board, records.Node(setup=node.setup))
            if turn is not None:
                board = records.advance(board, records.Node(setup=records.Setup(turn=turn)))
            begin, first = board.copy(), node.children if node.move is None else beside
        if node.move is not None:
            board = records.advance(board, node)
        beside = node.children
    return begin, first


def _nodes(board: Board, first: list[records.Node]) -> tuple[list[list[float]], int]:
    """The tree, main line first. Moves the rules do not allow are left out, with all that follows, and counted."""
    nodes: list[list[float]] = []
    left_out = 0
    waiting = [(child, -1, 0) for child in reversed(first)]  # a node, its parent, the moves before it
    while waiting:
        node, parent, depth = waiting.pop()
        while len(board.moves) > depth:
            board.pop()
        if node.move is not None:
            if node.color != board.turn or (node.setup is not None and depth) or not board.is_legal(node.move):
                left_out += 1
                continue
            board.push(node.move)
            nodes.append([parent, node.move, node.seconds or 0])
            parent, depth = len(nodes) - 1, depth + 1
        elif node.color != EMPTY or node.setup is not None:
            left_out += 1
            continue
        waiting += [(child, parent, depth) for child in reversed(node.children)]
    while board.moves:
        board.pop()
    return nodes, left_out


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
        start = board.copy()
        while start.moves:
            start.pop()
        record.root = records.Node(setup=record.root.setup)
        _add_nodes(record.root, nodes, start)
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
