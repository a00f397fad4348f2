"""Random positions and samples for the tests of nets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone.board import Board

__all__ = ["random_board", "random_samples"]


def random_board(rng: np.random.Generator, size: int, rule: str = "freestyle", most: int = 30) -> Board:
    """A position of random play, not over."""
    while True:
        board = Board(size, rule)
        for _ in range(int(rng.integers(0, min(most, size * size - 1)))):
            if board.is_over:
                break
            board.push(int(rng.choice(board.legal_moves)))
        if not board.is_over:
            return board


def random_samples(
    rng: np.random.Generator, boards: list[Board]
) -> tuple[dict[str, NDArray[Any]], list[NDArray[np.float64]]]:
    """Samples with random visits and results for the boards, and their policies over all cells."""
    moves, visits, policies = [], [], []
    for board in boards:
        chosen = rng.permutation(board.legal_moves)[: rng.integers(1, 9)]
        counts = rng.integers(1, 100, len(chosen))
        policy = np.zeros(board.size**2)
        policy[chosen] = counts / counts.sum()
        moves.append(chosen)
        visits.append(counts)
        policies.append(policy)
    count = len(boards)
    samples: dict[str, NDArray[Any]] = {
        "size": np.array([board.size for board in boards], dtype=np.uint8),
        "turn": np.array([board.turn for board in boards], dtype=np.uint8),
        "stones": np.frombuffer(b"".join(board.stones for board in boards), dtype=np.uint8),
        "policy_count": np.array([len(chosen) for chosen in moves], dtype=np.uint16),
        "policy_moves": np.concatenate(moves).astype(np.uint16),
        "policy_visits": np.concatenate(visits).astype(np.uint16),
        "z": rng.integers(-1, 2, count).astype(np.int8),
        "q": rng.uniform(-1, 1, count).astype(np.float32),
        "game": np.zeros(count, dtype=np.uint32),
        "ply": np.array([board.stone_count for board in boards], dtype=np.uint16),
    }
    return samples, policies
