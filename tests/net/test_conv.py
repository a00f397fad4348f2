"""The convolutional nets: NumPy, torch and ONNX Runtime give the same numbers, and files keep them."""

import random
from pathlib import Path

import numpy as np
import pytest

from fivestone.board import BLACK, WHITE, Board
from fivestone.errors import BadFile, BadInput
from fivestone.match.game import play_game
from fivestone.match.player import RandomPlayer
from fivestone.match.specs import make_player
from fivestone.net.conv import KINDS, ConvNet
from fivestone.net.features import PLANES, planes_of
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.search.evaluator import Evaluator, Leaves


def boards(size: int, count: int = 12, win_length: int = 5) -> list[Board]:
    rng = random.Random(size)
    made = []
    while len(made) < count:
        board = Board(size, win_length=win_length)
        for _ in range(rng.randrange(size * size // 2)):
            if not board.is_over:
                board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            made.append(board)
    return made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [6, 9])
def test_torch_and_onnx_agree_with_numpy(kind: str, size: int) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    from fivestone.net.conv_onnx import OnnxEvaluator
    from fivestone.net.conv_torch import TorchEvaluator

    net = ConvNet.random(kind, size, seed=3)
    for name in net.arrays:  # random biases too, which start at zero
        net.arrays[name] += np.random.default_rng(1).normal(0, 0.05, net.arrays[name].shape).astype(np.float32)
    leaves = Leaves.of(boards(size))
    policy, value = net.evaluate(leaves)
    assert policy.shape == (12, size * size)
    assert np.abs(value).max() <= 1
    others: list[Evaluator] = [TorchEvaluator(net, "cpu"), OnnxEvaluator(net)]
    for other in others:
        other_policy, other_value = other.evaluate(leaves)
        np.testing.assert_allclose(policy, other_policy, atol=1e-4)
        np.testing.assert_allclose(value, other_value, atol=1e-4)


def test_convolution_against_a_plain_loop() -> None:
    net = ConvNet.random("conv-c", 5, seed=2)
    x = np.random.default_rng(0).normal(size=(2, 2, 5, 5)).astype(np.float32)
    made = net._conv(x.transpose(0, 2, 3, 1), "trunk0").transpose(0, 3, 1, 2)
    weight = net.arrays["trunk0.weight"]
    for n, o, row, column in ((0, 0, 0, 0), (1, 31, 4, 4), (0, 7, 2, 3)):
        total = float(net.arrays["trunk0.bias"][o])
        for i in range(2):
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if 0 <= row + dy < 5 and 0 <= column + dx < 5:
                        total += float(weight[o, i, dy + 1, dx + 1] * x[n, i, row + dy, column + dx])
        assert made[n, o, row, column] == pytest.approx(total, abs=1e-4)


def test_integers_are_close_to_floats() -> None:
    pytest.importorskip("onnxruntime")
    from fivestone.net.conv_onnx import OnnxEvaluator

    net = ConvNet.random("conv-b", 6, seed=3)
    net.arrays["policy.weight"] *= 10  # a policy that has opinions
    examples, leaves = Leaves.of(boards(6, 40)[:28]), Leaves.of(boards(6, 40)[28:])
    policy, value = net.evaluate(leaves)
    found_policy, found_value = OnnxEvaluator(net, examples=examples).evaluate(leaves)
    assert 0 < np.abs(found_policy - policy).sum(axis=1).mean() < 0.1 * np.abs(policy - 1 / 36).sum(axis=1).mean()
    np.testing.assert_allclose(found_value, value, atol=0.03)


def test_planes() -> None:
    board = Board.from_moves("a1b2c3", size=6)
    leaves = Leaves.of([board])
    assert {name: planes_of(leaves, name).shape[1] for name in PLANES} == PLANES
    full = planes_of(leaves, "full")[0]
    assert (full[0, 1, 1], full[1, 0, 0], full[1, 2, 2]) == (1, 1, 1)
    assert full[2].sum() == full[2, 2, 2] == 1
    assert full[3].sum() == 0
    colour = planes_of(leaves, "colour")[0, 0]
    assert (colour[0, 0], colour[1, 1], colour[2, 2], colour[5, 5]) == (1, -1, 1, 0)


def test_files_round_trip_and_play(tmp_path: Path) -> None:
    net = ConvNet.random("conv-b", 3, seed=1, win_length=3)
    path = tmp_path / "net.npz"
    net.save(path, {"games": 5})
    again = load_net(path)
    assert isinstance(again, ConvNet)
    assert (again.kind, again.size, again.win_length, again.card) == ("conv-b", 3, 3, {"games": 5})
    leaves = Leaves.of(boards(3, win_length=3))
    np.testing.assert_allclose(again.evaluate(leaves)[0], net.evaluate(leaves)[0], atol=2e-3)
    board = Board(3, win_length=3)
    result = make_player(f"puct:net={path},visits=50").choose(board, Limit())
    assert board.is_legal(result.move)
    with pytest.raises(BadInput, match="the net is for 3x3"):
        make_player(f"puct:net={path},visits=50").choose(Board(9), Limit())


@pytest.mark.parametrize("size", [6, 9])
def test_a_resized_net_weighs_cells_as_before(size: int) -> None:
    # A policy layer that knows distances alone, and a value layer that does not tell cells apart.
    kernel = np.random.default_rng(2).normal(size=(4, 21, 21)).astype(np.float32)

    def policy(side: int) -> np.ndarray:
        rows, columns = np.divmod(np.arange(side**2), side)
        apart = kernel[:, rows[:, None] - rows + 10, columns[:, None] - columns + 10]
        near = (abs(rows[:, None] - rows) < 7) & (abs(columns[:, None] - columns) < 7)  # as far as 7x7 reaches
        return (apart * near).transpose(1, 0, 2).reshape(side**2, -1)

    net = ConvNet.random("conv-b", 7, seed=4)
    net.arrays["policy.weight"] = policy(7)
    net.arrays["value_hidden.weight"][:] = 1 / 49
    made = net.resized(size)
    np.testing.assert_allclose(made.arrays["policy.weight"], policy(size), atol=1e-5)
    np.testing.assert_allclose(made.arrays["value_hidden.weight"], 1 / size**2, rtol=1e-5)
    for name in ("trunk0.weight", "trunk2.bias", "value_conv.weight", "value.weight"):
        np.testing.assert_array_equal(made.arrays[name], net.arrays[name])
    assert made.evaluate(Leaves.of(boards(size)))[0].shape == (12, size**2)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"not a net", None])
def test_bad_files_are_named(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "bad.npz"
    if data is None:
        np.savez(path, card=np.array('{"format": "fivestone conv net 1"}'))
    else:
        path.write_bytes(data)
    with pytest.raises(BadFile, match=r"bad\.npz"):
        load_net(path)


def test_a_net_for_another_game_is_refused() -> None:
    with pytest.raises(BadInput, match="the net is for 6x6"):
        ConvNet.random("conv-a", 6).evaluate(Leaves.of([Board(9)]))
    with pytest.raises(BadInput, match="unknown net"):
        ConvNet.random("conv-z", 6)


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_a_shipped_net_has_a_card_and_beats_random_moves(size: int) -> None:
    net = load_net(f"conv-{size}")
    assert isinstance(net, ConvNet)
    assert (net.kind, net.size, net.rule, net.win_length) == ("conv-b", size, "freestyle", 5)
    assert {"settings", "games", "minutes", "cpu", "curve", "note", "strength"} <= set(net.card)
    assert all("fivestone match" in line for line in net.card["strength"])
    player = make_player(f"puct:net=conv-{size},visits=60,c=5,forced=0,near=0", seed=1)
    for seed in range(2):
        sides = [player, RandomPlayer("random", seed)]
        record = play_game(sides[seed], sides[1 - seed], size=size, limit=Limit())
        assert record.winner == (BLACK, WHITE)[seed]
