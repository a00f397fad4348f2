"""Names, coordinates, compact strings and diagrams: exact both ways, and no text crashes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivestone import BLACK, RULES, BadInput, Board, notation

SIZES = st.integers(3, 20)
ANY_TEXT = st.text(max_size=40) | st.text("abtxoXO.159, \n-+", max_size=40)


def test_names_everybody_uses() -> None:
    assert notation.format_move(112, 15) == "h8"
    assert notation.parse_move(" H8\n", 15) == 112
    assert notation.parse_move("a1", 15) == 0
    assert notation.parse_move("i9", 15) == 8 * 15 + 8  # i is a column
    assert notation.parse_move("t20", 20) == 399
    assert notation.format_xy(112, 15) == "7,7"
    assert notation.parse_xy(" 7, 0", 15) == 7


@given(size=SIZES, data=st.data())
def test_every_cell_has_one_name(size: int, data: st.DataObject) -> None:
    move = data.draw(st.integers(0, size * size - 1))
    name = notation.format_move(move, size)
    assert notation.parse_move(name, size) == move
    assert notation.parse_move(name.upper(), size) == move
    assert notation.parse_xy(notation.format_xy(move, size), size) == move


@given(size=SIZES, data=st.data(), gap=st.sampled_from(["", " ", ",", ", ", "\n"]))
def test_compact_strings_come_back(size: int, data: st.DataObject, gap: str) -> None:
    moves = data.draw(st.lists(st.integers(0, size * size - 1), unique=True, max_size=30))
    text = notation.format_moves(moves, size)
    assert quote(text) == text  # nothing to escape in a URL
    assert [notation.parse_move(name, size) for name in notation.split_moves(text)] == moves
    spaced = gap.join(notation.format_move(move, size) for move in moves)
    assert notation.split_moves(spaced) == notation.split_moves(text)


@given(seed=st.integers(0, 2**32), rule=st.sampled_from(RULES), size=SIZES, coordinates=st.booleans())
def test_diagrams_come_back(seed: int, rule: str, size: int, coordinates: bool) -> None:
    rng = random.Random(seed)
    rule = rule if size >= 5 else "freestyle"
    board = Board(size, rule, min(5, size))
    for _ in range(rng.randrange(size * size)):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_moves))
    assert Board.from_diagram(board.diagram(coordinates=coordinates), board.turn, rule) == board
    if board.turn == BLACK or board.stone_count % 2:
        assert Board.from_diagram(board.diagram(coordinates=coordinates), rule=rule) == board


def test_diagrams_as_people_draw_them() -> None:
    expected = Board.from_stones(["b2"], ["c3", "a1"], size=3, win_length=3)
    for text in (
        " 3 . . O\n 2 . X .\n 1 O . .\n   a b c",
        "   A B C\n 3 . . O 3\n 2 . X . 2\n 1 O . . 1\n   A B C\n",
        "..O\n.X.\nO..",
        "+ - o\n_ # _\no + .",
        "\n3 --O\n2 -*-\n1 O--\nabc\n",
    ):
        assert Board.from_diagram(text, win_length=3) == expected
    rows = Board.from_diagram("o o o\no o o\nx x x", turn=1, win_length=3)  # rows of o are no column letters
    assert rows.stone_count == 9


@pytest.mark.parametrize("text", ["", "X", "X O\nO X", "X Xx O\n. . .\n. . .", "...\n..\n...", "A B C\n. . .\n. . ."])
def test_what_is_no_diagram_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="diagram"):
        notation.parse_diagram(text)


@pytest.mark.parametrize("text", ["", "h", "8", "h0", "h08", "u1", "h16", "p1", "h８", "hh8", "h8i9", "ſ1", "h8\x00"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        notation.parse_move(text, 15)


@pytest.mark.parametrize("text", ["", "7", "7,7,7", "7;7", "7,x", "15,0", "-1,0", "１,1", "1_0,1", "9" * 5000 + ",1"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        notation.parse_xy(text, 15)


@given(text=ANY_TEXT, size=SIZES)
def test_any_text_gives_a_move_or_one_clear_line(text: str, size: int) -> None:
    parsers: list[Callable[[], object]] = [
        lambda: notation.parse_move(text, size),
        lambda: notation.parse_xy(text, size),
        lambda: notation.split_moves(text),
        lambda: notation.parse_diagram(text),
    ]
    for parser in parsers:
        try:
            parser()
        except BadInput as error:
            message = str(error)
            assert message.isprintable()


def test_a_long_string_of_moves_takes_no_long_time() -> None:
    assert len(notation.split_moves("h8i9" * 100_000)) == 200_000
    with pytest.raises(BadInput, match="does not start with a move"):
        notation.split_moves("h8" * 100_000 + "?")
