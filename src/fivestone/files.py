"""Writing files so that a reader, a crash or a full disk never sees half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from fivestone.errors import BadFile

__all__ = ["append_line", "write_atomically"]


def write_atomically(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Writes to a temporary file beside the path, flushes it to the disk and renames it into place."""
    target = Path(path)
    content = data.encode() if isinstance(data, str) else data
    temporary: str | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
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
    except OSError as error:
        raise BadFile(f"cannot write {target}: {error.strerror}") from None
