"""fivestone show and convert: records in, drawings and records out, one clear line for a mistake."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from fivestone import BLACK, Board, records
from fivestone.apps.drawing import draw_board, print_board
from fivestone.cli import main
from fivestone.records import Game

SGF = "(;GM[4]FF[4]SZ[9]RU[renju]PB[Ann]PW[Bob]RE[W+R]EV[Cup];B[ee];W[fd]ET[1.5]C[close by](;B[ed];W[aa])(;B[cc]))"


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    try:
        main(list(args))
        code = 0
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def sgf(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text(SGF)
    return path


def test_show_moves(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "show", "h8 i9")
    assert (code, err) == (0, "")
    assert out.startswith(Board.from_moves("h8i9").diagram() + "\n")
    assert "15x15 freestyle. Black to move." in out
    assert "move 2 of 2: White i9" in out


def test_show_a_game(capsys: pytest.CaptureFixture[str], sgf: Path) -> None:
    code, out, err = run(capsys, "show", str(sgf))
    assert (code, err) == (0, "")
    assert out.startswith("Ann (Black) - Bob (White)   W+R\nCup\n")
    assert "move 4 of 4: White a9" in out
    code, out, _ = run(capsys, "show", str(sgf), "--move", "2")
    assert "9x9 renju. Black to move.\nmove 2 of 4: White f6, 1.5 s\nclose by\n" in out
    assert Board.from_moves("e5f6", 9).diagram() in out
    code, out, _ = run(capsys, "show", str(sgf), "--move", "3")
    assert "move 3 of 4: Black e6, or c7" in out
    code, out, _ = run(capsys, "show", str(sgf), "--move", "0")
    assert Board(9).diagram() in out


def test_show_says_how_it_ended(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = run(capsys, "show", "a1b1a2b2a3", "--board", "3", "--win-length", "3")
    assert "3x3 freestyle, 3 in a row. Black has won." in out
    foul = tmp_path / "foul.txt"
    foul.write_text("Rule: renju\n9x9\n(5,5)(1,1)(6,5)(1,9)(7,6)(9,1)(7,7)(9,9)(7,5)\nBlack wins\n")
    code, out, err = run(capsys, "show", str(foul))
    assert code == 0
    assert "White has won: Black played on a forbidden point." in out
    assert err == "note: the result stated is a win for Black, but White has won on the board\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "h99"], "is not a move|off the 15x15 board|does not start"),
        (["show", "h8h8"], "h8 is illegal: there is a stone on it"),
        (["show", "none.sgf"], "there is no file none.sgf"),
        (["show", "h8", "--move", "7"], "the game has 1 moves"),
        (["show", "h8", "--board", "2"], "board size 2"),
        (["show", "h8", "--board", "0"], "board size 0"),
        (["show", "h8", "--win-length", "0"], "win length 0"),
        (["convert", "none.sgf", "out.psq"], "cannot read none.sgf"),
    ],
)
def test_mistakes_are_one_clear_line(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert err.startswith("fivestone: ")
    assert len(err.splitlines()) == 1
    assert re.search(message, err)


def test_a_file_says_its_rule_itself(capsys: pytest.CaptureFixture[str], sgf: Path) -> None:
    code, _, err = run(capsys, "show", str(sgf), "--rule", "caro")
    assert code == 2
    assert "a file says them itself" in err


def test_convert(capsys: pytest.CaptureFixture[str], sgf: Path, tmp_path: Path) -> None:
    psq, txt = tmp_path / "game.psq", tmp_path / "list"
    code, out, err = run(capsys, "convert", str(sgf), str(psq))
    assert (code, out) == (0, f"{psq}: 4 moves\n")
    assert err == "note: variations, comments, date, event and place are left out: only SGF keeps them\n"
    assert records.read(psq).moves == records.read(sgf).moves
    code, _, _ = run(capsys, "convert", str(psq), str(txt), "--to", "txt")
    assert code == 0
    assert records.read(txt).moves == records.read(sgf).moves
    back = tmp_path / "back.sgf"
    assert run(capsys, "convert", str(sgf), str(back))[2] == ""
    assert records.read(back) == records.read(sgf)
    code, _, err = run(capsys, "convert", str(sgf), str(sgf))
    assert code == 2
    assert "give another name" in err
    code, _, err = run(capsys, "convert", str(sgf), str(tmp_path / "x.doc"))
    assert code == 2
    assert "cannot tell the format" in err


def test_the_coloured_board_shows_what_is_there() -> None:
    board = Board.from_stones(["e5", "f5", "g6", "g7"], ["a1"], BLACK, 9, "renju")
    plain = draw_board(board, {0: "?", 80: "?"}).plain.splitlines()
    assert plain[0] == " 9 · · · · · · · · ? "
    assert plain[4].startswith(" 5 · · · · ● ● × ")  # forbidden to Black, whose turn it is
    assert plain[8].startswith(" 1 ● ")  # a mark never hides a stone
    assert plain[9] == "   a b c d e f g h i"
    board.push("a9")
    assert "×" not in draw_board(board).plain
    assert "○" in draw_board(board, hollow=True).plain
    few, many = io.StringIO(), io.StringIO()
    print_board(board, Console(file=few, force_terminal=True, color_system="standard"))
    print_board(board, Console(file=many, force_terminal=True, color_system="truecolor"))
    assert "○" in few.getvalue()
    assert "○" not in many.getvalue()


def test_the_winning_line_and_the_last_move_stand_out() -> None:
    won = Game.from_moves([0, 9, 1, 10, 2, 11, 3, 12, 4], 9).board()
    styles = {str(span.style) for span in draw_board(won).spans}
    assert any("122,176,84" in style for style in styles)
    won.pop()
    styles = {str(span.style) for span in draw_board(won).spans}
    assert not any("122,176,84" in style for style in styles)
    assert any("226,128,100" in style for style in styles)
