"""The conv nets go through the same loop: tic-tac-toe is learned, and a resumed run ends the same."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from rounds import trained

from fivestone.board import Board
from fivestone.match.player import RandomPlayer
from fivestone.match.specs import make_player
from fivestone.net.conv import ConvNet
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.loop import Budget, Progress, TrainLoop
from fivestone.train.measure import play_pairs
from fivestone.train.rundir import RunDir
from fivestone.train.samples import symmetric
from fivestone.train.window import Window

pytest.importorskip("torch", reason="torch is not installed: pip install 'fivestone[torch]'")

from fivestone.train.conv_backend import ConvBackend, _seen

CONFIG = config_from(
    {"simulations": 16, "games_at_once": 16, "samples_per_shard": 128, "batch": 64, "evaluate_every": 0, "threads": 1},
    preset("tic-tac-toe"),
)


def train(path: Path, config: TrainConfig, rounds: int) -> ConvBackend:
    return trained(path, config, ConvBackend(config, device="cpu"), rounds)


@pytest.mark.long
def test_tic_tac_toe_is_learned_and_resumed_bit_for_bit(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", CONFIG, 6)
    train(tmp_path / "parts", CONFIG, 3)
    parts = train(tmp_path / "parts", CONFIG, 6)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(array, parts.state()[name], err_msg=name)
    lines = RunDir.open(tmp_path / "whole").metrics()
    assert lines[-1]["policy_loss"] < lines[0]["policy_loss"]
    whole.save_net(tmp_path / "net.npz", {})
    net = whole.player(tmp_path / "net.npz")
    pairs = play_pairs(net, RandomPlayer("random", 1), 20, CONFIG, seed=1, limit=Limit())
    lost = sum(p == (0.0 if black != "random" else 1.0) for pair in pairs for black, _white, p in pair)
    assert lost <= 2


def test_a_win_on_the_board_is_what_is_learned() -> None:
    config = config_from({"sizes": [6], "win_length": 3, "simulations": 300, "games_at_once": 8}, CONFIG)
    shard = ConvBackend(config, device="cpu").generate(0, threading.Event())
    assert shard is not None
    wins = 0
    for stones, turn, policy in zip(*(shard.samples[name] for name in ("stones", "turn", "policy")), strict=True):
        sides = [[int(cell) for cell in np.flatnonzero(stones == side)] for side in (1, 2)]
        board = Board.from_stones(*sides, size=6, win_length=3)
        assert board.turn == turn
        winning = [move for move in board.legal_moves if _wins(board, move)]
        if winning:
            wins += 1
            assert policy[winning].sum() == 1
    assert wins > 0


def _wins(board: Board, move: int) -> bool:
    board.push(move)
    won = board.winner is not None
    board.pop()
    return won


def test_games_against_the_ladder_yield_the_nets_moves_alone() -> None:
    """Seed A to the letter: the net has Black and White in turn, and its moves are the samples."""
    config = config_from({"opponent": "ladder", "games_at_once": 6, "samples_per_shard": 6}, CONFIG)
    backend = ConvBackend(config, device="cpu")
    shards = []
    for ladder in (4, 4, 2000):
        backend.set_ladder(ladder)
        shard = backend.generate(0, threading.Event())
        assert shard is not None
        shards.append(shard)
    samples = shards[0].samples
    assert shards[0].stats["games"] == 6
    for game in range(6):
        own = samples["game"] == game
        assert set(samples["turn"][own]) == {1 + game % 2}
        counts = (samples["stones"][own] > 0).sum(axis=1)
        assert counts.tolist() == list(range(game % 2, game % 2 + 2 * len(counts), 2))
    np.testing.assert_array_equal(samples["policy"], shards[1].samples["policy"])
    assert samples["z"].sum() > shards[2].samples["z"].sum()  # a rival that sees something wins more


def test_the_backend_hears_how_far_the_ladder_rose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    monkeypatch.setattr(ConvBackend, "set_ladder", lambda _self, simulations: heard.append(simulations))
    config = config_from({"evaluate_every": 1, "samples_per_shard": 16, "simulations": 2}, CONFIG)

    def measure(_backend: Backend, _run: RunDir, progress: Progress) -> dict[str, float]:
        return {"ladder": 1000.0 * (1 + progress.round)}

    run, backend = RunDir.create(tmp_path / "run", config), ConvBackend(config, device="cpu")
    TrainLoop(run, config, backend, measure).train(Budget(rounds=2))
    loop = TrainLoop(run, config, backend, measure)
    loop.resume()
    loop.train(Budget(rounds=3))
    assert heard == [1000, 2000, 3000]


@pytest.mark.long
def test_integers_play_the_games_and_are_resumed_bit_for_bit(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    config = config_from({"int8": True, "samples_per_shard": 64}, CONFIG)
    whole = train(tmp_path / "whole", config, 2)
    train(tmp_path / "parts", config, 1)
    parts = train(tmp_path / "parts", config, 2)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(array, parts.state()[name], err_msg=name)


def test_every_game_of_a_shard_is_played_to_its_end() -> None:
    config = config_from({"samples_per_shard": 700}, CONFIG)
    shard = ConvBackend(config, device="cpu").generate(0, threading.Event())
    assert shard is not None
    samples = shard.samples
    assert len(samples["turn"]) >= 700
    for game in range(int(shard.stats["games"])):
        own = samples["game"] == game
        counts = (samples["stones"][own] > 0).sum(axis=1)
        assert counts.tolist() == list(range(len(counts)))
        # What was won says so at every ply; what was drawn had no room left for a line.
        assert len(set(samples["z"][own] * np.where(samples["turn"][own] == 1, 1, -1))) == 1


def test_the_learning_rate_follows_the_divergence() -> None:
    config = config_from({"learning_rate": 1e-9, "samples_per_shard": 16, "reuse": 10.0}, CONFIG)
    backend = ConvBackend(config, device="cpu")
    shard = backend.generate(0, threading.Event())
    assert shard is not None
    window = Window(config)
    window.add(0, shard.samples, len(shard.samples["turn"]))
    losses = backend.learn(window, 0, 64)  # ten steps: two looks at a policy that hardly moves
    assert losses["learning_rate"] == pytest.approx(1e-9 * 1.5**2)
    assert 0 < losses["policy_accuracy"] < 1
    assert 0 <= losses["value_accuracy"] <= 1
    for _ in range(9):
        backend._adapt(0.001)
    assert backend._factor == 10.0  # and no faster than this
    backend._adapt(0.05)
    assert backend._factor == pytest.approx(10 / 1.5)


def test_how_often_it_is_right_is_counted() -> None:
    import torch

    logs = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2]]))
    visits = torch.tensor([[0.6, 0.4, 0.0], [0.5, 0.0, 0.5], [0.4, 0.2, 0.4], [0.5, 0.5, 0.0]])  # right: 1, 3, 4
    guess, result = torch.tensor([0.9, -0.2, 0.6, -0.6]), torch.tensor([1, 0, 0, 1])  # right: the first two
    entropy, policy_right, value_right = _seen(logs, guess, visits, guess, result)
    assert entropy == pytest.approx(-float((logs.exp() * logs).sum()) / 4)
    assert (policy_right, value_right) == (0.75, 0.5)


def test_symmetries_move_stones_policy_and_last_move_together() -> None:
    board = Board.from_moves("a1c2b4", size=5)
    stones = np.frombuffer(board.stones, np.uint8).reshape(1, 5, 5)
    policy = np.arange(25, dtype=np.float32).reshape(1, 5, 5)
    seen = set()
    for symmetry in range(8):
        turned, moved, last = symmetric(stones, policy, np.array([board.moves[-1]]), np.array([symmetry]))
        assert turned.reshape(-1)[last[0]] == 1
        assert moved.reshape(-1)[last[0]] == board.moves[-1]
        assert sorted(moved.reshape(-1)) == sorted(policy.reshape(-1))
        assert any(bytes(turned.tobytes()) == board.transform(k).stones for k in range(8))
        seen.add(turned.tobytes())
    assert len(seen) == 8
    assert symmetric(stones, policy, np.array([-1]), np.array([3]))[2][0] == -1


def test_best_and_latest(tmp_path: Path) -> None:
    config = config_from({"self_play_net": "best"}, CONFIG)
    backend = train(tmp_path / "run", config, 1)
    best = backend._best
    backend.promote()
    assert backend._best is not best


def test_the_command_trains_a_conv_net_to_play_with(tmp_path: Path) -> None:
    config = tmp_path / "few.toml"
    config.write_text(
        "sizes = [6]\nsimulations = 8\ngames_at_once = 4\nsamples_per_shard = 20\nbatch = 32\nevaluate_every = 0\n"
    )
    run = tmp_path / "run"
    options = ["--net", "conv", "--rule", "caro", "--config", str(config), "--rounds", "1", "--run", str(run)]
    command = [sys.executable, "-m", "fivestone", "train", *options, "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    net = load_net(run / "net.npz")
    assert isinstance(net, ConvNet)
    assert (net.kind, net.size, net.rule) == ("conv-b", 6, "caro")
    board = Board(6, "caro")
    assert make_player(f"puct:net={run / 'net.npz'},visits=8").choose(board, Limit()).move in board.legal_moves
