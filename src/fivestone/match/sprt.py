"""The sequential test that decides whether a change is worth keeping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fivestone.errors import BadInput
from fivestone.match.ratings import pair_variance, score_of_elo

__all__ = ["Sprt", "SprtState"]

# Beyond, scores are so near to 0, to 1 or to each other that their differences vanish in rounding.
_MOST_ELO = 2000
_LEAST_GAP = 0.01


@dataclass(frozen=True)
class SprtState:
    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """ "H1" (at least the higher Elo), "H0" (at most the lower one), or None: play on."""
        if self.llr >= self.upper:
            return "H1"
        return "H0" if self.llr <= self.lower else None


@dataclass(frozen=True)
class Sprt:
    """Is the first player's advantage elo1 (H1) rather than elo0 (H0)? Errs at the rates alpha and beta.

    The generalised sequential probability ratio test in its normal approximation: with mean points m over n games
    and the variance v of a game as pairs show it, LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadInput(f"SPRT {self.elo0:g},{self.elo1:g}: the first Elo must be below the second")
        if max(-self.elo0, self.elo1) > _MOST_ELO or self.elo1 - self.elo0 < _LEAST_GAP:
            raise BadInput(
                f"SPRT {self.elo0:g},{self.elo1:g}: choose Elo differences from -{_MOST_ELO} to {_MOST_ELO}, at least "
                f"{_LEAST_GAP:g} apart"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def state(self, pairs: Sequence[Sequence[float]]) -> SprtState:
        """The test so far; only finished pairs count."""
        finished = [pair for pair in pairs if len(pair) == 2]
        lower, upper = self.bounds
        if not finished:
            return SprtState(0.0, lower, upper)
        games = 2 * len(finished)
        mean = sum(sum(pair) for pair in finished) / games
        variance, _ = pair_variance(finished)
        low, high = score_of_elo(self.elo0), score_of_elo(self.elo1)
        return SprtState(games * (high - low) * (2 * mean - low - high) / (2 * variance), lower, upper)

    def expected_games(self, elo: float, draws: float = 0.0) -> float:
        """How many games the test takes on average when the true advantage is `elo`.

        Wald's formula for a random walk between the bounds, games taken as independent with this share of draws.
        """
        low, high, score = (score_of_elo(e) for e in (self.elo0, self.elo1, elo))
        variance = score * (1 - score) - draws / 4
        drift = (high - low) * (2 * score - low - high) / (2 * variance)
        spread = (high - low) ** 2 / variance
        lower, upper = self.bounds
        power = -2 * drift / spread
        if abs(power) < 1e-6:
            return -lower * upper / spread
        reach_upper = (1 - math.exp(power * lower)) / (math.exp(power * upper) - math.exp(power * lower))
        return (upper * reach_upper + lower * (1 - reach_upper)) / drift
