"""Elo from points: one match with its interval, or a whole field by Bradley-Terry.

Openings are played twice with colours swapped, so the two games of a pair are not independent; the pair is the unit
that is counted (pentanomial: 0, 1/2, 1, 3/2 or 2 points).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivestone.errors import BadInput

__all__ = [
    "Estimate",
    "Field",
    "Rating",
    "elo_of_score",
    "estimate",
    "pair_variance",
    "rate_field",
    "score_of_elo",
]

_Z95 = 1.959963984540054
# Every two players that met are given this much of a win each way, so that a clean sweep has a finite rating.
_PRIOR = 0.25
_ELO = 400 / math.log(10)  # Elo in one unit of log-odds


def elo_of_score(score: float) -> float:
    """The Elo difference at which a player is expected to score this share of the points."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Estimate:
    """A match result as an Elo difference with its 95% interval.

    After a clean sweep nothing bounds the interval at that end, it is infinite; the Elo is then what a quarter of a
    win for the loser would give.
    """

    games: int
    score: float
    elo: float
    low: float
    high: float
    # The probability that the first player is the stronger one.
    superiority: float


def estimate(pairs: Sequence[Sequence[float]]) -> Estimate:
    """From the points of each pair (its games in any order; an unfinished pair has one)."""
    games = sum(len(pair) for pair in pairs)
    if games == 0:
        return Estimate(0, 0.5, 0.0, -math.inf, math.inf, 0.5)
    mean = sum(sum(pair) for pair in pairs) / games
    variance, middle = pair_variance(pairs)
    error = math.sqrt(variance / games)
    # Wilson's interval stays inside (0, 1) and serves a clean sweep; it wants a count of independent games.
    count = middle * (1 - middle) / error**2
    centre = (mean + _Z95**2 / (2 * count)) / (1 + _Z95**2 / count)
    half = _Z95 / (1 + _Z95**2 / count) * math.sqrt(mean * (1 - mean) / count + (_Z95 / (2 * count)) ** 2)
    superiority = 0.5 * (1 + math.erf((mean - 0.5) / (error * math.sqrt(2))))
    low, high = (elo_of_score(round(end, 12)) for end in (centre - half, centre + half))
    elo = elo_of_score(min(max(mean, _PRIOR / (games + _PRIOR)), games / (games + _PRIOR)))
    return Estimate(games, mean, elo, low, high, superiority)


def pair_variance(pairs: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The variance of a game's points as pairs show it, and the mean it was taken about.

    One made-up pair of two coin flips is mixed in: it matters only while there are few pairs, or while all went alike
    and the sample says nothing about the spread.
    """
    sums = np.array([*(sum(pair) for pair in pairs if pair), 0, 1, 2])
    sizes = np.array([*(len(pair) for pair in pairs if pair), 2, 2, 2])
    weights = np.array([1.0] * (len(sums) - 3) + [0.25, 0.5, 0.25])
    games = float(weights @ sizes)
    mean = float(weights @ sums) / games
    return float(weights @ (sums - sizes * mean) ** 2) / games, mean


@dataclass(frozen=True)
class Rating:
    """A player's Elo and the half-width of its 95% interval, against the anchor."""

    name: str
    elo: float
    error: float
    games: int
    points: float


@dataclass(frozen=True)
class Field:
    """The ratings, best first; `first_move` is Black's advantage in Elo, `draws` their share between equals."""

    ratings: tuple[Rating, ...]
    first_move: float
    draws: float

    def __getitem__(self, name: str) -> Rating:
        return next(rating for rating in self.ratings if rating.name == name)


def rate_field(
    pairs: Sequence[Sequence[tuple[str, str, float]]],
    *,
    anchors: Mapping[str, float] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Field:
    """Rates everyone who played. A pair lists the (black, white, black's points) of its games.

    Davidson's model: with strengths p and q, Black's times a first-move factor, wins, losses and draws are as
    p : q : nu sqrt(pq). Error bars come from the Hessian, or from resampling whole pairs when `bootstrap` says how
    often. Elo is scaled so that a small advantage in points means the same with and without draws.

    `anchors` ties the scale to known ratings: their mean is kept, and errors are against it; without anchors the
    mean of the field is 0. Who is not tied to them by games gets an infinite error.
    """
    games = [(number, *game) for number, pair in enumerate(pairs) for game in pair]
    names = sorted({name for _, black, white, _ in games for name in (black, white)})
    if not names:
        raise BadInput("there are no games to rate")
    anchors = anchors or {}
    for anchor in anchors:
        if anchor not in names:
            raise BadInput(f"the anchor '{anchor}' has not played; players: {', '.join(names)}")
    index = {name: number for number, name in enumerate(names)}
    shape = (len(names), len(names), 3)
    cells = np.array([(index[b] * shape[1] + index[w]) * 3 + round(2 * p) for _, b, w, p in games])
    pair_of = np.array([game[0] for game in games])

    def counts(times: NDArray[np.float64]) -> NDArray[np.float64]:
        """[black, white, outcome] -> games, each pair taken so many times."""
        flat = np.bincount(cells, times[pair_of], minlength=shape[0] * shape[1] * 3)
        return flat.astype(np.float64).reshape(shape)

    once = counts(np.ones(len(pairs)))
    tied = np.array([float(name in anchors or not anchors) for name in names])
    tied /= tied.sum()
    shift = sum(anchors.values()) / max(1, len(anchors))
    fit = _fit(once, tied)
    error = fit.error
    if bootstrap:
        rng = np.random.default_rng(seed)
        times = rng.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs)), size=bootstrap)
        error = np.std([_fit(counts(t.astype(float)), tied).elo for t in times], axis=0)
    error = np.where(_connected(once, int(tied.argmax())), _Z95 * error, np.inf)
    played = once.sum(axis=(1, 2)) + once.sum(axis=(0, 2))
    points = once @ np.array([0.0, 0.5, 1.0])
    scored = points.sum(axis=1) + (once.sum(axis=2) - points).sum(axis=0)
    ratings = [
        Rating(name, float(fit.elo[i]) + shift, float(error[i]), int(played[i]), float(scored[i]))
        for i, name in enumerate(names)
    ]
    return Field(tuple(sorted(ratings, key=lambda rating: -rating.elo)), fit.first_move, fit.draws)


def _connected(counts: NDArray[np.float64], start: int) -> NDArray[np.bool_]:
    """Who is tied to the player `start` by games, directly or through others."""
    met = counts.sum(axis=2) + counts.sum(axis=2).T > 0
    reached = np.zeros(len(met), dtype=bool)
    reached[start] = True
    for _ in range(len(met)):
        reached |= met[reached].any(axis=0)
    return reached


@dataclass(frozen=True)
class _Fit:
    elo: NDArray[np.float64]
    error: NDArray[np.float64]
    first_move: float
    draws: float


def _fit(counts: NDArray[np.float64], tied: NDArray[np.float64]) -> _Fit:
    """Maximum likelihood by Newton's method over the log-strengths, Black's advantage and ln nu.

    The outcomes loss, draw, win have log weights -odds/2, ln nu, odds/2: a concave likelihood. The scale's zero is
    the mean of the players weighted by `tied`.
    """
    players = len(counts)
    met = counts.sum(axis=2) + counts.sum(axis=2).T > 0
    data = counts + _PRIOR / 2 * met[:, :, None] * np.array([1.0, 0.0, 1.0])
    black, white = np.nonzero(met)
    data, rows = data[black, white], len(black)
    total = data.sum(axis=1, keepdims=True)
    gradients = np.zeros((rows, 3, players + 2))  # of the three log weights by the parameters
    gradients[np.arange(rows), 2, black] += 0.5
    gradients[np.arange(rows), 2, white] -= 0.5
    gradients[:, 2, players] = 0.5
    gradients[:, 0] = -gradients[:, 2]
    gradients[:, 1, players + 1] = 1
    theta = np.zeros(players + 2)
    free = np.ones(players + 2, dtype=bool)
    free[0] = False
    if not counts[:, :, 1].any():  # nu is zero; -40 is as good as minus infinity and needs no care
        theta[players + 1], free[players + 1] = -40.0, False
    for _ in range(200):
        weights = gradients @ theta
        weights -= weights.max(axis=1, keepdims=True)
        chances = np.exp(weights)
        chances /= chances.sum(axis=1, keepdims=True)
        slope = np.einsum("ro,rop->p", data - total * chances, gradients)[free]
        centred = gradients - np.einsum("ro,rop->rp", chances, gradients)[:, None, :]
        hessian = np.einsum("rop,roq->pq", centred * (total * chances)[:, :, None], centred)[free][:, free]
        step = np.linalg.lstsq(hessian, slope, rcond=None)[0]
        largest = float(np.abs(step).max(initial=0.0))
        theta[free] += step * min(1.0, 2.0 / max(largest, 1e-12))  # far from the top a full step overshoots
        if largest < 1e-9:
            break
    covariance = np.zeros((players + 2, players + 2))
    covariance[np.ix_(free, free)] = np.linalg.pinv(hessian)
    centre = np.eye(players) - tied
    spread = centre @ covariance[:players, :players] @ centre.T
    nu = math.exp(theta[players + 1])
    scale = _ELO * 2 / (2 + nu)
    return _Fit(
        elo=scale * (centre @ theta[:players]),
        error=scale * np.sqrt(np.maximum(0, np.diag(spread))),
        first_move=scale * float(theta[players]),
        draws=nu / (2 + nu),
    )
