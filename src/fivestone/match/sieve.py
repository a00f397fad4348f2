"""A second look at a set of openings: what a deep search sees decided is dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.files import write_atomically
from fivestone.match.openings import Opening, format_offsets
from fivestone.match.player import Player
from fivestone.search import Limit

__all__ = ["Sieve", "Sifted", "write_kept"]


@dataclass(frozen=True)
class Sifted:
    """An opening with its value for Black, plus or minus one where the search proved a win."""

    opening: Opening
    value: float
    kept: bool


@dataclass(frozen=True)
class Sieve:
    """Who judges, with what limit, and how far from even an opening may be."""

    limit: Limit
    largest_value: float
    size: int
    rule: str = "freestyle"

    def __post_init__(self) -> None:
        if not 0 < self.largest_value < 1:  # a proven win is 1
            raise BadInput(f"--largest {self.largest_value:g}: choose a value between 0 and 1")

    def sift(self, openings: Sequence[Opening], player: Player) -> Iterator[Sifted]:
        for opening in openings:
            board = Board.from_moves(opening, self.size, self.rule)
            player.new_game()  # a verdict does not depend on the openings before
            result = player.choose(board, self.limit)
            value = result.value if result.proven is None else float(result.proven)
            yield Sifted(opening, value if len(opening) % 2 == 0 else -value, abs(value) <= self.largest_value)


def write_kept(path: Path, sieve: Sieve, judge: str, sifted: Sequence[Sifted]) -> int:
    """The file that matches read: one opening a line, its value for Black as a comment. Returns how many were kept."""
    kept = [each for each in sifted if each.kept]
    if not kept:
        raise BadInput(f"none of the {len(sifted)} openings is as even as --largest {sieve.largest_value:g} asks")
    lines = [
        f"# {sieve.size}x{sieve.size} {sieve.rule}: {len(kept)} openings of {len(sifted)}, those worth at most",
        f"# {sieve.largest_value:g} to either side by {judge}.",
        "# Centre offsets dx,dy from size//2, black first; after them the value for Black.",
    ]
    lines += [f"{format_offsets(each.opening, sieve.size)}  # {each.value:+.2f}" for each in kept]
    write_atomically(path, "\n".join(lines) + "\n")
    return len(kept)
