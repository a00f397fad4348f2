"""fivestone analyze: from typed moves or a file to text, JSON or a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone.board import Board
from fivestone.cli import cli
from fivestone.errors import BadInput
from fivestone.match.flagship import flagship_spec
from fivestone.match.player import SearcherPlayer
from fivestone.search import Limit, OnResult, SearchResult
from fivestone.search.alphabeta import AlphaBeta

# White ignores an open three.
GAME = "h8a1i8a3j8o1k8o3l8"


def analyze(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["analyze", *arguments, "--player", "alphabeta", "--depth", "3"])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_text_names_the_mistake_and_shows_the_win_it_allows() -> None:
    line = next(line for line in analyze(GAME).splitlines() if "White o1" in line)
    assert line.startswith("  6. White o1: blunder")
    after = Board.from_moves("h8a1i8a3j8o1")
    for name in line.partition("It allows a forced win: ")[2].rstrip(".").split():
        after.push(name)
    assert after.winner == 1


def test_json_and_page(tmp_path: Path) -> None:
    record, page = tmp_path / "game.sgf", tmp_path / "game.html"
    record.write_text("(;GM[4]SZ[15]AB[hh][ih][jh]AW[aa][ac]PL[W];W[oa];B[kh];W[oc];B[lh])")
    data = json.loads(analyze(str(record), "--json", "--html", str(page)))
    assert [row["move"] for row in data["moves"]] == ["o15", "k8", "o13", "l8"]
    assert [row["color"] for row in data["moves"]] == [2, 1, 2, 1]
    assert len(data["chances"]) == 5
    assert "Move 1: White o15" in page.read_text()


def test_the_page_draws_what_refutes_a_mistake_and_names_the_players(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[4]SZ[15]PB[<Ann>]PW[Bo];B[hh];W[aa];B[ih];W[ac];B[jh];W[oa];B[kh];W[oc];B[lh])")
    page = analyze(str(record), "--html")
    assert "<b>Black</b> (&lt;Ann&gt;)" in page
    assert "<b>White</b> (Bo): 2 blunders" in page
    card = page[page.index("Move 6: White o15") :].partition("class=row")[0]
    picture = page[: page.index("Move 6: White o15")].rpartition("<svg")[2]
    line = card.partition("It allows a forced win: ")[2].partition("<")[0].split()
    for number, name in enumerate(line, 1):
        row = 16 - int(name[1:])
        assert re.search(rf'<text x="{ord(name[0]) - ord("a") + 1}" y="{row}" [^>]*>{number}</text>', picture)


def test_the_judge_keeps_to_the_time_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []

    class Judge(SearcherPlayer):
        def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
            limits.append(limit)
            return super().choose(board, Limit(depth=1), on_result)

    def make(spec: str) -> Judge:
        assert spec == flagship_spec(15, "freestyle")
        return Judge(spec, AlphaBeta())

    monkeypatch.setattr("fivestone.match.specs.make_player", make)
    CliRunner().invoke(cli, ["analyze", "h8i9", "--time", "0.25"], catch_exceptions=False)
    assert set(limits) == {Limit(time=0.25)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["h8h8"], "there is a stone on it"),
        pytest.param(["h8" * 150], "there is a stone on it", id="longer than any file name"),
        ([""], "no moves"),
        (["missing.sgf"], "missing.sgf"),
        ([GAME, "--player", "nobody"], "nobody"),
        ([GAME, "--visits", "0"], "above zero: visits=0"),
        ([GAME, "--depth", "0"], "above zero: depth=0"),
        ([GAME, "--json", "--html"], "cannot both be printed"),
    ],
)
def test_mistakes_of_the_user_are_told(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(cli, ["analyze", *arguments])
    assert message in str(done.exception)


def test_other_win_lengths_are_refused(tmp_path: Path) -> None:
    record = tmp_path / "four.sgf"
    record.write_text("(;GM[4]SZ[9]INAROW[4];B[aa])")
    with pytest.raises(BadInput, match="five in a row"):
        analyze(str(record))
