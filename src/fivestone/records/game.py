"""A game on record: a tree of moves with comments, times and values, and who played it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fivestone.board import BLACK, EMPTY, WHITE, Board, color_name, other
from fivestone.errors import BadFile

__all__ = ["MAX_BYTES", "MAX_NODES", "Game", "Node", "Setup", "advance"]

# Limits on what is read: no game comes near them, and a hostile file cannot fill the memory.
MAX_BYTES = 4_000_000
MAX_NODES = 50_000


@dataclass(frozen=True)
class Setup:
    """Stones put on or taken off the board outside the order of play, and whose turn it then is."""

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    turn: int | None = None


@dataclass(eq=False)
class Node:
    """A move with what was said about it; `children` are the moves after it, the main line first.

    A node with a colour and no move is a pass, one without a colour only comments or sets up stones. `seconds` is the
    time the move took, `value` what the side that moved thought of it, in [-1, 1]. `properties` are SGF properties this
    program does not know, with their values as they stand in the file.
    """

    move: int | None = None
    color: int = EMPTY
    comment: str = ""
    seconds: float | None = None
    value: float | None = None
    setup: Setup | None = None
    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def add(self, move: int | None, color: int, **details: Any) -> Node:
        """A new continuation, after the ones that are there."""
        child = Node(move, color, **details)
        self.children.append(child)
        return child

    def __repr__(self) -> str:
        return f"<Node move={self.move} color={self.color} children={len(self.children)}>"

    def content(self) -> tuple[object, ...]:
        """Everything but the children, for comparing."""
        return (self.move, self.color, self.comment, self.seconds, self.value, self.setup, self.properties)


@dataclass(eq=False)
class Game:
    """A game record. `result` is in SGF's words: "B+", "W+R", "Draw", or empty when none is stated.

    `warnings` say what a reader noticed: things that are odd but no reason to refuse the record.
    """

    size: int = 15
    rule: str = "freestyle"
    win_length: int = 5
    black: str = ""
    white: str = ""
    result: str = ""
    date: str = ""
    event: str = ""
    place: str = ""
    root: Node = field(default_factory=Node)
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[int],
        size: int = 15,
        rule: str = "freestyle",
        win_length: int = 5,
        *,
        seconds: Sequence[float | None] = (),
        values: Sequence[float | None] = (),
        black: str = "",
        white: str = "",
        result: str = "",
        date: str = "",
        event: str = "",
        place: str = "",
    ) -> Game:
        """A game without variations. `seconds` and `values` belong to the last moves when there are fewer of them."""
        game = cls(size, rule, win_length, black, white, result, date, event, place)
        played = list(moves)
        late_seconds = [None] * (len(played) - len(seconds)) + list(seconds)
        late_values = [None] * (len(played) - len(values)) + list(values)
        node, color = game.root, BLACK
        for move, second, value in zip(played, late_seconds, late_values, strict=True):
            node = node.add(move, color, seconds=second, value=value)
            color = other(color)
        return game

    @classmethod
    def from_board(cls, board: Board, *, black: str = "", white: str = "", result: str = "") -> Game:
        """The moves of a board; stones that were there before them become a set-up."""
        game = cls(board.size, board.rule, board.win_length, black, white, result)
        before = board._stones_before_play()
        color = board.turn if board.move_count % 2 == 0 else other(board.turn)
        if any(before) or color != BLACK:
            game.root.setup = Setup(
                black=tuple(m for m, stone in enumerate(before) if stone == BLACK),
                white=tuple(m for m, stone in enumerate(before) if stone == WHITE),
                turn=color,
            )
        node = game.root
        for move in board.moves:
            node = node.add(move, color)
            color = other(color)
        return game

    def line(self) -> list[Node]:
        """The main line without the root."""
        nodes, node = [], self.root
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    @property
    def moves(self) -> list[int]:
        """The moves of the main line, passes left out."""
        return [node.move for node in self.line() if node.move is not None]

    def nodes(self) -> Iterator[Node]:
        """Every node: a parent before its children, the main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def path(self, node: Node) -> list[Node]:
        """From the root to the node, both included."""
        parents = {id(child): parent for parent in self.nodes() for child in parent.children}
        path = [node]
        while path[-1] is not self.root:
            if id(path[-1]) not in parents:
                raise BadFile("this move is not part of the game")
            path.append(parents[id(path[-1])])
        return path[::-1]

    def start(self) -> Board:
        """The empty board the record begins with."""
        return Board(self.size, self.rule, self.win_length)

    def board(self, node: Node | None = None) -> Board:
        """The position after a node, or at the end of the main line.

        A pass or a set-up makes what came before it part of the set-up, so `board.moves` begins after it.
        """
        board = self.start()
        for at in [self.root, *self.line()] if node is None else self.path(node):
            board = advance(board, at)
        return board

    def winner(self) -> int | None:
        """Who has won on the board; under Renju, White when Black's last move was on a forbidden point."""
        line = [self.root, *self.line()]
        board, fouled = self.start(), False
        for node in line:
            fouled = is_foul(board, node)
            board = advance(board, node)
        return WHITE if fouled else board.winner

    def stated_winner(self) -> int | None:
        """Who has won according to the stated result: a colour, EMPTY for a draw, None when it does not say."""
        text = self.result.strip().lower()
        if text.startswith(("b+", "black wins", "black won")):
            return BLACK
        if text.startswith(("w+", "white wins", "white won")):
            return WHITE
        return EMPTY if text in ("0", "draw", "jigo", "=") else None

    def check(self) -> list[str]:
        """Raises BadFile where the record breaks the rules of the board; returns what is merely odd."""
        found: list[str] = []
        waiting: list[tuple[Node, Board, int]] = [(self.root, self.start(), 0)]
        while waiting:
            node, board, number = waiting.pop()
            number += node.move is not None
            try:
                foul = is_foul(board, node)
                board = advance(board, node)
            except BadFile as error:
                raise BadFile(f"move {number}: {error}") from None
            if foul and node.children:
                found.append(f"move {number} is on a point that renju forbids to Black, and the game goes on")
            for i, child in enumerate(reversed(node.children)):
                last = i == len(node.children) - 1
                waiting.append((child, board if last else board.copy(), number))
        return found + self._result_remarks()

    def _result_remarks(self) -> list[str]:
        stated, shown = self.stated_winner(), self.winner()
        if stated is None or stated == shown:
            return []
        claim = "a draw" if stated == EMPTY else f"a win for {color_name(stated)}"
        if shown is not None:
            return [f"the result stated is {claim}, but {color_name(shown)} has won on the board"]
        if stated == EMPTY:
            return []  # agreed draws show nothing on the board
        if len(self.result.strip()) > 2 and self.result[1] == "+":
            return []  # resignation, time, forfeit: nothing on the board either
        return [f"the result stated is {claim}, but the board does not show it"]

    def __eq__(self, other: object) -> bool:
        """The same headers and the same tree."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._headers() == other._headers() and all(
            a is not None and b is not None and a.content() == b.content() and len(a.children) == len(b.children)
            for a, b in _side_by_side(self, other)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    def _headers(self) -> tuple[object, ...]:
        rules = (self.size, self.rule, self.win_length)
        return (*rules, self.black, self.white, self.result, self.date, self.event, self.place)


def _side_by_side(one: Game, two: Game) -> Iterator[tuple[Node | None, Node | None]]:
    first, second = one.nodes(), two.nodes()
    while True:
        pair = next(first, None), next(second, None)
        if pair == (None, None):
            return
        yield pair


def is_foul(board: Board, node: Node) -> bool:
    """Whether the node is a Black move on a point that Renju forbids."""
    if node.color != BLACK or node.move is None or board.rule != "renju":
        return False
    return _with_setup(board, node.setup).is_forbidden(node.move)


def advance(board: Board, node: Node) -> Board:
    """The position after a node; the board that is given may be changed and returned."""
    board = _with_setup(board, node.setup)
    if node.color == EMPTY:
        return board
    if node.color != board.turn:  # a pass that the record leaves out
        board = _with_turn(board, node.color)
    if node.move is None:
        return _with_turn(board, other(node.color))
    move = board.parse(node.move)
    if board.winner is not None:
        raise BadFile(f"{board.name_of(move)} is played after {color_name(board.winner)} has won")
    if board._at(move) != EMPTY:
        raise BadFile(f"there is already a stone on {board.name_of(move)}")
    board._push(move)  # not push(): a forbidden point is a loss, not an error in the record
    return board


def _with_turn(board: Board, turn: int) -> Board:
    return _from_grid(board, board.stones, turn)


def _with_setup(board: Board, setup: Setup | None) -> Board:
    if setup is None:
        return board
    stones = bytearray(board.stones)
    for moves, stone in ((setup.empty, EMPTY), (setup.black, BLACK), (setup.white, WHITE)):
        for move in moves:
            stones[board.parse(move)] = stone
    turn = setup.turn
    if turn is None:
        turn = board.turn
        if not board.stone_count:
            turn = BLACK if stones.count(BLACK) <= stones.count(WHITE) else WHITE
    return _from_grid(board, bytes(stones), turn)


def _from_grid(board: Board, stones: bytes, turn: int) -> Board:
    black, white = ([m for m, stone in enumerate(stones) if stone == c] for c in (BLACK, WHITE))
    return Board.from_stones(black, white, turn, board.size, board.rule, board.win_length)
