"""The frame of the experiments: steps that are kept, reports of what there is, and a run that goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fivestone.cli.progress import ProgressBar, time_left
from fivestone.errors import BadFile, BadInput
from fivestone.experiments.experiment import Results, Settings, Step
from fivestone.experiments.report import Plot, Report, duration
from fivestone.experiments.runner import run_experiment
from fivestone.experiments.workbench import Workbench


class Log:
    """A watcher that writes down what it hears."""

    def __init__(self) -> None:
        self.lines: list[tuple[Any, ...]] = []

    def start(self, title: str, total: float) -> None:
        self.lines.append(("start", total))

    def step(self, number: int, count: int, title: str) -> None:
        self.lines.append(("step", number, count, title))

    def done(self, seconds: float) -> None:
        self.lines.append(("done", seconds))


class Sums:
    """Three steps, each adding to the one before; the second one can be made to stop."""

    name, title, source = "sums", "Sums", "nobody"

    def __init__(self) -> None:
        self.stop_in: str | None = None
        self.ran: list[str] = []

    def steps(self, settings: Settings) -> Sequence[Step]:
        return [Step(key, f"step {key}", seconds, self._step(key)) for key, seconds in (("a", 10), ("b", 20), ("c", 5))]

    def _step(self, key: str) -> Any:
        def run(bench: Workbench) -> dict[str, Any]:
            self.ran.append(key)
            bench.progress(0.5)
            if self.stop_in == key:
                raise KeyboardInterrupt
            return {"sum": bench.settings.seed + sum(result["sum"] for result in bench.results.values()) + 1}

        return run

    def report(self, settings: Settings, results: Results) -> Report:
        report = Report(self.title)
        report.table(("step", "sum"), [(key, result["sum"]) for key, result in results.items()])
        return report


def ticks() -> Any:
    times = iter(range(1000))
    return lambda: float(next(times))


def test_steps_are_run_once_and_reported(tmp_path: Path) -> None:
    sums, log = Sums(), Log()
    outcome = run_experiment(sums, tmp_path, Settings(seed=1), watcher=log, clock=ticks())
    assert outcome.finished
    assert outcome.text == (tmp_path / "report.md").read_text()
    assert "| a    |   2 |" in outcome.text
    assert "| c    |   8 |" in outcome.text
    for fact in ("`fivestone reproduce sums --seed 1 --threads 1`", "3 of 3", "nobody", "3 s"):
        assert fact in outcome.text
    assert [line for line in log.lines if line[0] == "done"] == [("done", t) for t in (5, 10, 20, 30, 32.5, 35)]
    assert ("start", 35) in log.lines
    again = run_experiment(sums, tmp_path, Settings(seed=1), watcher=log, clock=ticks())
    assert sums.ran == ["a", "b", "c"]
    assert again.text == outcome.text


def test_an_interrupted_run_reports_what_there_is_and_goes_on(tmp_path: Path) -> None:
    sums = Sums()
    sums.stop_in = "b"
    outcome = run_experiment(sums, tmp_path, Settings(), watcher=Log(), clock=ticks())
    assert not outcome.finished
    assert "| a    |   1 |" in outcome.text
    assert "1 of 3" in outcome.text
    assert "2 s" in outcome.text
    sums.stop_in = None
    log = Log()
    outcome = run_experiment(sums, tmp_path, Settings(threads=2), watcher=log, clock=ticks())
    assert outcome.finished
    assert sums.ran == ["a", "b", "b", "c"]
    assert log.lines[0] == ("start", 25)
    assert "4 s" in outcome.text, "the time of the interrupted step counts, too"


def test_a_folder_belongs_to_one_experiment_and_its_settings(tmp_path: Path) -> None:
    run_experiment(Sums(), tmp_path, Settings(), watcher=Log())
    with pytest.raises(BadInput, match=r"holds a run with scale 1\.0: ask for the same, or another --run"):
        run_experiment(Sums(), tmp_path, Settings(scale=0.5), watcher=Log())


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("steps/b.json", "{torn"),
        ("steps/b.json", "[]"),
        ("steps/b.json", "{}"),
        ("steps/b.json", '{"total": 1}'),
        ("steps/b.json", "[" * 100_000),
        ("settings.json", "[]"),
        ("clock.json", "[]"),
        ("clock.json", '{"a": "long"}'),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, file: str, text: str) -> None:
    run_experiment(Sums(), tmp_path, Settings(), watcher=Log())
    (tmp_path / file).write_text(text)
    with pytest.raises(BadFile, match=rf"{Path(file).name} .*delete it to measure that again"):
        run_experiment(Sums(), tmp_path, Settings(), watcher=Log())


def test_settings_scale_what_they_should() -> None:
    small = Settings(scale=0.01)
    assert (small.count(100), small.count(20, least=2), small.pairs(100)) == (1, 2, 1)
    assert small.seconds(minutes=10) == 6
    assert (Settings(scale=0.1).simulations(400), small.simulations(400)) == (400, 40)
    for bad in ({"scale": 0.0}, {"scale": float("nan")}, {"threads": 0}):
        with pytest.raises(BadInput):
            Settings(**bad)  # type: ignore[arg-type]


def test_tables_and_plots(tmp_path: Path) -> None:
    report = Report("T")
    report.table(("name", "n"), [("a", 1), ("bcdef", 22)])
    report.plot(Plot("curve", "A curve", "x", "y", {"one": [(0, 1), (1, 2)], "none": []}))
    report.plot(Plot("nothing", "Nothing", "x", "y", {"none": []}))
    text = report.write(tmp_path)
    assert "| name  |  n |\n| ----- | -: |\n| a     |  1 |\n| bcdef | 22 |" in text
    assert "![A curve](curve.png)" in text
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"
    assert not (tmp_path / "nothing.png").exists()
    assert "pip install 'fivestone[plot]'" in report.markdown(drawn=False)


def test_the_bar_says_how_long(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    with ProgressBar(Console(width=200), clock=lambda: now[0]) as bar:
        bar.start("Sums", 100.0)
        bar.step(1, 2, "first")
        now[0] = 40.0
        bar.done(20.0)
    lines = capsys.readouterr().out.splitlines()
    # 20% of the way at half the pace: 0.2 * 160 s by the pace, 0.8 * 80 s by the estimate.
    assert lines == ["Sums: about 2 min", "1 of 2: first", "1 of 2: first: 20%, about 2 min to go"]
    assert time_left(20, 100, 40) == pytest.approx(96)
    assert time_left(0, 100, 5) == 100
    assert time_left(50, 100, 100) == pytest.approx(75)
    assert time_left(100, 100, 70) == 0


def test_durations() -> None:
    assert [duration(seconds) for seconds in (12, 89, 96, 5400, 7800)] == [
        "12 s",
        "89 s",
        "2 min",
        "1 h 30 min",
        "2 h 10 min",
    ]


def test_results_are_plain_files(tmp_path: Path) -> None:
    run_experiment(Sums(), tmp_path, Settings(), watcher=Log())
    assert json.loads((tmp_path / "steps" / "c.json").read_text()) == {"sum": 4}


@pytest.mark.parametrize("seed", [-1, 10**22])
def test_a_seed_no_player_can_take_is_refused(seed: int) -> None:
    with pytest.raises(BadInput, match=f"seed {seed}: choose 0 to"):
        Settings(seed=seed)
