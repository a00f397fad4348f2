"""The batched driver against the native one, and many games against each alone."""

import numpy as np
import pytest

from fivestone import _core
from fivestone.board import Board
from fivestone.net import LineNet
from fivestone.search import Limit
from fivestone.search.batched import run_together
from fivestone.search.evaluator import Leaves
from fivestone.search.mcts import Mcts


class Outside:
    """A line net asked from Python, position by position as the leaves come."""

    def __init__(self, net: LineNet) -> None:
        self.net = net

    def evaluate(self, leaves: Leaves) -> tuple[np.ndarray, np.ndarray]:
        boards = []
        for stones, turn in zip(leaves.stones.reshape(len(leaves), -1), leaves.turns, strict=True):
            sides = [[int(move) for move in np.flatnonzero(stones == color)] for color in (1, 2)]
            boards.append(Board.from_stones(*sides, turn=int(turn), size=leaves.size))
        return self.net.evaluate(boards)


def _flat_net() -> LineNet:
    """Zeros judge every position alike, without rounding."""
    net = LineNet.random()
    zeros = {name: np.zeros_like(values) for name, values in net.arrays().items()}
    return LineNet.from_arrays("freestyle", zeros)


@pytest.mark.parametrize("root", ["plain", "gumbel"])
def test_external_equals_native_exactly(root: str) -> None:
    net = _flat_net()
    board = Board.from_moves("e5e6f5", 9)
    trees = []
    for evaluator in (net, Outside(net)):
        searcher = Mcts(evaluator, batch=1, root=root, noise=0.25, seed=3)
        trees.append(searcher.search(board, Limit(visits=300)).moves)
    assert trees[0] == trees[1]


def test_external_equals_native_for_a_net() -> None:
    """Up to rounding: one path normalises the policy over the moves, the other over the board."""
    net = LineNet.random(seed=5)
    board = Board.from_moves("e5e6f5", 9)
    native, outside = (
        {info.move: info.visits for info in Mcts(evaluator, batch=1).search(board, Limit(visits=400)).moves}
        for evaluator in (net, Outside(net))
    )
    assert native.keys() == outside.keys()
    assert sum(abs(native[move] - outside[move]) for move in native) <= 40


def test_batches_find_the_same_move() -> None:
    board = Board.from_stones(["d5", "e5", "f5", "e6"], ["d6", "f6", "h2", "g7"], size=9)
    one, many = (Mcts(Outside(_flat_net()), batch=batch).search(board, Limit(visits=200)) for batch in (1, 32))
    assert one.move == many.move
    assert one.proven == many.proven == 1


def test_many_games_at_once_equal_each_alone() -> None:
    evaluator = Outside(_flat_net())
    boards = [Board.from_moves(moves, 9) for moves in ("e5", "e5e6", "e5e6f5")]

    def trees() -> list[_core.Mcts]:
        made = [_core.Mcts(_core.MctsConfig(), seed) for seed in range(3)]
        for tree, board in zip(made, boards, strict=True):
            tree.set_root(board)
        return made

    together, alone = trees(), trees()
    assert run_together(together, evaluator, [50, 80, 20], batch=4) == [50, 80, 20]
    for tree, count in zip(alone, [50, 80, 20], strict=True):
        run_together([tree], evaluator, [count], batch=4)
    for a, b in zip(together, alone, strict=True):
        assert [(row.move, row.visits) for row in a.root_moves] == [(row.move, row.visits) for row in b.root_moves]


def test_refuses_judgements_that_cannot_be() -> None:
    tree = _core.Mcts(_core.MctsConfig(), 0)
    tree.set_root(Board(9))
    started, stones, turns, lasts, hashes = tree.collect(4, 10)
    assert (started, tree.waiting) == (1, 1)
    assert stones.shape == (1, 9, 9)
    assert (turns.tolist(), lasts.tolist(), hashes.tolist()) == ([1], [-1], [Board(9).hash])
    policy, value = np.ones((1, 81), np.float32), np.zeros(1, np.float32)
    for wrong in ((policy[:, :80].copy(), value), (policy, value + 2), (-policy, value), (policy * np.nan, value)):
        with pytest.raises(ValueError, match=r"."):
            tree.judge(*wrong)
    tree.judge(policy, value)
    assert (tree.waiting, tree.root_visits) == (0, 1)
