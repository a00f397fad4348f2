"""A program at the other end of three pipes: lines out, lines in, and nothing left of it afterwards."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

from fivestone.errors import BadInput

__all__ = ["EngineGone", "EngineProcess"]

_MAX_LINE = 4096
_TAIL = 2000
_POLL = 0.05
_GUARD = Path(__file__).with_name("guard.py")


class EngineGone(Exception):
    """The program has ended, or closed its output; the text says how."""


class EngineProcess:
    """A program under guard (see guard.py), in a fresh temporary directory of its own.

    Everything happens in the caller's thread, except `interrupt`. `clock` is what deadlines are measured with.
    """

    def __init__(
        self,
        command: list[str],
        *,
        directory: str | None = None,
        memory: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._lines: deque[str] = deque()
        self._partial = b""
        self._skipping = False
        self._unsent = b""
        self._errors = b""
        self._report = b""
        self._ended = False
        self._interrupted = False
        self.folder = tempfile.mkdtemp(prefix="fivestone-engine-")
        line, guards_end = socket.socketpair()
        self._line = line
        self._wake_read, self._wake_write = os.pipe()
        arguments = [sys.executable, "-I", "-S", str(_GUARD), str(guards_end.fileno()), str(memory), self.folder]
        try:
            self._process = subprocess.Popen(
                [*arguments, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory or self.folder,
                pass_fds=[guards_end.fileno()],
                start_new_session=True,  # Ctrl-C is for us; we tell the program to end
                bufsize=0,
            )
        except OSError as error:
            self._discard()
            raise BadInput(f"cannot start {command[0]}: {error.strerror}") from None
        finally:
            guards_end.close()
        process = self._process
        self._in, self._out, self._err = _open(process.stdin), _open(process.stdout), _open(process.stderr)
        self._selector = selectors.DefaultSelector()
        for file in (self._in, self._out, self._err, line):
            os.set_blocking(file.fileno(), False)
        self._selector.register(self._out, selectors.EVENT_READ, self._read_out)
        self._selector.register(self._err, selectors.EVENT_READ, self._read_err)
        self._selector.register(line, selectors.EVENT_READ, self._read_line)
        self._selector.register(self._wake_read, selectors.EVENT_READ, self._read_wake)

    def send(self, text: str) -> None:
        """Queues a line; it leaves at once unless the program does not read its input."""
        self._unsent += text.encode() + b"\n"
        self._write()

    def receive(self, deadline: float) -> str | None:
        """The next line, or None at the deadline or after an interrupt. Raises EngineGone after the last line."""
        while not self._lines:
            if self._ended:
                raise EngineGone(self.how_it_ended())
            if self._interrupted:
                return None
            left = deadline - self._clock()
            if left <= 0:
                return None
            self._poll(min(left, _POLL))  # the clock may run faster than real time in a test
        return self._lines.popleft()

    def drain(self) -> list[str]:
        """The lines that are there already."""
        self._poll(0)
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def interrupt(self) -> None:
        """Makes a running `receive` return None; may be called from another thread."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"!")

    def take_interrupt(self) -> bool:
        """Whether there was an interrupt since this was last asked."""
        interrupted, self._interrupted = self._interrupted, False
        return interrupted

    @property
    def alive(self) -> bool:
        return not self._ended and self._process.poll() is None

    def processor_seconds(self) -> float | None:
        """Processor time the program has used, where the system tells."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = self._fact("pid")
            fields = Path(f"/proc/{int(pid)}/stat").read_bytes().rpartition(b")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return None

    def how_it_ended(self) -> str:
        """One line for people: how the program ended and the last thing it complained of."""
        deadline = time.monotonic() + 1.0
        while not self._verdict() and time.monotonic() < deadline:
            if self._process.poll() is not None:
                self._read_line()
                break
            time.sleep(0.005)
            self._read_line()
        kind, _, value = self._verdict().partition(" ")
        if kind == "signal":
            with contextlib.suppress(ValueError):
                value = signal.Signals(int(value)).name
            text = f"ended by {value}"
        elif kind == "memory":
            text = f"used {int(value) / 1e6:.0f} MB, more than it was allowed"
        elif kind == "failed":
            text = f"could not be started: {value}"
        elif kind == "exit":
            text = f"ended with exit code {value}"
        else:
            text = "closed its output"
        self._read_err()
        complaint = self._errors.decode(errors="replace").strip().splitlines()
        return f"{text}; it said: {complaint[-1][:200]}" if complaint else text

    def close(self, grace: float = 1.0) -> None:
        """Says END, waits, then kills whatever is left."""
        if self._process.returncode is None and not self._ended:
            with contextlib.suppress(OSError):
                self.send("END")
            deadline = time.monotonic() + grace
            while time.monotonic() < deadline and not self._ended:
                self._poll(0.02)
        self.kill()

    def kill(self) -> None:
        """Ends the program and everything it started, now."""
        self._selector.close()
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for file in (self._in, self._out, self._err):
            with contextlib.suppress(OSError):
                file.close()
        self._ended = True
        self._discard()

    def _discard(self) -> None:
        self._line.close()
        for handle in (self._wake_read, self._wake_write):
            with contextlib.suppress(OSError):
                os.close(handle)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _poll(self, seconds: float) -> None:
        for key, _ in self._selector.select(max(0.0, seconds)):
            key.data()

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._in.fileno(), self._unsent) :]
        except BlockingIOError:
            with contextlib.suppress(KeyError):
                self._selector.register(self._in, selectors.EVENT_WRITE, self._write)
            return
        except OSError:
            self._unsent = b""  # it has gone; reading will say so
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._in)

    def _read_out(self) -> None:
        data = self._read(self._out.fileno())
        if data is None:
            return
        if not data:
            self._ended = True
            self._selector.unregister(self._out)
            data = b"\n" if self._partial else b""
        *whole, rest = (self._partial + data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).split(b"\n")
        for line in whole:
            if self._skipping:
                self._skipping = False
            elif line.strip():
                self._lines.append(line[:_MAX_LINE].decode(errors="replace").strip())
        if len(rest) > _MAX_LINE:  # garbage without line ends must not fill the memory
            self._skipping = True
        self._partial = b"" if self._skipping else rest

    def _read_err(self) -> None:
        data = self._read(self._err.fileno())
        if data is not None:
            self._errors = (self._errors + data)[-_TAIL:]
            if not data:
                with contextlib.suppress(KeyError, ValueError):
                    self._selector.unregister(self._err)

    def _read_line(self) -> None:
        data = self._read(self._line.fileno())
        if data is not None:
            self._report += data
            if not data:
                with contextlib.suppress(KeyError, ValueError):
                    self._selector.unregister(self._line)

    def _read_wake(self) -> None:
        os.read(self._wake_read, 64)
        self._interrupted = True

    @staticmethod
    def _read(handle: int) -> bytes | None:
        """What is there; empty at the end, None when there is nothing yet."""
        try:
            return os.read(handle, 65536)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _fact(self, kind: str) -> str:
        for line in self._report.decode(errors="replace").splitlines():
            if line.startswith(kind + " "):
                return line.partition(" ")[2]
        return ""

    def _verdict(self) -> str:
        for kind in ("failed", "memory", "signal", "exit"):
            if value := self._fact(kind):
                return f"{kind} {value}"
        return ""


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
