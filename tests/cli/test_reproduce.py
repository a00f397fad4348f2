"""fivestone reproduce lists its experiments, runs them and keeps their reports."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone.cli import cli
from fivestone.experiments import catalog
from fivestone.experiments.catalog import experiment_names, find_experiment
from fivestone.match.pool import cores


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
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    rows = [line for line in lines if line[1].isdigit()]
    assert [tuple(row[1:3]) for row in rows] == 3 * [
        ("200", "ucb1"),
        ("200", "ucb1-tuned"),
        ("2000", "ucb1"),
        ("2000", "ucb1-tuned"),
    ]
    assert all(0 <= int(count) <= 20 for row in rows for count in row[3].split("-"))
    assert f"`fivestone reproduce ucb1-tuned --scale 0.1 --seed 3 --threads {cores()}`" in text


def test_names_are_checked() -> None:
    for arguments, message in (
        (["nothing"], "no experiment 'nothing'"),
        ([], "name an experiment"),
        (["ucb1-tuned", "--threads", "0"], "threads 0: choose 1 or more"),
    ):
        failed = CliRunner().invoke(cli, ["reproduce", *arguments])
        assert failed.exception is not None
        assert message in str(failed.exception)


def test_every_experiment_says_where_it_comes_from() -> None:
    for name in experiment_names():
        experiment = find_experiment(name)
        assert experiment.name == name
        assert experiment.source.startswith("Seed")


def test_all_runs_what_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {name: catalog._MODULES[name] for name in ("gauntlet", "ucb1-tuned")}
    monkeypatch.setattr(catalog, "_MODULES", modules)
    ran = CliRunner().invoke(cli, ["reproduce", "all", "--scale", "0.1", "--run", str(tmp_path / "all")])
    assert ran.exit_code == 0, ran.output
    summary = (tmp_path / "all" / "report.md").read_text()
    assert "- gauntlet: not run: the gauntlet needs --engines FOLDER" in summary
    assert "- [ucb1-tuned](ucb1-tuned/report.md)\n" in summary
    assert (tmp_path / "all" / "ucb1-tuned" / "report.md").read_text() in ran.output


def test_ctrl_c_reports_what_there_is_and_says_how_to_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fivestone", "reproduce", "dqn", "--scale", "0.02", "--threads", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("1 of 8: Q-learning"):
            break
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    # Either is 130 to a shell: Python ends by the signal itself where it came while some module was being executed.
    assert process.returncode in (130, -signal.SIGINT)
    assert "the same command goes on from what is kept in runs/reproduce-dqn" in errors
    assert "Steps finished: 0 of 8" in output
    assert output.rstrip() == (tmp_path / "runs/reproduce-dqn/report.md").read_text().rstrip()
