"""Learning pattern weights: the games are repeatable and the regressions find what is there to find."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from fivestone import _core
from fivestone.board import Board
from fivestone.cli.tune import command
from fivestone.errors import BadFile, BadInput
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.result import Limit
from fivestone.search.weights import load_tables
from fivestone.train.patterns import SCORE_SCALE, GamePlan, Sample, fit, play_game


def test_a_game_is_a_function_of_plan_and_number() -> None:
    plan = GamePlan(size=9, nodes=200, seed=5)
    first, second, different = play_game(plan, 1), play_game(plan, 1), play_game(plan, 2)
    assert [s.flags for s in first] == [s.flags for s in second]
    assert all(np.array_equal(a.own, b.own) and a.result == b.result for a, b in zip(first, second, strict=True))
    assert [s.own.tolist() for s in first] != [s.own.tolist() for s in different]
    for sample in first:
        assert 0.0 <= sample.result <= 1.0
        assert sample.chosen < len(sample.move_own) == len(sample.move_foe)


def _made_up(count: int, worth: dict[int, float], tempo: float) -> list[Sample]:
    """Samples whose results follow known weights exactly, and whose moves are the best by them."""
    rng = np.random.default_rng(1)
    classes = np.array(list(worth), np.int32)
    values = np.array(list(worth.values()))
    samples = []
    for _ in range(count):
        own, foe = (rng.integers(0, len(classes), rng.integers(2, 9)) for _ in range(2))
        logit = values[own].sum() - values[foe].sum() + tempo
        moves = rng.integers(0, len(classes), 5)
        samples.append(
            Sample(
                own=classes[own],
                foe=classes[foe],
                black=True,
                flags=0,
                result=float(1 / (1 + np.exp(-logit))),
                move_own=classes[moves],
                move_foe=np.zeros(5, np.int32),
                chosen=int(values[moves].argmax()),
            )
        )
    return samples


def test_fit_recovers_known_weights() -> None:
    worth = {10: 0.1, 50: 0.4, 200: -0.2, 700: 0.8}
    tables, report = fit(_made_up(3000, worth, 0.3), epochs=30, batch=64)
    for index, value in worth.items():
        assert tables.cell[0, index] / SCORE_SCALE == pytest.approx(value, abs=0.05)
    assert tables.threats[0] / SCORE_SCALE == pytest.approx(0.3, abs=0.05)
    order = sorted(worth, key=lambda index: tables.move_own[0, index])
    assert order == sorted(worth, key=lambda index: worth[index])
    assert report.agreement > 0.95
    with pytest.raises(BadInput, match="too few"):
        fit(_made_up(50, worth, 0.0))


def test_features_are_what_the_position_holds() -> None:
    board = Board.from_moves("h8i9j8h10")
    features = _core.features(board)
    assert len(features.cells[0]) == len(features.cells[1]) == 225 - 4
    assert features.quiet
    assert set(features.moves) <= set(board.legal_moves)
    sets = _core.class_sets()
    position = _core.Position(board)
    for move, own in zip(features.moves, features.own_classes, strict=True):
        patterns = sorted(int(position.pattern(move, board.turn, direction)) for direction in range(4))
        assert sorted((sets[own] >> (4 * i)) & 15 for i in range(4)) == patterns


def test_command_writes_a_card_that_plays(tmp_path) -> None:
    out = tmp_path / "card.npz"
    arguments = [str(out), "--games", "12", "--nodes", "100", "--board", "9", "--epochs", "2", "--rule", "caro"]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "positions" in result.output
    assert set(load_tables(out)) == {"caro"}
    assert json.loads(out.with_suffix(".json").read_text())["games"] == 12
    assert AlphaBeta(hash_mb=1, weights=out).search(Board(9, "caro"), Limit(depth=2)).depth == 2


@pytest.mark.parametrize(
    ("arguments", "wrong", "says"),
    [
        (["card.json"], BadInput, "ends in .npz"),
        (["card"], BadInput, "ends in .npz"),
        (["folder.npz"], BadFile, "it is a folder"),
        (["file/card.npz"], BadFile, "cannot write"),
        (["card.npz", "--keep", "file"], BadFile, "not a weights card"),
        (["card.npz", "--nodes", "9" * 20], BadInput, "at most"),
    ],
)
def test_mistakes_are_told_before_the_games(tmp_path, monkeypatch, arguments, wrong, says) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no card")
    (tmp_path / "folder.npz").mkdir()
    monkeypatch.setattr("fivestone.cli.tune.play_games", lambda *_: pytest.fail("games were played"))
    done = CliRunner().invoke(command, arguments)
    assert isinstance(done.exception, wrong)
    assert says in str(done.exception)
    assert {entry.name for entry in tmp_path.iterdir()} == {"file", "folder.npz"}
