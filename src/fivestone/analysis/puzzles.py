"""Puzzles: a win by force to find or to stop, made by chance or from one's own mistakes, graded by length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fivestone.analysis.review import MoveReview, Review
from fivestone.analysis.wins import Win, best_defence, forced_win, holding_moves, win_by_fours
from fivestone.board import BLACK, WHITE, Board
from fivestone.match.openings import random_opening
from fivestone.search import Limit
from fivestone.search.greedy import Greedy

__all__ = ["Difficulty", "Puzzle", "PuzzleKind", "make_puzzles", "puzzles_from_review"]

PuzzleKind = Literal["fours", "threats", "defence"]
Difficulty = Literal["easy", "medium", "hard", "expert"]
# The most moves of the winning side, the five included, of each grade.
_GRADES: tuple[tuple[int, Difficulty], ...] = ((3, "easy"), (5, "medium"), (7, "hard"))
_MOST_HOLDING = 6  # where more moves hold there is nothing to find
_RANDOM_MOVE = 0.15  # how often a game that is searched for puzzles takes a random turn


@dataclass(frozen=True)
class Puzzle:
    """Find the win for the side to move, by continuous fours or by threes and fours; or stop the opponent's."""

    size: int
    rule: str
    black: tuple[int, ...]
    white: tuple[int, ...]
    turn: int
    solution: tuple[int, ...]  # main line, both sides
    kind: PuzzleKind
    answers: tuple[int, ...] = ()  # of a defence: the moves that hold; it has no solution beyond them

    @property
    def length(self) -> int:
        """Moves of the winning side, the five included."""
        return (len(self.solution) + 1) // 2

    @property
    def difficulty(self) -> Difficulty:
        return next((grade for most, grade in _GRADES if self.length <= most), "expert")

    def board(self) -> Board:
        return Board.from_stones(self.black, self.white, self.turn, self.size, self.rule)


def _puzzle(board: Board, kind: PuzzleKind, solution: tuple[int, ...] = (), answers: tuple[int, ...] = ()) -> Puzzle:
    stones = board.stones
    black = tuple(move for move, stone in enumerate(stones) if stone == BLACK)
    white = tuple(move for move, stone in enumerate(stones) if stone == WHITE)
    return Puzzle(board.size, board.rule, black, white, board.turn, solution, kind, answers)


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
                puzzle = _puzzle(board, "fours", line)
                if shortest <= puzzle.length <= longest:
                    yield puzzle
                break
            moves = board.legal_moves
            quiet = rng.random() < _RANDOM_MOVE
            board.push(rng.choice(moves) if quiet else greedy.search(board, Limit()).move)


def puzzles_from_review(board: Board, review: Review) -> list[Puzzle]:
    """The wins by force that were let slip in a game, and those of the opponent that could have been stopped."""
    game = board.copy()
    while game.moves:
        game.pop()
    found = []
    for move in review.moves:
        puzzle = _missed_win(game, move) or _missed_defence(game, move)
        if puzzle is not None:
            found.append(puzzle)
        game.push(move.move)
    return found


def _missed_win(board: Board, move: MoveReview) -> Puzzle | None:
    if move.loss <= 0 or not move.wins or len(move.line) < 2:
        return None
    win = forced_win(board)
    return _puzzle(board, win.kind, win.line) if win is not None and _can_be_solved(board, win) else None


def _missed_defence(board: Board, move: MoveReview) -> Puzzle | None:
    if move.grade != "blunder" or not move.forced:
        return None
    holding = holding_moves(board, _MOST_HOLDING)
    return _puzzle(board, "defence", answers=tuple(holding)) if holding else None


def _can_be_solved(board: Board, first: Win) -> bool:
    """Whether the moves of the win are seen to keep it, answer by answer: beyond the solver's reach they might not."""
    board = board.copy()
    win: Win | None = first
    while win is not None:
        board.push(win.line[0])
        if board.is_over:
            return True
        answer = best_defence(board, first.kind)
        if answer is None:
            return False
        board.push(answer)
        win = forced_win(board)
    return False
