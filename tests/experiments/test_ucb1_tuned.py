"""Seed D's experiment: with enough simulations both rules find the winning cell."""

from fivestone.experiments import ucb1_tuned


def test_both_rules_find_the_open_four_with_2000_simulations() -> None:
    results = ucb1_tuned.run(simulations=(2000,), trials=20)
    assert {row.select for row in results} == {"ucb1", "ucb1-tuned"}
    assert all(row.found >= 19 for row in results), results


def test_the_position_is_what_it_says() -> None:
    board = ucb1_tuned.position()
    assert {board.name_of(move) for move in ucb1_tuned.winning_cells(board)} == {"c5", "g5"}
