"""Tactical motifs: the same verdict and the same number of moves in the centre, at every edge and in every corner.

A motif is drawn with all the room it needs, so that it does not matter whether more board or nothing lies beyond its
border; in each place it is turned and mirrored all eight ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from bruteforce import shortest_vcf

from fivestone import BLACK, WHITE, Board
from fivestone.search import Solver

SIZE = 15
BOTH = (BLACK, WHITE)


class Motif(NamedTuple):
    name: str
    kind: str
    length: int | None  # the attacker's moves before the five; None: there is no such win
    rows: str  # from the top; X the attacker, to move; O the defender
    rule: str = "freestyle"
    attackers: tuple[int, ...] = BOTH


CROSSED_FOURS = "....O./....X./....X./....X./OXXX../......"
CROSSED_THREES = "......./...X.../...X.../.XX..../......./......./......."

MOTIFS = [
    Motif("five at the end", "vcf", 0, "OXXXX."),
    Motif("five in the gap", "vcf", 0, "OXX.XXO"),
    Motif("overline wins", "vcf", 0, "XXX.XX"),
    Motif("overline does not win", "vcf", None, "XXX.XX", "standard"),
    Motif("overline is Black's loss", "vcf", None, "XXX.XX", "renju", (BLACK,)),
    Motif("overline is White's win", "vcf", 0, "XXX.XX", "renju", (WHITE,)),
    Motif("five between two stones", "vcf", None, "OXX.XXO", "caro"),
    Motif("open three", "vcf", 1, "..XXX.."),
    Motif("open three aslant", "vcf", 1, "......./......./..X..../...X.../....X../......./......."),
    Motif("split three", "vcf", 1, ".X.XX."),
    Motif("three with one side short", "vcf", 1, "O.XXX..O"),
    Motif("three with both sides short", "vcf", None, "O.XXX.O"),
    Motif("three short of flanks", "vcf", None, "O.XXX..O", "caro"),
    Motif("three with room for flanks", "vcf", 1, "...XXX...", "caro"),
    Motif("closed three", "vcf", None, "OXXX..O"),
    Motif("two fours that cross", "vcf", 1, CROSSED_FOURS),
    Motif("two fours that Black may not make", "vcf", None, CROSSED_FOURS, "renju", (BLACK,)),
    Motif("two fours that White may make", "vcf", 1, CROSSED_FOURS, "renju", (WHITE,)),
    Motif("two fours on one line", "vcf", 1, "X.X.X.X"),
    Motif("two fours on one line that Black may not make", "vcf", None, "X.X.X.X", "renju", (BLACK,)),
    Motif("four, then an open four", "vcf", 2, "....../....X./....X./OXXX../....../......"),
    Motif("four and three by Black", "vcf", 2, "....../....X./....X./OXXX../....../......", "renju", (BLACK,)),
    Motif("the block makes a four", "vcf", None, ".....O./....XO./....XO./OXXX.../......."),
    Motif("the block is forbidden", "vcf", 1, ".....O/.....O/.....O/OXXX../.....O/.....O", "renju", (WHITE,)),
    Motif("a four that blocks", "vcf", 1, "....../XOOOO./.....X/.....X/.....X/......"),
    Motif("a block that is no four", "vcf", None, "....../XOOOO./....../.XXX../......"),
    Motif("the other side is first", "vcf", None, "..XXX../......./.OOOO.."),
    Motif("three fours, one split", "vcf", 3, "......./....X../...O.../.O..X../..XO.O./.XX..X./......."),
    Motif("three fours, two aslant", "vcf", 3, "......./.XX..X./..O..X./.X.X.../...OOX./..O..O./......."),
    Motif("two threes that cross", "vct", 2, CROSSED_THREES),
    Motif("two threes that White may make", "vct", 2, CROSSED_THREES, "renju", (WHITE,)),
    Motif("two threes against one", "vct", None, CROSSED_THREES[:-7] + ".OOO..."),
    Motif("three, then four and three", "vct", 2, "......./.OO.X../...X.../....X../......./..XXO../......."),
    Motif("three threats", "vct", 3, "......./.....X./..XX.../..XO.../..O.O../.XOO.../......."),
    Motif("three threats, two aslant", "vct", 3, "......./...XOO./...X.../..X..../...X.../..XO.X./......."),
    Motif("open two alone", "vct", None, "...XX..."),
]


def place(motif: Motif, attacker: int, size: int, bottom: int, left: int) -> Board:
    sides: dict[str, list[int]] = {"X": [], "O": []}
    for y, row in enumerate(reversed(motif.rows.split("/"))):
        for x, symbol in enumerate(row):
            if symbol != ".":
                sides[symbol].append((bottom + y) * size + left + x)
    black, white = (sides["X"], sides["O"]) if attacker == BLACK else (sides["O"], sides["X"])
    return Board.from_stones(black, white, attacker, size, motif.rule)


def boards(motif: Motif, attacker: int) -> Iterator[Board]:
    """The motif in all its places, turned and mirrored in each."""
    rows = motif.rows.split("/")
    height, width = len(rows), len(rows[0])
    for bottom in (0, (SIZE - height) // 2, SIZE - height):
        for left in (0, (SIZE - width) // 2, SIZE - width):
            board = place(motif, attacker, SIZE, bottom, left)
            yield from (board.transform(symmetry) for symmetry in range(8))


@pytest.mark.parametrize("motif", MOTIFS, ids=lambda motif: motif.name)
def test_the_same_everywhere(motif: Motif) -> None:
    solver = Solver(1)
    for attacker in motif.attackers:
        for board in boards(motif, attacker):
            solution = solver.solve(board, motif.kind, nodes=100_000, shortest=True)
            length = None if solution.proof is None else solution.proof.length
            assert length == motif.length, board.diagram()
            assert length is not None or solution.exhausted


@pytest.mark.parametrize("motif", [m for m in MOTIFS if m.kind == "vcf"], ids=lambda motif: motif.name)
def test_brute_force_agrees(motif: Motif) -> None:
    rows = motif.rows.split("/")
    size = max(len(rows), len(rows[0])) + 1
    for attacker in motif.attackers:
        assert shortest_vcf(place(motif, attacker, size, 0, 1), 6) == motif.length


def test_motifs_are_different() -> None:
    assert len({motif[1:] for motif in MOTIFS}) == len({motif.name for motif in MOTIFS}) == len(MOTIFS) >= 30
