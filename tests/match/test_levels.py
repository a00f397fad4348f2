"""Levels: seeded, fit for every board, and wrong in the way people are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fivestone import Board, _core
from fivestone.errors import BadInput
from fivestone.match import Player, make_player, play_game
from fivestone.match.attention import KINDS, facts_of, plans_of
from fivestone.match.levels import LEVELS, measured_elo, parse_level
from fivestone.match.openings import load_openings
from fivestone.search import Limit, SearchResult


def test_names() -> None:
    assert [parse_level(text) for text in ("easy", "normal", "hard", "10")] == [LEVELS[i] for i in (1, 4, 7, 9)]
    assert parse_level("max") is None
    for wrong in (None, "0", "11", "hrd", "-1"):
        with pytest.raises(BadInput, match="does not exist; known: 1, 10"):
            parse_level(wrong)


def test_threats_are_found_by_kind_most_urgent_first() -> None:
    board = Board.from_moves("h8h9i8i9j8j9a1k9b1", 15)  # White to move has four in a row, Black three
    facts = facts_of(board, _core.Position(board))
    assert [(fact.kind, fact.own) for fact in facts] == [("five", True), ("open four", False)]
    assert {board.name_of(move) for move in facts[0].moves} == {"g9", "l9"}
    assert {board.name_of(move) for move in facts[1].moves} >= {"g8", "k8"}
    assert facts_of(Board(15), _core.Position(Board(15))) == []


def test_people_look_near_the_stones() -> None:
    board = Board.from_moves("a1", 15)
    assert {board.name_of(move) for move in plans_of(board)} == {"a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"}
    assert Board(15).parse("h8") in plans_of(Board(15))
    assert len(plans_of(Board(15))) == 25
    assert {Board(6).name_of(move) for move in plans_of(Board(6))} >= {"c3", "d4"}


def test_the_same_position_and_seed_give_the_same_move() -> None:
    board = Board.from_moves("h8i9h9h10i8", 15)

    def look(player: Player) -> SearchResult:
        return replace(player.choose(board, Limit()), seconds=0.0)

    for level in (1, 4, 5, 8):
        player = make_player(f"level:{level}", seed=3)
        first = look(player)
        player.choose(Board.from_moves("h8i9h9h10", 15), Limit())
        assert look(player) == first
        assert look(make_player(f"level:{level}", seed=3)) == first
    moves = {make_player("level:1", seed=seed).choose(board, Limit()).move for seed in range(30)}
    assert len(moves) > 3


@pytest.mark.parametrize("size", [5, 6, 9, 20])
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_every_level_plays_every_board(size: int, rule: str) -> None:
    for level in range(1, 9, 3):
        one, two = make_player(f"level:{level}", seed=1), make_player(f"level:{level + 1}", seed=2)
        game = play_game(one, two, size=size, rule=rule, limit=Limit())
        assert game.forfeit is None


def test_levels_play_other_lengths_with_rollouts() -> None:
    board = Board.from_moves("a1a3b1b3", 3, "freestyle", 3)
    assert board.name_of(make_player("level:8", seed=1).choose(board, Limit()).move) == "c1"
    for level in ("1", "max"):
        game = play_game(
            make_player(f"level:{level}"), make_player("level:2"), size=4, win_length=3, limit=Limit(visits=9)
        )
        assert game.forfeit is None


def test_strong_levels_judge_with_the_net_where_one_knows_the_game() -> None:
    level = LEVELS[9]
    by_net, by_patterns = f"net=line,nodes={level.net_nodes}", f"nodes={level.nodes}"
    for rule, judge in (("freestyle", by_net), ("renju", by_net), ("standard", by_net), ("caro", by_patterns)):
        board = Board.from_moves("h8i9h10", 15, rule)
        by_level = make_player("level:10").choose(board, Limit())
        expected = make_player(f"alphabeta:{judge},hash_mb=8").choose(board, Limit())
        assert (by_level.move, by_level.nodes) == (expected.move, expected.nodes)


def test_the_strongest_level_takes_the_player_for_the_board() -> None:
    player = make_player("level:max")
    board = Board.from_moves("h8h9i8i9j8j9k8", 15)
    assert board.name_of(player.choose(board, Limit(time=0.001)).move) in ("g8", "l8")
    player.close()


def test_the_strongest_level_keeps_to_a_tighter_limit() -> None:
    board = Board.from_moves("h8i9h9h10i8g8", 15)
    found = [make_player("level:max").choose(board, Limit(nodes=nodes)) for nodes in (3000, 10**9)]
    # The proof that is under way at the end may go a little over.
    assert 3000 <= found[0].nodes < 3050
    assert found[0].nodes < found[1].nodes < 505_000


def test_levels_err_like_people() -> None:
    chances, misses = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    for seed in range(40):
        players = [make_player("level:2", seed=seed * 2 + side) for side in (0, 1)]
        game = play_game(players[0], players[1], size=15, limit=Limit())
        board = Board(15)
        for move in game.moves:
            facts = facts_of(board, _core.Position(board))
            if facts:
                chances[facts[0].kind] += 1
                misses[facts[0].kind] += move not in facts[0].moves
            board.push(move)
    rates = [misses[kind] / chances[kind] for kind in KINDS]
    assert all(count >= 20 for count in chances.values()), chances
    assert rates[0] < rates[1] < rates[2], rates
    assert rates[0] < 0.1


def test_a_strong_level_misses_no_five() -> None:
    board = Board.from_moves("h8h9i8i9j8j9k8", 15)
    for seed in range(20):
        for level in (5, 8):
            assert board.name_of(make_player(f"level:{level}", seed=seed).choose(board, Limit()).move) in ("g8", "l8")


@pytest.mark.parametrize(("low", "games"), [(1, 10), (3, 10), (5, 6), pytest.param(7, 10, marks=pytest.mark.long)])
def test_levels_three_apart_are_told_apart(low: int, games: int) -> None:
    points = 0.0
    openings = load_openings("balanced", games, seed=1, size=15)
    for seed in range(games):
        weak, strong = make_player(f"level:{low}", seed=seed), make_player(f"level:{low + 3}", seed=seed)
        pair = (strong, weak) if seed % 2 == 0 else (weak, strong)
        points += play_game(*pair, size=15, opening=openings[seed // 2], limit=Limit()).points(1 + seed % 2)
    assert points >= 0.7 * games


@pytest.mark.parametrize("size", [6, 7, 8, 9, 15, 20])
def test_the_levels_have_been_rated(size: int) -> None:
    elo = measured_elo()[size, "freestyle"]
    assert set(elo) >= {str(level.number) for level in LEVELS}
    # Small boards are drawn by good play: there the strong levels are alike.
    assert all(elo[str(number + 2)] >= elo[str(number)] for number in range(1, 9))
    assert elo["10"] > elo["1"] + 50


def test_the_strongest_level_is_on_the_scale_of_engines() -> None:
    assert measured_elo()[15, "freestyle"]["max"] > 2000
    assert (19, "freestyle") not in measured_elo()
