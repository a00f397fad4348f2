"""The experiments that are matches between players there are: the fool, the gauntlet, the edges."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tiny import reproduce, rows_of, step_of

from fivestone.errors import BadInput
from fivestone.experiments import edges, fool, gauntlet
from fivestone.experiments.experiment import Settings
from fivestone.net.conv import ConvNet

# A Gomocup engine that takes the first free one of some cells no two of which are neighbours: it never makes five.
ENGINE = """#!{python}
import sys
taken, size = set(), 0
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "START":
        size, taken = int(rest), set()
        print("OK", flush=True)
    elif word in ("TURN", "BEGIN", "DONE"):
        if word == "TURN":
            taken.add(tuple(int(part) for part in rest.split(",")))
        cell = next((x, y) for y in range(size) for x in range(3 * y % 5, size, 5) if (x, y) not in taken)
        taken.add(cell)
        print("%d,%d" % cell, flush=True)
    elif word == "END":
        break
    elif word.count(",") == 2:
        taken.add(tuple(int(part) for part in word.split(",")[:2]))
"""


def test_the_fool_loses_to_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fool, "SIZES", (9,))
    for slow in ("fool", "level:max"):
        monkeypatch.delitem(fool.OPPONENTS, slow)
    outcome = reproduce(tmp_path, "fool", scale=0.005)
    assert "takes 1,000 visits" in outcome.text
    chance, simple = rows_of(outcome.text, "9x9")
    assert chance[1:6] == ["random", "2", "0", "0", "2"], "chance cannot help winning"
    assert chance[-1] == "yes"
    found = step_of(outcome, "9-fool-simple")
    assert simple[1:6] == ["fool:simple", *(str(found[name]) for name in ("games", "wins", "draws", "losses"))]
    assert (simple[-1] == "yes") == (found["wins"] == 0 and found["losses"] > found["draws"])


def test_a_fool_that_wins_is_called_by_its_name() -> None:
    results = {"9-random": {"games": 10, "wins": 2, "draws": 0, "losses": 8}}
    assert "| no    |" in fool.EXPERIMENT.report(Settings(), results).markdown()


def test_the_gauntlet_prints_the_rows_of_the_seed(tmp_path: Path) -> None:
    engine = tmp_path / "engines" / "pbrain-mushroom3"
    engine.parent.mkdir()
    engine.write_text(ENGINE.format(python=sys.executable))
    engine.chmod(0o755)
    outcome = reproduce(tmp_path / "run", "gauntlet", engines=str(engine.parent))
    assert rows_of(outcome.text, "mushroom3") == [["mushroom3", "2/2", "12", "2/2", "11", "2/2", "7"]]
    assert "0.01 s a move" in outcome.text
    for kind in ("alpha-beta", "greedy", "MCTS"):
        assert step_of(outcome, kind)["against"]["mushroom3"]["games"] == 2
    for player, elo in (("alphabeta", "1395"), ("greedy", "1111"), ("tree search", "942")):
        ((_, ours, _, seeds),) = rows_of(outcome.text, player)
        assert seeds == elo
        # Anchored at Mushroom's 304; whoever won both games stands above it.
        assert int(ours.split("±")[0]) > 304


def test_the_gauntlet_asks_for_engines() -> None:
    with pytest.raises(BadInput, match="--engines FOLDER"):
        gauntlet.EXPERIMENT.steps(Settings())


def test_engines_of_one_name_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauntlet, "_ROWS", gauntlet._ROWS[1:2])
    for folder in ("a", "b"):
        engine = tmp_path / "engines" / folder / "pbrain-wine"
        engine.parent.mkdir(parents=True)
        engine.write_text(ENGINE.format(python=sys.executable))
        engine.chmod(0o755)
    outcome = reproduce(tmp_path / "run", "gauntlet", engines=str(tmp_path / "engines"))
    for name in ("wine #1", "wine #2"):
        assert rows_of(outcome.text, name) == [[name, "2/2", "0"]]


def test_what_is_no_engine_is_refused(tmp_path: Path) -> None:
    engine = tmp_path / "engines" / "pbrain-y"
    engine.parent.mkdir()
    engine.write_text("garbage")
    engine.chmod(0o755)
    with pytest.raises(BadInput, match="pbrain-y is no engine that plays"):
        reproduce(tmp_path / "run", "gauntlet", engines=str(engine.parent))


def test_edges_are_attacked_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "LEVELS", ("3",))
    monkeypatch.setattr(edges, "shipped_nets", dict)
    outcome = reproduce(tmp_path, "edges")
    ((_, rim, share, _, _, holds),) = rows_of(outcome.text, "level-3")
    result = step_of(outcome, "level-3-rim")
    assert rim == f"{result['wins']}-{result['draws']}-{result['losses']}"
    assert share == f"{result['points'] / 2:.0%}"
    assert holds in ("yes", "no", "loses anywhere")
    assert len(rows_of(outcome.text, "conv-9")) == 1, "a conv net was trained, since none ships"
    opening = (tmp_path / "rim-15.txt").read_text().split()
    assert len(opening) == 1


@pytest.mark.parametrize(("games", "trains"), [(edges.ENOUGH_GAMES - 1, True), (edges.ENOUGH_GAMES, False)])
def test_a_shipped_conv_net_is_attacked_if_it_has_learned_enough(
    games: int, trains: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ConvNet.random("conv-b", 9).save(tmp_path / "conv-9.npz", {"games": games})
    monkeypatch.setattr(edges, "shipped_nets", lambda: {"conv-9": tmp_path / "conv-9.npz"})
    keys = [step.key for step in edges.EXPERIMENT.steps(Settings())]
    assert ("train" in keys) == trains
    assert keys.count("conv-9-rim") == 1


def test_who_gets_less_on_the_rim_does_not_hold() -> None:
    def score(points: float) -> dict[str, float]:
        return {"games": 10, "wins": points, "draws": 0, "losses": 10 - points, "points": points}

    for rim, middle, holds in (
        *((2, 6, "no"), (3, 2, "yes"), (6, 9, "yes"), (4, 4, "yes")),
        *((0, 1, "no"), (0, 0, "loses anywhere")),
    ):
        results = {"level-1-rim": score(rim), "level-1-middle": score(middle)}
        text = edges.EXPERIMENT.report(Settings(), results).markdown()
        ((*_, said),) = rows_of(text, "level-1")
        assert said == holds
        assert "With 20 games each a difference of up to 31% of the points is within chance" in text
