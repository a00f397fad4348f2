"""Opening files, chance openings and what makes two openings the same."""

from __future__ import annotations

import random
import re
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivestone import Board, notation
from fivestone.errors import BadFile, BadInput, FivestoneError
from fivestone.match.openings import (
    canonical,
    format_offsets,
    load_openings,
    parse_opening,
    random_opening,
    read_openings,
    remark_on,
    shipped_openings,
)


def names(moves: tuple[int, ...], size: int) -> str:
    return notation.format_moves(list(moves), size)


@pytest.mark.parametrize(
    ("text", "size", "moves"),
    [
        ("h8i9g9", 15, "h8i9g9"),
        ("h8, i9 g9", 15, "h8i9g9"),
        ("0,0 1,1 -1,1", 15, "h8i9g9"),
        ("0,0,1,1,-1,1", 15, "h8i9g9"),
        ("0,0  -1,+1", 20, "k11j12"),
        ("0 0 1 1", 6, "d4e5"),
    ],
)
def test_both_formats(text: str, size: int, moves: str) -> None:
    assert names(parse_opening(text, size), size) == moves


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,0,1", "odd count"),
        ("0,0 9,9", "off the 15x15"),
        ("h8h8", "there is a stone on it"),
        ("a1a2b1b2c1c2d1d2e1", "the game is over"),
        ("h8 zz", "does not start with a move"),
    ],
)
def test_bad_openings_are_refused(text: str, says: str) -> None:
    with pytest.raises(FivestoneError, match=says):
        parse_opening(text, 15)


@settings(deadline=None)
@given(st.integers(5, 20), st.integers(1, 10), st.integers(0, 7), st.integers(0, 1000))
def test_canonical_is_the_same_under_symmetry_and_order(size: int, count: int, symmetry: int, seed: int) -> None:
    rng = random.Random(seed)
    moves = random_opening(count, rng, size)
    turned = [notation.transform_move(move, size, symmetry) for move in moves]
    black, white = turned[0::2], turned[1::2]
    rng.shuffle(black)
    rng.shuffle(white)
    mixed = [0] * count
    mixed[0::2], mixed[1::2] = black, white
    assert canonical(mixed, size) == canonical(moves, size)
    assert parse_opening(format_offsets(moves, size), size) == moves


def test_different_openings_differ() -> None:
    assert canonical([0, 1], 15) != canonical([1, 0], 15)
    assert canonical([112, 113], 15) == canonical([112, 111], 15) != canonical([112, 114], 15)


def test_files_have_comments_and_report_the_line(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# mine\nh8i9  # near\n\n0,0 2,2\n")
    assert [names(moves, 15) for moves in read_openings(path, 15)] == ["h8i9", "h8j10"]
    path.write_text("h8\nh8h8\n")
    with pytest.raises(BadFile, match=r"openings.txt, line 2: h8 is illegal"):
        read_openings(path, 15)
    path.write_text("# nothing\n")
    with pytest.raises(BadFile, match="no openings"):
        read_openings(path, 15)
    with pytest.raises(BadFile, match="cannot read"):
        read_openings(tmp_path / "absent.txt", 15)


def test_sources(tmp_path: Path) -> None:
    assert load_openings("none", 3, seed=0, size=15) == load_openings("swap2", 3, seed=0, size=15) == [(), (), ()]
    drawn = load_openings("random:5", 30, seed=1, size=15)
    assert drawn == load_openings("random:5", 30, seed=1, size=15)
    assert drawn != load_openings("random:5", 30, seed=2, size=15)
    assert len({canonical(moves, 15) for moves in drawn}) == 30
    assert all(len(moves) == 5 for moves in drawn)
    path = tmp_path / "three.txt"
    path.write_text("h8\ni8\nj8\n")
    chosen = load_openings(str(path), 7, seed=3, size=15)
    assert len(chosen) == 7
    assert set(chosen[:3]) == set(chosen[3:6])
    with pytest.raises(BadInput, match="random:4"):
        load_openings("random", 3, seed=0, size=15)
    with pytest.raises(BadInput, match="too many"):
        load_openings("random:300", 3, seed=0, size=15)


@pytest.mark.parametrize("size", [6, 7, 8, 9, 15, 20])
def test_shipped_sets_are_distinct_and_say_how_they_were_made(size: int) -> None:
    openings = shipped_openings(size, "freestyle", 5)
    assert openings is not None
    assert len({canonical(moves, size) for moves in openings}) == len(openings) >= 10
    text = (resources.files("fivestone.match") / "data" / f"balanced-{size}-freestyle.txt").read_text()
    assert text.startswith(f"# {size}x{size} freestyle: {len(openings)} openings")
    values = [float(value) for value in re.findall(r"# ([-+]\d\.\d\d)$", text, re.MULTILINE)]
    assert len(values) == len(openings)
    assert all(abs(value) <= 0.35 for value in values)


def test_remarks() -> None:
    assert remark_on("none", [(), ()], size=15) is None
    assert remark_on("random:3", [(1, 2, 3), (1, 2, 4)], size=15) is None
    repeated = remark_on("my.txt", [(1,), (2,), (1,)], size=15)
    assert repeated == "3 pairs from 2 openings: players without chance in them will repeat games"
    assert "no balanced openings ship for 11x11 renju" in (remark_on("balanced", [(1, 2)], size=11, rule="renju") or "")


@pytest.mark.parametrize(("size", "win_length"), [(3, 3), (4, 3), (5, 5), (6, 5), (11, 5)])
def test_there_are_openings_for_every_board(size: int, win_length: int) -> None:
    openings = load_openings("balanced", 12, seed=0, size=size, win_length=win_length)
    assert len(openings) == 12
    for moves in openings:
        assert not Board.from_moves(moves, size, "freestyle", win_length).is_over
