"""The command line writes to whatever it is given: few characters, a full disk."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from fivestone.cli import main

MATCH = ["match", "random", "greedy", "--games", "2", "--board", "9"]


def start(arguments: list[str], stdout: IO[str] | int, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fivestone", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="cp1252",
        env={**os.environ, **settings},
        check=False,
    )


def test_a_character_the_output_does_not_have_ends_nothing() -> None:
    done = start(MATCH, subprocess.PIPE, PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Elo" in done.stdout
    assert "?" in done.stdout  # for the sign of infinity


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["show", "h8"], ["doctor"], ["solve", "h8i8"], MATCH], ids=lambda args: args[0])
def test_a_full_disk_is_one_clear_line(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = start(arguments, full, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (2, "fivestone: cannot write the output: No space left on device\n")


def test_other_errors_of_the_system_are_not_taken_for_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("fivestone.cli.show.game_from", fail)
    with pytest.raises(OSError, match="Input/output error"):
        main(["show", "h8"])


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_an_output_of_any_kind_will_do(stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", stream)
    main(["show", "h8"])
    assert stream is None or "move 1 of 1: Black h8" in stream.getvalue()
