"""What steps are made of can be interrupted and taken up again."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from fivestone.experiments.experiment import Settings
from fivestone.experiments.workbench import Workbench, net_spec
from fivestone.match.schedule import Contest
from fivestone.match.specs import make_player, parse_spec
from fivestone.search import Limit
from fivestone.train.config import config_from, preset
from fivestone.train.rundir import RunDir

TINY = config_from({"evaluate_every": 0}, preset("tiny"))


class Stops:
    """Ctrl-C at the so-many-th news of progress."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.shares: list[float] = []

    def __call__(self, share: float) -> None:
        self.shares.append(share)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_training_goes_on_after_an_interruption(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        Workbench(tmp_path, Settings(seed=4), {}, Stops(2)).train("one", TINY, 3600.0)
    run = RunDir.open(tmp_path / "train" / "one")
    rounds = len(run.metrics())
    assert rounds == 2
    spent = run.metrics()[-1]["seconds"]
    heard = Stops(-1)
    run = Workbench(tmp_path, Settings(seed=4), {}, heard).train("one", TINY, spent + 0.2)
    assert len(run.metrics()) > rounds
    assert run.metrics()[-2]["seconds"] < spent + 0.2, "the seconds of before count"
    assert heard.shares == sorted(heard.shares)
    assert 0.5 < heard.shares[-1] <= 1.0
    assert run.config.seed == TINY.seed + 4
    player = make_player(net_spec(run.path / "net.npz", 4, name="mine"))
    assert player.name == "mine"


def test_a_finished_training_is_not_trained_again(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, Settings(), {})
    first = bench.train("one", TINY, 0.001).metrics()
    assert len(first) == 1, "one round at least"
    assert bench.train("one", TINY, 0.001).metrics() == first


def test_training_is_timed_by_the_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = itertools.count(step=10)
    monkeypatch.setattr("time.process_time", lambda: next(spent))
    lines = Workbench(tmp_path, Settings(threads=2), {}).train("one", TINY, 100.0).metrics()
    # Ten seconds between any two looks at the clock, of either thread five.
    assert lines[0]["self_play_seconds"] == lines[0]["learn_seconds"] == 5.0
    assert [line["seconds"] for line in lines] == [15.0 * number for number in range(1, len(lines) + 1)]
    assert 2 <= len(lines) <= 100 / 15


def test_matches_go_on_after_an_interruption(tmp_path: Path) -> None:
    contest = Contest(("random", "greedy"), pairs=2, size=6, limit=Limit(visits=1), openings="random:2", seed=5)
    with pytest.raises(KeyboardInterrupt):
        Workbench(tmp_path, Settings(), {}, Stops(1)).play("m", contest)
    heard = Stops(-1)
    standings = Workbench(tmp_path, Settings(), {}, heard).play("m", contest)
    assert standings.against(0, 1).games == 4
    assert heard.shares == [0.5, 0.75, 1.0]


def test_a_net_plays_by_itself_unless_told(tmp_path: Path) -> None:
    pure = parse_spec(net_spec(Path("a, b.npz"), 10)).options
    assert (pure["net"], pure["forced"], pure["near"]) == ("a, b.npz", "no", "0")
    assert "forced" not in parse_spec(net_spec(Path("x.npz"), 10, pure=False)).options
