"""A slow, obvious rule book: plain lists, whole-board scans and the definitions as they are printed.

It shares no code with the package, so that the two can be held against each other. Moves are row * size + column.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby

__all__ = ["BLACK", "EMPTY", "WHITE", "OracleBoard", "classify", "window_of"]

EMPTY, BLACK, WHITE = 0, 1, 2
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (rows, columns) of a step

Point = tuple[int, int]


@cache
def board_lines(size: int) -> list[list[Point]]:
    """Every row, column and diagonal of a board, from end to end."""
    points = {(row, column): None for row in range(size) for column in range(size)}
    lines = []
    for step in DIRECTIONS:
        for start in points:
            if (start[0] - step[0], start[1] - step[1]) not in points:
                line, point = [], start
                while point in points:
                    line.append(point)
                    point = (point[0] + step[0], point[1] + step[1])
                lines.append(line)
    return lines


class OracleBoard:
    """A position of any size, rule and win length; `play` and `undo` keep the order of moves."""

    def __init__(self, size: int = 15, rule: str = "freestyle", win_length: int = 5) -> None:
        self.size, self.rule, self.win_length = size, rule, win_length
        self.grid = [[EMPTY] * size for _ in range(size)]
        self.turn = BLACK
        self.moves: list[int] = []

    @classmethod
    def from_stones(
        cls, stones: bytes | list[int], turn: int, size: int, rule: str = "freestyle", win_length: int = 5
    ) -> OracleBoard:
        board = cls(size, rule, win_length)
        board.grid = [list(stones[row * size : (row + 1) * size]) for row in range(size)]
        board.turn = turn
        return board

    def play(self, move: int) -> None:
        row, column = divmod(move, self.size)
        assert self.grid[row][column] == EMPTY
        self.grid[row][column] = self.turn
        self.moves.append(move)
        self.turn = 3 - self.turn

    def undo(self) -> int:
        move = self.moves.pop()
        self.grid[move // self.size][move % self.size] = EMPTY
        self.turn = 3 - self.turn
        return move

    def stones(self) -> bytes:
        return bytes(stone for row in self.grid for stone in row)

    def at(self, point: Point) -> int | None:
        """The stone on a point, or None off the board."""
        row, column = point
        on_board = 0 <= row < self.size and 0 <= column < self.size
        return self.grid[row][column] if on_board else None

    # Winning

    def run_wins(self, color: int, length: int, flanks: tuple[int | None, int | None]) -> bool:
        """Whether an unbroken row of that length between those two neighbours wins."""
        exactly = length == self.win_length
        at_least = length >= self.win_length
        open_somewhere = flanks != (3 - color, 3 - color)
        if self.rule == "freestyle":
            return at_least
        if self.rule == "standard":
            return exactly
        if self.rule == "renju":
            return exactly if color == BLACK else at_least
        if self.rule == "caro":
            return at_least and open_somewhere
        assert self.rule == "caro-exact"
        return exactly and open_somewhere

    def winning_rows(self) -> list[tuple[int, list[int]]]:
        """Every winning row on the board: the colour and its moves."""
        found = []
        for line in board_lines(self.size):
            at = 0
            for stone, group in groupby(self.at(point) for point in line):
                length = len(list(group))
                flanks = (
                    self.at(line[at - 1]) if at > 0 else None,
                    self.at(line[at + length]) if at + length < len(line) else None,
                )
                if stone and self.run_wins(stone, length, flanks):
                    found.append((stone, [r * self.size + c for r, c in line[at : at + length]]))
                at += length
        return found

    def winner(self) -> int | None:
        colors = {color for color, _ in self.winning_rows()}
        if len(colors) == 2:  # only a set-up position can show both: the side that moved last has won
            return 3 - self.turn
        return colors.pop() if colors else None

    def empty_moves(self) -> list[int]:
        return [move for move, stone in enumerate(self.stones()) if stone == EMPTY]

    def legal_moves(self) -> list[int]:
        if self.winner() is not None:
            return []
        forbidden = self.forbidden_moves() if self.turn == BLACK else []
        return [move for move in self.empty_moves() if move not in forbidden]

    def is_over(self) -> bool:
        return not self.legal_moves()

    def is_draw(self) -> bool:
        return self.is_over() and self.winner() is None

    def is_dead_draw(self) -> bool:
        """Nobody has won, and no choice of cells for the stones still to come would make a winning row."""
        if self.winner() is not None:
            return False
        empty = len(self.empty_moves())
        left = {self.turn: (empty + 1) // 2, 3 - self.turn: empty // 2}
        return not any(self._can_still_win(color, left[color]) for color in (BLACK, WHITE))

    def _can_still_win(self, color: int, stones_left: int) -> bool:
        for line in board_lines(self.size):
            stones = [self.at(point) for point in line]
            for first in range(len(line)):
                for last in range(first + self.win_length - 1, len(line)):
                    inside = stones[first : last + 1]
                    before = stones[first - 1] if first > 0 else None
                    after = stones[last + 1] if last + 1 < len(line) else None
                    if (
                        3 - color not in inside
                        and before != color
                        and after != color
                        and inside.count(EMPTY) <= stones_left
                        and self.run_wins(color, len(inside), (before, after))
                    ):
                        return True
        return False

    # Renju, in the words of the rules of the Renju International Federation

    def forbidden_moves(self) -> list[int]:
        if self.rule != "renju":
            return []
        return [move for move in self.empty_moves() if self._is_forbidden(divmod(move, self.size))]

    def _is_forbidden(self, point: Point) -> bool:
        self._set(point, BLACK)
        rows = [self._row_through(point, step) for step in DIRECTIONS]
        if any(len(row) == 5 for row in rows):
            forbidden = False
        elif any(len(row) > 5 for row in rows):
            forbidden = True
        else:
            fours = set().union(*(self._fours(point, step) for step in DIRECTIONS))
            threes = set().union(*(self._threes(point, step) for step in DIRECTIONS))
            forbidden = len(fours) >= 2 or len(threes) >= 2
        self._set(point, EMPTY)
        return forbidden

    def _set(self, point: Point, stone: int) -> None:
        self.grid[point[0]][point[1]] = stone

    def _row_through(self, point: Point, step: Point) -> frozenset[Point]:
        """The unbroken row of Black stones through a Black stone."""
        row = {point}
        for way in (1, -1):
            at = (point[0] + way * step[0], point[1] + way * step[1])
            while self.at(at) == BLACK:
                row.add(at)
                at = (at[0] + way * step[0], at[1] + way * step[1])
        return frozenset(row)

    def _empties_on_line(self, point: Point, step: Point) -> list[Point]:
        reach = range(-self.size, self.size + 1)
        line = [(point[0] + i * step[0], point[1] + i * step[1]) for i in reach]
        return [at for at in line if self.at(at) == EMPTY]

    def _rows_one_more_makes(self, point: Point, step: Point, length: int) -> list[tuple[Point, frozenset[Point]]]:
        """Each way to add a stone so that the row through `point` has that length: (stone added, whole row)."""
        ways = []
        for added in self._empties_on_line(point, step):
            self._set(added, BLACK)
            row = self._row_through(point, step)
            self._set(added, EMPTY)
            if len(row) == length and added in row:
                ways.append((added, row))
        return ways

    def _fours(self, point: Point, step: Point) -> set[frozenset[Point]]:
        """A four is four stones to which one more can be added to attain five in a row."""
        return {row - {added} for added, row in self._rows_one_more_makes(point, step, 5)}

    def _threes(self, point: Point, step: Point) -> set[frozenset[Point]]:
        """A three is three stones to which one more can be added, by a move that is allowed and does not make five,

        to attain a straight four: an unbroken row of four that becomes five in two different ways.
        """
        threes = set()
        for added, row in self._rows_one_more_makes(point, step, 4):
            self._set(added, BLACK)
            straight = len(self._rows_one_more_makes(point, step, 5)) == 2
            five = any(len(self._row_through(added, other)) == 5 for other in DIRECTIONS)
            self._set(added, EMPTY)
            if straight and not five and not self._is_forbidden(added):
                threes.add(row - {added})
        return threes


# Patterns: what a stone on the centre of a window makes on that line, by the shapes themselves.
# A window is a tuple of odd length: 0 empty, 1 own, 2 opposing, None off the board. The centre holds an own stone.

Window = tuple[int | None, ...]


def window_of(board: OracleBoard, move: int, color: int, step: Point, reach: int) -> Window:
    """The line around a cell as `color` sees it, with an own stone on the cell."""
    row, column = divmod(move, board.size)
    seen = {None: None, EMPTY: 0, color: 1, 3 - color: 2}
    cells = [seen[board.at((row + i * step[0], column + i * step[1]))] for i in range(-reach, reach + 1)]
    cells[reach] = 1
    return tuple(cells)


def _cell(window: Window, at: int) -> int | None:
    return window[at] if 0 <= at < len(window) else None


def _fives(window: Window, exact: bool, caro: bool) -> list[tuple[int, int]]:
    """(first, length) of each row through the centre that wins on its own or after filling its empty cells."""
    middle = len(window) // 2
    found = []
    for first in range(max(0, middle - len(window)), middle + 1):
        for last in range(max(middle, first + 4), len(window)):
            inside = window[first : last + 1]
            before, after = _cell(window, first - 1), _cell(window, last + 1)
            if 2 in inside or None in inside or 1 in (before, after):
                continue
            if (len(inside) == 5 or not exact) and not (caro and before == after == 2):
                found.append((first, len(inside)))
    return found


def _gaps(window: Window, row: tuple[int, int]) -> list[int]:
    return [at for at in range(row[0], row[0] + row[1]) if window[at] == 0]


def _completions(window: Window, exact: bool, caro: bool) -> set[int]:
    """The cells that make five with one stone."""
    gaps = [_gaps(window, row) for row in _fives(window, exact, caro)]
    return {row[0] for row in gaps if len(row) == 1}


def _with(window: Window, at: int, stone: int) -> Window:
    return (*window[:at], stone, *window[at + 1 :])


def _fours(window: Window, exact: bool, caro: bool) -> str | None:
    """How the stones of a window that lack one for five do so."""
    points = _completions(window, exact, caro)
    if not points:
        return None
    for reply in (at for at, stone in enumerate(window) if stone == 0):
        if not _completions(_with(window, reply, 2), exact, caro) - {reply}:
            return "four"
    row = max(points) - min(points)
    solid = all(window[at] == 1 for at in range(min(points) + 1, max(points)))
    return "open-four" if row == 5 and solid else "line-fours"


@cache
def classify(window: Window, exact: bool, caro: bool, line_fours: bool) -> str:
    """The pattern of a window. `line_fours`: two fours on one line may be played (not by Black under Renju)."""
    fives = _fives(window, exact, caro)
    needs = [len(_gaps(window, row)) for row in fives]
    middle = len(window) // 2
    run = 1
    for way in (1, -1):
        at = middle + way
        while _cell(window, at) == 1:
            run, at = run + 1, at + way
    if 0 in needs:
        return "five"
    if exact and run > 5:
        return "overline"
    if not needs:
        return "dead"
    need = min(needs)
    if need == 1:
        four = _fours(window, exact, caro)
        assert four is not None
        return four
    names = {2: ("three", "open-three"), 3: ("two", "open-two"), 4: ("one", "open-one")}[need]
    good = {"open-four", "line-fours"} if line_fours else {"open-four"}
    return names[_reaches(window, need - 1, exact, caro, frozenset(good))]


@cache
def _reaches(window: Window, stones: int, exact: bool, caro: bool, good: frozenset[str]) -> bool:
    """Whether that many more stones can make one of the good kinds of four."""
    if stones == 0:
        return _fours(window, exact, caro) in good
    return any(
        _reaches(_with(window, at, 1), stones - 1, exact, caro, good) for at, stone in enumerate(window) if stone == 0
    )
