"""Black's forbidden points: textbook positions, the slow rule book, and a second opinion from another program."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone import BLACK, Board, IllegalMove
from fivestone.notation import transform_move
from oracle import OracleBoard

# Textbook shapes: # marks forbidden points, ! points that look forbidden and are not. Everything else is unmarked.
TEXTBOOK = {
    "two threes crossing": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X # . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a blocked three does not count": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X ! . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "two split threes": """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
        . X . X # . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "two fours crossing": """
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X # . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a four and a three are Black's winning fork": """
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X ! . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "two fours in one line, one stone each side": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X . X # X . X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "two fours in one line, two stones each side": """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . X X . X # . X X .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .""",
    "two fours in one line, three stones each side": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . X X X . # . X X X .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
    "an overline": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X X X # X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "five wins even with an overline": """
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X X ! X X . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "five wins even with two fours": """
        . . . . . . . . .
        . . X . X . . . .
        . . . X X X . . .
        . X X X ! X . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a three that overlines spoil is none": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        X . . X X ! . . X . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
    # The lowest row could only become a straight four on the point below the column, where that would be a second four.
    "a three whose straight four is forbidden": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X . . . . . .
        . . . . X . . . X . .
        . . . . X . . X . . .
        . . . X . X ! . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
    # Every three of the ring depends on whether another one is real, four questions deep.
    "the ring": """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . X X . . . .
        . . . X ! ! X . . .
        . . . X ! ! X . . .
        . . . . X X . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .""",
}


def read(diagram: str) -> tuple[Board, set[int], set[int]]:
    rows = [line.split() for line in diagram.split("\n") if line.strip()][::-1]
    size = len(rows)
    cells = {(row * size + column): rows[row][column] for row in range(size) for column in range(size)}

    def where(symbol: str) -> list[int]:
        return [move for move, cell in cells.items() if cell == symbol]

    board = Board.from_stones(where("X"), where("O"), BLACK, size, "renju")
    return board, set(where("#")), set(where("!"))


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_positions(name: str) -> None:
    board, forbidden, allowed = read(TEXTBOOK[name])
    for symmetry in range(8):
        turned = board.transform(symmetry)
        bad, good = ({transform_move(m, board.size, symmetry) for m in moves} for moves in (forbidden, allowed))
        assert bad <= set(turned.forbidden_moves)
        assert not good & set(turned.forbidden_moves)
    for move in forbidden:
        with pytest.raises(IllegalMove, match="renju forbids it to Black"):
            board.push(move)
    for move in allowed:
        assert board.is_legal(move)


def dense_position(rng: random.Random, size: int = 15) -> Board:
    """Stones crowded into a part of the board, most of them Black: full of fouls and of fouls that are none."""
    weights = rng.choice([(10, 4, 1), (6, 4, 1), (3, 3, 1), (12, 3, 0), (5, 2, 1)])
    left, bottom, width = rng.randrange(size - 4), rng.randrange(size - 4), rng.randint(5, 9)
    part = [
        (y * size + x) for y in range(bottom, min(size, bottom + width)) for x in range(left, min(size, left + width))
    ]
    stones = rng.choices((0, 1, 2), weights, k=len(part))
    return Board.from_stones(
        [move for move, stone in zip(part, stones, strict=True) if stone == 1],
        [move for move, stone in zip(part, stones, strict=True) if stone == 2],
        BLACK,
        size,
        "renju",
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(6, 15))
def test_forbidden_points_by_the_book(seed: int, size: int) -> None:
    board = dense_position(random.Random(seed), size)
    assert board.forbidden_moves == OracleBoard.from_stones(board.stones, BLACK, size, "renju").forbidden_moves()


def test_forbidden_points_in_the_opinion_of_another_program() -> None:
    foul = pytest.importorskip("renju.check_forbid", reason="the renju package is not installed").get_foul_type
    rng = random.Random(9)
    found = 0
    for _ in range(60):
        board = dense_position(rng)
        grid = [list(board.stones[row * 15 : row * 15 + 15]) for row in range(15)]
        candidates = [m for m in board.legal_moves if rng.random() < 0.1] + board.forbidden_moves
        for move in candidates:
            assert bool(foul(grid, *divmod(move, 15))) == board.is_forbidden(move), (
                board,
                board.name_of(move),
            )
            found += board.is_forbidden(move)
    assert found > 100


# Positions others have published to show what strict rules are about (the notes of the mintaka engine): Black's stones,
# White's, and all points that are forbidden.
PUBLISHED = {
    "two fours in one line, three ways": (
        "e14 g14 i14 k14 e10 g10 h10 k10 e6 f6 h6 k6 l6",
        "e12 f12 g12 h12",
        "h14 i10 i6",
    ),
    "fours that are none": ("f9 g9 h8 h7 i6 j6 k6", "h11 f10 g8 i8 g7 i7 l6", ""),
    "nested": ("e10 h10 f9 h9 i9 g8 h8 i7 j7 f6 f5", "d11 g11 j10 e9 g9 g7 h7 e5 f4", "i8"),
    "nested more than once": (
        "h12 m11 n10 d9 g9 i9 j9 k9 m9 d8 h8 e7 f7 j7 g6 k6 l6",
        "f10 m10 c9 h9 l9 e8 f8 i8 b7 m6 e5",
        "j10 j8 g7 k7",
    ),
    "recursive": ("g9 h9 f8 g8 h8 i8 f7 g7 h7 i7 g6 h6", "g10 h10 e8 j8 e7 j7 g5 h5", "f9 i9 f6 i6"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_positions(name: str) -> None:
    black, white, forbidden = PUBLISHED[name]
    board = Board.from_stones(black.split(), white.split(), BLACK, rule="renju")
    assert {board.name_of(move) for move in board.forbidden_moves} == set(forbidden.split())


def test_white_is_free() -> None:
    board = Board.from_diagram(
        "\n".join([".........", ".........", "....O....", "....O....", "..OO....."] + ["........."] * 4),
        2,
        "renju",
    )
    assert board.forbidden_moves == []
    board.push("e5")
    row = Board.from_stones([], ["b5", "c5", "d5", "f5", "g5"], 2, 9, "renju")
    row.push("e5")
    assert row.winner == 2


def test_black_with_only_forbidden_points_left_has_a_draw() -> None:
    rows = ["OOOXXXX", "OOOXOOO", "OXOOOOX", "XXX.XXX", "OOOXXXO", "XOXXXOO", "XXOXXOO"]
    seven = Board.from_diagram("\n".join(rows), BLACK, "renju")
    assert seven.winner is None
    assert [seven.name_of(move) for move in seven.forbidden_moves] == ["d4"]
    assert seven.legal_moves == []
    assert seven.is_draw
