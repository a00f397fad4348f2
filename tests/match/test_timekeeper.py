"""Thinking time: never more than allowed, and never nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivestone.match.timekeeper import TimeControl


@pytest.mark.parametrize("turn", [0.1, 0.3, 1.0, 5.0, 30.0])
def test_a_turn_is_used_well_and_not_overstepped(turn: float) -> None:
    time = TimeControl(turn=turn).next_turn(0)
    assert 0.75 * turn < time.search < turn - 0.02
    assert time.search < time.answer < turn


def test_a_turn_of_zero_is_as_fast_as_possible() -> None:
    assert TimeControl(turn=0).next_turn(5).search <= 0.01


def test_nothing_said_is_not_for_ever() -> None:
    assert 1 < TimeControl().next_turn(0).search < 5


def test_the_manager_knows_better_what_is_left() -> None:
    control = TimeControl(turn=5, match=120)
    control.spend(100)
    assert control.next_turn(10).search < 2
    control.left = 110
    assert control.next_turn(10).search > 4.5
    control.spend(108)
    assert control.next_turn(10).search < 0.2
    control.new_game()
    assert control.next_turn(0).search > 3.5


def test_most_of_a_game_s_time_is_used_for_the_moves_that_decide_it() -> None:
    control = TimeControl(turn=30, match=180)
    assert 8 < control.next_turn(0).search < 9
    for move in range(19):
        control.spend(control.next_turn(move).answer)
    assert 0.7 < control.used / 180 < 0.95


@given(st.floats(0.05, 30), st.floats(5, 1000), st.integers(1, 70))
def test_a_game_never_runs_out_of_time(turn: float, match: float, moves: int) -> None:
    control = TimeControl(turn=turn, match=match)
    for move in range(moves):
        time = control.next_turn(move)
        assert time.search > 0
        control.spend(time.answer)
    assert control.used < match


@given(st.floats(-1000, 0), st.integers(0, 100))
def test_time_that_has_run_out_makes_it_fast(left: float, moves: int) -> None:
    assert TimeControl(turn=5, left=left).next_turn(moves).answer < 0.05


def test_a_busy_machine_gets_a_wider_margin_for_a_while() -> None:
    control = TimeControl(turn=0.1)
    calm = control.next_turn(0)
    control.note_lateness(0.03)
    busy = control.next_turn(1)
    assert busy.search == pytest.approx(0.1 - 0.045)
    control.note_lateness(5.0)
    assert control.next_turn(2).search == pytest.approx(0.05)
    for _ in range(40):
        control.note_lateness(0.0)
    assert control.next_turn(43) == calm
