"""fivestone reproduce lists its experiments, runs them and keeps their reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone.cli import cli
from fivestone.experiments.catalog import experiment_names, find_experiment


def test_lists_every_experiment_with_its_time() -> None:
    listed = CliRunner().invoke(cli, ["reproduce", "--list"])
    assert [line.split()[0] for line in listed.output.splitlines()] == experiment_names()
    assert "UCB1 against UCB1-tuned" in listed.output


def test_runs_one_and_prints_its_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, ["reproduce", "ucb1-tuned", "--scale", "0.1", "--seed", "3"])
    assert ran.exit_code == 0, ran.output
    text = Path("runs/reproduce-ucb1-tuned/report.md").read_text()
    assert text in ran.output
    rows = [line.split() for line in text.splitlines() if line.startswith(("|         200", "|        2000"))]
    assert [(row[1], row[3]) for row in rows] == [
        ("200", "ucb1"),
        ("200", "ucb1-tuned"),
        ("2000", "ucb1"),
        ("2000", "ucb1-tuned"),
    ]
    assert all(row[5].endswith("/2") for row in rows)
    assert "`fivestone reproduce ucb1-tuned --scale 0.1 --seed 3`" in text


def test_names_are_checked() -> None:
    for arguments, message in ((["nothing"], "no experiment 'nothing'"), ([], "name an experiment")):
        failed = CliRunner().invoke(cli, ["reproduce", *arguments])
        assert failed.exception is not None
        assert message in str(failed.exception)


def test_every_experiment_says_where_it_comes_from() -> None:
    for name in experiment_names():
        experiment = find_experiment(name)
        assert experiment.name == name
        assert experiment.source.startswith("Seed")
