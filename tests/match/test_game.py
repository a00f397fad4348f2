"""The game loop, with scripted players and a clock that only moves when told."""

from __future__ import annotations

import json

import pytest
from scripted import FakeClock, Scripted

from fivestone import BLACK, WHITE, Board
from fivestone.errors import BadFile, BadInput, IllegalMove
from fivestone.match import Forfeit, GameRecord, RandomPlayer, make_player, play_game
from fivestone.match.swap2 import Swap2Choice
from fivestone.search import Limit, OnResult, SearchResult


def test_black_wins_with_five() -> None:
    clock = FakeClock()
    black = Scripted("a1 b1 c1 d1 e1", "B", clock, 1.5)
    white = Scripted("a2 b2 c2 d2", "W", clock, 0.25)
    seen: list[tuple[int, float]] = []
    game = play_game(
        black,
        white,
        size=9,
        limit=Limit(time=2),
        clock=clock,
        on_move=lambda board, result, seconds: seen.append((len(board.moves), seconds)),
    )
    assert (game.winner, game.reason, game.result) == (BLACK, "five", "1-0")
    assert (game.black, game.white, game.opening) == ("B", "W", 0)
    assert game.time_used(BLACK) == 7.5
    assert game.time_used(WHITE) == 1.0
    assert game.values == (0.25,) * 9
    assert seen == [(n + 1, 1.5 if n % 2 == 0 else 0.25) for n in range(9)]
    assert black.games == white.games == 1
    assert (game.points(BLACK), game.points(WHITE), game.forfeit) == (1.0, 0.0, None)
    assert game.board().winner == BLACK


def test_the_opening_is_not_counted_as_the_players_moves() -> None:
    opening = [Board(9).parse(name) for name in ("a1", "a9", "b1")]
    clock = FakeClock()
    white = Scripted("b9 c9 d9 e9", "W", clock, 1.0)
    black = Scripted("a5 a6 a7", "B", clock, 2.0)
    game = play_game(black, white, size=9, opening=opening, limit=Limit(visits=1), clock=clock)
    assert (game.winner, game.opening, len(game.moves)) == (WHITE, 3, 10)
    assert game.time_used(WHITE) == 4.0
    assert game.time_used(BLACK) == 6.0


def test_a_board_that_fills_up_is_a_draw() -> None:
    black, white = Scripted("a1 b1 c2 b3 a3"), Scripted("c1 b2 a2 c3")
    game = play_game(black, white, size=3, win_length=3, limit=Limit(), clock=FakeClock())
    assert (game.winner, game.result) == (None, "1/2-1/2")
    assert game.reason in ("full", "dead draw")
    assert game.points(BLACK) == game.points(WHITE) == 0.5


def test_a_dead_draw_is_adjudicated_at_the_first_chance() -> None:
    players = RandomPlayer(seed=1), RandomPlayer(seed=2)
    games = [play_game(*players, size=5, limit=Limit()) for _ in range(20)]
    dead = [game for game in games if game.reason == "dead draw"]
    assert dead
    for game in dead:
        assert len(game.moves) < 25
        assert game.board().is_dead_draw
        assert not Board.from_moves(game.moves[:-1], 5).is_dead_draw


@pytest.mark.parametrize(
    ("step", "reason", "detail"),
    [
        ("a1", "illegal", "move 3 at a1"),
        (81, "illegal", "move 3 at 81"),
        (-1, "illegal", "move 3 at -1"),
        (ValueError("broken\nand more"), "crash", "ValueError: broken"),
        (Forfeit("crash", "exited with code 3"), "crash", "exited with code 3"),
        (Forfeit("time", "no answer"), "time", "no answer"),
        (IllegalMove("there is no move"), "crash", "IllegalMove: there is no move"),
    ],
)
def test_forfeits_give_the_game_to_the_opponent(step: str | int | Exception, reason: str, detail: str) -> None:
    black, white = Scripted(["a1", step], "B"), Scripted(["b1"], "W")
    game = play_game(black, white, size=9, limit=Limit(), clock=FakeClock())
    assert (game.winner, game.reason, game.forfeit) == (WHITE, reason, reason)
    assert game.detail == f"Black, B: {detail}"
    assert len(game.moves) == 2


def test_a_forbidden_point_is_an_illegal_move() -> None:
    double_three = ["g8", "a1", "f8", "a3", "h7", "a5", "h6", "a7"]
    opening = [Board(15).parse(name) for name in double_three]
    for rule, reason in (("renju", "illegal"), ("freestyle", "crash")):
        black, white = Scripted(["h8"], "B"), Scripted([ValueError()])
        game = play_game(black, white, rule=rule, opening=opening, limit=Limit(), clock=FakeClock())
        assert game.reason == reason


def test_time_is_forfeited_only_beyond_the_grace() -> None:
    def play(seconds: float, limit: Limit, own: Limit | None = None) -> GameRecord:
        clock = FakeClock()
        black = Scripted("a1 b1 c1 d1 e1", "B", clock, seconds, own)
        return play_game(black, Scripted("a2 b2 c2 d2"), size=9, limit=limit, grace=0.5, clock=clock)

    assert play(1.5, Limit(time=1)).reason == "five"
    late = play(1.51, Limit(time=1))
    assert (late.reason, late.winner, late.moves) == ("time", WHITE, ())
    assert late.detail == "Black, B: 1.51 s for a move, 1 s allowed"
    assert play(100, Limit(visits=10)).reason == "five"
    assert play(3, Limit(time=1), Limit(time=3)).reason == "five"
    assert play(3, Limit(time=9), Limit(time=2)).reason == "time"


def test_what_the_user_can_put_right_is_raised() -> None:
    black = Scripted([BadInput("plays win length 5 only")])
    with pytest.raises(BadInput, match="win length 5 only"):
        play_game(black, Scripted([]), size=9, limit=Limit(), clock=FakeClock())


def test_players_cannot_change_the_game() -> None:
    class Vandal(RandomPlayer):
        def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
            result = super().choose(board, limit)
            board.push(result.move)
            return result

    game = play_game(Vandal(seed=1), RandomPlayer(seed=2), size=7, limit=Limit())
    assert game.forfeit is None


def test_records_survive_json() -> None:
    game = play_game(RandomPlayer("x", 1), RandomPlayer("y", 2), size=20, limit=Limit(), clock=FakeClock())
    text = json.dumps(game.to_json())
    assert GameRecord.from_json(json.loads(text)) == game
    with pytest.raises(BadFile):
        GameRecord.from_json({"size": 15})


class Chooser(Scripted):
    """Plays a script and makes the given choices in Swap2."""

    def __init__(self, choices: list[Swap2Choice], moves: str | list[str | int | Exception], name: str) -> None:
        super().__init__(moves, name)
        self.choices = choices

    def swap2(self, board: Board, limit: Limit) -> Swap2Choice:
        return self.choices.pop(0)


def cells(names: str) -> tuple[int, ...]:
    return tuple(Board(9).parse(name) for name in names.split())


THREE = Swap2Choice(moves=cells("a1 a9 b1"))


@pytest.mark.parametrize(
    ("first", "second", "black", "opening"),
    [
        ([THREE], [Swap2Choice(swap=True)], "second", 3),
        ([THREE], [Swap2Choice(moves=cells("b9"))], "first", 4),
        ([THREE, Swap2Choice(swap=True)], [Swap2Choice(moves=cells("b9 c1"))], "first", 5),
        ([THREE, Swap2Choice(moves=cells("c9"))], [Swap2Choice(moves=cells("b9 c1"))], "second", 6),
    ],
)
def test_swap2_settles_the_colours(
    first: list[Swap2Choice], second: list[Swap2Choice], black: str, opening: int
) -> None:
    lines = {"black": ["a1", "b1", "c1", "d1", "e1"], "white": ["a9", "b9", "c9", "d9"]}
    lines["black"] = lines["black"][(opening + 1) // 2 :]
    lines["white"] = lines["white"][opening // 2 :]
    scripts = {"first": lines["black" if black == "first" else "white"]}
    scripts["second"] = lines["white" if black == "first" else "black"]
    game = play_game(
        Chooser(list(first), list(scripts["first"]), "first"),
        Chooser(list(second), list(scripts["second"]), "second"),
        size=9,
        swap2=0,
        limit=Limit(),
        clock=FakeClock(),
    )
    assert (game.winner, game.reason, game.black, game.opening) == (BLACK, "five", black, opening)
    assert game.swapped == (black == "second")
    assert GameRecord.from_json(game.to_json()) == game


@pytest.mark.parametrize("choice", [Swap2Choice(swap=True), Swap2Choice(moves=cells("a1 b1"))])
def test_a_choice_that_does_not_exist_loses(choice: Swap2Choice) -> None:
    game = play_game(Chooser([choice], [], "first"), Scripted([]), size=9, swap2=0, limit=Limit())
    assert (game.winner, game.reason) == (WHITE, "illegal")
    twice = Swap2Choice(moves=cells("a1 a1 b1"))
    game = play_game(Chooser([twice], [], "first"), Scripted([]), size=9, swap2=0, limit=Limit())
    assert (game.winner, game.reason, game.detail) == (WHITE, "illegal", "Black, first: move 2 at a1")


def test_players_without_a_choice_of_their_own_search_for_one() -> None:
    game = play_game(
        make_player("level:3", seed=1), make_player("level:3", seed=2), size=9, swap2=7, limit=Limit(visits=1)
    )
    assert game.opening in (3, 4, 5, 6)
    assert game.forfeit is None
