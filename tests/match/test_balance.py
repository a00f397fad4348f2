"""Making balanced openings: what is taken holds, nothing comes twice, and a stopped run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone import BLACK, WHITE, Board
from fivestone.cli import cli
from fivestone.errors import BadFile, BadInput
from fivestone.match import GameRecord, make_player
from fivestone.match.balance import Recipe, Trial, generate, propose, read_trials, write_openings
from fivestone.match.openings import canonical, read_openings
from fivestone.match.schedule import GameTask, play_task
from fivestone.search import Limit

RECIPE = Recipe("level:2", Limit(visits=100), size=9, stones=4, games=8, largest_value=1.0, seed=3)


def in_this_process(tasks: Sequence[GameTask], concurrency: int) -> Iterator[tuple[GameTask, GameRecord]]:
    for task in tasks:
        yield task, play_task(task)


class Decided:
    """Gives each opening the points that its number says, without playing."""

    def __init__(self) -> None:
        self.games: list[GameTask] = []

    def __call__(self, tasks: Sequence[GameTask], concurrency: int) -> Iterator[tuple[GameTask, GameRecord]]:
        for task in tasks:
            self.games.append(task)
            number, game = (int(part) for part in task.key.split("-"))
            wins = {0: 0, 1: 3, 2: 4, 3: 8, 4: 2}[number % 5]
            winner = BLACK if game < wins else WHITE
            yield task, GameRecord(9, "freestyle", 5, "", "", 4, task.opening, winner, "five")


def test_proposals_depend_on_their_number_alone() -> None:
    player = make_player(RECIPE.player, seed=RECIPE.seed)
    first = [propose(RECIPE, number, player) for number in range(4)]
    assert [propose(RECIPE, number, player) for number in (3, 1)] == [first[3], first[1]]
    for trial in first:
        board = Board.from_moves(trial.opening, 9)
        assert len(board.moves) == 4
        assert not board.is_over


def test_only_even_openings_are_taken(tmp_path: Path) -> None:
    play = Decided()
    taken = generate(RECIPE, 3, tmp_path / "trials.jsonl", play=play)
    assert [trial.number for trial in taken] == [1, 2, 6]
    assert [trial.share for trial in taken] == [3 / 8, 0.5, 3 / 8]
    trials = read_trials(tmp_path / "trials.jsonl", RECIPE)
    assert [trial.games for trial in trials[:5]] == [6, 8, 8, 6, 8]  # the hopeless are not tried to the end
    limits = {task.limit.visits for task in play.games if task.key.startswith("2-")}
    assert len(limits) > 5
    assert all(limit is not None and 60 <= limit <= 140 for limit in limits)


def test_a_stopped_run_goes_on_to_the_same_set(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.jsonl", tmp_path / "stopped.jsonl"
    expected = generate(RECIPE, 2, whole, play=in_this_process)
    shares = [trial.share for trial in expected]
    assert all(0.35 <= share <= 0.65 for share in shares)
    assert len({canonical(trial.opening, 9) for trial in expected}) == 2
    lines = whole.read_bytes().splitlines(keepends=True)
    stopped.write_bytes(b"".join(lines[:4]) + lines[4][:25])
    assert len(read_trials(stopped, RECIPE)) == 3
    assert generate(RECIPE, 2, stopped, play=in_this_process) == expected
    with pytest.raises(BadFile, match="made another way"):
        generate(Recipe("level:3", RECIPE.limit, size=9), 4, stopped, play=in_this_process)


def test_openings_that_search_finds_lopsided_are_not_played(tmp_path: Path) -> None:
    recipe = Recipe("level:2", Limit(visits=100), size=9, stones=4, games=8, largest_value=0.02)
    play = Decided()
    generate(recipe, 3, tmp_path / "trials.jsonl", play=play)
    trials = read_trials(tmp_path / "trials.jsonl", recipe)
    assert any(trial.value > 0.02 for trial in trials)
    assert all((trial.games > 0) == (trial.value <= 0.02) for trial in trials)


def test_the_limit_of_the_spec_is_the_one_that_is_varied() -> None:
    recipe = Recipe.of("alphabeta:nodes=500,hash_mb=4", Limit(time=1), size=9)
    assert (recipe.player, recipe.limit) == ("alphabeta:hash_mb=4", Limit(nodes=500))
    assert Recipe.of("alphabeta", Limit(time=1)).limit == Limit(time=1)
    with pytest.raises(BadInput):
        Recipe.of("alphabeta", Limit(time=1), stones=40)
    with pytest.raises(BadInput, match="nodes=x is not a whole number"):
        Recipe.of("alphabeta:nodes=x", Limit())


@pytest.mark.parametrize("out", ["", ".", "/proc/x"])
def test_a_file_that_cannot_be_written_is_told_first(out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("fivestone.cli.openings.generate")
    done = CliRunner().invoke(cli, ["openings", "generate", "--nodes", "1", "--out", out])
    assert isinstance(done.exception, BadFile)
    assert "cannot write" in str(done.exception)


@pytest.mark.parametrize("count", ["0", "-1"])
def test_none_at_all_are_not_made(count: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["openings", "generate", "--count", count, "--out", str(tmp_path / "set.txt")])
    assert done.exit_code == 2
    assert "x>=1" in done.output
    assert not list(tmp_path.iterdir())


def test_it_ends_when_there_is_nothing_new(tmp_path: Path) -> None:
    recipe = Recipe("level:2", Limit(visits=20), size=7, stones=1, games=8, largest_value=0.99)
    taken = generate(recipe, 50, tmp_path / "trials.jsonl", play=Decided())
    trials = read_trials(tmp_path / "trials.jsonl", recipe)
    assert len({canonical(trial.opening, 7) for trial in trials}) <= 10  # cells of a 7x7 board but for symmetry
    assert 0 < len(taken) <= 10
    assert generate(recipe, 50, tmp_path / "trials.jsonl", play=Decided()) == taken
    assert read_trials(tmp_path / "trials.jsonl", recipe) == trials


def test_the_command_says_that_there_are_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(recipe: Recipe, count: int, journal: Path, **options: object) -> list[Trial]:
        return [Trial(0, (12,), 0.0, 2, 1.0, True)]

    monkeypatch.setattr("fivestone.cli.openings.generate", exhausted)
    arguments = ["openings", "generate", "--board", "5", "--stones", "1", "--nodes", "1", "--count", "50"]
    done = CliRunner().invoke(cli, [*arguments, "--out", str(tmp_path / "set.txt")])
    assert done.exit_code == 0, done.output
    assert "no more than 1 openings of 1 stones were found" in done.output


def test_the_command_writes_a_file_that_matches_read(tmp_path: Path) -> None:
    out = tmp_path / "set.txt"
    arguments = ["openings", "generate", "--board", "7", "--stones", "3", "--count", "1", "--games", "2"]
    done = CliRunner().invoke(cli, [*arguments, "--player", "level:1", "--visits", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert len(read_openings(out, 7)) == 1
    assert "7x7 freestyle: 1 openings of 3 stones" in out.read_text()
    assert json.loads((tmp_path / "set.txt.jsonl").read_text().splitlines()[0])["recipe"]["size"] == 7


def test_shares_stand_beside_the_openings(tmp_path: Path) -> None:
    taken = generate(RECIPE, 2, tmp_path / "trials.jsonl", play=Decided())
    write_openings(tmp_path / "set.txt", RECIPE, taken)
    assert (tmp_path / "set.txt").read_text().splitlines()[-1].endswith("# 50%")
    assert read_openings(tmp_path / "set.txt", 9) == [trial.opening for trial in taken]


def test_ctrl_c_writes_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(recipe: Recipe, count: int, journal: Path, **options: object) -> None:
        generate(recipe, 2, journal, play=Decided())
        raise KeyboardInterrupt

    monkeypatch.setattr("fivestone.cli.openings.generate", interrupted)
    out = tmp_path / "set.txt"
    arguments = ["openings", "generate", "--board", "9", "--stones", "4", "--games", "8", "--player", "level:2"]
    done = CliRunner().invoke(cli, [*arguments, "--visits", "100", "--out", str(out)])
    assert done.exit_code == 130
    assert "the same command goes on" in done.output
    assert len(read_openings(out, 9)) == 2
