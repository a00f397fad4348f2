"""Sifting openings: what a deeper look sees decided goes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fivestone import Board
from fivestone.cli import cli
from fivestone.errors import BadFile, BadInput
from fivestone.match.openings import Opening, parse_opening, read_openings
from fivestone.match.player import Forfeit, RandomPlayer
from fivestone.match.sieve import Sieve, Sifted, write_kept
from fivestone.search import Limit, SearchResult

# Black is to move in the first: a three open at both ends wins by force. The others are a stone and two.
WON, LATER, QUIET = "e5a1e6a9e7i1", "e5a1e6a9e7i1e8", "e5d6"


class Oracle(RandomPlayer):
    """Values what it is told for the side to move, and counts the games it was made to forget."""

    def __init__(self, values: dict[int, tuple[float, int | None]]) -> None:
        super().__init__("oracle", 1)
        self.values = values
        self.forgotten = 0

    def new_game(self) -> None:
        self.forgotten += 1

    def choose(self, board: Board, limit: Limit, on_result: object = None) -> SearchResult:
        value, proven = self.values[len(board.moves)]
        return SearchResult(move=0, value=value, proven=proven)


def opening(text: str) -> Opening:
    return parse_opening(text, 9)


def test_values_are_for_black_and_proofs_are_dropped() -> None:
    openings = [opening("e5"), opening("e5d6"), opening("e5d6f4"), opening("e5d6f4c7")]
    oracle = Oracle({1: (0.3, None), 2: (0.3, None), 3: (-0.36, None), 4: (0.0, -1)})
    sifted = list(Sieve(Limit(nodes=9), 0.35, 9).sift(openings, oracle))
    assert [(each.value, each.kept) for each in sifted] == [(-0.3, True), (0.3, True), (0.36, False), (-1.0, False)]
    assert oracle.forgotten == 4


def test_a_proven_draw_is_even() -> None:
    sifted = list(Sieve(Limit(nodes=9), 0.1, 9).sift([opening("e5")], Oracle({1: (0.0, 0)})))
    assert sifted[0].kept


def test_the_kept_are_read_back(tmp_path: Path) -> None:
    sifted = [Sifted(opening("e5d6"), 0.12, True), Sifted(opening("e5d6f4"), 1.0, False)]
    assert write_kept(tmp_path / "kept.txt", Sieve(Limit(nodes=9), 0.35, 9), "somebody", sifted) == 1
    assert read_openings(tmp_path / "kept.txt", 9) == [opening("e5d6")]
    text = (tmp_path / "kept.txt").read_text()
    assert "9x9 freestyle: 1 openings of 2" in text
    assert text.endswith("# +0.12\n")


@pytest.mark.parametrize("largest", [0.0, 1.0, -0.3])
def test_a_bound_that_means_nothing_is_refused(largest: float) -> None:
    with pytest.raises(BadInput, match="--largest"):
        Sieve(Limit(nodes=9), largest, 9)


def sift(file: Path, out: Path) -> tuple[int, str]:
    arguments = ["openings", "sift", str(file), "--board", "9", "--player", "alphabeta", "--nodes", "3000"]
    done = CliRunner().invoke(cli, [*arguments, "--out", str(out)], catch_exceptions=False)
    return done.exit_code, done.output


def test_a_won_opening_is_found_by_search(tmp_path: Path) -> None:
    file, out = tmp_path / "all.txt", tmp_path / "kept.txt"
    file.write_text(f"{WON}\n{QUIET}  # a remark\n{LATER}\n")
    code, output = sift(file, out)
    assert code == 0, output
    assert f"1 of 3 openings in {out}" in output
    assert output.count("+1.00 for Black, dropped") == 2
    assert read_openings(out, 9) == [opening(QUIET)]
    assert "alphabeta --nodes 3000" in out.read_text()


def test_nothing_even_makes_no_file(tmp_path: Path) -> None:
    file, out = tmp_path / "all.txt", tmp_path / "kept.txt"
    file.write_text(f"{WON}\n")
    with pytest.raises(BadInput, match="none of the 1 openings is as even as"):
        sift(file, out)
    assert not out.exists()


def break_off(monkeypatch: pytest.MonkeyPatch, kept: bool, why: BaseException) -> None:
    """Sifting ends for that reason after one opening."""

    def sift_one(self: Sieve, openings: list[Opening], player: object) -> object:
        yield Sifted(openings[0], 0.1, kept)
        raise why

    monkeypatch.setattr(Sieve, "sift", sift_one)


@pytest.mark.parametrize(
    ("kept", "said"),
    [(False, ["none kept yet of 1, nothing written"]), (True, ["1 of 1 openings", "1 were not looked at"])],
)
def test_ctrl_c_keeps_what_was_sifted(
    kept: bool, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_off(monkeypatch, kept, KeyboardInterrupt())
    file, out = tmp_path / "all.txt", tmp_path / "kept.txt"
    file.write_text(f"{QUIET}\n{WON}\n")
    code, output = sift(file, out)
    assert code == 130
    assert all(text in output for text in said)
    assert out.exists() == kept
    assert not kept or read_openings(out, 9) == [opening(QUIET)]


@pytest.mark.parametrize("kept", [True, False])
def test_a_judge_that_fails_costs_only_what_is_left(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_off(monkeypatch, kept, Forfeit("crash", "it is gone"))
    file, out = tmp_path / "all.txt", tmp_path / "kept.txt"
    file.write_text(f"{QUIET}\n{WON}\n")
    with pytest.raises(Forfeit, match="it is gone"):
        sift(file, out)
    assert out.exists() == kept
    assert not kept or read_openings(out, 9) == [opening(QUIET)]


@pytest.mark.parametrize("out", [".", "/proc/x"])
def test_a_file_that_cannot_be_written_is_told_first(out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Sieve, "sift")
    file = tmp_path / "all.txt"
    file.write_text(f"{QUIET}\n")
    with pytest.raises(BadFile, match="cannot write"):
        sift(file, Path(out))
