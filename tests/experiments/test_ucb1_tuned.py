"""Seed D's experiment: with enough simulations both rules find the winning cell."""

import pytest

from fivestone.experiments import ucb1_tuned

THREE, BESIDE, WITHIN_TWO = ucb1_tuned.CHOICES


@pytest.mark.parametrize("select", ucb1_tuned.RULES)
def test_both_rules_find_the_open_four_with_2000_simulations(select: ucb1_tuned.Rule) -> None:
    assert ucb1_tuned.found_by(select, THREE, 2000, trials=20, seed=0) >= 19


@pytest.mark.parametrize("select", ucb1_tuned.RULES)
def test_it_is_harder_to_find_among_more_cells(select: ucb1_tuned.Rule) -> None:
    found = [ucb1_tuned.found_by(select, choice, 200, trials=20, seed=0) for choice in ucb1_tuned.CHOICES]
    assert found[0] > found[1] > found[2]


def test_the_position_is_what_it_says() -> None:
    board = ucb1_tuned.position()
    assert {board.name_of(move) for move in ucb1_tuned.winning_cells(board)} == {"m10"}
    candidates = ucb1_tuned.candidates(board)
    assert len(candidates) == 3
    assert ucb1_tuned.winning_cells(board) < set(candidates)
    assert not board.is_over
