"""Puzzles: positions with a win by force to find, made by chance or from one's own mistakes, graded by length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fivestone.analysis.review import Review
from fivestone.analysis.wins import Win, WinKind, best_defence, forced_win, win_by_fours
from fivestone.board import BLACK, WHITE, Board
from fivestone.match.openings import random_opening
from fivestone.search import Limit
from fivestone.search.greedy import Greedy

__all__ = ["Difficulty", "Puzzle", "make_puzzles", "puzzles_from_review"]

Difficulty = Literal["easy", "medium", "hard", "expert"]
# The most moves of the winning side, the five included, of each grade.
_GRADES: tuple[tuple[int, Difficulty], ...] = ((3, "easy"), (5, "medium"), (7, "hard"))
_RANDOM_MOVE = 0.15  # how often a game that is searched for puzzles takes a random turn


@dataclass(frozen=True)
class Puzzle:
    """Find the win for the side to move: by continuous fours, or by threes and fours."""

    size: int
    rule: str
    black: tuple[int, ...]
    white: tuple[int, ...]
    turn: int
    solution: tuple[int, ...]  # main line, both sides
    kind: WinKind

    @property
    def length(self) -> int:
        """Moves of the winning side, the five included."""
        return (len(self.solution) + 1) // 2

    @property
    def difficulty(self) -> Difficulty:
        return next((grade for most, grade in _GRADES if self.length <= most), "expert")

    def board(self) -> Board:
        return Board.from_stones(self.black, self.white, self.turn, self.size, self.rule)


def _puzzle(board: Board, win: Win) -> Puzzle:
    stones = board.stones
    return Puzzle(
        board.size,
        board.rule,
        tuple(move for move, stone in enumerate(stones) if stone == BLACK),
        tuple(move for move, stone in enumerate(stones) if stone == WHITE),
        board.turn,
        win.line,
        win.kind,
    )


def make_puzzles(
    *, seed: int, size: int = 15, rule: str = "freestyle", shortest: int = 2, longest: int = 99
) -> Iterator[Puzzle]:
    """Puzzles without end, the same for the same seed, each from another game."""
    rng = random.Random(seed)
    greedy = Greedy()
    while True:
        board = Board.from_moves(random_opening(min(5, size), rng, size, rule), size, rule)
        while not board.is_over and not board.is_dead_draw:
            line = win_by_fours(board, nodes=20_000)
            if line:
                puzzle = _puzzle(board, Win("fours", line))
                if shortest <= puzzle.length <= longest:
                    yield puzzle
                break
            moves = board.legal_moves
            quiet = rng.random() < _RANDOM_MOVE
            board.push(rng.choice(moves) if quiet else greedy.search(board, Limit()).move)


def puzzles_from_review(board: Board, review: Review) -> list[Puzzle]:
    """The wins by force that were there in a game and were let slip."""
    game = board.copy()
    while game.moves:
        game.pop()
    found = []
    for move in review.moves:
        win = forced_win(game) if move.loss > 0 and move.wins and len(move.line) > 1 else None
        puzzle = _puzzle(game, win) if win is not None else None
        game.push(move.move)
        if puzzle is not None and _can_be_solved(puzzle):
            found.append(puzzle)
    return found


def _can_be_solved(puzzle: Puzzle) -> bool:
    """Whether the moves of the win are seen to keep it, answer by answer: beyond the solver's reach they might not."""
    board = puzzle.board()
    while True:
        win = forced_win(board)
        if win is None:
            return False
        board.push(win.line[0])
        if board.is_over:
            return True
        answer = best_defence(board, puzzle.kind)
        if answer is None:
            return False
        board.push(answer)
