"""Wins by continuous fours found the slow way: every legal move of both sides, by the rules of the board alone."""

from __future__ import annotations

import random

from fivestone import BLACK, EMPTY, WHITE, Board

__all__ = ["five_points", "random_position", "shortest_vcf"]


def five_points(board: Board, color: int) -> list[int]:
    """The empty cells where `color` makes a line that wins."""
    return [m for m, stone in enumerate(board.stones) if stone == EMPTY and board._wins(m, color)]


def shortest_vcf(board: Board, depth: int) -> int | None:
    """The attacker's moves before the five in the shortest win with at most `depth` of them; None if there is none."""
    known: dict[tuple[int, int], bool] = {}
    for length in range(depth + 1):
        if _wins_within(board, length, known):
            return length
    return None


def _wins_within(board: Board, length: int, known: dict[tuple[int, int], bool]) -> bool:
    if five_points(board, board.turn):
        return True
    if length == 0:
        return False
    key = (board.hash, length)
    if key not in known:
        known[key] = any(_move_wins(board, move, length, known) for move in board.legal_moves)
    return known[key]


def _move_wins(board: Board, move: int, length: int, known: dict[tuple[int, int], bool]) -> bool:
    attacker, defender = board.turn, 3 - board.turn
    board.push(move)
    replies = board.legal_moves
    won = (
        bool(replies)
        and bool(five_points(board, attacker))
        and not five_points(board, defender)
        and all(_reply_loses(board, reply, length - 1, known) for reply in replies)
    )
    board.pop()
    return won


def _reply_loses(board: Board, reply: int, length: int, known: dict[tuple[int, int], bool]) -> bool:
    board.push(reply)
    won = _wins_within(board, length, known)
    board.pop()
    return won


def random_position(rng: random.Random, size: int, rule: str, stones: int, extra: int = 2) -> Board:
    """Random stones in clumps, no five among them; the side to move has up to `extra` stones more than its share."""
    while True:
        turn = rng.choice((BLACK, WHITE))
        more = rng.randint(0, extra)
        colors = [turn] * ((stones + more) // 2) + [3 - turn] * ((stones - more) // 2)
        rng.shuffle(colors)
        placed: dict[int, int] = {}
        while len(placed) < len(colors):
            row, column = divmod(rng.choice(list(placed)[-8:]), size) if placed else (size // 2, size // 2)
            rows, columns = rng.choice(((0, 1), (1, 0), (1, 1), (1, -1)))
            distance = rng.randint(-4, 4)
            row, column = row + distance * rows, column + distance * columns
            if rng.random() < 0.2:
                row, column = rng.randrange(size), rng.randrange(size)
            if 0 <= row < size and 0 <= column < size:
                placed.setdefault(row * size + column, colors[len(placed)])
        board = Board.from_stones(
            [m for m, color in placed.items() if color == BLACK],
            [m for m, color in placed.items() if color == WHITE],
            turn,
            size,
            rule,
        )
        if not board.is_over:
            return board
