"""The curves of runs as a picture."""

from pathlib import Path
from typing import Any

import pytest

from fivestone.errors import BadFile, BadInput
from fivestone.train.config import preset
from fivestone.train.plot import plot_runs
from fivestone.train.rundir import RunDir

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fivestone[plot]'")


def a_run(path: Path, *lines: dict[str, Any]) -> RunDir:
    run = RunDir.create(path, preset("tiny"))
    for number, line in enumerate(lines):
        run.append_metrics({"round": number, "seconds": 60.0 * number, **line})
    return run


def test_every_curve_there_is_gets_drawn_and_named(tmp_path: Path) -> None:
    first = a_run(tmp_path / "one", {"loss": 4.0, "policy_accuracy": 0.2}, {"loss": 3.0, "policy_accuracy": 0.4})
    second = a_run(tmp_path / "two", {"loss": 4.0, "elo": 0.0, "elo_error": 0.0}, {"elo": 90.0, "elo_error": 30.0})
    plot_runs([first], tmp_path / "one.svg")
    plot_runs([first, second], tmp_path / "both.svg")
    alone, both = (tmp_path / "one.svg").read_text(), (tmp_path / "both.svg").read_text()
    for text in ("Loss", "Accuracy", "policy accuracy"):  # the drawing keeps its texts as comments
        assert f"<!-- {text} -->" in alone
    assert "Elo" not in alone
    for text in ("Elo (0: the first net measured)", "one: loss", "two: loss", "two: elo", "one: policy accuracy"):
        assert f"<!-- {text} -->" in both


def test_runs_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    runs = [a_run(tmp_path / folder / "run", {"loss": 4.0}) for folder in ("one", "two")]
    plot_runs(runs, tmp_path / "both.svg")
    text = (tmp_path / "both.svg").read_text()
    assert all(f"<!-- {run.path}: loss -->" in text for run in runs)


def test_a_line_without_its_time_is_left_out(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", {"loss": 4.0})
    run.append_metrics({"round": 1, "loss": 1, "elo": 3})
    plot_runs([run], tmp_path / "one.svg")
    assert "Elo" not in (tmp_path / "one.svg").read_text()


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", {"loss": 4.0})
    with pytest.raises(BadInput, match=r"\.png"):
        plot_runs([run], tmp_path / "curves.txt")
    with pytest.raises(BadFile, match="nothing to plot yet"):
        plot_runs([a_run(tmp_path / "empty")], tmp_path / "curves.svg")
    with pytest.raises(BadFile, match="cannot write"):
        plot_runs([run], tmp_path / "nowhere" / "curves.svg")
