"""The experiments that train nets, at a size of seconds."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from tiny import reproduce, rows_of, step_of

from fivestone.experiments import curves, dqn, ladder, latest_vs_best, openings
from fivestone.experiments.experiment import Settings
from fivestone.net import load_net


def test_curves_have_a_point_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "SIZES", (6, 7))
    outcome = reproduce(tmp_path, "curves", scale=0.0005)
    for size in (6, 7):
        rounds = step_of(outcome, f"{size}x{size}")["rounds"]
        assert [line["games"] for line in rounds] == [4 * n for n in range(1, len(rounds) + 1)], "four games a round"
        ((_, games, an_hour, first, last, *_),) = rows_of(outcome.text, f"{size}x{size}")
        assert int(games) == rounds[-1]["games"]
        assert int(an_hour) == round(3600 * rounds[-1]["games"] / rounds[-1]["seconds"])
        assert (first, last) == (f"{rounds[0]['loss']:.2f}", f"{rounds[-1]['loss']:.2f}")
    assert rows_of(outcome.text, "Seed A, 9x9")[0][1:3] == ["4000", "83"]
    assert (tmp_path / "loss.png").exists()
    assert (tmp_path / "entropy.png").exists()


def test_seed_a_trains_as_the_seed_says() -> None:
    config = curves.seed_a_config(9, Settings())
    assert (config.net, config.simulations, config.cpuct, config.self_play_net) == ("conv-a", 400, 5.0, "best")
    assert config.games_at_once * config.evaluate_every == 100
    assert (config.ladder_start, config.evaluate_games) == (1000, 10)


def test_the_ladder_is_climbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "RUNS", (("line", "uct"),))
    monkeypatch.setattr(ladder, "SIZE", 6)
    outcome = reproduce(tmp_path, "ladder", scale=0.004)
    found = step_of(outcome, "line-uct")
    assert found["start"] == 1000
    assert found["matches"], "there was time for a match"
    assert all(match["games"] == 10 for match in found["matches"])
    ((_, opponent, games, matches, *_),) = rows_of(outcome.text, "line")
    assert (opponent, int(games), int(matches)) == ("pure MCTS", found["games"], len(found["matches"]))


def test_the_ladder_says_how_high() -> None:
    def match(seconds: float, rung: int, points: float) -> dict[str, float]:
        return {"seconds": seconds, "ladder": rung, "points": points, "games": 10}

    climbs = [match(60, 1000, 7), match(120, 2000, 10), match(180, 3000, 10), match(240, 3000, 9.5)]
    results = {
        "conv-a-uct": {"games": 300, "start": 1000, "matches": [match(60, 1000, 4)]},
        "line-uct": {"games": 9000, "start": 1000, "matches": climbs},
    }
    text = ladder.EXPERIMENT.report(Settings(), results).markdown()
    assert rows_of(text, "conv-a") == [["conv-a", "pure MCTS", "300", "1", "not yet", "none", "4/10"]]
    assert rows_of(text, "line") == [["line", "pure MCTS", "9000", "4", "2 min", "2,000", "9.5/10"]]


def test_openings_are_followed_through_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "NETS", ("line",))
    monkeypatch.setattr(openings, "OPENINGS", 2)
    monkeypatch.setattr(openings, "CHECKPOINTS", 2)
    outcome = reproduce(tmp_path, "openings", scale=0.001)
    matches = step_of(outcome, "play-line")["matches"]
    assert 1 <= len(matches) <= 2
    for match in matches:
        assert len(match["openings"]) == 2
        assert sum(match["openings"]) == match["points"]
    assert [row[1] for row in rows_of(outcome.text, "line")] == [str(match["games"]) for match in matches]
    assert [row[1:] for row in rows_of(outcome.text, "Seed B")] == [
        ["350", "", "1:1"],
        ["600", "", "3:2"],
        ["1150", "", "4:1"],
    ]


def test_kept_nets_are_spread_over_training() -> None:
    nets = [{"games": 10 * n} for n in range(1, 101)]
    assert [net["games"] for net in openings.spread(nets, 3)] == [10, 100, 1000]
    assert openings.spread(nets[:2], 3) == nets[:2]


def test_latest_and_best_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest_vs_best, "GAMES", latest_vs_best.GAMES[:1])
    outcome = reproduce(tmp_path, "latest-vs-best", scale=0.005)
    for mode in ("latest", "best"):
        found = step_of(outcome, f"3x3-{mode}-0")
        assert found["games"] > 0
        assert all(0.0 < share <= 1.0 for _, share in found["curve"])
        assert len(rows_of(outcome.text, mode)) == 1
    assert rows_of(outcome.text, "Seed B: latest")[0][2] == "10 min"
    assert rows_of(outcome.text, "Seed B: best")[0][2] == "30 min"
    # With the best net the first one is taken as it is, and later ones have to win.
    metrics = [json.loads(line) for line in (tmp_path / "train/3x3-best-0/metrics.jsonl").read_text().splitlines()]
    assert metrics[0]["best"] == 1
    for before, line in itertools.pairwise(metrics):
        assert (line["best"] == line["round"] + 1) == (line["gate_points"] >= 11) == bool(line["promote"])
        assert line["promote"] or line["best"] == before["best"]


def test_dqn_meets_the_nets_of_equal_training_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dqn, "SIZES", (6,))
    outcome = reproduce(tmp_path, "dqn", scale=0.001)
    found = step_of(outcome, "6-match")
    assert list(found) == [
        *("random", "greedy", "conv net, policy", "conv net, search", "line net, policy", "line net, search"),
    ]
    assert all(score["games"] == 2 for score in found.values())
    assert [row[1] for row in rows_of(outcome.text, "6x6")][:6] == list(found)
    assert load_net(tmp_path / "dqn-6.npz").size == 6  # type: ignore[union-attr]
    assert step_of(outcome, "6-dqn")["curve"]
