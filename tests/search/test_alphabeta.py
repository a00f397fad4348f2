"""The alpha-beta engine, held against the rule book, brute force and its own contracts."""

import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone.board import RULES, WHITE, Board
from fivestone.errors import BadInput
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.result import Limit, SearchResult
from fivestone.search.weights import core_weights
from oracle import OracleBoard


def _clumped(rng: random.Random, size: int, rule: str, stones: int) -> Board:
    """A game of random moves next to earlier ones, where threats are common."""
    board = Board(size, rule)
    while not board.is_over and len(board.moves) < stones:
        legal = board.legal_moves
        near = [
            move
            for move in legal
            if any(abs(move // size - old // size) <= 1 and abs(move % size - old % size) <= 1 for old in board.moves)
        ]
        board.push(rng.choice(near or legal))
    return board


def _fives(board: Board, color: int) -> set[int]:
    """The legal moves by which `color`, were it to move, would win at once, by the rule book."""
    oracle = OracleBoard.from_stones(board.stones, color, board.size, board.rule)
    wins = set()
    for move in oracle.legal_moves():
        oracle.play(move)
        if oracle.winner() == color:
            wins.add(move)
        oracle.undo()
    return wins


@settings(deadline=None, max_examples=60)
@given(rule=st.sampled_from(RULES), size=st.integers(5, 9), seed=st.integers(0, 10**6), stones=st.integers(8, 40))
def test_wins_in_one_and_stops_a_loss_in_one(rule: str, size: int, seed: int, stones: int) -> None:
    board = _clumped(random.Random(seed), size, rule, stones)
    if board.is_over:
        return
    before = (board.stones, board.moves, board.turn)
    move = AlphaBeta(hash_mb=1).search(board, Limit(depth=2)).move
    assert (board.stones, board.moves, board.turn) == before
    assert board._is_legal(move)
    wins = _fives(board, board.turn)
    if wins:
        assert move in wins
        return
    foe = 3 - board.turn
    if not _fives(board, foe):
        return
    holding = []
    for reply in board.legal_moves:
        board.push(reply)
        if not any(board._wins(threat, foe) for threat in board.legal_moves):
            holding.append(reply)
        board.pop()
    assert not holding or move in holding


def _minimax(board: Board, known: dict[int, int]) -> int:
    """1 if the side to move wins, 0 for a draw, -1 if it loses; every legal move is tried."""
    if board.winner is not None:
        return -1
    moves = board.legal_moves
    if not moves:
        return 0
    if board.hash not in known:
        best = -1
        for move in moves:
            board.push(move)
            best = max(best, -_minimax(board, known))
            board.pop()
            if best == 1:
                break
        known[board.hash] = best
    return known[board.hash]


@pytest.mark.parametrize("rule", RULES)
def test_equals_brute_force_on_late_positions(rule: str) -> None:
    rng = random.Random(f"late {rule}")
    seen: set[int] = set()
    for _ in range(60):
        board = Board(5, rule) if rng.random() < 0.5 else Board(6, rule)
        left = rng.randint(5, 9)
        while not board.is_over and board.size**2 - board.stone_count > left:
            board.push(rng.choice(board.legal_moves))
        if board.is_over:
            continue
        expected = _minimax(board, {})
        found = AlphaBeta(hash_mb=1).search(board, Limit(depth=20))
        assert (found.proven or 0) == expected, board.diagram()
        board.push(found.move)
        assert -_minimax(board, {}) == expected
        seen.add(expected)
    assert len(seen) > 1


def _threatening() -> Board:
    return Board.from_moves("h8i9j8h10g8f8g7f6")


def test_same_search_same_result() -> None:
    for limit in (Limit(depth=5), Limit(nodes=20_000)):
        first, second = (AlphaBeta(hash_mb=4).search(_threatening(), limit) for _ in range(2))
        assert (first.move, first.score, first.nodes, first.pv) == (
            second.move,
            second.score,
            second.nodes,
            second.pv,
        )


def test_nodes_are_an_exact_limit_with_one_thread() -> None:
    board = Board.from_moves("h8i9")
    assert AlphaBeta(hash_mb=1).search(board, Limit(nodes=777)).nodes == 777
    assert AlphaBeta(hash_mb=1).search(board, Limit(visits=500)).nodes == 500


@pytest.mark.parametrize("threads", [1, 3])
def test_stops_when_asked(threads: int) -> None:
    engine = AlphaBeta(hash_mb=4, threads=threads)
    found: list[SearchResult] = []
    started = threading.Event()
    board = Board.from_moves("h8i9")
    worker = threading.Thread(
        target=lambda: found.append(engine.search(board, Limit(depth=99), lambda result: started.set()))
    )
    worker.start()
    assert started.wait(20)
    engine.stop()
    worker.join(20)
    assert not worker.is_alive()
    assert board._is_legal(found[0].move)
    assert board.moves == Board.from_moves("h8i9").moves


@pytest.mark.parametrize(
    ("rule", "moves", "most"),
    [
        (
            "caro-exact",
            "g7i11j10k5i9e10h8k11f4f6h11h10g9g6j9h9j8j12j1k12k13k8g10i12j6j7i7e11h12k10k7h6i6i5g8g12l6m5",
            50_000,
        ),
        (
            "caro",
            "e13g12d9f9d7j3h5j10g3d8i10h8e11g8j9h13c4i5c10l5j6h4m4d3m13f13k13l10m9f5e5i11j7c6g11f12e6i9",
            20_000,
        ),
    ],
)
def test_answers_to_fours_stay_few_under_caro(rule: str, moves: str, most: int) -> None:
    """Found by searching many positions to this depth: fours about, and several ways to stop each five."""
    assert AlphaBeta(hash_mb=1).search(Board.from_moves(moves, 15, rule), Limit(depth=3)).nodes < most


@pytest.mark.parametrize("rule", ["caro", "caro-exact"])
@pytest.mark.parametrize("gap", "cdefg")
@pytest.mark.parametrize("flank", ["b5", "h5"])
def test_caro_searches_every_answer_that_stops_a_five(rule: str, gap: str, flank: str) -> None:
    four = [f"{column}5" for column in "cdefg" if column != gap]
    board = Board.from_stones(four, [flank, "a9", "d9", "h9"], turn=WHITE, size=9, rule=rule)
    stops = set()
    for move in (move for move in board.legal_moves if move // 9 == 4):
        board.push(move)
        if not _fives(board, board.turn):
            stops.add(move)
        board.pop()
    searched = {info.move for info in AlphaBeta(hash_mb=1, multipv=400).search(board, Limit(depth=1)).moves}
    assert stops <= searched
    assert 1 <= len(stops) <= len(searched) <= 3


def test_a_stop_before_the_first_stone_is_heard(monkeypatch) -> None:
    engine, board = AlphaBeta(hash_mb=1), Board.from_moves("h8i9")

    def stopped(*given: object) -> object:
        engine.stop()
        return core_weights(board)

    with monkeypatch.context() as patch:
        patch.setattr("fivestone.search.alphabeta.core_weights", stopped)
        assert engine.search(board, Limit(nodes=50_000)).nodes < 1000
    assert engine.search(board, Limit(nodes=5000)).nodes == 5000


def test_a_clock_that_is_out_still_gets_a_legal_answer() -> None:
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["g8", "c3", "d4", "m11"], turn=WHITE)
    assert board.name_of(AlphaBeta(hash_mb=1).search(board, Limit(time=1e-9)).move) == "l8"


def test_several_lines_are_different_moves_best_first() -> None:
    reports: list[SearchResult] = []
    board = _threatening()
    result = AlphaBeta(hash_mb=4, multipv=4).search(board, Limit(depth=4), reports.append)
    assert [report.depth for report in reports] == [1, 2, 3, 4]
    assert len({info.move for info in result.moves}) == 4
    scores = [info.score for info in result.moves]
    assert scores == sorted(scores, reverse=True)
    for info in result.moves:
        assert info.pv[0] == info.move
        line = board.copy()
        for move in info.pv:
            line.push(move)


def test_what_a_callback_raises_leaves_no_thread_behind() -> None:
    engine = AlphaBeta(hash_mb=4, threads=3)

    def fail(_result: SearchResult) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        engine.search(_threatening(), Limit(nodes=20_000), fail)
    assert engine.search(_threatening(), Limit(nodes=20_000)).depth > 1


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_win_by_threats_is_found_with_any_number_of_threads(threads: int) -> None:
    # Black makes two threes with one stone.
    board = Board.from_moves("h8a1h9a15i7o1j7o15")
    result = AlphaBeta(hash_mb=4, threads=threads).search(board, Limit(nodes=60_000))
    assert result.proven == 1
    assert result.nodes <= 62_000


def test_threads_share_the_work() -> None:
    result = AlphaBeta(hash_mb=4, threads=3).search(_threatening(), Limit(depth=5))
    assert result.depth == 5 or result.proven == 1


def test_finds_a_win_by_fours_at_once_and_says_how_far_it_is() -> None:
    # Two threes that cross: a four with one makes a second four with the other.
    board = Board.from_stones(["h8", "i8", "j8", "k9", "k10", "k11"], ["g8", "k12", "a1", "c1", "e1", "o15"])
    result = AlphaBeta(hash_mb=1).search(board, Limit(depth=3))
    assert board.name_of(result.move) == "k8"
    assert result.proven == 1
    assert result.value == 1.0


def test_an_empty_board_and_a_game_that_is_over() -> None:
    for size in (5, 15, 20):
        middle = size // 2 * size + size // 2
        assert AlphaBeta(hash_mb=1).search(Board(size), Limit(depth=2)).move == middle
    with pytest.raises(BadInput, match="over"):
        AlphaBeta(hash_mb=1).search(Board.from_moves("a1a2b1b2c1c2d1d2e1"), Limit(depth=2))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(BadInput, match="win length"):
        AlphaBeta(hash_mb=1).search(Board(9, win_length=4), Limit(depth=1))
    with pytest.raises(BadInput, match="hash_mb=0"):
        AlphaBeta(hash_mb=0)
    with pytest.raises(BadInput, match="no search number 'razr'"):
        AlphaBeta(tuning={"razr": 1})
