"""The file of a net: its arrays and its card in one .npz, read with pickle off and within a size."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fivestone.errors import BadFile, BadInput
from fivestone.files import write_atomically

__all__ = ["Arrays", "format_of", "read_header", "read_net", "write_net"]

Arrays = dict[str, NDArray[Any]]
Net = TypeVar("Net")

_CARD = "card"
# The largest net there can be (line, renju, width 64) takes about 110 MB unpacked.
_MOST_BYTES = 256 << 20
_DAMAGE = (zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError, EOFError, BadInput)


def format_of(kind: str) -> str:
    """What the header of a "line net" or "conv net" says it is."""
    return f"fivestone {kind} 1"


def read_net(path: str | os.PathLike[str], kind: str, make: Callable[[dict[str, Any], Arrays], Net]) -> Net:
    """The net that `make` makes of header and arrays; whatever it finds wrong with them is the file's fault."""
    try:
        arrays = _read(path)
        header = json.loads(str(arrays.pop(_CARD)))
        if header.get("format") != format_of(kind):
            raise BadInput("it says it is something else")
        return make(header, arrays)
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise BadFile(f"{path} is not a {kind}: {error}") from None


def read_header(path: Path) -> dict[str, Any]:
    """What a net says of itself: the weights stay in the file."""
    try:
        header: dict[str, Any] = json.loads(str(_read(path, only=_CARD)[_CARD]))
        return {**header, "format": str(header["format"])}
    except (OSError, *_DAMAGE) as error:
        raise BadFile(f"{path} is damaged or is not a net ({type(error).__name__})") from None


def _read(path: str | os.PathLike[str], only: str | None = None) -> Arrays:
    with zipfile.ZipFile(path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise BadFile(f"{path} is too large for a net")
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files if only in (None, name)}


def write_net(path: str | os.PathLike[str], kind: str, header: dict[str, Any], arrays: Arrays) -> None:
    card = np.array(json.dumps({"format": format_of(kind), **header}))
    buffer = io.BytesIO()
    np.savez_compressed(buffer, card=card, **arrays)  # type: ignore[arg-type]
    write_atomically(Path(path), buffer.getvalue())
