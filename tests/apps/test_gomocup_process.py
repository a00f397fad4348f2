"""The brain as the process a manager starts: its transcript in the manual, and how it ends."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HANGING = f"gomocup:{ROOT / 'tests' / 'data' / 'engines' / 'misbehave.py'},args=hang"


class Process:
    """The brain with pipes; `ask` sends a line and returns the next answer."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fivestone", "engine", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline().decode().strip()).startswith(("MESSAGE", "DEBUG")):
            pass
        return line

    def finish(self) -> tuple[int, str, str]:
        """Closes its input: exit code, and what it still wrote."""
        out, errors = self.process.communicate(timeout=20)
        return self.process.returncode, out.decode(), errors.decode()


@pytest.fixture
def hanging() -> Iterator[Process]:
    """A brain in the middle of a search that never ends."""
    brain = Process("--player", HANGING)
    brain.send("START 15")
    assert brain.answer() == "OK"
    brain.send("INFO timeout_turn 600000")
    brain.send("BEGIN")
    brain.send("ABOUT")  # once this is answered, the search is under way
    assert brain.answer().startswith('name="Fivestone"')
    yield brain
    brain.process.kill()
    brain.process.wait()


def test_the_transcript_in_the_manual() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text()
    block = re.search(r"```transcript\n(.*?)```", text, re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    assert len(lines) > 30
    brain = Process("--player", "greedy")
    for line in lines:
        if line.startswith("> "):
            brain.send(line[2:])
        else:
            assert "< " + brain.answer() == line
    assert brain.finish() == (0, "", "")


def test_the_end_while_thinking_is_quiet_and_at_once(hanging: Process) -> None:
    hanging.send("END")
    assert hanging.process.wait(10) == 0
    assert hanging.finish() == (0, "", "")


def test_the_end_of_input_while_thinking_ends_it(hanging: Process) -> None:
    code, out, errors = hanging.finish()
    assert (code, errors) == (0, "")
    assert re.fullmatch(r"(DEBUG .*\n)?\d+,\d+\n", out)


def test_a_manager_that_goes_away_is_not_mourned() -> None:
    brain = Process("--player", "greedy")
    assert brain.process.stdout is not None
    brain.process.stdout.close()
    brain.send("START 15")
    assert brain.process.wait(20) == 0
    assert brain.process.stderr is not None
    assert brain.process.stderr.read() == b""


def test_everything_in_one_piece_with_any_line_ends() -> None:
    game = b"START 15\r\nINFO timeout_turn 10000\rBEGIN\nTURN 0,0\r\nEND\r\n"
    done = subprocess.run([sys.executable, "-m", "fivestone", "engine"], input=game, capture_output=True, timeout=30)
    answers = [line for line in done.stdout.decode().split("\n") if line and not line.startswith("MESSAGE")]
    assert answers[:2] == ["OK", "7,7"]
    assert re.fullmatch(r"\d+,\d+", answers[2])
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="the shell that closes the input is a Unix one")
def test_without_an_input_it_ends() -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "fivestone", "engine"]
    done = subprocess.run(command, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_bad_player_shows_before_the_first_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fivestone", "engine", "--player", "grandmaster"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=30,
    )
    assert done.returncode == 2
    assert b"unknown player 'grandmaster'" in done.stderr
