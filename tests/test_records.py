"""Records: exact round trips, what other programs write, and any bytes at all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fivestone import BLACK, RULES, WHITE, BadFile, BadInput, Board, records
from fivestone.records import Game, Node, Setup
from fivestone.records.sgf import escape

LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12).map(
    lambda text: " ".join(text.split())
)
COMMENT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30)


@st.composite
def games(draw: st.DrawFn, *, tree: bool = True) -> Game:
    """A game of random legal moves; with `tree`, everything a record can hold."""
    size = draw(st.integers(5, 20))
    rule = draw(st.sampled_from(RULES))
    win_length = 5 if rule == "renju" or not tree else draw(st.integers(3, min(6, size)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    game = Game(size, rule, win_length, *(draw(LINE) for _ in range(2)))
    game.result = draw(st.sampled_from(["", "B+", "W+", "Draw"] + (["W+R", "Void"] if tree else [])))
    if tree:
        game.date, game.event, game.place, game.root.comment = draw(LINE), draw(LINE), draw(LINE), draw(COMMENT)
        if draw(st.booleans()):
            cells = rng.sample(range(size * size), 5)
            game.root.setup = Setup((cells[0], cells[1]), (cells[2],), turn=draw(st.sampled_from([None, BLACK, WHITE])))
    node = game.root
    for _ in range(draw(st.integers(0, 30))):
        board = game.board(node)
        if not board.legal_moves:
            break
        if tree and rng.random() < 0.1:
            node = node.add(None, board.turn, comment="pass")
            continue
        next_node = node.add(rng.choice(board.legal_moves), board.turn)
        if tree:
            next_node.seconds = rng.choice([None, 0.0, rng.random() * 100])
            next_node.value = rng.choice([None, rng.uniform(-1, 1)])
            next_node.comment = draw(COMMENT) if rng.random() < 0.2 else ""
            if rng.random() < 0.1:
                next_node.properties = {"LB": [escape("aa") + ":" + escape(draw(COMMENT))], "KO": [""]}
            if rng.random() < 0.2:
                node.add(rng.choice(board.legal_moves), board.turn, comment="another way")
        node = next_node
    return game


@settings(max_examples=80, deadline=None)
@given(game=games())
def test_sgf_round_trips_exactly(game: Game) -> None:
    text = records.format_game(game, "sgf")
    again = records.parse(text.encode())
    assert again == game
    assert records.format_game(again, "sgf") == text
    assert again.board() == game.board()


@settings(max_examples=60, deadline=None)
@given(game=games(tree=False), data=st.data())
def test_psq_keeps_moves_times_names_rule_and_result(game: Game, data: st.DataObject) -> None:
    for node in game.line():
        node.seconds = data.draw(st.integers(0, 100_000)) / 1000
    again = records.parse(records.format_game(game, "psq").encode())
    assert again == game


@settings(max_examples=60, deadline=None)
@given(game=games(tree=False))
def test_plain_lists_keep_moves_names_rule_and_result(game: Game) -> None:
    again = records.parse(records.format_game(game, "txt").encode())
    if not game.moves:  # nothing tells the header from the result
        return
    assert again == game


def test_games_differ_when_anything_differs() -> None:
    def make() -> Game:
        game = Game.from_moves([112, 113, 97], black="A", white="B", seconds=[1.0, 2.0, 3.0])
        game.root.children[0].add(98, WHITE)
        return game

    assert make() == make()
    for change in ("black", "result", "date"):
        other = make()
        setattr(other, change, "x")
        assert other != make()
    other = make()
    other.line()[1].comment = "!"
    assert other != make()
    other = make()
    other.root.children[0].children.pop()
    assert other != make()


# What other programs write


def test_sgf_of_other_programs() -> None:
    text = r"""Some words first.
    (;GM[4]FF[3]CA[ISO-8859-1]SZ[15:15]RUle[Renju]PlayerBlack[K\:e\]vin\\]PW[Müller
]RE[W+R]KM[0.0]
     C[two\
 lines
of text];B[hh];White[ig]TM[3](;B[gf]C[main])(;B[gg];W[])(;B[jj]))
    """
    game = records.read(text.encode("latin-1"))
    assert (game.size, game.rule, game.black, game.white, game.result) == (15, "renju", "K:e]vin\\", "Müller", "W+R")
    assert game.root.comment == "two lines\nof text"
    assert game.root.properties == {"KM": ["0.0"]}
    board = game.board()
    assert [board.name_of(move) for move in game.moves] == ["h8", "i9", "g10"]
    branches = game.line()[1].children
    assert [len(branch.children) for branch in branches] == [0, 1, 0]
    assert game.board(branches[1].children[0]).turn == BLACK  # White passed
    assert game.line()[1].properties == {"TM": ["3"]}
    assert game.warnings == []


def test_sgf_points_in_letters_and_figures() -> None:
    game = records.parse("(;GM[4]SZ[15];B[h8];W[H9];B[tt];W[aa])")
    assert [game.start().name_of(move) for move in game.moves] == ["h8", "h9", "a15"]
    assert game.line()[2].move is None  # tt is a pass on boards that have no such point
    assert records.parse("(;GM[4]SZ[20];B[tt])").moves == [19]


def test_sgf_set_up_stones_and_rectangles() -> None:
    game = records.parse("(;SZ[9]AB[aa:ca]AW[ai][bi]PL[W];W[ci];AE[aa]AB[ee])")
    board = game.board()
    assert sorted(board.name_of(m) for m, s in enumerate(board.stones) if s == BLACK) == ["b9", "c9", "e5"]
    assert sorted(board.name_of(m) for m, s in enumerate(board.stones) if s == WHITE) == ["a1", "b1", "c1"]
    assert board.turn == BLACK
    puzzle = records.parse("(;SZ[9]AB[ee][ef]AW[aa])")
    assert puzzle.board().turn == WHITE


def test_a_move_out_of_turn_is_a_pass_left_out() -> None:
    game = records.parse("(;SZ[9];B[aa];B[bb])")
    assert game.board().stones.count(BLACK) == 2
    assert game.board().turn == WHITE


def test_a_move_in_the_root_is_still_a_move() -> None:
    game = records.parse("(;SZ[9]B[ee]C[hello];W[aa])")
    assert game.root.comment == "hello"
    assert len(game.moves) == 2
    assert records.parse(records.format_game(game, "sgf")) == game


def test_a_collection_gives_its_first_game() -> None:
    game = records.parse("(;SZ[9];B[aa])(;SZ[19];B[bb])\n")
    assert game.size == 9
    assert game.warnings == ["the file holds 2 games: this is the first"]


def test_psq_of_gomocup() -> None:
    text = (
        "Piskvorky 20x20, 11:11, 0\r\n11,10,23\r\n12,10,0\r\n11,11,1500\r\nAI1.zip\r\nAI2.zip\r\n-1\r\n2,Standard\r\n"
    )
    game = records.read(text.encode())
    assert (game.size, game.rule, game.black, game.white) == (20, "standard", "AI1.zip", "AI2.zip")
    assert game.moves == [9 * 20 + 10, 9 * 20 + 11, 10 * 20 + 10]
    assert [node.seconds for node in game.line()] == [0.023, 0.0, 1.5]
    assert game.result == "W+"
    assert game.warnings == ["the result stated is a win for White, but the board does not show it"]


def test_psq_header_forms() -> None:
    short = records.parse("Piskvorky 15x15\n8,8\n8,9\n")
    assert short.moves == [112, 127]
    assert short.line()[0].seconds is None
    swapped = records.parse("Piskvorky 15x15, 0:11, 1\n8,8,5\nsecond\nfirst\n0\n1,Renju\n")
    assert (swapped.black, swapped.white, swapped.rule, swapped.result) == ("first", "second", "renju", "W+")
    unnamed = records.parse("Piskvorky 15x15, 0:0, 0\n8,8,5\n-1\n")
    assert (unnamed.black, unnamed.white) == ("", "")


SEED_A = """Game 3. Black: AlphaZero, White: pure MCTS, board 9 x 9
1. (5, 5)(5,6)  2.( 4 , 5 ) (6, 6)
3. (6, 5)(3, 5)
4.(7, 5) (8, 5)
5. (2, 2)
Black wins!
"""


def test_printed_coordinate_lists() -> None:
    game = records.parse(SEED_A)
    assert (game.size, game.black, game.white, game.result) == (9, "AlphaZero", "pure MCTS", "B+")
    names = [game.start().name_of(move) for move in game.moves]
    assert names == ["e5", "e6", "d5", "f6", "f5", "c5", "g5", "h5", "b2"]
    assert game.warnings == ["the result stated is a win for Black, but the board does not show it"]
    assert game.winner() is None


@pytest.mark.parametrize(
    ("header", "names", "size"),
    [
        ("Black: A, White: B, 8*8 board", ("A", "B"), 8),
        ("A (Black) - B (White), board size: 9", ("A", "B"), 9),
        ("Game 1: human one (white) vs. pure MCTS (black), 7 by 7", ("pure MCTS", "human one"), 7),
        ("6×6", ("", ""), 6),
    ],
)
def test_headers_as_people_write_them(header: str, names: tuple[str, str], size: int) -> None:
    game = records.parse(f"{header}\n1. (1,1)(2,2)\n")
    assert ((game.black, game.white), game.size) == (names, size)


@pytest.mark.parametrize(
    ("text", "moves", "result"),
    [
        ("h8 i9 j8", ["h8", "i9", "j8"], ""),
        ("h8i9j8", ["h8", "i9", "j8"], ""),
        ("1. h8 i9\n2. j8\n1-0", ["h8", "i9", "j8"], "B+"),
        ("(8,8)(9,9)\nwhite won on time", ["h8", "i9"], "W+"),
        ("(8,8)(9,9) draw", ["h8", "i9"], "Draw"),
        ("A draw-ish 15x15 game\n(8,8)\nThe winner is: Black", ["h8"], "B+"),
        ("Rule: renju\n(8,8)\n???", ["h8"], "???"),
    ],
)
def test_plain_lists_are_free_in_form(text: str, moves: list[str], result: str) -> None:
    game = records.parse(text)
    assert [game.start().name_of(move) for move in game.moves] == moves
    assert game.result == result


def test_the_board_is_as_large_as_the_moves_need() -> None:
    assert records.parse("(1, 1)(2, 2)").size == 15
    assert records.parse("(1, 1)(16, 2)").size == 19
    assert records.parse("(1, 1)(20, 2)").size == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no moves found"),
        ("hello", "no moves found"),
        ("9x9\n(10, 1)", r"\(10, 1\) is off the 9x9 board"),
        ("(0, 1)", "numbered from 1"),
        ("(1, 1)(1, 1)", "move 2: there is already a stone on a1"),
        ("(1, 1) what (1, 2)", "between the moves"),
        ("9x8\n(1,1)", "not square"),
        ("(;GM[1];B[aa])", "game type '1'"),
        ("(;SZ[15];B[aa];W[aa])", "move 2: there is already a stone on a15"),
        ("(;SZ[99])", "board size 99"),
        ("(;SZ[15:13])", "square"),
        ("(;B[aa", "no value"),
        ("(;SZ[9];B[zz])", "off the 9x9 board"),
        ("(;SZ[9];B[aa]W[bb])", "either side"),
        ("(;SZ[9];B[aa]", "middle of a game"),
        ("(;SZ[9];B[aa]))", "too many"),
        ("Piskvorky 15x14, 0:0, 0\n", "not square"),
        ("Piskvorky fifteen\n", "first line"),
        ("Piskvorky 15x15, 0:0, 0\n16,1,0\n", "move 1 of the .psq"),
        ("9x9\n(1,1)(1,2)(2,1)(2,2)(3,1)(3,2)(4,1)(4,2)(5,1)(5,2)", "move 10: b5 is played after|after Black has won"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        records.parse(text)


def test_a_renju_game_that_ends_on_a_forbidden_point_is_lost_for_black() -> None:
    moves = ["e5", "a1", "f5", "a9", "g6", "i1", "g7", "i9", "g5"]
    board = Board(9)
    game = Game.from_moves([board.parse(move) for move in moves], 9, "renju", result="W+")
    assert game.winner() == WHITE
    assert game.check() == []
    assert game.board().stone_count == 9
    game.result = "B+"
    assert game.check() == ["the result stated is a win for Black, but White has won on the board"]
    game.line()[-1].add(board.parse("a5"), WHITE)
    game.result = ""
    assert game.winner() is None
    assert game.check() == ["move 9 is on a point that renju forbids to Black, and the game goes on"]
    free = Game.from_moves([board.parse(move) for move in moves], 9)
    assert free.winner() is None


def test_a_record_of_a_board_gives_the_board_again() -> None:
    board = Board.from_stones(["c3", "d4"], ["e5"], WHITE, 9, "caro")
    board.push("a1")
    board.push("b1")
    game = records.parse(records.format_game(Game.from_board(board, black="me"), "sgf"))
    assert game.board() == board
    assert game.black == "me"
    assert game.board().moves == board.moves
    plain = Board.from_moves("h8i9")
    assert Game.from_board(plain).moves == plain.moves
    assert Game.from_board(plain).root.setup is None


def test_formats_that_cannot_hold_a_game_say_so() -> None:
    set_up = Game(root=Node(setup=Setup((1,), (2,))))
    passed = Game()
    passed.root.add(None, BLACK)
    for game in (set_up, passed):
        for kind in ("psq", "txt"):
            with pytest.raises(BadInput, match="write SGF"):
                records.format_game(game, kind)
    with pytest.raises(BadInput, match="write SGF"):
        records.format_game(Game(6, win_length=4), "psq")
    with pytest.raises(BadInput, match="unknown record format"):
        records.format_game(Game(), "pgn")


def test_files(tmp_path: Path) -> None:
    game = Game.from_moves([112, 113], black="é", white="B")
    for kind in records.FORMATS:
        path = tmp_path / f"game.{kind}"
        records.write(game, path)
        assert records.read(path).moves == game.moves
        assert records.read(str(path)).black == "é"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["game.psq", "game.sgf", "game.txt"]
    with pytest.raises(BadInput, match="cannot tell the format"):
        records.write(game, tmp_path / "game.doc")
    with pytest.raises(BadFile, match="cannot read"):
        records.read(tmp_path / "none.sgf")
    with pytest.raises(BadFile, match="cannot read"):
        records.read(tmp_path)
    (tmp_path / "bad.sgf").write_text("(;SZ[9];B[zz])")
    with pytest.raises(BadFile, match=r"bad\.sgf: the point zz"):
        records.read(tmp_path / "bad.sgf")
    with pytest.raises(BadFile, match="at most"):
        records.parse(b"(" * 5_000_000)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(;" * 30_000 + ")" * 30_000,
        "(" + ";" * 200_000 + ")",
        "(;C[" + "\\" * 99_999 + "])",
        "(8,8)" * 100_000,
        "Piskvorky 15x15\n" + "1,1\n" * 100_000,
        "(1,1)\n" + "black " * 100_000,
        "( " * 100_000,
        "(;SZ[5]" + ";B[]" * 3000 + ")",
    ],
)
def test_large_and_deep_files_end(text: str) -> None:
    try:
        game = records.parse(text.encode())
        assert game == game
        records.parse(records.format_game(game, "sgf"))
    except (BadFile, BadInput):
        pass


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=200))
@example(data=b"\xff\xfe(\x00;\x00)\x00")
@example(data=b"(;CA[idna];B[aa])")
@example(data=b"(;CA[rot13];B[aa])")
@example(data=b"(;INAROW[\xd9\xa5])")
@example(data="(;SZ[²])".encode())
def test_any_bytes_give_a_game_or_a_clear_error(data: bytes) -> None:
    for prefix in (b"", b"(;GM[4]", b"Piskvorky 15x15, 11:11, 0\n", b"(8, 8)"):
        try:
            game = records.read(prefix + data)
        except (BadFile, BadInput) as error:
            message = str(error)
        else:
            game.board()
            continue
        assert message.isprintable(), message


TOKENS = ["(", ")", ";", "B", "W", "AB", "AE", "PL", "C", "V", "ET", "SZ", "RU", "RE", "[aa]", "[bb]", "[]", "[aa:cc]"]
TOKENS += ["[9]", "[0.5]", "[nan]", "[W]", "[renju]", "[B+]", "[h8]", "\\", "]", "[", " ", "\n", "x", "INAROW", "[3]"]


@settings(max_examples=300, deadline=None)
@given(tokens=st.lists(st.sampled_from(TOKENS), max_size=25))
def test_any_sgf_tokens_give_a_game_that_round_trips_or_a_clear_error(tokens: list[str]) -> None:
    text = "(;SZ[9];" + "".join(tokens) + ")"
    try:
        game = records.parse(text)
    except (BadFile, BadInput):
        return
    written = records.format_game(game, "sgf")
    assert records.parse(written) == game
    assert records.format_game(records.parse(written), "sgf") == written
