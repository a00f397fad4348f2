"""Random walks over positions: moves pushed and taken back, as a search does."""

from __future__ import annotations

import random
from collections.abc import Iterator

from fivestone import _core
from fivestone.board import Board


def walk(board: Board, rng: random.Random, steps: int) -> Iterator[_core.Position]:
    """A position that is kept up to date beside the board, after each step."""
    position = _core.Position(board)
    for _ in range(steps):
        if board.moves and (board.is_over or rng.random() < 0.35):
            board.pop()
            position.pop()
        else:
            move = rng.choice(board.legal_moves)
            board.push(move)
            position.push(move)
        yield position
