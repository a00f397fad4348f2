"""Puzzles: positions with a forced win to find, made by chance or from one's own mistakes, graded by length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fivestone.analysis.hints import forced_win
from fivestone.analysis.review import Review
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
    """Find the forced win for the side to move."""

    size: int
    rule: str
    black: tuple[int, ...]
    white: tuple[int, ...]
    turn: int
    solution: tuple[int, ...]  # main line, both sides

    @property
    def length(self) -> int:
        """Moves of the winning side, the five included."""
        return (len(self.solution) + 1) // 2

    @property
    def difficulty(self) -> Difficulty:
        return next((grade for most, grade in _GRADES if self.length <= most), "expert")

    def board(self) -> Board:
        return Board.from_stones(self.black, self.white, self.turn, self.size, self.rule)

    def solves(self, board: Board, move: int) -> bool:
        """Whether the move keeps the win: it makes five, or every answer to it leaves a forced win.

        `board` is the puzzle's position or one reached by playing on from it.
        """
        after = board.copy()
        after.push(move)
        if after.is_over:
            return after.winner == board.turn
        line = forced_win(board)
        if not line:
            return False
        return line[0] == move or _still_wins(after)


def _still_wins(board: Board) -> bool:
    """Whether the side that just moved wins by fours whatever the answer. Only a four leaves so few answers."""
    answers = [move for move in board.legal_moves if board._wins(move, 3 - board.turn)]
    if not answers:
        return False
    if len(answers) > 1:
        return not any(board._wins(move, board.turn) for move in board.legal_moves)
    after = board.copy()
    after.push(answers[0])
    return not after.is_over and bool(forced_win(after))


def _puzzle(board: Board, solution: tuple[int, ...]) -> Puzzle:
    stones = board.stones
    return Puzzle(
        board.size,
        board.rule,
        tuple(move for move, stone in enumerate(stones) if stone == BLACK),
        tuple(move for move, stone in enumerate(stones) if stone == WHITE),
        board.turn,
        solution,
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
            line = forced_win(board, nodes=20_000)
            if line:
                puzzle = _puzzle(board, line)
                if shortest <= puzzle.length <= longest:
                    yield puzzle
                break
            moves = board.legal_moves
            quiet = rng.random() < _RANDOM_MOVE
            board.push(rng.choice(moves) if quiet else greedy.search(board, Limit()).move)


def puzzles_from_review(board: Board, review: Review) -> list[Puzzle]:
    """The forced wins that were there in a game and were not played."""
    game = board.copy()
    while game.moves:
        game.pop()
    found = []
    for move in review.moves:
        if move.loss > 0 and len(move.line) > 1 and forced_win(game):
            found.append(_puzzle(game, forced_win(game)))
        game.push(move.move)
    return found
