"""How fast a stone is placed, checked for a win and taken back, on 15x15.

    python benchmarks/board.py [--seconds 2]

Four ways of doing it, in one run on the same positions: inside the core, through the Python Board, with the slow rule
book of the tests, and with open_spiel's gomoku where it is installed. open_spiel has no undo for this game: a copy
and a move stand for it, next to a copy and a push of ours.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fivestone import Board, _core

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracle import OracleBoard  # the rule book lives with the tests

SIZE, STONES, POSITIONS = 15, 40, 20


def positions(rule: str) -> list[Board]:
    """Random positions around the centre, so that lines and wins are about; nobody has won yet."""
    rng = random.Random(15)
    found: list[Board] = []
    while len(found) < POSITIONS:
        board = Board(SIZE, rule)
        while len(board.moves) < STONES and not board.is_over:
            near = [m for m in board.legal_moves if 3 <= m % SIZE <= 11 and 3 <= m // SIZE <= 11]
            board.push(rng.choice(near))
        if board.winner is None:
            found.append(board)
    return found


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Units of work a second: the count doubles until it fills the time, and the best of three such runs counts."""
    count, spent = 1, 0.0
    while spent < seconds / 6:
        count *= 2
        spent = timed(work, count)
    return count / min(spent, *(timed(work, count) for _ in range(2)))


def timed(work: Callable[[int], object], count: int) -> float:
    begin = time.process_time()  # not the wall clock: the machine may be busy with other things
    work(count)
    return time.process_time() - begin


def cells_in_turn(board: Board, count: int) -> list[int]:
    empty = [move for move, stone in enumerate(board.stones) if stone == 0]
    return [empty[i % len(empty)] for i in range(count)]


def with_python(board: Board, count: int) -> int:
    wins = 0
    for move in cells_in_turn(board, count):
        board.push(move)
        wins += board.winner is not None
        board.pop()
    return wins


def with_oracle(board: Board, count: int) -> int:
    oracle = OracleBoard.from_stones(board.stones, board.turn, SIZE, board.rule)
    wins = 0
    for move in cells_in_turn(board, count):
        oracle.play(move)
        wins += oracle.winner() is not None
        oracle.undo()
    return wins


def copy_and_push(board: Board, count: int) -> int:
    wins = 0
    for move in cells_in_turn(board, count):
        after = board.copy()
        after.push(move)
        wins += after.winner is not None
    return wins


def with_open_spiel(board: Board, count: int) -> int:
    import pyspiel

    state = pyspiel.load_game("gomoku(size=15)").new_initial_state()
    for move in board.moves:
        state.apply_action(move)
    wins = 0
    for move in cells_in_turn(board, count):
        after = state.clone()
        after.apply_action(move)
        wins += after.is_terminal()
    return wins


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of push, win check and pop on 15x15.")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each line")
    seconds = parser.parse_args().seconds
    boards = positions("freestyle")
    for board in boards:  # the four must agree before they are compared
        empty = SIZE * SIZE - STONES
        assert _core.bench_push_pop(board, empty) == with_python(board, empty) == with_oracle(board, empty)
    board = max(boards, key=lambda b: _core.bench_push_pop(b, SIZE * SIZE))
    native = rate(lambda count: _core.bench_push_pop(board, count), seconds)
    oracle = rate(lambda count: with_oracle(board, count), seconds)
    print(f"push + win check + pop, {SIZE}x{SIZE} freestyle, {STONES} stones on the board")
    print(f"  in the core               {native:14,.0f} a second ({1e9 / native:.1f} ns)")
    for rule in ("standard", "renju", "caro"):
        other = positions(rule)[0]
        print(
            f"  in the core, {rule:12} {rate(lambda n, b=other: _core.bench_push_pop(b, n), seconds):14,.0f} a second"
        )
    print(f"  through Python's Board    {rate(lambda count: with_python(board, count), seconds):14,.0f} a second")
    print(f"  the tests' rule book      {oracle:14,.0f} a second: the core is {native / oracle:,.0f} times as fast")
    ours = rate(lambda count: copy_and_push(board, count), seconds)
    print(f"copy + push + win check, called from Python\n  fivestone                 {ours:14,.0f} a second")
    try:
        assert with_open_spiel(board, 185) == _core.bench_push_pop(board, 185)
    except ImportError:
        print("  open_spiel is not installed: pip install open_spiel")
        return
    theirs = rate(lambda count: with_open_spiel(board, count), seconds)
    print(f"  open_spiel's gomoku       {theirs:14,.0f} a second: fivestone is {ours / theirs:.1f} times as fast")


if __name__ == "__main__":
    main()
