"""The terminal game in a real pseudo-terminal: colours, a prompt, and Ctrl-C without a traceback."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

COMMAND = [sys.executable, "-m", "fivestone", "play", "--ui", "terminal", "--board", "6", "--opponent", "random"]


class Terminal:
    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(COMMAND, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        self.seen = ""

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def wait_for(self, text: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"never saw {text!r} in {self.seen!r}"
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # the program has closed the terminal
                    assert text in self.seen, self.seen
        self.seen = self.seen.partition(text)[2]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


def test_a_few_moves_in_colour(terminal: Terminal) -> None:
    terminal.wait_for("> ")
    terminal.type("c3")
    terminal.wait_for("\x1b[")
    terminal.wait_for("random plays ")
    terminal.type("nonsense")
    terminal.wait_for("is not a move")
    terminal.type("undo")
    terminal.wait_for("> ")
    terminal.type("quit")
    assert terminal.process.wait(timeout=60) == 0


def test_ctrl_c_leaves_quietly(terminal: Terminal) -> None:
    terminal.wait_for("> ")
    terminal.process.send_signal(signal.SIGINT)
    terminal.wait_for("stopped")
    assert terminal.process.wait(timeout=60) == 130
    assert "Traceback" not in terminal.seen
