"""Runs one program and sees to it that nothing of it outlives whoever asked for it.

This file is started as a script of its own, `python -I -S guard.py FD MEMORY FOLDER PROGRAM [ARGUMENT...]`, and so
imports nothing from the package. FD is one end of a socket whose other end the parent holds. The guard writes
`pid N` to it, then, when the program has ended, `exit CODE`, `signal NUMBER`, `memory BYTES` or `failed REASON`. When
the parent's end closes, be it by kill -9, the guard kills the program with everything it started, deletes
FOLDER and ends. It is a process because a thread, or a signal on the parent's death, depends on the parent: the
kernel sends that signal when the *thread* that forked ends, which in a pool of workers is too early.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import sys
from typing import NoReturn

__all__ = ["main"]

_SUBREAPER = 36
_DEATH_SIGNAL = 1
_MEMORY_POLL = 0.1
_PARENT_POLL = 1.0
_FAREWELL = 0.5


def main(arguments: list[str]) -> None:
    line = int(arguments[0])
    memory = int(arguments[1])
    folder = arguments[2]
    parent = os.getppid()
    os.set_inheritable(line, False)
    _prctl(_SUBREAPER, 1)  # what the program's children leave behind comes to us
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
    child = os.fork()
    if child == 0:
        _become(arguments[3:], line)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(child, child)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # or the parent would never see the end of the program's output
        os.dup2(null, standard)
    _say(line, f"pid {child}")

    orphaned = False
    verdict = ""
    while not verdict and not orphaned and not ended:
        ready, _, _ = select.select([line, wake_read], [], [], _MEMORY_POLL if memory else _PARENT_POLL)
        # A copy of the parent's end in another process would keep the line open: look at the parent too.
        orphaned = line in ready or os.getppid() != parent
        if wake_read in ready:
            os.read(wake_read, 4096)
        verdict = _reap(child)
        if memory and not verdict and (used := _resident(child)) > memory:
            verdict = f"memory {used}"
    _kill_all(child)
    _say(line, verdict or "signal 9")
    # When the parent dies the program may end first, because its input has ended: give the news time to arrive.
    ready, _, _ = select.select([line], [], [], 0 if orphaned else _FAREWELL)
    if orphaned or line in ready or os.getppid() != parent:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _become(command: list[str], line: int) -> NoReturn:
    """Turns the forked child into the program."""
    try:
        os.setpgid(0, 0)
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)  # should the guard itself be killed
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execv(command[0], command)
    except OSError as error:
        _say(line, f"failed {error.strerror}")
    finally:
        os._exit(127)


def _say(line: int, text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(line, text.encode() + b"\n")


def _reap(child: int) -> str:
    """Buries whatever has ended; how the program ended, if it did."""
    verdict = ""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return verdict
        if pid == 0:
            return verdict
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            verdict = f"exit {code}" if code >= 0 else f"signal {-code}"


def _kill_all(child: int) -> None:
    """Kills the program's process group and every process that came from it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    while True:
        # The children of what we kill become ours, so this ends only when none is left.
        for pid in _children(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children(pid: int) -> list[int]:
    """The children of a process; none where the kernel does not list them."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += [int(child) for child in file.read().split()]
    return found


def _resident(pid: int) -> int:
    """Bytes of memory that a process and its descendants hold; 0 where there is no /proc."""
    total = 0
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
        total = int(file.read().split()[1]) * resource.getpagesize()
    return total + sum(_resident(child) for child in _children(pid))


def _prctl(option: int, value: int) -> None:
    """A process setting that only Linux has."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
