"""fivestone solve, from the command line's side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fivestone import Board
from fivestone.cli import main

# Black has an open three in row 4.
THREE = "d4a1e4a3f4a5"


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    main(["solve", *args])
    return capsys.readouterr().out


def test_prints_the_win_its_length_and_the_main_line(capsys: pytest.CaptureFixture[str]) -> None:
    first, line = run(capsys, THREE).splitlines()
    assert first.startswith("Black wins by VCF with 1 move before the five (")
    board = Board.from_moves(THREE)
    for move in line.split():
        board.push(move)
    assert board.winner == 1


def test_says_so_when_there_is_no_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "h8").startswith("White has no VCF (0 nodes")


def test_json_holds_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, THREE, "--json", "--vct"))
    assert (data["kind"], data["solved"], data["length"]) == ("vct", True, 1)
    assert data["tree"]["move"] == data["moves"][0]
    assert data["tree"]["otherwise"]
    assert json.loads(run(capsys, "h8", "--json"))["tree"] is None


def test_vct_finds_what_vcf_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    twos = "h8a1h9a15i7o1j7o15"  # two open twos that meet
    assert not json.loads(run(capsys, twos, "--json"))["solved"]
    assert json.loads(run(capsys, twos, "--json", "--vct", "--shortest"))["length"] == 2


def test_reads_diagrams_and_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = Board.from_moves(THREE, 9)
    diagram = tmp_path / "position.txt"
    diagram.write_text(board.diagram())
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[4]SZ[9];B[df];W[ai];B[ef];W[ag];B[ff];W[ae])")
    for path in (diagram, record):
        data = json.loads(run(capsys, str(path), "--json"))
        assert (data["solved"], data["length"]) == (True, 1), path
        assert {"b4", "c4", "g4", "h4"} >= set(data["moves"])
    assert run(capsys, str(diagram), "--turn", "white").startswith("White has no VCF")
    assert run(capsys, str(diagram), "--rule", "renju").startswith("Black wins by VCF")


def test_batch_prints_an_object_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [
        {"size": 15, "rule": "freestyle", "black": ["d4", "e4", "f4"], "white": ["a1", "a3", "a5"], "turn": "black"},
        {"size": 15, "rule": "freestyle", "black": ["d4", "e4"], "white": ["a1"], "turn": "white", "vcf_moves": 9},
    ]
    path = tmp_path / "positions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    won, lost = (json.loads(line) for line in run(capsys, "--batch", str(path), "--time", "1").splitlines())
    assert {"index", "solved", "moves", "nodes", "seconds"} <= set(won)
    assert (won["index"], won["solved"], len(won["moves"])) == (0, True, 3)
    assert (lost["index"], lost["solved"], lost["moves"]) == (1, False, [])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "either a POSITION or --batch"),
        (["h8", "--time", "0"], "above zero"),
        (["h8z9"], "does not start with a move"),
        (["--batch", "no-such-file.jsonl"], "cannot read"),
        (["h8", "--turn", "white"], "--turn is for diagrams"),
        (["h8a1h9a2h10a3h11a4h12"], "the game is over"),
    ],
)
def test_mistakes_end_in_one_line(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["solve", *args])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{",
        '{"black": ["h8"], "white": ["h8"], "turn": "black"}',
        '{"turn": "red"}',
        '{"black": [], "white": [], "turn": "black", "size": 1e400}',
        "[" * 100_000,
    ],
)
def test_a_bad_batch_line_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text("\n" + line + "\n")
    with pytest.raises(SystemExit) as ended:
        main(["solve", "--batch", str(path)])
    assert ended.value.code == 2
    assert "line 2" in capsys.readouterr().err
