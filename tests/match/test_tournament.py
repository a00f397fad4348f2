"""Tournaments: the schedule, ratings, the page, and going on after a kill."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from test_contest import run, start_and_wait_for, without_time

from fivestone import records
from fivestone.board import WHITE
from fivestone.cli import cli
from fivestone.cli.rate import FIELD
from fivestone.errors import BadInput, FivestoneError
from fivestone.match import GameRecord, make_player
from fivestone.match.engines import engines_in
from fivestone.match.journal import Journal
from fivestone.match.report import write_report
from fivestone.match.schedule import Contest, play_task
from fivestone.match.specs import parse_spec
from fivestone.match.standings import Standings


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", *arguments])


def test_a_round_robin_is_played_rated_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    done = invoke(
        *("random", "random,seed=1", "greedy", "--board", "9", "--rounds", "2", "--save", str(folder)),
        *("--anchor", "greedy=1111", "--json"),
    )
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["games"] == 12
    assert result["ratings"][0] == {
        **{"player": "greedy", "elo": 1111, "error": 0, "games": 8, "wins": 8, "draws": 0, "losses": 0},
        **{"points": 8, "forfeits": 0},
    }
    assert result["crosstable"]["greedy"] == {"random": 4, "random:seed=1": 4}
    games = Journal.resume(folder).games
    for key, game in games.items():
        record = records.read(folder / "games" / f"{key}.sgf")
        assert tuple(record.moves) == game.moves
        assert (record.black, record.white) == (game.black, game.white)
    assert "greedy" in (folder / "report.html").read_text()


def test_rating_writes_a_table_of_neighbours(tmp_path: Path) -> None:
    players = ["random", "level:1", "level:2"]
    options = ["--board", "7", "--rounds", "2", "--reach", "1", "--anchor", "random=100", "--openings", "random:2"]
    paths = ["--save", str(tmp_path / "rating"), "--out", str(tmp_path / "table.json")]
    done = CliRunner().invoke(cli, ["rate", *players, *options, *paths])
    assert done.exit_code == 0, done.output
    table = json.loads((tmp_path / "table.json").read_text())
    assert table["games"] == 8
    assert {rating["player"]: rating["games"] for rating in table["ratings"]} == {
        **{"random": 4, "level:1": 8, "level:2": 4}
    }
    assert next(rating for rating in table["ratings"] if rating["player"] == "random")["elo"] == 100
    assert json.loads((tmp_path / "rating" / "ratings.json").read_text()) == table
    again = CliRunner().invoke(cli, ["rate", "--resume", str(tmp_path / "rating"), "--rounds", "3"])
    assert again.exit_code == 0, again.output
    assert "12 of 12 games" in again.output


def test_everyone_in_the_standard_field_can_play() -> None:
    for spec in FIELD:
        make_player(spec).close()
    assert len(set(FIELD)) == len(FIELD)


def test_a_gauntlet_ends_with_the_elo_of_the_first(tmp_path: Path) -> None:
    done = invoke(
        *("greedy", "random", "random,seed=1", "--gauntlet", "--board", "9", "--rounds", "1"),
        *("--save", str(tmp_path / "cup")),
    )
    assert done.exit_code == 0, done.output
    assert "4 of 4 games" in done.stdout
    assert re.search(r"Elo of greedy against this field: \d+ ±\d+", done.stdout)


def test_a_killed_tournament_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    arguments = ("tournament", "random", "random", "random", "--rounds", "700", "--save", str(folder))
    process = start_and_wait_for(10, folder, *arguments, "--concurrency", "2")
    process.kill()
    process.communicate()
    kept = Journal.resume(folder).games
    (folder / "games" / f"{next(iter(kept))}.sgf").unlink()
    done = run("tournament", "--resume", str(folder), "--rounds", "8", "--json")
    assert done.returncode == 0, done.stderr
    journal = Journal.resume(folder)
    wanted = {task.key: without_time(play_task(task)) for task in journal.contest.tasks()}
    assert {key: without_time(game) for key, game in journal.games.items() if key in wanted} == wanted
    assert {path.stem for path in (folder / "games").glob("*.sgf")} == set(journal.games)


def test_folders_of_engines(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no engine"):
        engines_in(tmp_path)
    (tmp_path / "readme.txt").write_text("not an engine")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "inner" / "run.sh").chmod(0o755)
    for path in (tmp_path / "pbrain-alpha", tmp_path / "inner" / "pbrain-be, ta"):
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    specs = [parse_spec(text) for text in engines_in(tmp_path)]
    assert [(spec.name, spec.options["name"]) for spec in specs] == [("gomocup", "alpha"), ("gomocup", "be, ta")]
    assert [spec.arg for spec in specs] == [str(tmp_path / "pbrain-alpha"), str(tmp_path / "inner" / "pbrain-be, ta")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["random"], "two players"),
        (["random", "greedy", "--anchor", "x=3"], "one of the players and an Elo"),
        (["random", "greedy", "--anchor", "random"], "one of the players and an Elo"),
        (["random", "greedy", "--rounds", "0"], "at least one pair"),
        (["random", "greedy", "--anchor", "random=nan"], "one of the players and an Elo"),
        (["random", "greedy", "--anchor", "random=-inf"], "one of the players and an Elo"),
        (["random", "greedy", "--anchor", "random=1e300"], "one of the players and an Elo"),
        (["--resume", "nowhere"], "no contest to resume"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = invoke(*arguments)
    assert not list(tmp_path.iterdir())
    assert isinstance(done.exception, FivestoneError)
    assert says in str(done.exception)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--rounds", "0"], "at least one pair"),
        (["--reach", "0"], "not in the range"),
        (["--reach", "-1"], "not in the range"),
    ],
)
def test_rating_asks_for_games(options: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["rate", "random", "greedy", "--board", "5", *options])
    assert not list(tmp_path.iterdir())
    assert says in f"{done.exception}{done.output}"


class _Page(HTMLParser):
    """Collects the tags, and the content of the data script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.data = ""
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.inside = ("id", "data") in attributes

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.data += data


def test_the_page_holds_the_games_and_trusts_no_name(tmp_path: Path) -> None:
    contest = Contest(("random:name='</script><b>'", "random:name='<img src=x>'"), pairs=1, size=9)
    game = GameRecord(9, "freestyle", 5, "x", "y", 0, (0, 1), WHITE, "crash", "Black: </script><b>")
    games = {"0-1-0-0": game, "0-1-0-1": game}
    standings = Standings(contest, games)
    write_report(tmp_path / "report.html", "<i>cup</i>", standings, games, standings.rate())
    page = _Page((tmp_path / "report.html").read_text())
    assert not {"b", "img", "i", "link"} & set(page.tags)
    data = json.loads(page.data)
    assert data["names"] == ["</script><b>", "<img src=x>"]
    assert data["games"][0] == ["0-1-0-0", 0, 1, 2, "crash", 0, "a1b1", "Black: </script><b>"]
    assert page.tags.count("circle") == 2


def test_forfeits_stand_in_the_record() -> None:
    late = GameRecord(9, "freestyle", 5, "x", "y", 1, (0, 1), WHITE, "time", "Black: late", (1.0, 3.0), (0.5,))
    record = late.to_game("cup")
    assert (record.result, record.event) == ("W+T", "cup")
    last = record.root.children[0].children[0]
    assert (last.comment, last.seconds, last.value) == ("time: Black: late", 1.0, 0.5)
    assert record.root.children[0].seconds is None


def test_the_command_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fivestone", "tournament", "--help"], capture_output=True, text=True, check=True
    )
    assert "--gauntlet" in done.stdout
