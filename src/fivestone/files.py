"""Writing files so that a reader, a crash, a full disk or a second writer never does harm."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fivestone.errors import BadFile, BadInput

__all__ = ["append_line", "check_writable", "hold", "write_atomically"]


def write_atomically(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Writes to a temporary file beside the path, flushes it to the disk and renames it into place.

    A link keeps pointing where it does. A device or a pipe is written to: a file in its place would be no use.
    """
    content = data.encode() if isinstance(data, str) else data
    temporary: str | None = None
    try:
        if _takes_bytes(Path(path)):
            Path(path).write_bytes(content)
            return
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise BadFile(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raises what writing the file would raise, before the work that it is for."""
    target = Path(path)
    if _takes_bytes(target):
        return
    if target.is_dir():
        raise BadFile(f"cannot write {target}: it is a folder, give the name of a file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        tempfile.NamedTemporaryFile(prefix=f".{target.name}.", dir=target.parent).close()
    except OSError as error:
        raise BadFile(f"cannot write {target}: {error.strerror}") from None


def append_line(path: str | os.PathLike[str], line: str) -> None:
    """Adds one line to a journal and flushes it to the disk; a torn last line from a crash is completed first."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "ab+") as file:
            torn = False
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                torn = file.read(1) != b"\n"
            file.write((b"\n" if torn else b"") + line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _takes_bytes(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder, such as /dev/null."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextlib.contextmanager
def hold(folder: Path, busy: str) -> Iterator[None]:
    """Keeps the folder for this process to write in; raises BadInput with the text `busy` where another one has it.

    The lock is SQLite's on an empty database: it works on every system and goes away with the process, however that
    ends. Readers need none.
    """
    lock: sqlite3.Connection | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / ".lock", timeout=0, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except (OSError, sqlite3.Error) as error:
        if lock is not None:
            lock.close()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise BadInput(busy) from None
        raise BadFile(f"cannot write in {folder}: {error}") from None
    try:
        yield
    finally:
        lock.close()
