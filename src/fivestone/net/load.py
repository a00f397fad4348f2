"""Finding a net by the name it ships under, or by path."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from fivestone.errors import BadInput
from fivestone.net.line import LineNet

__all__ = ["load_net", "shipped_nets"]


def _weights() -> Path:
    return Path(str(resources.files("fivestone"))) / "weights"


def shipped_nets() -> dict[str, Path]:
    """The line nets that come with the package, by name."""
    return {path.stem: path for path in sorted(_weights().glob("*.npz"))}


def load_net(name_or_path: str | os.PathLike[str]) -> LineNet:
    """The net of that name, or the one stored in that file."""
    shipped = shipped_nets()
    if isinstance(name_or_path, str) and name_or_path in shipped:
        return LineNet.load(shipped[name_or_path])
    if not Path(name_or_path).is_file():
        known = ", ".join(shipped) or "none yet"
        raise BadInput(f"no net '{name_or_path}': give the path of an .npz file or a shipped name ({known})")
    return LineNet.load(name_or_path)
