"""How long to think: from what a manager says about time to the seconds of the next search."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ThinkingTime", "TimeControl"]

# Without a word about time nobody is waiting with a stop watch; with a turn time of zero somebody is.
_DEFAULT_TURN = 3.0
_FASTEST = 0.01
# A game has some twenty moves of each side that need thought (19 on average in 120 games against an engine of equal
# strength, half of them with 15 or fewer); later on a few more must always be possible.
_EXPECTED_MOVES = 21
_LAST_MOVES = 8
_RESERVE = 2.0  # seconds kept for the fast moves of a game that does not end
# What the pipe, the scheduler and the end of the search may cost, up to a point in proportion to the time.
_MARGIN = 0.02
_MARGIN_SHARE = 0.03
_MARGIN_MOST = 0.15
_FORGETTING = 0.8  # a move


@dataclass(frozen=True)
class ThinkingTime:
    """Seconds from the arrival of the command: when the search should end, and when the move has to be out."""

    search: float
    answer: float


@dataclass
class TimeControl:
    """Seconds for a turn and for the game, None where there is no limit or nothing was said.

    `left` is what the manager says is left of the game; without it the time used is counted here.
    """

    turn: float | None = None
    match: float | None = None
    left: float | None = None
    used: float = 0.0
    lateness: float = 0.0  # how late searches have been of late

    def new_game(self) -> None:
        self.left = None
        self.used = 0.0

    def spend(self, seconds: float) -> None:
        """Counts the time of a move."""
        self.used += seconds
        if self.left is not None:
            self.left -= seconds  # until the manager says it again

    def note_lateness(self, seconds: float) -> None:
        """By how much an answer came after the end planned for its search: a busy machine needs more margin."""
        self.lateness = max(seconds, self.lateness * _FORGETTING)

    def next_turn(self, moves: int) -> ThinkingTime:
        """The time for the next move, of a side that has made so many."""
        allowed = _DEFAULT_TURN if self.turn is None else self.turn
        left = self.left
        if left is None and self.match is not None:
            left = self.match - self.used
        if left is not None:
            free = max(0.0, left - min(_RESERVE, left / 2))
            allowed = min(allowed, free / max(_LAST_MOVES, _EXPECTED_MOVES - moves))
        margin = max(min(_MARGIN + _MARGIN_SHARE * allowed, _MARGIN_MOST), 1.5 * self.lateness)
        margin = min(margin, allowed / 2)
        search = max(_FASTEST, allowed - margin)
        return ThinkingTime(search, max(2 * _FASTEST, search + margin / 2))
