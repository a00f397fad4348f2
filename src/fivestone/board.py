"""The board: a position with the moves that led to it, changed in place by push and pop."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Final, Self

from fivestone import _core
from fivestone.errors import BadInput, IllegalMove

__all__ = ["BLACK", "EMPTY", "RULES", "WHITE", "Board", "color_name", "other"]

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2

_RULES: Final = {
    "freestyle": _core.Rule.FREESTYLE,
    "standard": _core.Rule.STANDARD,
    "renju": _core.Rule.RENJU,
    "caro": _core.Rule.CARO,
    "caro-exact": _core.Rule.CARO_EXACT,
}
_RULE_NAMES: Final = {rule: name for name, rule in _RULES.items()}
RULES: Final = tuple(_RULES)


def other(color: int) -> int:
    """The opponent of a colour."""
    return 3 - color


def color_name(color: int) -> str:
    return {BLACK: "Black", WHITE: "White"}[color]


class Board(_core.CoreBoard):
    """A position of any size, rule and win length.

    A move is a whole number, row * size + column with row 0 at the bottom; methods that take a move also take its
    name, such as "h8".
    """

    def __init__(self, size: int = 15, rule: str = "freestyle", win_length: int = 5) -> None:
        if rule not in _RULES:
            raise BadInput(f"unknown rule '{rule}': choose one of {', '.join(RULES)}")
        if not 3 <= size <= 20:
            raise BadInput(f"board size {size}: choose 3 to 20")
        if not 3 <= win_length <= min(6, size):
            raise BadInput(f"win length {win_length} on a {size}x{size} board: choose 3 to {min(6, size)}")
        if rule == "renju" and win_length != 5:
            raise BadInput("renju is played for five in a row")
        super().__init__(size, _RULES[rule], win_length)

    @classmethod
    def from_moves(
        cls, moves: str | Iterable[int | str], size: int = 15, rule: str = "freestyle", win_length: int = 5
    ) -> Self:
        """The position after the moves: numbers, names, or one compact string such as "h8i9j8"."""
        from fivestone import notation

        board = cls(size, rule, win_length)
        for move in notation.split_moves(moves) if isinstance(moves, str) else moves:
            board.push(move)
        return board

    @classmethod
    def from_stones(
        cls,
        black: Iterable[int | str],
        white: Iterable[int | str],
        turn: int | None = None,
        size: int = 15,
        rule: str = "freestyle",
        win_length: int = 5,
    ) -> Self:
        """A set-up position. Without a turn, Black moves when both sides have as many stones."""
        if turn not in (None, BLACK, WHITE):
            raise BadInput(f"turn {turn}: it is Black's (1) or White's (2)")
        board = cls(size, rule, win_length)
        sides = {BLACK: [board.parse(m) for m in black], WHITE: [board.parse(m) for m in white]}
        for color, moves in sides.items():
            for move in moves:
                if board._at(move) != EMPTY:
                    raise BadInput(f"two stones on {board.name_of(move)}")
                board._place(move, color)
        if turn is None:
            turn = BLACK if len(sides[BLACK]) <= len(sides[WHITE]) else WHITE
        board._finish_setup(turn)
        return board

    @classmethod
    def from_diagram(cls, diagram: str, turn: int | None = None, rule: str = "freestyle", win_length: int = 5) -> Self:
        """A position drawn as text, as `diagram()` writes it."""
        from fivestone import notation

        size, black, white = notation.parse_diagram(diagram)
        return cls.from_stones(black, white, turn, size, rule, min(win_length, size))

    @property
    def rule(self) -> str:
        return _RULE_NAMES[self._rule]

    @property
    def is_draw(self) -> bool:
        return self.is_over and self.winner is None

    def parse(self, move: int | str) -> int:
        """The number of a move given by number or name."""
        if isinstance(move, str):
            from fivestone import notation

            return notation.parse_move(move, self.size)
        number = operator.index(move)
        if not 0 <= number < self.size * self.size:
            raise IllegalMove(f"{move} is not a cell of a {self.size}x{self.size} board")
        return number

    def name_of(self, move: int) -> str:
        """The name people use for a move, such as "h8"."""
        from fivestone import notation

        return notation.format_move(move, self.size)

    def at(self, move: int | str) -> int:
        """EMPTY, BLACK or WHITE."""
        return self._at(self.parse(move))

    def is_legal(self, move: int | str) -> bool:
        return self._is_legal(self.parse(move))

    def is_forbidden(self, move: int | str) -> bool:
        """Whether Renju forbids the empty cell to Black."""
        return self._is_forbidden(self.parse(move))

    def push(self, move: int | str) -> None:
        """Play a move for the side to move."""
        cell = self.parse(move)
        if not self._try_push(cell):
            raise IllegalMove(f"{self.name_of(cell)} is illegal: {self._why_illegal(cell)}\n{self.diagram()}")

    def pop(self) -> int:
        """Take back the last move and return it."""
        if not self.move_count:
            raise IllegalMove("there is no move to take back")
        return self._pop()

    def peek(self) -> int:
        """The last move."""
        moves = self.moves
        if not moves:
            raise IllegalMove("no move has been played")
        return moves[-1]

    def copy(self) -> Self:
        board = type(self).__new__(type(self))
        _core.CoreBoard.__init__(board, self)
        return board

    def transform(self, symmetry: int) -> Self:
        """The position under one of the 8 symmetries: 1, 2, 3 quarter turns; 4 more, mirrored left to right first.

        A game keeps its move order.
        """
        from fivestone import notation

        if not 0 <= symmetry < 8:
            raise BadInput(f"symmetry {symmetry}: a square has 8, numbered 0 to 7")
        where = [notation.transform_move(move, self.size, symmetry) for move in range(self.size * self.size)]
        before = self._stones_before_play()
        stones = bytearray(len(before))
        for move, stone in enumerate(before):
            stones[where[move]] = stone
        return self._replay(bytes(stones), [where[move] for move in self.moves])

    def diagram(self, *, coordinates: bool = True) -> str:
        from fivestone import notation

        return notation.format_diagram(self, coordinates=coordinates)

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        moves = "".join(self.name_of(move) for move in self.moves)
        return f"<Board {self.size}x{self.size} {self.rule} {moves or 'set up' if self.stone_count else 'empty'}>"

    def __eq__(self, other: object) -> bool:
        """Equal positions: stones, turn, rule, size and win length; how they arose does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return (self.size, self.rule, self.win_length, self.turn, self.stones) == (
            other.size,
            other.rule,
            other.win_length,
            other.turn,
            other.stones,
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    def _replay(self, stones: bytes, moves: list[int]) -> Self:
        """A board of the same kind on which the moves are played from a set-up."""
        board = type(self)(self.size, self.rule, self.win_length)
        for move, stone in enumerate(stones):
            if stone != EMPTY:
                board._place(move, stone)
        board._finish_setup(self.turn if self.move_count % 2 == 0 else other(self.turn))
        for move in moves:
            board._push(move)
        return board

    def _stones_before_play(self) -> bytes:
        """The stones of the set-up position the first move was played in."""
        stones = bytearray(self.stones)
        for move in self.moves:
            stones[move] = EMPTY
        return bytes(stones)

    def _why_illegal(self, cell: int) -> str:
        if self._at(cell) != EMPTY:
            return "there is a stone on it"
        if self.winner is not None:
            return f"the game is over, {color_name(self.winner)} has won"
        return "renju forbids it to Black"
