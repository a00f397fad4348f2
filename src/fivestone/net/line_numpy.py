"""The line net in NumPy alone: slow, plain, and the yardstick of the compiled one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone.board import BLACK, EMPTY, WHITE, Board
from fivestone.net.line import LineNet

__all__ = ["LEAK", "RowFinder", "evaluate", "forward", "leaky", "size_stretch"]

LEAK = 0.125
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (row, column): the four directions
_WALL = 3
# The colours for whom six in a row are no five, by the rule of a game that a freestyle net judges.
_EXACT: dict[str, tuple[int, ...]] = {"standard": (BLACK, WHITE), "renju": (BLACK,)}


def leaky(x: NDArray[Any]) -> NDArray[Any]:
    result: NDArray[Any] = np.maximum(x, LEAK * x)
    return result


def size_stretch(size: int) -> float:
    """How the mean of a pool is stretched with the board size."""
    return (size - 10) / 10


class RowFinder:
    """Finds the table rows of windows from the stones themselves."""

    def __init__(self, net: LineNet, rule: str | None = None) -> None:
        """For games by the net's own rule, or by another one that it judges."""
        self._exact = _EXACT[rule] if rule is not None and rule != net.rule else ()
        windows = net.core.windows().astype(np.int64)
        self._renju = net.rule == "renju"
        self._reach = (windows.shape[1] - 2) // 2
        cells, player = windows[:, :-1], windows[:, -1]
        self._weights = 4 ** np.arange(cells.shape[1])
        self._rows = np.full((2, 4 ** cells.shape[1]), -1, dtype=np.int32)
        for order in (cells, cells[:, ::-1]):
            self._rows[player, order @ self._weights] = np.arange(len(windows))

    def rows(self, board: Board) -> NDArray[np.int32]:
        """The rows of all cells of a board, cells x 4."""
        stones = np.frombuffer(board.stones, dtype=np.uint8).reshape(1, board.size, board.size)
        rows: NDArray[np.int32] = self.rows_of(stones, np.array([board.turn]))[0]
        return rows

    def rows_of(self, stones: NDArray[np.uint8], turns: NDArray[Any]) -> NDArray[np.int32]:
        """The rows of many boards of one size (boards x size x size, absolute colours): boards x cells x 4."""
        count, size, _size = stones.shape
        reach = self._reach
        seen = np.array([[EMPTY, BLACK, WHITE], [EMPTY, WHITE, BLACK]])[turns - BLACK]
        seen = seen[np.arange(count)[:, None, None], stones]
        padded = np.full((count, size + 2 * reach, size + 2 * reach), _WALL, dtype=np.int64)
        padded[:, reach:-reach, reach:-reach] = seen
        dead = self._dead_ends(stones)
        player = (self._renju & (turns == WHITE)).astype(np.int64)[:, None, None]
        found = []
        for step_row, step_column in _STEPS:
            key = seen * self._weights[reach]
            for way in (-1, 1):
                ended = np.zeros(stones.shape, dtype=bool)
                for distance in range(1, reach + 1):
                    row, column = reach + way * distance * step_row, reach + way * distance * step_column
                    digits = padded[:, row : row + size, column : column + size]
                    ended |= digits == _WALL
                    if distance == reach:
                        ended |= dead[step_row, step_column, way]
                    key = key + np.where(ended, _WALL, digits) * self._weights[reach + way * distance]
            found.append(self._rows[player, key].reshape(count, size * size))
        return np.stack(found, axis=2)

    def _dead_ends(self, stones: NDArray[np.uint8]) -> dict[tuple[int, int, int], NDArray[np.bool_]]:
        """By direction and way, the cells whose window ends in two stones of a colour that needs exactly five, the last
        one just outside: no five through the cell can use them."""
        count, size, _size = stones.shape
        far = self._reach + 1
        padded = np.full((count, size + 2 * far, size + 2 * far), _WALL, dtype=np.int64)
        padded[:, far:-far, far:-far] = stones
        dead = {}
        for step_row, step_column in _STEPS:
            for way in (-1, 1):
                last, beyond = (
                    padded[:, far + row : far + row + size, far + column : far + column + size]
                    for row, column in ((way * d * step_row, way * d * step_column) for d in (self._reach, far))
                )
                dead[step_row, step_column, way] = (last == beyond) & np.isin(last, self._exact)
        return dead


def forward(
    arrays: dict[str, NDArray[Any]], rows: NDArray[np.int32], empty: NDArray[np.bool_], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logits of all cells (only those of empty ones mean anything) and probabilities of win, draw and loss.

    `rows` is cells x 4 and `empty` says which cells are.
    """
    a = {name: values.astype(np.float64) for name, values in arrays.items() if name != "table"}
    f = leaky(arrays["table"][rows].astype(np.float64).sum(axis=1) + a["cell_bias"])
    grid = np.pad(f.reshape(size, size, -1), ((1, 1), (1, 1), (0, 0)))

    def shifted(row: int, column: int) -> NDArray[np.float64]:
        return grid[1 + row : 1 + row + size, 1 + column : 1 + column + size]

    edges = shifted(0, 1) + shifted(0, -1) + shifted(1, 0) + shifted(-1, 0)
    corners = shifted(1, 1) + shifted(-1, -1) + shifted(1, -1) + shifted(-1, 1)
    mix = a["mix"]
    g = leaky(shifted(0, 0) * mix[0] + edges * mix[1] + corners * mix[2] + a["mix_bias"]).reshape(f.shape)

    def pool(x: NDArray[np.float64]) -> NDArray[np.float64]:
        mean = x[empty].sum(axis=0) / (size * size)
        return np.concatenate([mean, mean * size_stretch(size), x[empty].max(axis=0)])

    pooled = pool(g)
    h = leaky(g @ a["hidden"] + a["hidden_bias"] + pooled @ a["context"])
    hidden = leaky(np.concatenate([pooled, pool(h)]) @ a["value"] + a["value_bias"])
    logits = a["outcome"] @ hidden + a["outcome_bias"]
    outcome = np.exp(logits - logits.max())
    return h @ a["policy"], outcome / outcome.sum()


def evaluate(net: LineNet, boards: list[Board]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `LineNet.outcomes` gives, computed here."""
    arrays = net.arrays()
    finders = {rule: RowFinder(net, rule) for rule in {board.rule for board in boards}}
    policies, outcomes = [], []
    for board in boards:
        empty = np.frombuffer(board.stones, dtype=np.uint8) == EMPTY
        logits, outcome = forward(arrays, finders[board.rule].rows(board), empty, board.size)
        policy = np.zeros(len(logits))
        legal = board.legal_moves
        policy[legal] = np.exp(logits[legal] - logits[legal].max())
        policies.append(policy / policy.sum())
        outcomes.append(outcome)
    return np.array(policies), np.array(outcomes)
