"""The core's gradient against finite differences and torch, and a learner put away and taken out again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from netpositions import random_board, random_samples
from numpy.typing import NDArray

from fivestone import _core
from fivestone.net import LineNet, line_numpy

Samples = dict[str, NDArray[Any]]


def _samples(seed: int, sizes: tuple[int, ...] = (6, 9, 15), rule: str = "freestyle") -> Samples:
    rng = np.random.default_rng(seed)
    return random_samples(rng, [random_board(rng, size, rule) for size in sizes for _ in range(2)])[0]


def _loss(arrays: dict[str, NDArray[Any]], net: LineNet, seed: int) -> float:
    """The loss of _samples(seed) computed by the NumPy net, for search_share 0."""
    rng = np.random.default_rng(seed)
    boards = [random_board(rng, size) for size in (6, 9) for _ in range(2)]
    samples, policies = random_samples(rng, boards)
    finder, total = line_numpy.RowFinder(net), 0.0
    for board, policy, z in zip(boards, policies, samples["z"], strict=True):
        empty = np.frombuffer(board.stones, dtype=np.uint8) == 0
        logits, outcome = line_numpy.forward(arrays, finder.rows(board), empty, board.size)
        logits = logits - logits[empty].max()
        total -= float(policy @ (logits - np.log(np.exp(logits[empty]).sum())))
        total -= float(np.log(outcome[1 - z]))
    return total / len(boards)


def test_the_gradient_agrees_with_finite_differences() -> None:
    net = LineNet.random(seed=4)
    losses, gradients = _core.Learner(net.core, search_share=0.0).gradient(_samples(11, (6, 9)))
    arrays: dict[str, NDArray[Any]] = {name: a.astype(np.float64) for name, a in net.arrays().items()}
    assert losses["policy"] + losses["value"] == pytest.approx(_loss(arrays, net, 11), abs=1e-5)
    rng = np.random.default_rng(12)
    for name, values in arrays.items():
        if name.startswith("generator"):
            continue  # the NumPy net has no generator; torch checks it
        direction = rng.normal(size=values.shape)
        step = 1e-7
        slope = (
            _loss(arrays | {name: values + step * direction}, net, 11)
            - _loss(arrays | {name: values - step * direction}, net, 11)
        ) / (2 * step)
        assert float(gradients[name] @ direction.ravel()) == pytest.approx(slope, rel=2e-3, abs=1e-4), name


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_the_gradient_agrees_with_torch(rule: str) -> None:
    torch = pytest.importorskip("torch")
    from fivestone.net.line_torch import LineTorch, sample_loss

    net = LineNet.random(rule, seed=5)
    rng = np.random.default_rng(13)
    boards = [random_board(rng, 9, rule) for _ in range(6)]
    samples, policies = random_samples(rng, boards)
    losses, gradients = _core.Learner(net.core, search_share=0.3).gradient(samples)

    finder, model = line_numpy.RowFinder(net), LineTorch(net)
    rows = torch.from_numpy(np.stack([finder.rows(board) for board in boards]).astype(np.int64))
    empty = torch.from_numpy(samples["stones"].reshape(len(boards), -1) == 0)
    logits, outcome = model(rows, empty)
    policy, value = sample_loss(
        logits,
        outcome,
        torch.from_numpy(np.array(policies, dtype=np.float32)),
        torch.from_numpy(samples["z"]),
        torch.from_numpy(samples["q"]),
        0.3,
    )
    (policy + value).backward()
    assert losses["policy"] == pytest.approx(policy.item(), rel=1e-5)
    assert losses["value"] == pytest.approx(value.item(), rel=1e-5)
    for name, parameter in model.named_parameters():
        expected = parameter.grad.numpy().ravel()
        found = gradients["table" if name == "rest" else name]
        np.testing.assert_allclose(found, expected, atol=1e-4 * max(1e-3, abs(expected).max()), err_msg=name)

    np.testing.assert_allclose(torch.softmax(outcome, 1).detach(), net.outcomes(boards)[1], atol=1e-4)
    np.testing.assert_allclose(torch.softmax(logits, 1).detach(), line_numpy_policy(net, boards), atol=1e-4)


def line_numpy_policy(net: LineNet, boards: list[Any]) -> NDArray[np.float64]:
    """Over all empty cells, as the learner sees it (legal ones only matter in play)."""
    finder, arrays, policies = line_numpy.RowFinder(net), net.arrays(), []
    for board in boards:
        empty = np.frombuffer(board.stones, dtype=np.uint8) == 0
        logits, _outcome = line_numpy.forward(arrays, finder.rows(board), empty, board.size)
        policy = np.where(empty, np.exp(logits - logits[empty].max()), 0)
        policies.append(policy / policy.sum())
    return np.array(policies)


def test_how_often_it_is_right_is_counted() -> None:
    rng = np.random.default_rng(3)
    boards = [random_board(rng, 9) for _ in range(24)]
    samples, policies = random_samples(rng, boards)
    learner = _core.Learner(LineNet.random(seed=7).core)
    for _ in range(15):  # half learned: right about some, wrong about others
        learner.step(samples, 2e-3)
    net = LineNet(learner.net(mean=False))
    chosen = line_numpy_policy(net, boards).argmax(1)
    policy_right = [policy[move] == policy.max() for policy, move in zip(policies, chosen, strict=True)]
    value_right = net.outcomes(boards)[1].argmax(1) == 1 - samples["z"]
    losses, _gradients = learner.gradient(samples)
    assert losses["policy_right"] == pytest.approx(np.mean(policy_right))
    assert losses["value_right"] == pytest.approx(np.mean(value_right))
    assert 0 < np.mean(policy_right) < 1
    assert 0 < np.mean(value_right) < 1


def test_a_step_is_that_of_adam_with_decay() -> None:
    torch = pytest.importorskip("torch")
    net = LineNet.random(seed=6)
    learner = _core.Learner(net.core, decay=0.1, average=0.9)
    parameters = {name: torch.nn.Parameter(torch.from_numpy(a)) for name, a in net.arrays().items() if name != "table"}
    optimizer = torch.optim.AdamW(parameters.values(), lr=1e-2, weight_decay=0.1)
    mean = {name: values.detach().numpy().copy() for name, values in parameters.items()}
    for step in range(1, 4):
        _losses, gradients = learner.gradient(_samples(step))
        for name, parameter in parameters.items():
            parameter.grad = torch.from_numpy(gradients[name]).view_as(parameter)
        optimizer.step()
        learner.step(_samples(step), 1e-2)
        keep = min(0.9, (1 + step) / (10 + step))
        for name, parameter in parameters.items():
            mean[name] = keep * mean[name] + (1 - keep) * parameter.detach().numpy()
    for name, parameter in parameters.items():
        np.testing.assert_allclose(
            learner.net(mean=False).arrays()[name], parameter.detach().numpy(), rtol=1e-4, atol=1e-5
        )
        np.testing.assert_allclose(learner.net().arrays()[name], mean[name], rtol=1e-4, atol=1e-5)


def test_the_mean_of_a_row_that_is_seldom_used_is_exact() -> None:
    learner = _core.Learner(LineNet.random(seed=6).core, average=0.95)
    mean = learner.state()["rest"].astype(np.float64)
    for step in range(1, 9):
        learner.step(_samples(1, (6,)) if step in (2, 3, 6) else _samples(2, (15,)), 1e-2)
        keep = min(0.95, (1 + step) / (10 + step))
        mean = keep * mean + (1 - keep) * learner.state()["rest"]
    # What a learner started from the net holds besides the generated part is the mean of the rests.
    rest = _core.Learner(learner.net()).state()["rest"]
    assert len(set(learner.state()["row_steps"])) > 2
    np.testing.assert_allclose(rest, mean, atol=1e-5)


def test_learning_lowers_the_loss_whatever_the_threads() -> None:
    window = _core.SampleWindow()
    for seed in range(4):
        window.add(_samples(seed, (6, 9)))
    assert len(window) == 16
    states = []
    for threads in (1, 3):
        learner = _core.Learner(LineNet.random(seed=7).core)
        first = learner.train(window, 1, 16, 2e-3, seed=1, threads=threads)
        learner.train(window, 60, 16, 2e-3, seed=2, threads=threads)
        last = learner.train(window, 1, 16, 2e-3, seed=1, threads=threads)
        assert last["policy"] < 0.7 * first["policy"]
        assert last["value"] < 0.8 * first["value"]
        states.append(learner.state())
    for name, values in states[0].items():
        np.testing.assert_array_equal(values, states[1][name])


def test_a_restored_learner_goes_on_bit_for_bit() -> None:
    window = _core.SampleWindow()
    window.add(_samples(1))
    first = _core.Learner(LineNet.random(seed=8).core)
    first.train(window, 5, 8, 1e-3, seed=1)
    second = _core.Learner(LineNet.random(seed=99).core)
    second.restore({name: values.copy() for name, values in first.state().items()})
    for learner in (first, second):
        learner.train(window, 5, 8, 1e-3, seed=2)
    for name, values in first.state().items():
        np.testing.assert_array_equal(values, second.state()[name])
    for name, values in first.net().arrays().items():
        np.testing.assert_array_equal(values, second.net().arrays()[name])


def test_a_state_of_another_net_is_refused() -> None:
    state = _core.Learner(LineNet.random(width=16).core).state()
    learner = _core.Learner(LineNet.random().core)
    with pytest.raises(ValueError, match="another net"):
        learner.restore(state)
    with pytest.raises(ValueError, match="missing"):
        learner.restore({})


def test_a_learner_taken_from_a_net_gives_that_net_back() -> None:
    net = LineNet.random(seed=9)
    arrays = net.arrays()
    arrays["table"] += np.random.default_rng(1).normal(size=arrays["table"].shape).astype(np.float32)
    changed = LineNet.from_arrays("freestyle", arrays)
    for name, values in _core.Learner(changed.core).net().arrays().items():
        np.testing.assert_allclose(values, arrays[name], atol=1e-5)


def test_the_window_drops_its_oldest_blocks() -> None:
    window = _core.SampleWindow()
    for seed, count in enumerate((1, 2, 3)):
        window.add(_samples(seed, (6,) * count))
    assert len(window) == 12
    window.trim(6)
    assert len(window) == 6
    window.trim(7)
    assert len(window) == 6


@pytest.mark.parametrize(
    "change",
    [
        {"turn": np.array([3, 1], dtype=np.uint8)},
        {"size": np.array([21, 21], dtype=np.uint8)},
        {"stones": np.zeros(5, dtype=np.uint8)},
        {"z": np.array([0, 2], dtype=np.int8)},
        {"q": np.array([0, np.nan], dtype=np.float32)},
        {"q": np.array([0], dtype=np.float32)},
        {"policy_moves": np.full(100, 36, dtype=np.uint16)},
        {"policy_count": np.zeros(2, dtype=np.uint16)},
        {"policy_visits": np.zeros(100, dtype=np.uint16)},
        {"z": np.zeros(2, dtype=np.float32)},
    ],
)
def test_samples_that_cannot_be_are_refused(change: Samples) -> None:
    with pytest.raises(ValueError, match=r"samples|wrong type"):
        _core.SampleWindow().add(_samples(1, (6,)) | change)
