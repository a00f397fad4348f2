"""Elo, intervals, Bradley-Terry and the sequential test, against closed forms and simulated players."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fivestone.errors import BadInput
from fivestone.match.ratings import elo_of_score, estimate, rate_field, score_of_elo
from fivestone.match.sprt import Sprt

Pair = list[tuple[str, str, float]]


def simulated(
    elo: float, pairs: int, rng: np.random.Generator, *, first: float = 0.0, draws: float = 0.0
) -> list[list[float]]:
    """Points of the stronger player in pairs of games, once with and once without the first move."""
    played = []
    for _ in range(pairs):
        pair = []
        for side in (1, -1):
            score = score_of_elo(elo + side * first)
            drawn = min(draws, 2 * min(score, 1 - score))
            dice = rng.random()
            pair.append(1.0 if dice < score - drawn / 2 else 0.5 if dice < score + drawn / 2 else 0.0)
        played.append(pair)
    return played


def test_elo_and_score_are_inverse() -> None:
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of_score(0.5) == 0
    assert elo_of_score(1) == math.inf == -elo_of_score(0)
    for elo in (-700, -3, 0, 12.5, 400):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_no_games_say_nothing() -> None:
    nothing = estimate([])
    assert (nothing.games, nothing.elo, nothing.low, nothing.high) == (0, 0.0, -math.inf, math.inf)


def test_many_independent_games_give_the_textbook_interval() -> None:
    pairs = [[1.0, 1.0]] * 360 + [[1.0, 0.0]] * 480 + [[0.0, 0.0]] * 160  # p = 0.6, as coin flips fall
    result = estimate(pairs)
    error = math.sqrt(0.6 * 0.4 / 2000)
    assert result.score == 0.6
    assert score_of_elo(result.low) == pytest.approx(0.6 - 1.96 * error, abs=5e-4)
    assert score_of_elo(result.high) == pytest.approx(0.6 + 1.96 * error, abs=5e-4)
    assert result.superiority > 0.999


def test_swapped_colours_narrow_the_interval() -> None:
    alone = estimate([[1.0, 1.0], [0.0, 0.0]] * 20)
    black_always_wins = estimate([[1.0, 0.0]] * 40)
    assert alone.elo == black_always_wins.elo == 0
    assert black_always_wins.high < alone.high / 3


def test_a_clean_sweep_has_no_upper_end_but_a_lower_one() -> None:
    sweep = estimate([[1.0, 1.0]] * 10)
    assert sweep.elo == pytest.approx(400 * math.log10(80))
    assert sweep.high == math.inf
    assert 100 < sweep.low < 400
    assert estimate([[1.0, 1.0]] * 50).low > sweep.low
    lost = estimate([[0.0, 0.0]] * 10)
    assert (lost.elo, lost.low) == (pytest.approx(-sweep.elo), -math.inf)
    assert lost.high == pytest.approx(-sweep.low)


@pytest.mark.parametrize(("elo", "pairs", "first", "draws"), [(0, 30, 0, 0.3), (120, 20, 80, 0.2), (300, 40, 0, 0)])
def test_the_interval_covers_the_truth_about_95_times_in_100(
    elo: float, pairs: int, first: float, draws: float
) -> None:
    rng = np.random.default_rng(7)
    truth = elo_of_score((score_of_elo(elo + first) + score_of_elo(elo - first)) / 2)
    runs = 600
    hits = 0
    for _ in range(runs):
        result = estimate(simulated(elo, pairs, rng, first=first, draws=draws))
        hits += result.low <= truth <= result.high
    assert 0.92 <= hits / runs <= 0.98


def field_pairs(wins: int, draws: int, losses: int) -> list[Pair]:
    """Even counts of each outcome, half of them with each colour."""
    outcomes = [1.0] * (wins // 2) + [0.5] * (draws // 2) + [0.0] * (losses // 2)
    return [[("a", "b", points), ("b", "a", 1 - points)] for points in outcomes]


def test_two_players_without_draws_have_a_closed_form() -> None:
    field = rate_field(field_pairs(60, 0, 20), anchors={"b": 1500})
    odds = 60.25 / 20.25
    chance = odds / (1 + odds)
    assert field["a"].elo == pytest.approx(1500 + 400 * math.log10(odds), abs=0.01)
    assert field["b"].elo == 1500
    assert field["b"].error == pytest.approx(0, abs=1e-6)
    error = 1.96 * 400 / math.log(10) / math.sqrt(80.5 * chance * (1 - chance))
    assert field["a"].error == pytest.approx(error, rel=1e-3)
    assert (field["a"].games, field["a"].points, field.first_move) == (80, 60, pytest.approx(0, abs=1e-6))
    assert field.draws == pytest.approx(0)


def test_two_players_with_draws_have_a_closed_form() -> None:
    field = rate_field(field_pairs(60, 40, 20), anchors={"b": 0})
    wins, losses = 60.25, 20.25
    nu = 40 / math.sqrt(wins * losses)
    assert field["a"].elo == pytest.approx(400 * math.log10(wins / losses) * 2 / (2 + nu), abs=0.01)
    assert field.draws == pytest.approx(nu / (2 + nu), abs=1e-6)
    # near equality Elo means the same as in a match
    close = rate_field(field_pairs(44, 120, 36), anchors={"b": 0})
    assert close["a"].elo == pytest.approx(elo_of_score((44 + 60) / 200), rel=0.03)


def test_the_first_move_is_told_from_strength() -> None:
    pairs: list[Pair] = [[("a", "b", 1.0), ("b", "a", 1.0)]] * 30 + [[("a", "b", 1.0), ("b", "a", 0.0)]] * 10
    pairs += [[("a", "b", 0.0), ("b", "a", 1.0)]] * 10
    field = rate_field(pairs, anchors={"b": 0})
    assert field["a"].elo == pytest.approx(0, abs=1e-6)
    assert field.first_move == pytest.approx(400 * math.log10(80.25 / 20.25), abs=0.01)


def known_field(rng: np.random.Generator, pairs: int) -> list[Pair]:
    strength = {"a": 0.0, "b": 150.0, "c": 350.0, "d": 500.0}
    played: list[Pair] = []
    for one in strength:
        for two in strength:
            if one < two:
                for points in simulated(strength[one] - strength[two], pairs, rng):
                    played.append([(one, two, points[0]), (two, one, 1 - points[1])])
    return played


def test_a_field_of_known_strength_is_covered() -> None:
    rng = np.random.default_rng(3)
    hits = {"b": 0, "c": 0, "d": 0}
    truth = {"b": 150.0, "c": 350.0, "d": 500.0}
    runs = 150
    for _ in range(runs):
        field = rate_field(known_field(rng, 20), anchors={"a": 0})
        for name in hits:
            hits[name] += abs(field[name].elo - truth[name]) <= field[name].error
    for count in hits.values():
        assert 0.90 <= count / runs <= 0.99


def test_resampling_pairs_agrees_with_the_hessian() -> None:
    pairs = known_field(np.random.default_rng(5), 60)
    by_hessian = rate_field(pairs, anchors={"a": 0})
    by_resampling = rate_field(pairs, anchors={"a": 0}, bootstrap=100, seed=1)
    for rating in by_hessian.ratings[:-1]:
        assert by_resampling[rating.name].elo == rating.elo
        assert by_resampling[rating.name].error == pytest.approx(rating.error, rel=0.3)


def test_fields_without_an_anchor_are_centred() -> None:
    field = rate_field(known_field(np.random.default_rng(5), 30))
    assert sum(rating.elo for rating in field.ratings) == pytest.approx(0, abs=1e-6)
    assert [rating.name for rating in field.ratings] == ["d", "c", "b", "a"]
    assert all(rating.error > 0 for rating in field.ratings)


def test_several_anchors_keep_their_mean() -> None:
    pairs = known_field(np.random.default_rng(5), 30)
    alone = rate_field(pairs, anchors={"a": 1000})
    both = rate_field(pairs, anchors={"a": 1000, "d": 1700})
    assert both["a"].elo + both["d"].elo == pytest.approx(2700)
    for name in "bcd":
        difference = alone[name].elo - alone["a"].elo
        assert both[name].elo - both["a"].elo == pytest.approx(difference)
    assert both["a"].error == pytest.approx(both["d"].error) == pytest.approx(alone["d"].error / 2)


def test_strangers_have_no_rating_against_each_other() -> None:
    pairs: list[Pair] = [[("a", "b", 1.0), ("b", "a", 0.0)], [("c", "d", 1.0), ("d", "c", 0.5)]]
    field = rate_field(pairs, anchors={"a": 0})
    assert math.isfinite(field["b"].error)
    assert math.isinf(field["c"].error)
    with pytest.raises(BadInput, match="'x' has not played"):
        rate_field(pairs, anchors={"x": 0})
    with pytest.raises(BadInput, match="no games"):
        rate_field([])


def test_sprt_bounds_and_ratio_have_closed_forms() -> None:
    test = Sprt(0, 20)
    assert test.bounds == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    assert test.state([]).llr == 0
    assert test.state([[1.0]]).llr == 0
    pairs = [[1.0, 1.0]] * 360 + [[1.0, 0.0]] * 480 + [[0.0, 0.0]] * 160
    s0, s1 = 0.5, score_of_elo(20)
    llr = 2000 * (s1 - s0) * (1.2 - s0 - s1) / (2 * 0.24)
    state = test.state(pairs)
    assert state.llr == pytest.approx(llr, rel=2e-3)
    assert state.verdict == "H1"
    assert test.state([[0.0, 0.5]] * 100).verdict == "H0"
    with pytest.raises(BadInput, match="below"):
        Sprt(20, 0)


@pytest.mark.parametrize(("low", "high"), [(0, 1e9), (0, math.inf), (-math.inf, 0), (0, 1e-300), (-3000, 0)])
def test_sprt_refuses_what_it_cannot_tell_apart(low: float, high: float) -> None:
    with pytest.raises(BadInput, match="choose Elo differences"):
        Sprt(low, high)


@pytest.mark.parametrize(("low", "high"), [(0, 0.01), (-2000, 2000), (1999.9, 2000), (-2000, -1999.9)])
def test_sprt_has_a_length_up_to_its_bounds(low: float, high: float) -> None:
    test = Sprt(low, high)
    for elo in (low, (low + high) / 2, high):
        assert 0 < test.expected_games(elo) < math.inf
    assert math.isfinite(test.state([[1.0, 1.0]] * 9).llr)


def test_sprt_errs_and_stops_as_promised() -> None:
    test = Sprt(0, 100)
    rng = np.random.default_rng(11)
    for elo, wrong in ((0, "H1"), (100, "H0")):
        lengths, errors, runs = [], 0, 150
        for _ in range(runs):
            pairs = simulated(elo, 400, rng)
            verdict, count = None, 4
            while verdict is None:
                count += 1
                verdict = test.state(pairs[:count]).verdict
            lengths.append(2 * count)
            errors += verdict == wrong
        assert errors / runs <= 0.09
        assert np.mean(lengths) == pytest.approx(test.expected_games(elo), rel=0.25)
    assert test.expected_games(50) > test.expected_games(0)
    assert test.expected_games(50, draws=0.5) < test.expected_games(50)
