"""Schedules, workers, the journal and the match command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone.board import BLACK, WHITE
from fivestone.cli import cli
from fivestone.errors import BadFile, BadInput, FivestoneError
from fivestone.match import GameRecord
from fivestone.match.journal import Journal
from fivestone.match.pool import fit_to_cores, play_all
from fivestone.match.schedule import Contest, play_task
from fivestone.match.standings import Standings
from fivestone.search import Limit

SMALL = Contest(("random", "random"), pairs=6, size=7, limit=Limit(visits=1), openings="random:2", seed=5)


def without_time(game: GameRecord) -> GameRecord:
    return replace(game, seconds=())


def record(winner: int | None, reason: str = "five", seconds: tuple[float, ...] = ()) -> GameRecord:
    return GameRecord(9, "freestyle", 5, "x", "y", 0, (), winner, reason, seconds=seconds)  # type: ignore[arg-type]


def test_every_opening_is_played_with_both_colours() -> None:
    tasks = list(replace(SMALL, players=("random", "greedy")).tasks())
    assert len({task.key for task in tasks}) == 12
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.opening == second.opening
        assert (first.black, first.white) == (second.white, second.black) == ("random", "greedy")
    assert len({task.seed for task in tasks}) == 12


def test_round_robin_and_gauntlet() -> None:
    field = Contest(("random", "greedy", "random,seed=1"), pairs=1)
    assert field.pairings() == [(0, 1), (0, 2), (1, 2)]
    assert replace(field, gauntlet=True).pairings() == [(0, 1), (0, 2)]
    assert replace(field, reach=1).pairings() == [(0, 1), (1, 2)]
    assert Contest(("random", "random", "greedy"), 1).names() == ("random #1", "random #2", "greedy")
    with pytest.raises(BadInput, match="two players"):
        Contest(("random",), 1)


def test_more_pairs_keep_the_games_there_were() -> None:
    few, many = list(SMALL.tasks()), list(replace(SMALL, pairs=9).tasks())
    assert many[: len(few)] == few


def test_workers_play_the_games_a_single_process_would() -> None:
    alone = {task.key: without_time(play_task(task)) for task in SMALL.tasks()}
    together = {task.key: without_time(game) for task, game in play_all(SMALL.tasks(), 2)}
    assert together == alone


def test_workers_pass_on_what_the_user_can_put_right() -> None:
    contest = replace(SMALL, players=("random", "rndom"))
    with pytest.raises(BadInput, match="did you mean random"):
        list(play_all(contest.tasks(), 1))


def test_a_worker_that_dies_is_replaced_once(tmp_path: Path) -> None:
    (tmp_path / "mortal.py").write_text(
        "import os\n"
        "from pathlib import Path\n"
        "from fivestone.match import RandomPlayer\n"
        "def make(*, name, arg, limit, seed):\n"
        "    left = Path(arg)\n"
        "    lives = int(left.read_text())\n"
        "    if lives:\n"
        "        left.write_text(str(lives - 1))\n"
        "        os._exit(7)\n"
        "    return RandomPlayer(name, seed)\n"
    )
    lives = tmp_path / "lives"
    (tmp_path / "mortal_main.py").write_text(
        "import sys\n"
        "from fivestone.match import specs\n"
        "from fivestone.match.schedule import Contest\n"
        "from fivestone.match.pool import play_all\n"
        "specs.register('mortal', 'mortal:make', arg='path')\n"
        "if __name__ == '__main__':\n"
        "    contest = Contest((f'mortal:{sys.argv[1]}', 'random'), pairs=2, size=6, openings='none')\n"
        "    print(sum(1 for _ in play_all(contest.tasks(), 1)))\n"
    )
    for count, outcome in (("1", "4\n"), ("2", "")):
        lives.write_text(count)
        done = subprocess.run(
            [sys.executable, str(tmp_path / "mortal_main.py"), str(lives)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.stdout == outcome, done.stderr
        assert ("died twice (exit code 7)" in done.stderr) == (not outcome)


def test_searching_threads_never_outnumber_the_cores() -> None:
    assert fit_to_cores(2, ["random", "greedy"], 4) == (2, None)
    count, remark = fit_to_cores(8, ["random"], 2)
    assert count == 2
    assert remark is not None
    assert "playing 2 at once" in remark
    count, remark = fit_to_cores(2, ["random", "alphabeta:threads=2"], 2)
    assert (count, remark is None) == (1, False)
    with pytest.raises(BadInput, match="asks for 4 threads"):
        fit_to_cores(1, ["alphabeta:threads=4"], 2)
    with pytest.raises(BadInput):
        fit_to_cores(0, ["random"], 2)


def test_standings_count_from_both_sides() -> None:
    contest = Contest(("random", "greedy"), pairs=2)
    games = {
        "0-1-0-0": record(BLACK, seconds=(1.0, 2.0, 3.0)),
        "0-1-0-1": record(None, "dead draw", seconds=(5.0, 7.0)),
        "0-1-1-0": record(WHITE, "time", seconds=(9.0,)),
        "0-1-1-1": record(WHITE, "illegal"),
    }
    standings = Standings(contest, games)
    first, second = standings.against(0, 1), standings.against(1, 0)
    assert (first.wins, first.draws, first.losses, first.points) == (2, 1, 1, 2.5)
    assert (second.wins, second.draws, second.losses, second.points) == (1, 1, 2, 1.5)
    assert first.pairs == {"0-1-0": [1.0, 0.5], "0-1-1": [0.0, 1.0]}
    assert (dict(first.forfeits), dict(second.forfeits)) == ({"time": 1}, {"illegal": 1})
    assert (first.seconds, first.moves) == (20.0, 4)
    assert (second.seconds, second.moves) == (7.0, 2)
    data = standings.match_json()
    assert (data["forfeits"], data["points"], data["games"]) == (2, 2.5, 4)


def test_standings_follow_who_took_which_colour() -> None:
    contest = Contest(("random", "greedy"), pairs=1, openings="swap2")
    swapped = replace(record(BLACK), swapped=True)
    standings = Standings(contest, {"0-1-0-0": swapped, "0-1-0-1": record(BLACK)})
    assert standings.against(1, 0).pairs == {"0-1-0": [1.0, 1.0]}
    assert all(task.swap2 and task.opening == () for task in contest.tasks())
    assert not any(task.swap2 for task in SMALL.tasks())


def test_journals_keep_games_and_refuse_doubles(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "match"
    journal = Journal.create(folder, SMALL)
    tasks = list(SMALL.tasks())
    games = {task.key: play_task(task) for task in tasks[:3]}
    for key, game in games.items():
        journal.add(key, game)
    with pytest.raises(BadInput, match="played already"):
        journal.add(tasks[0].key, games[tasks[0].key])
    with pytest.raises(BadInput, match="already holds"):
        Journal.create(folder, SMALL)
    again = Journal.resume(folder)
    assert again.contest == SMALL
    assert {key: without_time(game) for key, game in again.games.items()} == {
        key: without_time(game) for key, game in games.items()
    }
    assert Journal.resume(folder, pairs=8).contest.pairs == 8 == Journal.resume(folder).contest.pairs
    with pytest.raises(BadFile, match="no contest"):
        Journal.resume(tmp_path)


def test_a_folder_is_played_by_one_process_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    process = start_and_wait_for(2, folder, *MATCH, "--games", "4000", "--save", str(folder))
    try:
        done = run("match", "--resume", str(folder))
        assert done.returncode == 2
        assert "being played by another process" in done.stderr
    finally:
        process.kill()
        process.communicate()
    with Journal.resume(folder).hold():
        pass


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_torn_line_costs_only_its_own_game(tmp_path: Path, cut: int) -> None:
    journal = Journal.create(tmp_path, SMALL)
    tasks = list(SMALL.tasks())
    for task in tasks[:3]:
        journal.add(task.key, play_task(task))
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    resumed = Journal.resume(tmp_path)
    kept = 3 if cut == 1 else 2
    assert list(resumed.games) == [task.key for task in tasks[:kept]]
    resumed.add(tasks[3].key, play_task(tasks[3]))
    assert list(Journal.resume(tmp_path).games) == [task.key for task in [*tasks[:kept], tasks[3]]]


def change(line: bytes, **fields: object) -> bytes:
    return json.dumps({**json.loads(line), **fields}).encode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"key": "../../0-1-9-0"}, "no game of this contest"),
        ({"key": "x"}, "no game of this contest"),
        ({"key": "5-9-0-0"}, "no game of this contest"),
        ({"key": "1-0-0-0"}, "no game of this contest"),
        ({"key": "0-1-2-2"}, "no game of this contest"),
        ({"key": [1]}, "no game of this contest"),
        ({"seconds": "abc"}, "seconds cannot be 'abc'"),
        ({"seconds": ["abc"]}, "lists of numbers"),
        ({"winner": True}, "winner cannot be 'True'"),
        ({"reason": "spite"}, "reason cannot be 'spite'"),
        ({"size": "7"}, "size cannot be '7'"),
        ({"moves": "a1a1"}, "a1 is illegal: there is a stone on it: delete the line"),
        ({"more": 1}, "unknown field 'more'"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_written(tmp_path: Path, fields: dict[str, object], says: str) -> None:
    folder = tmp_path / "deep" / "match"
    journal = Journal.create(folder, SMALL)
    task = next(SMALL.tasks())
    journal.add(task.key, play_task(task))
    path = folder / "games.jsonl"
    line = path.read_bytes()
    path.write_bytes(line + change(line, **fields) + b"\n")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadFile, match=r"games\.jsonl, line 2: .*" + re.escape(says)):
        Journal.resume(folder, pairs=9)
    assert sorted(tmp_path.rglob("*")) == before
    assert json.loads((folder / "contest.json").read_text())["pairs"] == SMALL.pairs


@pytest.mark.parametrize("line", ['{"key": "0-1-2-0"}', "[1]", "1", "{}", "[" * 100_000])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    Journal.create(tmp_path, SMALL)
    (tmp_path / "games.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(BadFile, match=r"games\.jsonl, line 2: "):
        Journal.resume(tmp_path)


def test_games_in_a_folder_of_that_name_cannot_be_read(tmp_path: Path) -> None:
    Journal.create(tmp_path, SMALL)
    (tmp_path / "games.jsonl").mkdir()
    with pytest.raises(BadFile, match="cannot read"):
        Journal.resume(tmp_path)


@pytest.mark.parametrize(
    "fields",
    [
        {"players": [1, 2]},
        {"players": ["random"]},
        {"size": "9"},
        {"pairs": 1.5},
        {"pairs": True},
        {"limit": {"visits": "x"}},
        {"limit": None},
        {"rule": "chess"},
        {"more": 1},
    ],
)
def test_a_damaged_contest_is_named(tmp_path: Path, fields: dict[str, object]) -> None:
    Journal.create(tmp_path, SMALL)
    path = tmp_path / "contest.json"
    path.write_bytes(change(path.read_bytes(), **fields))
    with pytest.raises(BadFile, match=r"contest\.json is not a contest: "):
        Journal.resume(tmp_path)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fivestone", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def start_and_wait_for(games: int, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A match in a process of its own that has kept at least so many games."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fivestone", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = folder / "games.jsonl"
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < games:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return process


MATCH = ("match", "random", "random", "--board", "20", "--openings", "random:3", "--seed", "3")


def test_a_killed_match_goes_on_with_nothing_lost_or_played_twice(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    for kept in (5, 20):
        resume = ("--resume", str(folder)) if kept > 5 else ("--save", str(folder))
        arguments = ("match", *resume) if kept > 5 else (*MATCH, "--games", "4000", *resume)
        process = start_and_wait_for(kept, folder, *arguments, "--concurrency", "2")
        process.kill()
        process.communicate()
    before = (folder / "games.jsonl").read_bytes()
    lasting = before[: before.rindex(b"\n") + 1]
    done = run("match", "--resume", str(folder), "--games", "60", "--json")
    assert done.returncode == 0, done.stderr
    assert (folder / "games.jsonl").read_bytes().startswith(lasting)
    keys = [json.loads(line)["key"] for line in (folder / "games.jsonl").read_text().splitlines() if "key" in line]
    assert len(keys) == len(set(keys))
    journal = Journal.resume(folder)
    wanted = {task.key: without_time(play_task(task)) for task in journal.contest.tasks()}
    assert {key: without_time(game) for key, game in journal.games.items() if key in wanted} == wanted


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_ctrl_c_keeps_what_was_played_and_prints_the_table(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    process = start_and_wait_for(4, folder, *MATCH, "--games", "4000", "--save", str(folder), "--json")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    result = json.loads(output)
    assert 4 <= result["games"] == len(Journal.resume(folder).games) < 4000
    assert f"--resume {folder}" in errors
    assert "Traceback" not in errors


def test_the_json_of_a_match() -> None:
    done = CliRunner().invoke(cli, ["match", "random", "random", "--board", "7", "--games", "6", "--json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["wins"] + result["draws"] + result["losses"] == result["games"] == 6
    assert result["points"] == result["wins"] + result["draws"] / 2
    assert result["elo_low"] <= result["elo"] <= result["elo_high"]
    assert result["forfeits"] == 0


def test_a_match_says_why_a_player_crashed() -> None:
    crashing = f"gomocup:{Path(__file__).parents[1] / 'data' / 'engines' / 'misbehave.py'},args=crash"
    done = CliRunner().invoke(cli, ["match", crashing, "random", "--board", "7", "--games", "2", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["forfeits"] == 2
    reasons = [line for line in done.stderr.splitlines() if "forfeited by a crash" in line]
    assert len(reasons) == 1
    assert "misbehave" in reasons[0]


def test_the_sequential_test_says_its_length_and_stops() -> None:
    done = CliRunner().invoke(
        cli, ["match", "random", "random", "--board", "7", "--games", "4000", "--json", "--sprt", "200,400"]
    )
    assert done.exit_code == 0, done.output
    assert "SPRT 200,400 (5% errors): about" in done.stderr
    result = json.loads(done.stdout)
    assert result["sprt"]["verdict"] == "H0"
    assert result["games"] < 1000


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["random", "random", "--games", "7"], "even number"),
        (["random"], "two players"),
        (["random", "random", "random"], "fivestone tournament"),
        (["random", "rndom"], "did you mean random"),
        (["random", "random", "--sprt", "20"], "two Elo differences"),
        (["random", "random", "--openings", "no-such-file"], "cannot read the openings"),
        (["--resume", "no-such-folder"], "no contest to resume"),
        (["--resume", "no-such-folder", "--board", "9"], "--board is settled by the folder"),
        (["--resume", "no-such-folder", "--time", "2"], "--time is settled by the folder"),
        (["random", "random", "--time", "-1"], "above zero"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(cli, ["match", *arguments])
    assert isinstance(done.exception, FivestoneError)
    assert says in str(done.exception)
