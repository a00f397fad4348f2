"""Deep Q-learning of the game against itself: replay, a target net, epsilon-greedy play, double Q-learning.

Q is for the side to move, so the value of a position for the one is minus the best Q of the other (negamax). The net is
one of the convolutional ones: its policy logits are the Qs, so that it can be saved and played like any other.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

from fivestone.board import Board
from fivestone.net.conv import KINDS, ConvNet
from fivestone.net.features import planes_of
from fivestone.search.evaluator import Leaves
from fivestone.train.samples import symmetric

__all__ = ["QLearner", "Replay"]

_KIND = "conv-c"  # sees own stones and the opponent's
_DISCOUNT = 0.98  # a win soon is worth more than a win late
_TAKEN = -1e9  # the Q of a cell that is taken


class Replay:
    """The last moves played: position, move, what it brought, and the position after it."""

    def __init__(self, capacity: int, cells: int) -> None:
        self.before = np.zeros((capacity, cells), np.uint8)
        self.after = np.zeros((capacity, cells), np.uint8)
        self.turn = np.zeros(capacity, np.uint8)
        self.move = np.zeros(capacity, np.int32)
        self.reward = np.zeros(capacity, np.float32)
        self.over = np.zeros(capacity, np.bool_)
        self._count = 0

    def __len__(self) -> int:
        return min(self._count, len(self.turn))

    def add(self, before: bytes, turn: int, move: int, after: bytes, reward: float, over: bool) -> None:
        at = self._count % len(self.turn)
        self.before[at] = np.frombuffer(before, np.uint8)
        self.after[at] = np.frombuffer(after, np.uint8)
        self.turn[at], self.move[at], self.reward[at], self.over[at] = turn, move, reward, over
        self._count += 1


class QLearner:
    """Plays many games at once and learns after every move from a batch of the replay."""

    def __init__(
        self,
        size: int,
        win_length: int = 5,
        *,
        seed: int = 0,
        games: int = 32,
        batch: int = 128,
        capacity: int = 50_000,
        learning_rate: float = 5e-4,
        target_every: int = 250,
        threads: int = 1,
    ) -> None:
        import torch

        from fivestone.net.conv_torch import TorchConv

        self._torch: Any = torch
        torch.manual_seed(seed)
        torch.set_num_threads(threads)
        self._random = random.Random(seed)
        self._numpy = np.random.default_rng(seed)
        self.size, self.win_length, self._batch, self._target_every = size, win_length, batch, target_every
        first = ConvNet.random(_KIND, size, seed=seed, win_length=win_length)
        self._online, self._target = TorchConv(first), TorchConv(first)
        self._optimizer = torch.optim.Adam(self._online.parameters(), lr=learning_rate)
        self.replay = Replay(capacity, size * size)
        self._boards = [self._new_board() for _ in range(games)]
        self.games = self.steps = 0

    def _new_board(self) -> Board:
        return Board(self.size, win_length=self.win_length)

    def step(self, epsilon: float) -> float | None:
        """A move in every game, then a step of learning; returns its loss, None while there is too little to learn
        from."""
        picks = self._best(np.stack([np.frombuffer(board.stones, np.uint8) for board in self._boards]), self._turns())
        for index, board in enumerate(self._boards):
            explore = self._random.random() < epsilon
            move = self._random.choice(board.legal_moves) if explore else int(picks[index])
            before, turn = board.stones, board.turn
            board.push(move)
            over = board.is_over or board.is_dead_draw
            reward = 1.0 if board.winner is not None else 0.0
            self.replay.add(before, turn, move, board.stones, reward, over)
            if over:
                self._boards[index] = self._new_board()
                self.games += 1
        if len(self.replay) < 4 * self._batch:
            return None
        loss = self._learn()
        self.steps += 1
        if self.steps % self._target_every == 0:
            self._target.load_state_dict(self._online.state_dict())
        return loss

    def _turns(self) -> npt.NDArray[np.uint8]:
        return np.array([board.turn for board in self._boards], np.uint8)

    def _planes(self, stones: npt.NDArray[np.uint8], turns: npt.NDArray[np.uint8]) -> Any:
        count = len(turns)
        shaped = np.ascontiguousarray(stones.reshape(count, self.size, self.size))
        leaves = Leaves(shaped, turns, np.full(count, -1, np.int32), np.zeros(count, np.uint64))
        return self._torch.from_numpy(planes_of(leaves, KINDS[_KIND].planes))

    def _q(self, net: Any, stones: npt.NDArray[np.uint8], turns: npt.NDArray[np.uint8]) -> Any:
        """Q of every cell, those taken far below all others."""
        taken = self._torch.from_numpy(stones.reshape(len(turns), -1) != 0)
        return net(self._planes(stones, turns))[0].masked_fill(taken, _TAKEN)

    def _best(self, stones: npt.NDArray[np.uint8], turns: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        with self._torch.inference_mode():
            found: npt.NDArray[np.int64] = self._q(self._online, stones, turns).argmax(dim=1).numpy()
        return found

    def targets(self, after: npt.NDArray[np.uint8], turn: Any, reward: Any, over: Any) -> npt.NDArray[np.float32]:
        """What the moves are worth: their reward, or minus what the opponent's best answer is. The online net picks
        the answer, the target net says what it is worth (double Q-learning)."""
        foes = (3 - turn).astype(np.uint8)
        picks = self._torch.from_numpy(self._best(after, foes))
        with self._torch.inference_mode():
            worth = self._q(self._target, after, foes).gather(1, picks[:, None])[:, 0].numpy()
        result: npt.NDArray[np.float32] = np.where(over, reward, -_DISCOUNT * worth).astype(np.float32)
        return result

    def _learn(self) -> float:
        torch, replay = self._torch, self.replay
        chosen = self._numpy.integers(0, len(replay), self._batch)
        symmetries = self._numpy.integers(0, 8, self._batch)
        shape = (self._batch, self.size, self.size)
        before, after, move = symmetric(
            replay.before[chosen].reshape(shape), replay.after[chosen].reshape(shape), replay.move[chosen], symmetries
        )
        turn = replay.turn[chosen]
        wanted = torch.from_numpy(self.targets(after, turn, replay.reward[chosen], replay.over[chosen]))
        said = self._online(self._planes(before, turn))[0]
        said = said.gather(1, torch.from_numpy(move.astype(np.int64))[:, None])[:, 0]
        loss = torch.nn.functional.smooth_l1_loss(said, wanted)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._online.parameters(), 1.0)
        self._optimizer.step()
        return float(loss.item())

    def net(self) -> ConvNet:
        """The net as it plays: its policy is highest where Q is."""
        return ConvNet(_KIND, self.size, self._online.arrays(), win_length=self.win_length)
