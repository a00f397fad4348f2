"""The brain's ears: a thread of its own reads the input, so that no command is lost while the brain thinks."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["EndOfInput", "Inbox", "Line", "LineSplitter"]

_LONGEST = 4096


@dataclass(frozen=True)
class Line:
    """A line of input and when it arrived."""

    text: str
    at: float

    @property
    def word(self) -> str:
        """The command."""
        words = self.text.split(maxsplit=1)
        return words[0].upper() if words else ""

    @property
    def rest(self) -> str:
        """What follows the command."""
        words = self.text.split(maxsplit=1)
        return words[1].strip() if len(words) > 1 else ""


class EndOfInput:
    """There will be no more lines."""


class LineSplitter:
    """Cuts bytes into lines that end in LF, CRLF or CR, each as soon as its end is there."""

    def __init__(self) -> None:
        self._rest = b""
        self._after_cr = False

    def feed(self, data: bytes) -> list[str]:
        if data:
            begins_in_crlf = self._after_cr and data.startswith(b"\n")
            self._after_cr = data.endswith(b"\r")  # of all of it: a lone LF has ended the CR before it
            data = data[begins_in_crlf:]
        *whole, rest = (self._rest + data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).split(b"\n")
        self._rest = rest[:_LONGEST]  # nothing that long is a command
        return [line.decode(errors="replace") for line in whole]

    def finish(self) -> list[str]:
        """The last line, if it has no end."""
        rest, self._rest = self._rest, b""
        return [rest.decode(errors="replace")] if rest else []


class Inbox:
    """All that happens to the brain, in order: lines, the end of the input, and whatever is posted."""

    def __init__(self, read: Callable[[], bytes], clock: Callable[[], float] = time.monotonic) -> None:
        self._read = read
        self._clock = clock
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.ending = False  # END or the end of the input is somewhere in the queue

    def start(self) -> None:
        threading.Thread(target=self._listen, name="input", daemon=True).start()

    def post(self, event: object) -> None:
        self._queue.put(event)

    def next(self, timeout: float | None = None) -> object | None:
        """The next event, or None after the time given."""
        try:
            return self._queue.get(timeout=None if timeout is None else max(0.0, timeout))
        except queue.Empty:
            return None

    def _listen(self) -> None:
        splitter = LineSplitter()
        data = b"?"
        while data:
            data = self._heard()
            texts = splitter.feed(data) if data else splitter.finish()
            now = self._clock()
            lines = [Line(text, now) for text in texts if text.strip()]
            self.ending = self.ending or not data or any(line.word == "END" for line in lines)
            for line in lines:
                self.post(line)
        self.post(EndOfInput())

    def _heard(self) -> bytes:
        """What was read; an input that cannot be read is at its end."""
        try:
            return self._read()
        except OSError:
            return b""
