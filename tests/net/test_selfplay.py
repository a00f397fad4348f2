"""Native self-play: the same games from the same seed, and samples that are what was played."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fivestone import _core
from fivestone.board import Board, other
from fivestone.net import LineNet
from fivestone.search.proofs import solve

Arrays = dict[str, NDArray[Any]]
QUICK = {"sizes": [7], "simulations": 24, "fast_simulations": 8}


@pytest.fixture(scope="module")
def net() -> LineNet:
    return LineNet.random(seed=1)


def _play(net: LineNet, seed: int = 1, threads: int = 1, **settings: Any) -> tuple[Arrays, Arrays, dict[str, float]]:
    amount = {name: settings.pop(name) for name in ("samples", "games") if name in settings} or {"games": 12}
    found = _core.SelfPlay(net.core, QUICK | settings).generate(seed, threads=threads, **amount)
    assert found is not None
    return found


def _moves(games: Arrays) -> list[list[int]]:
    ends = np.cumsum(games["move_count"])
    return [part.tolist() for part in np.split(games["moves"].astype(int), ends[:-1])]


def test_the_seed_decides_whatever_the_threads(net: LineNet) -> None:
    once = _play(net, samples=150)
    for again in (_play(net, samples=150), _play(net, samples=150, threads=3)):
        for one, two in zip(once[:2], again[:2], strict=True):
            for name, values in one.items():
                np.testing.assert_array_equal(values, two[name])
        assert {**again[2], "seconds": 0} == {**once[2], "seconds": 0}
    different = _play(net, seed=2, samples=150)
    assert _moves(different[1]) != _moves(once[1])


@pytest.mark.parametrize("rule", ["freestyle", "renju", "caro"])
def test_samples_are_positions_of_the_games(rule: str) -> None:
    samples, games, stats = _play(LineNet.random(rule, seed=2), sizes=[7, 10], full_share=0.5, games=16)
    assert set(games["size"]) == {7, 10}
    boards: list[list[bytes]] = []
    for moves, size in zip(_moves(games), games["size"], strict=True):
        board, stones = Board(int(size), rule), []
        for move in moves:
            stones.append(board.stones)
            board.push(move)
        stones.append(board.stones)
        boards.append(stones)
    at = policy_at = 0
    for i, (size, game, ply) in enumerate(zip(samples["size"], samples["game"], samples["ply"], strict=True)):
        cells = int(size) ** 2
        assert samples["stones"][at : at + cells].tobytes() == boards[game][ply]
        at += cells
        assert samples["turn"][i] == 1 + ply % 2
        winner = games["winner"][game]
        assert samples["z"][i] == (0 if winner == 0 else 1 if winner == samples["turn"][i] else -1)
        shares = samples["policy_visits"][policy_at : policy_at + samples["policy_count"][i]]
        assert len(shares) == 0 or abs(int(shares.astype(int).sum()) - 10000) <= len(shares)
        policy_at += samples["policy_count"][i]
    assert (at, policy_at) == (len(samples["stones"]), len(samples["policy_moves"]))
    assert 0.35 < len(samples["size"]) / stats["searches"] < 0.65
    _core.SampleWindow().add(samples)


def test_games_end_as_the_rules_or_a_proof_say(net: LineNet) -> None:
    _samples, games, stats = _play(net, games=30)
    assert stats["proven"] > 0
    for moves, winner, proven in zip(_moves(games), games["winner"], games["proven"], strict=True):
        board = Board.from_moves(moves, size=7)
        if proven:
            assert not board.is_over
        elif winner:
            assert board.winner == winner
        else:
            assert board.winner is None
            assert board.is_over or board.is_dead_draw


def test_a_proven_position_has_its_exact_value(net: LineNet) -> None:
    samples, games, _stats = _play(net, full_share=1.0)
    last = {game: i for i, game in enumerate(samples["game"])}
    for game, i in last.items():
        if games["proven"][game]:
            assert samples["q"][i] == samples["z"][i]


def test_a_win_by_fours_ends_the_game_where_it_begins(net: LineNet) -> None:
    opening = _opening_won_by_fours()
    given = {"sizes": [9], "openings": [(9, opening)], "opening_share": 1.0, "simulations": 2, "fast_simulations": 2}
    _samples, games, _stats = _play(net, **given, leaf_vcf=10_000)
    assert set(games["move_count"]) == {len(opening)}
    assert set(games["winner"]) == {Board.from_moves(opening, size=9).turn}
    _samples, games, _stats = _play(net, **given)
    assert min(games["move_count"]) > len(opening)


def _opening_won_by_fours() -> list[int]:
    rng = random.Random(3)
    while True:
        board = Board(9)
        while board.stone_count < 24 and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        proof = None if board.is_over else solve(board, nodes=10_000)
        if proof is not None and proof.length >= 4:
            return list(board.moves)


def test_openings_are_played_as_given(net: LineNet) -> None:
    opening = [24, 17, 31, 10]
    _samples, games, _stats = _play(net, openings=[(7, opening), (9, [0])], opening_share=1.0)
    assert all(moves[:4] == opening for moves in _moves(games))
    assert set(games["opening_plies"]) == {4}


def test_random_openings_vary_and_can_be_chosen_even(net: LineNet) -> None:
    def unevenness(tries: int) -> float:
        _samples, games, _stats = _play(net, games=40, random_share=1.0, balance_tries=tries, sizes=[9])
        assert set(games["opening_plies"]) <= {1, 2, 3, 4}
        starts = [
            Board.from_moves(moves[:plies], size=9)
            for moves, plies in zip(_moves(games), games["opening_plies"], strict=True)
        ]
        assert len({board.stones for board in starts}) > 20
        return float(np.abs(net.evaluate(starts)[1]).mean())

    assert unevenness(6) < 0.7 * unevenness(1)


def test_a_hopeless_side_resigns_and_some_games_are_played_on(net: LineNet) -> None:
    settings = {"resign_below": 0.99, "random_share": 0.0, "fast_simulations": 2, "simulations": 2}
    _samples, games, stats = _play(net, resign_check=0.0, **settings)
    assert stats["resigned"] == 12
    assert set(games["move_count"]) == {2}  # both sides think it hopeless twice: Black says so first
    assert all(winner == other(1) for winner in games["winner"])
    _samples, _games, stats = _play(net, resign_check=1.0, **settings)
    assert stats["resigned"] == 0
    assert stats["checked_resignations"] == 12
    assert 0 < stats["wrong_resignations"] <= 12


def test_temperature_zero_and_no_noise_always_play_the_same_game(net: LineNet) -> None:
    settings = {"temperature_plies": 0, "late_temperature": 0.0, "random_share": 0.0, "noise_share": 0.0}
    _samples, games, _stats = _play(net, full_share=1.0, games=4, **settings)
    assert len({tuple(moves) for moves in _moves(games)}) == 1


def test_self_play_can_be_stopped_from_another_thread(net: LineNet) -> None:
    play = _core.SelfPlay(net.core, {"sizes": [9]})
    timer = threading.Timer(0.2, play.stop)
    timer.start()
    assert play.generate(1, samples=10**9, threads=2) is None
    timer.join()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sizes": []}, "no board size"),
        ({"sizes": [4]}, "5 to 20"),
        ({"sizes": [9, 15], "size_weights": [1.0]}, "one weight"),
        ({"simulations": 1}, "at least 2"),
        ({"full_share": 0.0}, "nothing to record"),
        ({"noise_share": 1.5}, "share of noise"),
        ({"noise_alpha": float("nan")}, "alpha above zero"),
        ({"openings": [(9, [3, 3])]}, "illegal move"),
        ({"simulation": 3}, "no setting 'simulation'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(net: LineNet, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.SelfPlay(net.core, settings)
