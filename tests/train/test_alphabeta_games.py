"""Games of alpha-beta with a net: the same for any number of threads, and samples that are true to their games."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from rounds import trained

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.net.line import LineNet
from fivestone.net.load import load_net
from fivestone.train.alphabeta_games import AlphaBetaGames
from fivestone.train.backends import make_backend
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.line_backend import LineBackend
from fivestone.train.rundir import Arrays, RunDir


def config(**settings: object) -> TrainConfig:
    small = {"sizes": [9, 15], "size_weights": [1, 1], "nodes": 150, "balance_tries": 2}
    return config_from(small | settings, preset("alphabeta"))


def played(settings: TrainConfig, seed: int = 1, threads: int = 1) -> tuple[Arrays, Arrays]:
    net = load_net("line")
    assert isinstance(net, LineNet)
    found = AlphaBetaGames(net, settings).generate(seed, 60, threads, threading.Event())
    assert found is not None
    return found[0], found[1]


def boards_of(games: Arrays) -> list[Board]:
    ends = np.cumsum(games["move_count"])
    return [
        Board.from_moves(games["moves"][end - count : end].tolist(), int(size))
        for size, count, end in zip(games["size"], games["move_count"], ends, strict=True)
    ]


def policies(samples: Arrays) -> list[dict[int, int]]:
    ends = np.cumsum(samples["policy_count"].astype(int))
    return [
        dict(zip(samples["policy_moves"][a:b].tolist(), samples["policy_visits"][a:b].tolist(), strict=True))
        for a, b in zip(ends - samples["policy_count"], ends, strict=True)
    ]


def test_games_depend_on_the_seed_and_not_on_the_threads() -> None:
    settings = config()
    one, two, other = played(settings), played(settings, threads=3), played(settings, seed=2)
    for arrays, same in zip(one, two, strict=True):
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, same[name], err_msg=name)
    assert one[1]["moves"].tolist() != other[1]["moves"].tolist()


def test_samples_are_positions_of_their_games_with_the_move_that_was_played() -> None:
    samples, games = played(config(stray_share=0.0))
    _core.SampleWindow().add(samples)  # which checks them
    assert len(samples["z"]) >= 60
    boards = boards_of(games)
    starts = np.cumsum(samples["size"].astype(int) ** 2) - samples["size"].astype(int) ** 2
    learned = policies(samples)
    for i, (number, ply, z, turn) in enumerate(
        zip(samples["game"], samples["ply"], samples["z"], samples["turn"], strict=True)
    ):
        board = boards[number]
        before = Board.from_moves(board.moves[:ply], board.size)
        assert ply >= games["opening_plies"][number]
        assert before.turn == turn
        stones = samples["stones"][starts[i] : starts[i] + board.size**2]
        assert stones.tobytes() == before.stones
        winner = games["winner"][number]
        assert z == (0 if winner == 0 else 1 if winner == turn else -1)
        if ply < board.stone_count:
            visits = learned[i]
            assert visits[board.moves[ply]] >= 300  # its share, whatever the net thinks of it
            assert sum(visits.values()) == pytest.approx(1000, abs=15)


def test_what_went_before_a_stray_move_is_worth_what_the_search_thought() -> None:
    samples, games = played(config(stray_share=1.0))
    boards, learned = boards_of(games), policies(samples)
    strayed = 0
    for number, ply, z, q, visits in zip(
        samples["game"], samples["ply"], samples["z"], samples["q"], learned, strict=True
    ):
        board = boards[number]
        if ply < board.stone_count:
            strayed += visits.get(board.moves[ply], 0) < 300
            assert z == round(float(q))
        elif games["proven"][number]:
            assert abs(q) == 1
            assert z == q
    assert strayed > 20


def test_positions_inside_the_trees_are_judged_by_searches_of_their_own_and_leave_the_games_alone() -> None:
    settings = config(tree_positions=2)
    samples, games = played(settings)
    for arrays, same in zip((samples, games), played(settings, threads=3), strict=True):
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, same[name], err_msg=name)
    _core.SampleWindow().add(samples)  # which checks them
    plain, plain_games = played(config())
    moves = games["moves"].tolist()
    assert moves == plain_games["moves"].tolist()[: len(moves)]
    boards, starts = boards_of(games), np.cumsum(samples["size"].astype(int) ** 2)
    inside = results = 0
    for i, (number, ply) in enumerate(zip(samples["game"], samples["ply"], strict=True)):
        board = boards[number]
        stones = samples["stones"][starts[i] - board.size**2 : starts[i]].tobytes()
        if ply <= board.stone_count and stones == Board.from_moves(board.moves[:ply], board.size).stones:
            continue
        inside += 1
        results += abs(int(samples["z"][i])) if abs(samples["q"][i]) < 1 else 0
        if abs(samples["q"][i]) == 1:
            assert samples["z"][i] == samples["q"][i]
    assert inside > len(samples["z"]) / 2
    assert results > 0  # also where nothing was proven somebody wins now and then
    # Some of what is met in a tree is the game itself.
    assert len(samples["z"]) - inside >= sum(plain["game"] < len(games["size"]))


def test_a_stop_ends_it() -> None:
    stop = threading.Event()
    stop.set()
    net = load_net("line")
    assert isinstance(net, LineNet)
    assert AlphaBetaGames(net, config()).generate(1, 60, 1, stop) is None


def test_a_net_learns_from_them_and_a_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    settings = config(nodes=60, samples_per_shard=64, window_min=64, batch=32, threads=1)

    def train(name: str, init: str | None, rounds: int) -> LineBackend:
        return trained(tmp_path / name, settings, LineBackend(settings, init=init, device="cpu"), rounds)

    train("run", "line", 1)
    again, whole = train("run", None, 3), train("whole", "line", 3)
    assert "loss" in RunDir.open(tmp_path / "run").metrics()[-1]
    for name, values in whole.state().items():
        np.testing.assert_array_equal(values, again.state()[name], err_msg=name)


def test_it_is_refused_where_it_does_not_fit() -> None:
    with pytest.raises(BadInput, match="choose tree or alphabeta"):
        config_from({"search": "minimax"})
    with pytest.raises(BadInput, match="only the line net learns from games of alpha-beta"):
        config_from({"search": "alphabeta", "net": "conv-a"})
    with pytest.raises(BadInput, match="leave --ray out"):
        make_backend(config(), ray="")
