"""Learning the pattern weights: games of the engine against itself, then two regressions.

The score is fitted to the results by logistic regression (the Texel method), so that its logistic scale comes with it.
Results are noisy where both sides err, so a sample's result is mixed with what the search thought of it, and replaced
by what the search proved. The promise of a move is fitted to the moves the search chose, by a softmax over the
candidates. A class of pattern sets is worth the sum of its four patterns plus something of its own that has to be
earned: rare classes stay near the sum.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from fivestone import _core
from fivestone.board import BLACK, Board
from fivestone.errors import BadInput
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.result import Limit
from fivestone.search.weights import Tables

__all__ = ["SCORE_SCALE", "FitReport", "GamePlan", "Sample", "fit", "play_game", "play_games"]

# A score of this many units is one unit of the logistic; a promise of a hundred is one unit of the softmax.
SCORE_SCALE: Final = 400.0
_PROMISE_SCALE: Final = 100.0
_PATTERNS: Final = 12
_INT16_MAX: Final = 32000

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class GamePlan:
    """How the games are played: nodes a move, random stones to begin with, and how far from the centre they fall."""

    size: int = 15
    rule: str = "freestyle"
    nodes: int = 3000
    opening_least: int = 1
    opening_most: int = 9
    opening_reach: int = 4
    stray: float = 0.03  # how often a move is random, to see what the engine would not do
    trust: float = 0.5  # how much of a sample's result is the search's opinion; all of it where that is a proof
    weights: str | Path | None = None
    seed: int = 0


@dataclass
class Sample:
    """One position of a game, for the side to move."""

    own: Ints  # classes of the empty cells
    foe: Ints
    black: bool
    flags: int
    result: float  # from 0 lost to 1 won
    move_own: Ints  # classes of the candidates
    move_foe: Ints
    chosen: int  # which candidate was played, or -1


def _opening(board: Board, plan: GamePlan, rng: random.Random) -> None:
    middle, reach = board.size // 2, plan.opening_reach
    for _ in range(rng.randint(plan.opening_least, plan.opening_most)):
        near = [
            move
            for move in board.legal_moves
            if abs(move // board.size - middle) <= reach and abs(move % board.size - middle) <= reach
        ]
        if not near or board.is_over:
            return
        board.push(rng.choice(near))


def _sample(board: Board, move: int | None) -> Sample | None:
    features = _core.features(board)
    if not features.quiet:
        return None
    cells = [np.array(classes, np.int32) for classes in features.cells]
    own = board.turn - 1
    return Sample(
        own=cells[own][cells[own] > 0],
        foe=cells[1 - own][cells[1 - own] > 0],
        black=board.turn == BLACK,
        flags=features.flags,
        result=0.5,
        move_own=np.array(features.own_classes, np.int32),
        move_foe=np.array(features.foe_classes, np.int32),
        chosen=features.moves.index(move) if move in features.moves else -1,
    )


def play_game(plan: GamePlan, number: int) -> list[Sample]:
    """Game `number` of a plan: the same samples each time."""
    rng = random.Random(f"{plan.seed}/{number}")
    board = Board(plan.size, plan.rule)
    _opening(board, plan, rng)
    engine = AlphaBeta(hash_mb=4, weights=plan.weights)
    samples: list[tuple[int, float, Sample]] = []
    while not board.is_over and not board.is_dead_draw:
        # What one ply with its fours decides is never put to the scorer.
        shallow = engine.search(board, Limit(depth=1))
        found = engine.search(board, Limit(nodes=plan.nodes))
        sample = _sample(board, found.move) if shallow.proven is None else None
        if sample is not None:
            samples.append((board.turn, (found.value + 1) / 2, sample))
        board.push(rng.choice(board.legal_moves) if rng.random() < plan.stray else found.move)
    for turn, expected, sample in samples:
        result = 0.5 if board.winner is None else float(board.winner == turn)
        decided = expected in (0.0, 1.0)
        sample.result = expected if decided else plan.trust * expected + (1 - plan.trust) * result
    return [sample for _, _, sample in samples]


def _job(job: tuple[GamePlan, int]) -> list[Sample]:
    return play_game(*job)


def play_games(plan: GamePlan, games: int, workers: int = 1) -> Iterator[list[Sample]]:
    """The samples of every game in turn."""
    jobs = [(plan, number) for number in range(games)]
    if workers == 1:
        yield from map(_job, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_job, jobs, chunksize=4)


class _ClassWeights:
    """Weights of the classes as the sum of their patterns' weights plus a share of their own, learned by Adam."""

    def __init__(self, rate: float) -> None:
        sets = np.array(_core.class_sets())
        self.counts = np.zeros((_core.SET_CLASSES, _PATTERNS), np.float32)
        for direction in range(4):
            np.add.at(self.counts, (np.arange(len(sets)), (sets >> (4 * direction)) & 15), 1)
        self.base = _Adam(np.zeros(_PATTERNS, np.float32), rate)
        self.own = _Adam(np.zeros(_core.SET_CLASSES, np.float32), rate)

    def values(self) -> Floats:
        total = self.counts @ self.base.value + self.own.value
        total[0] = 0.0  # a cell that is dead on all lines is worth nothing to anybody
        return np.asarray(total, np.float32)

    def step(self, gradient: Floats, decay: float) -> None:
        self.base.step(self.counts.T @ gradient)
        self.own.step(gradient + decay * self.own.value)


class _Adam:
    def __init__(self, value: Floats, rate: float) -> None:
        self.value = value
        self._rate = rate
        self._mean = np.zeros_like(value)
        self._square = np.zeros_like(value)
        self._steps = 0

    def step(self, gradient: Floats) -> None:
        self._steps += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.001 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        self.value -= self._rate * mean / (np.sqrt(square) + 1e-8)

    def slow(self, factor: float) -> None:
        self._rate *= factor


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -30, 30))), np.float32)


class _Flat:
    """Many short rows of class numbers as one long array."""

    def __init__(self, rows: list[Ints]) -> None:
        self.starts = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
        self.data = np.concatenate(rows) if rows else np.zeros(0, np.int32)

    def take(self, picks: Ints) -> tuple[Ints, Ints]:
        """The class numbers of the picked rows, and which pick each belongs to."""
        lengths = self.starts[picks + 1] - self.starts[picks]
        owner = np.repeat(np.arange(len(picks)), lengths)
        offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.data[np.repeat(self.starts[picks], lengths) + offsets], owner.astype(np.int32)


@dataclass(frozen=True)
class FitReport:
    """Mean loss of the score (bits a result) and of the promise (nats a choice) on held-out samples."""

    samples: int
    score_loss: float
    promise_loss: float
    agreement: float  # how often the most promising candidate was the one played


def fit(samples: list[Sample], epochs: int = 12, batch: int = 512, seed: int = 0) -> tuple[Tables, FitReport]:
    """Weights for both colours alike. The last tenth of the samples is held out for the report."""
    if len(samples) < 100:
        raise BadInput(f"{len(samples)} positions are too few to learn from: play more games")
    cut = len(samples) * 9 // 10
    score, threats, score_loss = _fit_score(samples, cut, epochs, batch, seed)
    own, foe, promise_loss, agreement = _fit_promise(samples, cut, epochs, batch, seed)
    both = [np.stack([table, table]) for table in (_rounded(score, SCORE_SCALE), *_promises(own, foe))]
    tables = Tables(both[0], both[1], both[2], _rounded(threats, SCORE_SCALE), SCORE_SCALE)
    return tables, FitReport(len(samples), score_loss, promise_loss, agreement)


def _promises(own: Floats, foe: Floats) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    return _rounded(own, _PROMISE_SCALE), _rounded(foe, _PROMISE_SCALE)


def _rounded(values: Floats, scale: float) -> npt.NDArray[np.int16]:
    return np.asarray(np.clip(np.rint(values * scale), -_INT16_MAX, _INT16_MAX), np.int16)


def _batches(count: int, batch: int, rng: np.random.Generator) -> Iterable[Ints]:
    order = rng.permutation(count).astype(np.int32)
    return [order[start : start + batch] for start in range(0, count, batch)]


def _fit_score(samples: list[Sample], cut: int, epochs: int, batch: int, seed: int) -> tuple[Floats, Floats, float]:
    rng = np.random.default_rng(seed)
    own, foe = _Flat([s.own for s in samples]), _Flat([s.foe for s in samples])
    flags = np.array([s.flags for s in samples])
    results = np.array([s.result for s in samples], np.float32)
    cells, threats = _ClassWeights(0.003), _FlagWeights(0.01)

    def predict(picks: Ints) -> tuple[Floats, tuple[Ints, Ints], tuple[Ints, Ints]]:
        values = cells.values()
        mine, theirs = own.take(picks), foe.take(picks)
        logits = np.bincount(mine[1], values[mine[0]], len(picks)) - np.bincount(
            theirs[1], values[theirs[0]], len(picks)
        )
        return _sigmoid(logits + threats.values()[flags[picks]]), mine, theirs

    for epoch in range(epochs):
        for picks in _batches(cut, batch, rng):
            guess, mine, theirs = predict(picks)
            error = (guess - results[picks]) / len(picks)
            gradient = np.bincount(mine[0], error[mine[1]], _core.SET_CLASSES)
            gradient -= np.bincount(theirs[0], error[theirs[1]], _core.SET_CLASSES)
            cells.step(gradient.astype(np.float32), 1e-4)
            threats.step(np.bincount(flags[picks], error, _core.THREAT_FLAGS).astype(np.float32), 1e-4)
        if epoch >= epochs // 2:
            for adam in (cells.base, cells.own, threats.base, threats.own):
                adam.slow(0.6)
    held = np.arange(cut, len(samples), dtype=np.int32)
    guess = np.clip(predict(held)[0], 1e-6, 1 - 1e-6)
    loss = -(results[held] * np.log2(guess) + (1 - results[held]) * np.log2(1 - guess)).mean()
    return cells.values(), threats.values(), float(loss)


class _FlagWeights:
    """Weights of the sets of threat flags as the sum of the flags' weights plus a share of their own."""

    def __init__(self, rate: float) -> None:
        numbers = np.arange(_core.THREAT_FLAGS)
        bits = [(numbers >> bit) & 1 for bit in range(_core.THREAT_FLAGS.bit_length() - 1)]
        self.counts = np.stack([np.ones_like(numbers), *bits], axis=1).astype(np.float32)
        self.base = _Adam(np.zeros(self.counts.shape[1], np.float32), rate)
        self.own = _Adam(np.zeros(_core.THREAT_FLAGS, np.float32), rate)

    def values(self) -> Floats:
        return np.asarray(self.counts @ self.base.value + self.own.value, np.float32)

    def step(self, gradient: Floats, decay: float) -> None:
        self.base.step(self.counts.T @ gradient)
        self.own.step(gradient + decay * self.own.value)


def _fit_promise(
    samples: list[Sample], cut: int, epochs: int, batch: int, seed: int
) -> tuple[Floats, Floats, float, float]:
    rng = np.random.default_rng(seed)
    split = sum(s.chosen >= 0 for s in samples[:cut])
    samples = [s for s in samples if s.chosen >= 0]
    own, foe = _Flat([s.move_own for s in samples]), _Flat([s.move_foe for s in samples])
    chosen = np.array([s.chosen for s in samples], np.int32)
    weights = _ClassWeights(0.01), _ClassWeights(0.01)

    def predict(picks: Ints) -> tuple[Floats, Ints, Ints, Ints, Ints]:
        (mine, owner), (theirs, _) = own.take(picks), foe.take(picks)
        logits = weights[0].values()[mine] + weights[1].values()[theirs]
        firsts = np.searchsorted(owner, np.arange(len(picks)))
        powers = np.exp(logits - np.maximum.reduceat(logits, firsts)[owner])
        shares = powers / np.add.reduceat(powers, firsts)[owner]
        return np.asarray(shares, np.float32), mine, theirs, owner, (firsts + chosen[picks]).astype(np.int32)

    for epoch in range(epochs):
        for picks in _batches(split, batch, rng):
            shares, mine, theirs, _, played = predict(picks)
            shares[played] -= 1
            for part, classes in zip(weights, (mine, theirs), strict=True):
                gradient = np.bincount(classes, shares / len(picks), _core.SET_CLASSES)
                part.step(gradient.astype(np.float32), 1e-5)
        if epoch >= epochs // 2:
            for part in weights:
                part.base.slow(0.6)
                part.own.slow(0.6)
    held = np.arange(split, len(samples), dtype=np.int32)
    shares, _, _, owner, played = predict(held)
    best = np.maximum.reduceat(shares, np.searchsorted(owner, np.arange(len(held))))
    loss = -np.log(np.maximum(shares[played], 1e-9)).mean()
    return weights[0].values(), weights[1].values(), float(loss), float((shares[played] >= best).mean())
