"""Proofs along the principal variation: what they tell the tree, and that they keep to their share."""

from __future__ import annotations

from dataclasses import dataclass, field

from fivestone import _core
from fivestone.board import WHITE, Board
from fivestone.search import Limit
from fivestone.search.lineprober import LineProber
from fivestone.search.mcts import Mcts
from fivestone.search.proofs import solve

# White's next move makes two open threes, or a three that wins by fours after it; Black is to move.
BLACK_STONES, WHITE_STONES = ["a1", "c15", "o1", "n14"], ["g8", "i8", "h10", "h11"]


def _tree(visits: int = 200) -> tuple[Board, _core.Mcts]:
    board = Board.from_stones(BLACK_STONES, WHITE_STONES, turn=3 - WHITE)
    searcher = Mcts("heuristic", c=50.0)  # looks everywhere
    searcher.search(board, Limit(visits=visits))
    return board, searcher._tree


def _proof(tree: _core.Mcts, move: int) -> _core.Proof:
    return next(row.proof for row in tree.root_moves if row.move == move)


def test_a_move_that_lets_the_threats_through_is_proven_lost() -> None:
    board, tree = _tree()
    far = board.parse("b2")
    visits = tree.root_visits
    assert _proof(tree, far) == _core.Proof.OPEN
    board_far = next(row for row in tree.root_moves if row.move == far)
    assert board_far.visits > 0, "the line must be in the tree"
    won, nodes = tree.prove_line([far], 100_000, None)
    assert won
    assert 0 < nodes <= 100_000
    assert _proof(tree, far) == _core.Proof.LOST
    assert tree.root_visits == visits + 1
    assert tree.best_move != far
    assert tree.prove_line([far], 100_000, None) == (False, 0)  # nothing more to find out there


def test_where_there_is_no_win_nothing_changes() -> None:
    board, tree = _tree()
    before = [(row.move, row.visits, row.value) for row in tree.root_moves]
    won, nodes = tree.prove_line([board.parse("h8")], 3, None)
    assert not won
    assert nodes <= 3 + 1
    assert [(row.move, row.visits, row.value) for row in tree.root_moves] == before


@dataclass
class FakeTree:
    """Says what it was asked; every probe uses up the nodes it is given."""

    variation: list[int] = field(default_factory=lambda: [1, 2, 3, 4, 5, 6])
    asked: list[list[int]] = field(default_factory=list)
    use: float = 1.0

    def pv(self, length: int) -> list[int]:
        return self.variation[:length]

    def prove_line(self, line: list[int], nodes: int | None, seconds: float | None) -> tuple[bool, int]:
        assert nodes is not None
        assert seconds is None
        self.asked.append(line)
        return False, int(nodes * self.use)


def _prober(tree: FakeTree, share: float = 0.3) -> LineProber:
    return LineProber(tree, share, seconds=None, visits=1000)  # type: ignore[arg-type]


def test_probes_are_spread_over_the_search() -> None:
    tree = FakeTree()
    prober = _prober(tree)
    counts = []
    for percent in range(0, 101, 5):
        prober.step(percent / 100)
        counts.append(len(tree.asked))
    assert counts[6] == 0  # a third of the search pays for one probe
    assert counts[7] == 1
    assert counts[-1] == 3
    assert tree.asked == [[1], [1, 2], [1, 2, 3]]


def test_cheap_probes_leave_room_for_more_and_none_is_made_twice() -> None:
    tree = FakeTree(use=0.01)
    prober = _prober(tree)
    for percent in range(101):
        prober.step(percent / 100)
    assert tree.asked == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]


def test_a_late_change_of_mind_is_looked_at_beyond_the_share() -> None:
    tree = FakeTree()
    prober = _prober(tree)
    for progress in (0.35, 0.7, 0.9):
        prober.step(progress)
    assert tree.asked == [[1], [1, 2]]
    tree.variation = [9, 8]
    prober.step(0.9)
    assert tree.asked[-1] == [9]


def test_a_search_with_probes_does_not_play_into_a_win_by_threats() -> None:
    board = Board.from_moves("e11k11k5g8f11h8i9h11h10j8i8", size=15)
    blind = Mcts("heuristic").search(board, Limit(visits=3000))
    board.push(blind.move)
    assert solve(board, "vct", nodes=50_000) is not None
    board.pop()
    seeing = Mcts("heuristic", line_vct=0.3).search(board, Limit(visits=3000))
    board.push(seeing.move)
    assert solve(board, "vct", nodes=2_000) is None
