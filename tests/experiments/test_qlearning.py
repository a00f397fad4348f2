"""Q-learning: the replay, the targets, and that it learns to take a win."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fivestone import Board
from fivestone.experiments.latest_vs_best import picks_of
from fivestone.experiments.qlearning import QLearner, Replay


def test_the_replay_keeps_the_last_moves() -> None:
    replay = Replay(3, 9)
    for number in range(5):
        replay.add(bytes(9), 1, number, bytes([1] * 9), float(number == 4), number == 4)
    assert len(replay) == 3
    assert sorted(replay.move) == [2, 3, 4]
    assert replay.reward.sum() == replay.over.sum() == 1


def test_a_move_is_worth_minus_what_the_opponent_gets() -> None:
    learner = QLearner(3, 3, seed=1, games=1)
    board = Board(3, win_length=3)
    board.push("b2")
    after = np.frombuffer(board.stones, np.uint8)[None].repeat(2, axis=0)
    turns = np.array([1, 1], np.uint8)
    open_game, won = learner.targets(after, turns, np.array([0.0, 1.0]), np.array([False, True]))
    assert won == 1.0
    policy_q = learner._q(learner._target, after[:1], np.array([2], np.uint8)).detach().numpy()[0]
    assert open_game == pytest.approx(-0.98 * policy_q.max(), abs=1e-6)
    assert policy_q[board.parse("b2")] < -1e8, "a taken cell is never the best answer"


def test_it_learns_to_take_a_win() -> None:
    learner = QLearner(3, 3, seed=1, games=16, batch=64, target_every=50)
    rng = random.Random(5)
    boards = []
    while len(boards) < 60:
        board = Board(3, win_length=3)
        while board.stone_count < rng.randint(4, 6) and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        if not board.is_over and any(board._wins(move, board.turn) for move in board.legal_moves):
            boards.append(board)

    def taken() -> float:
        picks = picks_of(learner.net())(boards)
        return sum(board._wins(move, board.turn) for board, move in zip(boards, picks, strict=True)) / len(boards)

    before = taken()
    for number in range(300):
        learner.step(max(0.1, 1 - number / 200))
    assert learner.games > 400
    # 0.8 or more, by machine, for sums of floats differ in their last bits; at random it is a third.
    assert taken() > before + 0.3
