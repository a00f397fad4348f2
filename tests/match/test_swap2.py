"""Swap2 choices follow what the player sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.swap2 import Swap2Choice, choose_swap2
from fivestone.search import Limit, OnResult, SearchResult

THREE = "h8i9c3"
FIVE = "h8i9c3d4e9"


class Judge:
    """Values positions as a function says and remembers what it was asked."""

    name = "judge"

    def __init__(self, value: Callable[[Board], float]) -> None:
        self._value = value
        self.asked: list[tuple[Board, Limit]] = []

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        self.asked.append((board.copy(), limit))
        return SearchResult(board.legal_moves[-1], self._value(board))

    def new_game(self) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("moves", [THREE, FIVE])
@pytest.mark.parametrize(("value", "swap"), [(0.4, False), (-0.4, True), (1.0, False), (-1.0, True)])
def test_the_better_colour_is_taken(moves: str, value: float, swap: bool) -> None:
    judge = Judge(lambda _: value)
    choice = choose_swap2(judge, Board.from_moves(moves), Limit(time=1))
    assert choice == (Swap2Choice(swap=True) if swap else Swap2Choice(moves=(224,)))


def test_an_even_position_of_three_stones_is_passed_on() -> None:
    def value(board: Board) -> float:
        return 0.01 if len(board.moves) == 3 else (board.moves[-1] % 15) / 15

    judge = Judge(value)
    board = Board.from_moves(THREE)
    choice = choose_swap2(judge, board, Limit(time=1), seed=3)
    assert len(choice.moves) == 2
    columns = [asked.moves[-1] % 15 for asked, _ in judge.asked[1:]]
    assert choice.moves[-1] % 15 == min(columns) < max(columns)


def test_an_even_position_of_five_stones_is_played() -> None:
    assert choose_swap2(Judge(lambda _: 0.0), Board.from_moves(FIVE), Limit(time=1)).moves == (224,)


@given(st.integers(5, 20), st.sampled_from(["freestyle", "renju"]), st.integers(0, 1000))
def test_an_opening_is_three_stones_as_even_as_can_be(size: int, rule: str, seed: int) -> None:
    judge = Judge(lambda board: (board.moves[-1] * 7919 % 101) / 101 - 0.5)
    board = Board(size, rule)
    choice = choose_swap2(judge, board, Limit(time=1), seed)
    assert choice.fits(board)
    for move in choice.moves:
        board.push(move)
    assert abs(judge._value(board)) == min(abs(judge._value(asked)) for asked, _ in judge.asked)
    assert len(judge.asked) > 1


def test_the_limit_is_for_all_searches_together() -> None:
    for moves, value in (("", 0.0), (THREE, 0.0), (FIVE, 0.0)):
        for seconds in (0.05, 1.0):
            judge = Judge(lambda _, value=value: value)  # type: ignore[misc]
            choose_swap2(judge, Board.from_moves(moves), Limit(time=seconds))
            assert sum(limit.time or 0 for _, limit in judge.asked) <= seconds + 1e-9
    judge = Judge(lambda _: 0.5)
    choose_swap2(judge, Board.from_moves(THREE), Limit(nodes=100))
    assert judge.asked[0][1] == Limit(nodes=100)


def test_swap2_has_three_stages() -> None:
    for moves in ("h8", "h8i9", "h8i9c3d4", "h8i9c3d4e9f2"):
        with pytest.raises(BadInput, match="0, 3 or 5 stones"):
            choose_swap2(Judge(lambda _: 0.0), Board.from_moves(moves), Limit(time=1))
    for moves, fitting in (("", ["3"]), (THREE, ["swap", "1", "2"]), (FIVE, ["swap", "1"])):
        choices = {"swap": Swap2Choice(swap=True), **{str(n): Swap2Choice(moves=tuple(range(n))) for n in range(5)}}
        board = Board.from_moves(moves)
        assert [name for name, choice in choices.items() if choice.fits(board)] == fitting
