"""Solvers of small games held to plain minimax, and what they say of players."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fivestone import BLACK, Board
from fivestone.experiments.latest_vs_best import picks_of, searched_picks_of, summary
from fivestone.experiments.optimal import ThreatSolver, flawless_share, minimax, winning_share
from fivestone.net.conv import ConvNet
from fivestone.train.config import config_from, preset


def value(board: Board) -> int:
    """Minimax by the rules of the board alone."""
    if board.winner is not None:
        return -1
    if board.is_over:
        return 0
    best = -1
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -value(board))
        board.pop()
        if best == 1:
            break
    return best


def first_free(boards: Sequence[Board]) -> list[int]:
    return [board.legal_moves[0] for board in boards]


def random_board(rng: random.Random, size: int, win_length: int, stones: int) -> Board:
    while True:
        board = Board(size, win_length=win_length)
        while board.stone_count < stones and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            return board


def test_minimax_agrees_with_the_rules() -> None:
    rng = random.Random(1)
    for _ in range(60):
        board = random_board(rng, 3, 3, rng.randint(3, 8))
        assert minimax(board) == value(board)
    assert minimax(Board(3, win_length=3)) == 0


def test_only_optimal_play_is_flawless() -> None:
    assert flawless_share(first_free) < 1.0
    rng = random.Random(2)

    def nearly_perfect(boards: Sequence[Board]) -> list[int]:
        moves = []
        for board in boards:
            best = [m for m in board.legal_moves if _keeps(board, m)]
            moves.append(rng.choice(best))
        return moves

    assert flawless_share(nearly_perfect) == 1.0


def _keeps(board: Board, move: int) -> bool:
    before = minimax(board)
    board.push(move)
    after = 1 if board.winner is not None else 0 if board.is_over else -minimax(board)
    board.pop()
    return after == before


def test_wins_by_threats_are_real_and_shallow_ones_are_found() -> None:
    rng = random.Random(3)
    proven = 0
    for win_length in (3, 4):
        solver = ThreatSolver(4, win_length)
        for _ in range(30):
            board = random_board(rng, 4, win_length, rng.randint(9, 12))
            found, truth = solver.wins(board, 4), value(board) == 1
            assert found == truth, board.diagram()
            proven += found
    assert 10 < proven < 50


def test_a_threat_must_be_answered_and_a_double_one_cannot_be() -> None:
    solver = ThreatSolver(6, 4)
    three = Board.from_stones(["c3", "d3"], ["a6", "f6"], turn=BLACK, size=6, win_length=4)
    assert solver.wins(three, 0), "an open three with two ends"
    blocked = Board.from_stones(["a3", "b3"], ["c3", "f6"], turn=BLACK, size=6, win_length=4)
    assert not solver.wins(blocked, 0)


def test_black_wins_four_in_a_row_on_6x6_and_only_with_good_moves() -> None:
    solver = ThreatSolver(6, 4)

    def by_solver(boards: Sequence[Board]) -> list[int]:
        return [_winning_move(board, solver) for board in boards]

    assert winning_share(by_solver, solver) == 1.0
    assert winning_share(first_free, solver) == 0.0
    careless = iter(range(10**6))

    def mostly(boards: Sequence[Board]) -> list[int]:
        return [
            board.legal_moves[0] if board.stone_count and next(careless) % 7 == 3 else _winning_move(board, solver)
            for board in boards
        ]

    assert 0.0 < winning_share(mostly, solver) < 1.0


def _winning_move(board: Board, solver: ThreatSolver) -> int:
    if board.stone_count == 0:
        return board.parse("c3")
    needed = next(q for q in range(3) if solver.wins(board, q))
    for move in board.legal_moves:
        board.push(move)
        good = board.winner is not None or (
            not board.is_over and solver.loses(board, needed - (not solver.threatens(board)))
        )
        board.pop()
        if good:
            return move
    raise AssertionError("a proven win has a winning move")


def test_optimal_play_counts_when_it_lasts() -> None:
    def line(share: float) -> dict[str, float]:
        return {
            "self_play_seconds": 2,
            "learn_seconds": 1,
            "gate_seconds": 0.5,
            "share": share,
            "alone": share / 2,
            "games": 10,
        }

    found = summary([line(share) for share in (0.5, 0.5, 1.0, 0.9, 1.0, 1.0, 1.0)])
    assert found["optimal_seconds"] == pytest.approx(5 * 3.5)
    assert found["alone"] == 0.5
    assert summary([line(0.5), line(1.0)])["optimal_seconds"] is None


def test_a_longer_search_makes_fewer_mistakes_with_the_same_net() -> None:
    net = ConvNet.random("conv-b", 3, seed=1, win_length=3)
    shares = [flawless_share(picks_of(net))]
    for simulations in (8, 300):
        config = config_from({"simulations": simulations}, preset("tic-tac-toe"))
        shares.append(flawless_share(searched_picks_of(net, config)))
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.95
