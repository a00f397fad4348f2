"""Finding a net by the name it ships under, or by path."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fivestone.errors import BadInput
from fivestone.net.conv import ConvNet
from fivestone.net.line import LineNet
from fivestone.net.netfile import format_of, read_header

__all__ = ["NetGame", "game_of", "load_net", "shipped_nets"]


def _weights() -> Path:
    return Path(__file__).parent.parent / "weights"


def shipped_nets() -> dict[str, Path]:
    """The nets that come with the package, by name."""
    return {path.stem: path for path in sorted(_weights().glob("*.npz"))}


@dataclass(frozen=True)
class NetGame:
    """The game a net was made for; a size of None is every size."""

    rule: str
    size: int | None
    win_length: int


def game_of(path: Path) -> NetGame:
    """What a net plays, by its card alone: the weights stay in the file."""
    header = read_header(path)
    return NetGame(header["rule"], header.get("size"), header.get("win_length", 5))


def load_net(name_or_path: str | os.PathLike[str]) -> LineNet | ConvNet:
    """The net of that name, or the one stored in that file."""
    shipped = shipped_nets()
    if isinstance(name_or_path, str) and name_or_path in shipped:
        return _load(shipped[name_or_path])
    if not Path(name_or_path).is_file():
        known = ", ".join(shipped) or "none yet"
        raise BadInput(f"no net '{name_or_path}': give the path of an .npz file or a shipped name ({known})")
    return _load(Path(name_or_path))


def _load(path: Path) -> LineNet | ConvNet:
    """Reads either kind, told apart by the format its card names."""
    return ConvNet.load(path) if read_header(path)["format"] == format_of("conv net") else LineNet.load(path)
