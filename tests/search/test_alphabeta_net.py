"""Alpha-beta with the line net as its scorer, and its proofs along the best line."""

import random

import pytest

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.specs import make_player
from fivestone.net import LineNet, load_net
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.proofs import solve
from fivestone.search.result import Limit


@pytest.fixture(scope="module")
def net() -> LineNet:
    loaded = load_net("line")
    assert isinstance(loaded, LineNet)
    return loaded


def _quiet(seed: int) -> Board:
    """A position where nobody has a forced win, so that one ply is judged by the net alone."""
    rng = random.Random(seed)
    while True:
        board = Board(15)
        middle = [15 * row + column for row in range(4, 11) for column in range(4, 11)]
        for move in rng.sample(middle, rng.randint(4, 10)):
            board.push(move)
        if not board.is_over and all(solve(side, "vcf", nodes=2000) is None for side in _sides(board)):
            return board


def _sides(board: Board) -> list[Board]:
    black = [move for move in range(225) if board.stones[move] == 1]
    white = [move for move in range(225) if board.stones[move] == 2]
    return [Board.from_stones(black, white, turn=turn, size=15) for turn in (1, 2)]


def test_one_ply_is_the_net_s_best_answer(net: LineNet) -> None:
    for seed in range(8):
        board = _quiet(seed)
        found = AlphaBeta(hash_mb=1, net=net, tuning={"pattern_share": 0}).search(board, Limit(depth=1))
        values = {}
        for move in board.legal_moves:
            board.push(move)
            values[move] = -float(net.evaluate([board])[1][0])
            board.pop()
        # What is not a candidate may be better still, and fours are played out: the net's own value is a bound.
        assert found.move in values
        if found.proven is None:
            assert found.value == pytest.approx(values[found.move], abs=0.05)


def test_judges_with_the_net_it_is_given(net: LineNet) -> None:
    board = _quiet(3)
    scores = {
        AlphaBeta(hash_mb=1, net=given).search(board, Limit(depth=1)).score
        for given in (None, net, LineNet.random(seed=5))
    }
    assert len(scores) == 3


def test_a_share_of_the_patterns_is_added_to_the_net(net: LineNet) -> None:
    board = _quiet(3)
    scores = [
        AlphaBeta(hash_mb=1, net=net, tuning=tuning).search(board, Limit(depth=1)).score
        for tuning in ({}, {"pattern_share": 30}, {"pattern_share": 0})
    ]
    assert scores[0] == scores[1] != scores[2]


def test_with_a_net_fewer_moves_of_a_node_are_looked_at(net: LineNet) -> None:
    as_with_patterns = {"count_base": 6, "count_power": 200, "count_depth": 12}
    all_moves = {"count_base": 1000, "count_power": 10_000}
    nodes = [
        sum(
            AlphaBeta(hash_mb=1, net=net, tuning=tuning).search(_quiet(seed), Limit(depth=8)).nodes
            for seed in (1, 2, 3)
        )
        for tuning in ({}, as_with_patterns, all_moves)
    ]
    assert 1.1 * nodes[0] < nodes[1]
    assert 1.5 * nodes[1] < nodes[2]


def test_a_net_for_another_rule_is_refused(net: LineNet) -> None:
    with pytest.raises(BadInput, match="the net is for freestyle"):
        AlphaBeta(net=net).search(Board(15, "caro"), Limit(depth=1))


def test_by_spec() -> None:
    board = Board.from_moves("h8i9j8h10g8f8g7f6")
    player = make_player("alphabeta:net=line,depth=2,tuning=null_depth:8/futility_margin:50")
    assert board.is_legal(player.choose(board, Limit()).move)
    for spec, complaint in (
        ("alphabeta:tuning=null_depth", "tuning is written"),
        ("alphabeta:tuning=nothing:3", "no search number 'nothing'"),
        ("alphabeta:tuning=line_share:0", "line_share=0: choose 1 to"),
        ("alphabeta:tuning=aspiration:0", "aspiration=0: choose 1 to"),
        ("alphabeta:tuning=null_depth:-1", "null_depth=-1: choose 0 to"),
        ("alphabeta:tuning=promise_reduction:10001", "choose 0 to 10000"),
        ("alphabeta:net=nowhere.npz", "nowhere.npz"),
    ):
        with pytest.raises(BadInput, match=complaint):
            make_player(spec).choose(board, Limit(depth=1))


# Positions of its own games where a short search walks into a win by threats that it does not see.
_WALKS = (
    "k12h7h6f9i7f8i6f6f7i8g6g8e8h5j8g5k10k9j6k6k5h8j7j5",
    "m15n15n14j10m10j14k8j8k10k7l9j7j11j9j6m8k11",
)


@pytest.mark.parametrize("moves", _WALKS)
def test_does_not_walk_into_a_win_by_threats(moves: str) -> None:
    board = Board.from_moves(moves, size=15)

    def loses(line_share: int) -> bool:
        """Whether the opponent wins by threats after the move that is chosen."""
        found = AlphaBeta(hash_mb=1, tuning={"line_share": line_share}).search(board, Limit(nodes=4000))
        board.push(found.move)
        proof = solve(board, "vct", nodes=2000)
        board.pop()
        return proof is not None

    assert loses(line_share=10_000)  # nothing is left for a proof
    assert not loses(line_share=2)
