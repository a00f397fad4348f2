"""The tree search against minimax, against itself, and at its limits."""

import random
import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone.board import BLACK, WHITE, Board
from fivestone.errors import BadInput
from fivestone.search import Limit
from fivestone.search.evaluator import CachedEvaluator, Leaves
from fivestone.search.mcts import Mcts
from fivestone.search.proofs import solve


@cache
def _minimax(size: int, win_length: int, stones: bytes, turn: int) -> int:
    """The result for the side to move, by plain recursion over its own idea of a line."""
    best = -1
    empty = [move for move, stone in enumerate(stones) if stone == 0]
    for move in empty:
        after = stones[:move] + bytes([turn]) + stones[move + 1 :]
        if _makes_line(size, win_length, after, move):
            return 1
        value = 0 if len(empty) == 1 else -_minimax(size, win_length, after, 3 - turn)
        best = max(best, value)
        if best == 1:
            break
    return best


def _makes_line(size: int, win_length: int, stones: bytes, move: int) -> bool:
    row, column = divmod(move, size)
    for d_row, d_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for way in (1, -1):
            r, c = row + way * d_row, column + way * d_column
            while 0 <= r < size and 0 <= c < size and stones[r * size + c] == stones[move]:
                run, r, c = run + 1, r + way * d_row, c + way * d_column
        if run >= win_length:
            return True
    return False


def _random_position(size: int, win_length: int, plies: int, seed: int) -> Board | None:
    board, source = Board(size, win_length=win_length), random.Random(seed)
    for _ in range(plies):
        board.push(source.choice(board.legal_moves))
        if board.is_over:
            return None
    return board


def _value_of(board: Board) -> int:
    return _minimax(board.size, board.win_length, board.stones, board.turn)


def _check_solved(board: Board, searcher: Mcts) -> None:
    result = searcher.search(board, Limit(visits=200_000))
    expected = _value_of(board)
    assert result.proven == expected, board.diagram()
    board.push(result.move)
    after = (-1 if board.winner else 0) if board.is_over else _value_of(board)
    board.pop()
    assert -after == expected, board.diagram()


@pytest.mark.parametrize("select", ["ucb1", "ucb1-tuned", "puct"])
@pytest.mark.parametrize("root", ["plain", "gumbel"])
def test_solves_tic_tac_toe(select: str, root: str) -> None:
    searcher = Mcts(select=select, root=root, seed=1)
    seen = 0
    for seed in range(30):
        board = _random_position(3, 3, seed % 7, seed)
        if board is not None:
            _check_solved(board, searcher)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(("size", "win_length", "empty"), [(4, 4, 7), (4, 3, 8), (5, 4, 7)])
def test_solves_small_boards(size: int, win_length: int, empty: int) -> None:
    results = set()
    for seed in range(25):
        board = _random_position(size, win_length, size * size - empty, seed)
        if board is not None:
            _check_solved(board, Mcts(seed=seed))
            results.add(_value_of(board))
    assert len(results) > 1


def _position_with_four(seed: int, owner: int, rule: str = "freestyle") -> tuple[Board, set[int]]:
    """A position in which the owner, to move or not, has cells that complete five, and the cells."""
    source = random.Random(seed)
    while True:
        board = Board(9, rule)
        while not board.is_over and len(board.moves) < 30:
            board.push(source.choice(board.legal_moves))
            fives = {move for move in board.legal_moves if not board.is_over and board._wins(move, owner)}
            foe = {move for move in board.legal_moves if not board.is_over and board._wins(move, 3 - owner)}
            if fives and (board.turn == owner or (len(fives) == 1 and not foe)):
                return board, fives


@pytest.mark.parametrize("evaluator", ["rollout", "heuristic"])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_takes_every_win_in_one_and_stops_every_loss_in_one(evaluator: str, rule: str) -> None:
    for seed in range(8):
        for owner in (BLACK, WHITE):
            board, fives = _position_with_four(1000 * seed + owner, owner, rule)
            visits = 3000 if evaluator == "rollout" else 50
            result = Mcts(evaluator, seed=seed).search(board, Limit(visits=visits))
            if board.turn == owner:
                assert result.move in fives, board.diagram()
                assert result.proven == 1
            elif rule != "caro":  # where a stone beside the line may do as well
                assert result.move in fives, board.diagram()


def test_proves_that_an_open_four_wins() -> None:
    board = Board.from_stones(["d5", "e5", "f5"], ["d6", "e6", "h2"], size=9)
    result = Mcts("heuristic").search(board, Limit(visits=100))
    assert result.proven == 1
    assert board.name_of(result.move) in ("c5", "g5")
    assert Mcts("heuristic", forced=False).search(board, Limit(visits=5000)).proven == 1


def test_proves_a_loss_only_after_every_move_was_tried() -> None:
    """Black threatens on both sides of a line; nothing far away helps White, but it has to be looked at."""
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["h7", "i7", "a1"], turn=WHITE, size=15)
    result = Mcts("heuristic", forced=False).search(board, Limit(visits=100_000))
    assert result.proven == -1
    assert len(result.moves) == len(board.legal_moves)


def _random_play(board: Board) -> float:
    """What the side to move can expect when both sides play uniformly at random, exactly."""
    if board.is_over:
        return -1.0 if board.winner is not None else 0.0
    total = 0.0
    for move in board.legal_moves:
        board.push(move)
        total -= _random_play(board)
        board.pop()
    return total / len(board.legal_moves)


@pytest.mark.parametrize("win_length", [3, 4])
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_rollouts_are_uniformly_random(win_length: int, rule: str) -> None:
    """With exploration above all the tree spreads evenly, and the root is the expectation of random play."""
    board = Board(4, rule, win_length)
    for move in (0, 5, 1, 10, 4, 9, 15, 2, 7):
        board.push(move)
    result = Mcts("rollout", c=1000.0, solver=False, seed=2).search(board, Limit(visits=20_000))
    assert result.value == pytest.approx(_random_play(board), abs=0.03)


def test_continuous_fours_are_seen_at_the_root_and_at_leaves() -> None:
    """Black plays g5, White has to answer at h5, and the column makes an open four."""
    black, white = ["d5", "e5", "f5", "g3", "g4"], ["c5", "a9", "c9", "k1", "k9"]
    board = Board.from_stones(black, white, turn=BLACK, size=11)
    assert Mcts("heuristic").search(board, Limit(visits=1)).proven is None
    result = Mcts("heuristic", root_vcf=1000).search(board, Limit(visits=1))
    assert (result.proven, board.name_of(result.move)) == (1, "g5")
    # With White to move, most replies are seen to lose as soon as they are visited.
    board = Board.from_stones(black, white[:-1], turn=WHITE, size=11)
    blind, seeing = (
        sum(info.value == -1.0 for info in Mcts(Flat(), leaf_vcf=nodes).search(board, Limit(visits=200)).moves)
        for nodes in (0, 300)
    )
    assert seeing > blind + 20


def test_positions_that_are_visited_often_are_probed_for_longer_fours() -> None:
    rng, found = random.Random(3), 0
    while found < 9:  # the eighth wins with a move that had not been tried before
        board = Board(9)
        while board.stone_count < 24 and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        proof = None if board.is_over else solve(board)
        if proof is None or Mcts("heuristic").search(board, Limit(visits=70)).proven is not None:
            continue
        found += 1
        searcher = Mcts("heuristic", probe_vcf=1000)
        result = searcher.search(board, Limit(visits=70))
        assert (result.proven, result.visits) == (1, 65)
        board.push(result.move)  # a four: whatever the other side answers, the fours go on
        assert searcher.search(board, Limit(visits=5)).move in board.legal_moves  # the same tree has an answer, too
        for reply in board.legal_moves:
            board.push(reply)
            assert solve(board) is not None
            board.pop()


def test_a_share_of_the_limit_goes_into_threats_at_the_root() -> None:
    """Two open threes with one stone: no four wins at once, but the threats do."""
    board = Board.from_stones(["g8", "i8", "h10", "h11"], ["a1", "c15", "o1", "n14"], turn=BLACK)
    assert solve(board, "vct") is not None
    result = Mcts("heuristic", root_vct=0.2).search(board, Limit(visits=2000))
    assert (result.proven, result.value, result.visits) == (1, 1.0, 0)
    assert result.pv[0] == result.move
    for move in result.pv:
        board.push(move)
    assert board.winner == BLACK


@pytest.mark.parametrize("win_length", [4, 5])
def test_a_search_that_is_stopped_at_once_still_moves(win_length: int) -> None:
    board = Board(6, win_length=win_length)
    searcher = Mcts("rollout")

    class StopsAtOnce:
        def __call__(self) -> float:
            searcher.stop()
            return 0.0

    searcher._clock = StopsAtOnce()
    result = searcher.search(board, Limit(visits=1000))
    assert result.visits == 0
    assert result.move in board.legal_moves
    assert result.pv[0] == result.move


def _tree(searcher: Mcts, board: Board, visits: int) -> list[tuple[int, int, float]]:
    result = searcher.search(board, Limit(visits=visits))
    return [(info.move, info.visits, info.value) for info in result.moves]


@pytest.mark.parametrize("evaluator", ["rollout", "heuristic"])
def test_same_seed_same_tree(evaluator: str) -> None:
    board = Board.from_moves("e5e6f5", 9)
    first = _tree(Mcts(evaluator, seed=7), board, 500)
    assert first == _tree(Mcts(evaluator, seed=7), board, 500)
    assert first != _tree(Mcts(evaluator, seed=8), board, 500)


def test_golden_tree() -> None:
    """Visits of a small tree: a change here is a change of behaviour."""
    board = Board.from_moves([4, 0, 8], 3, win_length=3)
    visits = {info.move: info.visits for info in Mcts(seed=1, solver=False).search(board, Limit(visits=100)).moves}
    assert visits == {1: 22, 2: 16, 3: 19, 5: 9, 6: 17, 7: 16}


class Flat:
    """Judges everything alike and counts what it was asked."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def evaluate(self, leaves: Leaves) -> tuple[np.ndarray, np.ndarray]:
        self.batches.append(len(leaves))
        return np.ones((len(leaves), leaves.size**2), np.float32), np.zeros(len(leaves), np.float32)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 20),
    visits=st.integers(2, 400),
    evaluator=st.sampled_from(["rollout", "heuristic", "flat"]),
    root=st.sampled_from(["plain", "gumbel"]),
    noise=st.sampled_from([0.0, 0.25]),
)
def test_invariants(seed: int, plies: int, visits: int, evaluator: str, root: str, noise: float) -> None:
    board = _random_position(7, 5, plies, seed) or Board(7)
    before = (board.moves, board.hash)
    searcher = Mcts(Flat() if evaluator == "flat" else evaluator, seed=seed, root=root, noise=noise)
    result = searcher.search(board, Limit(visits=visits))
    assert (board.moves, board.hash) == before
    assert board.is_legal(result.move)
    assert result.pv[0] == result.move
    assert all(-1.0 <= info.value <= 1.0 for info in result.moves)
    if result.proven is None:
        assert result.visits == visits
        # The root is judged once itself; a rollout search expands it on its second visit.
        assert sum(info.visits for info in result.moves) == visits - 1
        seen = [info for info in result.moves if info.visits]
        mean = sum(info.visits * info.value for info in seen) / max(1, visits - 1)
        drawn = any(info.visits and info.value == 0.0 for info in seen)
        lost = any(info.value == -1.0 for info in seen)
        # Proofs replace means, and a draw in hand lifts the root; else the root is the mean of its moves and its own.
        if not drawn and not lost:
            assert abs(result.value - mean) <= 2.0 / visits + 1e-3
    line = board.copy()
    for move in result.pv:
        line.push(move)


def test_values_are_for_the_side_to_move() -> None:
    board = Board.from_stones(["c5", "d5", "e5"], ["c6", "h1"], turn=WHITE, size=9)
    for turn, sign in ((BLACK, 1), (WHITE, -1)):
        position = Board.from_stones(["c5", "d5", "e5", "e6", "f7"], ["c6", "h1", "a9"], turn=turn, size=9)
        result = Mcts("rollout", seed=3).search(position, Limit(visits=2000))
        assert result.value * sign > 0.1
    assert board.turn == WHITE


def test_stops_growing_at_the_memory_limit() -> None:
    board = Board(15)
    small = Mcts("heuristic", memory_mb=1, plies=1).search(board, Limit(visits=8000))
    assert small.notes["full"] == 1.0
    assert small.notes["memory_mb"] < 1.1
    assert small.visits == 8000
    assert Mcts("heuristic", memory_mb=64, plies=1).search(board, Limit(visits=8000)).notes["full"] == 0.0


def test_keeps_the_tree_between_moves() -> None:
    board = Board.from_moves("e5e6f5", 9)
    searcher = Mcts("heuristic", seed=1)
    result = searcher.search(board, Limit(visits=2000))
    board.push(result.pv[0])
    board.push(result.pv[1])
    kept = searcher.search(board, Limit(visits=100)).notes["kept"]
    assert 50 < kept < 2000
    other = Board.from_moves("e5e6f6", 9)
    assert searcher.search(other, Limit(visits=100)).notes["kept"] == 0
    searcher.new_game()
    assert searcher.search(other, Limit(visits=100)).notes["kept"] == 0
    assert Mcts("heuristic", reuse=False).search(other, Limit(visits=50)).notes["kept"] == 0


class Ticks:
    """A clock that moves on by 20 milliseconds whenever it is read."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.02
        return self.now


def test_meets_its_time() -> None:
    clock = Ticks()
    reports = []
    result = Mcts(clock=clock).search(Board(9), Limit(time=0.5), reports.append)
    assert 0.45 < clock.now - 100.0 < 0.6
    assert result.visits > 10
    assert len(reports) >= 3
    assert [report.visits for report in reports] == sorted(report.visits for report in reports)


def test_stops_from_another_thread() -> None:
    searcher = Mcts("heuristic")
    reported = threading.Event()
    worker = threading.Thread(target=lambda: (reported.wait(), searcher.stop()))
    worker.start()
    result = searcher.search(Board(15), Limit(visits=50_000_000), lambda _: reported.set())
    worker.join()
    assert result.visits < 50_000_000


def test_a_clock_that_is_out_still_gets_a_move() -> None:
    for evaluator in ("rollout", "heuristic"):
        assert Board(9).is_legal(Mcts(evaluator).search(Board(9), Limit(time=1e-9)).move)


@pytest.mark.parametrize("win_length", [5, 4])  # another win length means another tree
def test_a_stop_before_the_first_simulation_is_heard(win_length: int) -> None:
    def clock() -> float:
        if not stops:
            stops.append(searcher.stop())
        return 0.0

    stops: list[None] = []
    searcher = Mcts("rollout", clock=clock)
    assert searcher.search(Board(9, win_length=win_length), Limit(visits=100_000)).visits < 1000
    assert searcher.search(Board(9, win_length=win_length), Limit(visits=2000)).visits >= 2000


@pytest.mark.parametrize("evaluator", ["rollout", "heuristic"])
def test_a_new_game_begins_with_the_dice_of_the_first(evaluator: str) -> None:
    board = Board.from_moves("e5e6f5", 9)
    searcher = Mcts(evaluator, seed=3, temperature=1.0, noise=0.25)

    def moves() -> list[tuple[int, list[tuple[int, int]]]]:
        searcher.new_game()
        results = [searcher.search(board, Limit(visits=60)) for _ in range(4)]
        return [(result.move, [(info.move, info.visits) for info in result.moves]) for result in results]

    assert moves() == moves()


def test_threads_share_the_simulations() -> None:
    board = Board.from_moves("e5e6f5", 9)
    for evaluator in ("rollout", "heuristic"):
        result = Mcts(evaluator, threads=3, seed=1).search(board, Limit(visits=3000))
        assert result.visits == 3000
        assert sum(info.visits for info in result.moves) >= 2990


def test_noise_and_temperature_come_from_the_seed() -> None:
    board = Board.from_moves("e5e6f5", 9)
    trees = [_tree(Mcts(Flat(), noise=0.25, seed=seed), board, 200) for seed in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]
    moves = {Mcts("heuristic", temperature=1.0, seed=seed).search(board, Limit(visits=50)).move for seed in range(30)}
    assert len(moves) > 3
    cold = {Mcts("heuristic", temperature=1.0, temperature_plies=2).search(board, Limit(visits=50)).move}
    assert cold == {Mcts("heuristic").search(board, Limit(visits=50)).move}


def test_gumbel_compares_as_many_moves_as_asked() -> None:
    board = Board.from_moves("e5e6f5", 9)
    result = Mcts(Flat(), root="gumbel", gumbel_moves=4, batch=1, seed=2).search(board, Limit(visits=33))
    tried = sorted((info.visits for info in result.moves if info.visits), reverse=True)
    # One visit for the root, then 32 by halving: 4 moves 4 times each, then the better 2 of them 8 times each.
    assert tried == [12, 12, 4, 4]


def test_draws_can_be_made_unwelcome() -> None:
    """With White to move, one cell left on each side: a draw, worth what the option says."""
    board = Board.from_diagram("xoxox\nxoxox\noxoxo\nxoxox\noxox.", turn=WHITE, win_length=5)
    neutral = Mcts("rollout", solver=False).search(board, Limit(visits=20))
    seed_d = Mcts("rollout", solver=False, draw=0.05).search(board, Limit(visits=20))
    assert neutral.value == 0.0
    assert seed_d.value == pytest.approx(-0.9, abs=1e-3)


def test_refuses_what_does_not_fit() -> None:
    with pytest.raises(BadInput, match="five in a row"):
        Mcts("heuristic").search(Board(9, win_length=4), Limit(visits=10))
    with pytest.raises(BadInput, match="select=best"):
        Mcts(select="best")
    with pytest.raises(BadInput, match="no search option 'cpuct'"):
        Mcts(cpuct=5)
    with pytest.raises(BadInput, match="choose rollout, heuristic"):
        Mcts("alphazero")
    board = Board.from_stones(["a1", "b1", "c1", "d1", "e1"], ["a2", "b2", "c2", "d2"], size=9)
    with pytest.raises(BadInput, match="over"):
        Mcts().search(board, Limit(visits=10))


def test_cache_asks_once() -> None:
    flat = Flat()
    cached = CachedEvaluator(flat, size=3)
    boards = [Board.from_moves(moves, 9) for moves in ("e5", "e5e6", "e6", "e5")]
    policy, value = cached.evaluate(Leaves.of(boards))
    assert policy.shape == (4, 81)
    assert value.shape == (4,)
    assert flat.batches == [3]
    cached.evaluate(Leaves.of(boards))
    assert flat.batches == [3]
    cached.evaluate(Leaves.of([Board.from_moves("a1", 9)]))
    cached.evaluate(Leaves.of([boards[1]]))  # asked longest ago, so forgotten
    assert flat.batches == [3, 1, 1]


def test_a_search_held_to_some_moves_knows_no_others() -> None:
    board = Board.from_stones(["d5", "e5", "f5"], ["d6", "e6"], turn=1, size=9)
    only = [board.parse(name) for name in ("a1", "i9")]
    searcher = Mcts("rollout", seed=1)
    held = searcher.search(board, Limit(visits=300), only=only)
    assert sorted(info.move for info in held.moves) == sorted(only)
    assert held.visits == 300
    free = searcher.search(board, Limit(visits=300))
    assert len(free.moves) == len(board.legal_moves), "the moves left out are back in the next search"
    with pytest.raises(BadInput, match="not legal here"):
        searcher.search(board, Limit(visits=10), only=[board.parse("d5")])


def test_what_a_held_search_proves_it_proves_of_its_moves() -> None:
    # Black wins at once on e1 but is held to a move after which White does.
    board = Board.from_stones(["a1", "b1", "c1", "d1"], ["a3", "b3", "c3", "d3"], turn=1, size=9)
    held = Mcts("rollout", seed=1).search(board, Limit(visits=2000), only=[board.parse("i9")])
    assert [info.move for info in held.moves] == [board.parse("i9")]
    assert held.proven == -1
