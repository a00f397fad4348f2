"""The board against the slow rule book, over every rule, size and win length."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone import RULES, BadInput, Board, IllegalMove
from fivestone.notation import transform_move
from oracle import BLACK, EMPTY, WHITE, OracleBoard

VARIANTS = [
    (size, rule, win_length)
    for rule in RULES
    for size in range(3, 21)
    for win_length in range(3, min(6, size) + 1)
    if rule != "renju" or win_length == 5
]


def clustered_move(board: Board, legal: list[int], rng: random.Random) -> int:
    """A random move that prefers the neighbourhood of the last ones, so that lines, fives and fouls arise."""
    size, recent = board.size, board.moves[-4:]
    for _ in range(4 if recent else 0):
        row, column = divmod(rng.choice(recent), size)
        row, column = row + rng.randint(-2, 2), column + rng.randint(-2, 2)
        if 0 <= row < size and 0 <= column < size and board.is_legal(row * size + column):
            return row * size + column
    return rng.choice(legal)


def assert_same(board: Board, oracle: OracleBoard) -> None:
    assert board.stones == oracle.stones()
    assert board.turn == oracle.turn
    assert board.winner == oracle.winner()
    assert board.legal_moves == oracle.legal_moves()
    assert board.is_over == oracle.is_over()
    assert board.is_draw == oracle.is_draw()
    assert board.is_dead_draw == oracle.is_dead_draw()
    rows = [row for color, row in oracle.winning_rows() if color == board.winner]
    assert board.winning_line in rows if rows else board.winning_line == []


def play_random_game(size: int, rule: str, win_length: int, seed: int, *, checks: float) -> Board:
    """Plays to the end; a share of the positions is compared with the rule book, the last one always."""
    rng = random.Random(seed)
    board, oracle = Board(size, rule, win_length), OracleBoard(size, rule, win_length)
    while True:
        legal = board.legal_moves
        if rng.random() < checks or not legal:
            assert_same(board, oracle)
        if not legal:
            return board
        move = clustered_move(board, legal, rng)
        before = board.hash
        board.push(move)
        after = board.hash
        assert board.pop() == move
        assert board.hash == before != after
        board.push(move)
        assert board.hash == after
        oracle.play(move)


@pytest.mark.parametrize("rule", RULES)
def test_every_size_and_win_length_plays_by_the_book(rule: str) -> None:
    for size, _, win_length in (variant for variant in VARIANTS if variant[1] == rule):
        board = play_random_game(size, rule, win_length, size * 10 + win_length, checks=2 / size**2)
        while board.moves:
            board.pop()
        assert board == Board(size, rule, win_length)
        assert board.hash == Board(size, rule, win_length).hash


@settings(max_examples=40, deadline=None)
@given(variant=st.sampled_from([v for v in VARIANTS if v[0] <= 9]), seed=st.integers(0, 2**32))
def test_small_games_agree_at_every_move(variant: tuple[int, str, int], seed: int) -> None:
    play_random_game(*variant, seed, checks=1.0)


@st.composite
def set_ups(draw: st.DrawFn, rules: tuple[str, ...] = RULES, sizes: tuple[int, int] = (3, 10)) -> Board:
    size = draw(st.integers(*sizes))
    rule = draw(st.sampled_from([r for r in rules if r != "renju" or size >= 5]))
    win_length = 5 if rule == "renju" else draw(st.integers(3, min(6, size)))
    weights = draw(st.sampled_from([(1, 1, 1), (4, 3, 1), (2, 3, 2), (6, 1, 1)]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    stones = rng.choices((EMPTY, BLACK, WHITE), weights, k=size * size)
    return Board.from_stones(
        [move for move, stone in enumerate(stones) if stone == BLACK],
        [move for move, stone in enumerate(stones) if stone == WHITE],
        draw(st.sampled_from([BLACK, WHITE])),
        size,
        rule,
        win_length,
    )


def oracle_of(board: Board) -> OracleBoard:
    return OracleBoard.from_stones(board.stones, board.turn, board.size, board.rule, board.win_length)


@settings(max_examples=150, deadline=None)
@given(board=set_ups())
def test_set_up_positions_agree(board: Board) -> None:
    assert_same(board, oracle_of(board))


@settings(max_examples=60, deadline=None)
@given(board=set_ups(("caro", "caro-exact"), (5, 8)))
def test_dead_draws_under_caro_agree(board: Board) -> None:
    assert board.is_dead_draw == oracle_of(board).is_dead_draw()


def test_a_caro_five_between_two_opponents_is_dead_even_when_it_would_be_six() -> None:
    # The only row White left open would be six between two O: it never wins, so nobody can.
    board = Board.from_diagram(
        "\n".join(["OXXXX.XO", "OOXXOOXX", "XXOOXXOO", "OOXXOOXX", "XXOOXXOO", "OOXXOOXX", "XXOOXXOO", "OOXXOOXX"]),
        BLACK,
        rule="caro",
    )
    assert board.winner is None
    assert board.is_dead_draw
    assert oracle_of(board).is_dead_draw()


@settings(max_examples=60, deadline=None)
@given(board=set_ups(), symmetry=st.integers(0, 7))
def test_symmetries_keep_what_matters(board: Board, symmetry: int) -> None:
    turned = board.transform(symmetry)
    where = [transform_move(move, board.size, symmetry) for move in range(board.size**2)]
    assert sorted(where) == list(range(board.size**2))
    assert all(turned.at(where[move]) == stone for move, stone in enumerate(board.stones))
    assert turned.turn == board.turn
    assert turned.winner == board.winner
    assert turned.legal_moves == sorted(where[move] for move in board.legal_moves)
    assert turned.forbidden_moves == sorted(where[move] for move in board.forbidden_moves)


def test_the_symmetries_are_the_eight_of_the_square() -> None:
    board = Board.from_moves("a1b1c3d2e7", size=9)
    turned = [board.transform(symmetry) for symmetry in range(8)]
    assert len({b.hash for b in turned}) == 8
    assert [turned[1].name_of(m) for m in turned[1].moves] == ["i1", "i2", "g3", "h4", "c5"]  # a quarter turn
    assert [turned[4].name_of(m) for m in turned[4].moves] == ["i1", "h1", "g3", "f2", "e7"]  # left to right
    for first in range(8):
        for second in range(8):
            assert turned[first].transform(second).hash in {b.hash for b in turned}
    with pytest.raises(BadInput):
        board.transform(8)


def test_a_turned_game_keeps_its_moves_after_a_set_up() -> None:
    board = Board.from_stones(["c3"], ["d4"], WHITE, 7)
    board.push("e5")
    board.push("a1")
    turned = board.transform(6)
    assert len(turned.moves) == 2
    assert turned.transform(6) == board
    turned.pop()
    turned.pop()
    assert turned.turn == WHITE
    assert turned.stone_count == 2


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(5, 20))
def test_equal_positions_have_equal_hashes(seed: int, size: int) -> None:
    rng = random.Random(seed)
    cells = rng.sample(range(size * size), min(8, size))
    black, white = cells[::2], cells[1::2]
    first, second = Board(size), Board(size)
    for board in (first, second):
        rng.shuffle(black)
        rng.shuffle(white)
        for turn in range(len(cells)):
            board.push((white if turn % 2 else black)[turn // 2])
    set_up = Board.from_stones(black, white, first.turn, size)
    assert first == second == set_up
    assert first.hash == second.hash == set_up.hash
    other_turn = Board.from_stones(black, white, 3 - first.turn, size)
    assert other_turn != first
    assert other_turn.hash != first.hash


def test_no_two_small_positions_share_a_hash() -> None:
    seen: dict[int, tuple[object, ...]] = {}
    rng = random.Random(5)
    for _ in range(300):
        board = Board(rng.choice([5, 6, 15]), rng.choice(RULES))
        while not board.is_over and len(board.moves) < 40:
            board.push(rng.choice(board.legal_moves))
            key = (board.size, board.rule, board.stones, board.turn)
            assert seen.setdefault(board.hash, key) == key
    assert len({Board(size, rule, win).hash for size, rule, win in VARIANTS}) == len(VARIANTS)


def test_copies_are_apart() -> None:
    board = Board.from_moves("h8i9", rule="renju")
    copy = board.copy()
    copy.push("j10")
    assert board.moves != copy.moves
    assert board == Board.from_moves("h8i9", rule="renju")
    assert copy.pop() == copy.parse("j10")
    assert copy == board


def test_errors_name_the_move_and_show_the_position() -> None:
    board = Board.from_moves("h8i9", size=15)
    with pytest.raises(IllegalMove, match=r"h8 is illegal: there is a stone on it\n(.|\n)* 8 \. \. \. \. \. \. \. X"):
        board.push("h8")
    with pytest.raises(IllegalMove, match="is not a cell"):
        board.push(225)
    with pytest.raises(IllegalMove, match="no move to take back"):
        Board().pop()
    with pytest.raises(IllegalMove, match="no move has been played"):
        Board().peek()
    won = Board.from_moves("a1b1a2b2a3b3a4b4a5")
    with pytest.raises(IllegalMove, match="the game is over, Black has won"):
        won.push("c9")
    assert won.is_over
    assert won.legal_moves == []
    assert [won.name_of(m) for m in won.winning_line] == ["a1", "a2", "a3", "a4", "a5"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2,), "board size 2"),
        ((21,), "board size 21"),
        ((15, "gomoku"), "unknown rule 'gomoku'"),
        ((4, "freestyle", 5), "win length 5 on a 4x4 board"),
        ((9, "freestyle", 7), "win length 7"),
        ((9, "freestyle", 2), "win length 2"),
        ((9, "renju", 4), "renju"),
    ],
)
def test_impossible_boards_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Board(*arguments)  # type: ignore[arg-type]


def test_set_ups_are_checked() -> None:
    with pytest.raises(BadInput, match="two stones on c3"):
        Board.from_stones(["c3"], ["c3"])
    with pytest.raises(BadInput, match="turn"):
        Board.from_stones(["c3"], ["c4"], 3)
    both = Board.from_stones(["a1", "b1", "c1", "d1", "e1"], ["a2", "b2", "c2", "d2", "e2"], BLACK)
    assert both.winner == WHITE
    assert both.transform(3).winner == WHITE
