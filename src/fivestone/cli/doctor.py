"""fivestone doctor: what is installed, what is missing and how to get it."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata

import click

__all__ = ["command"]

_NEEDED = ("numpy", "click", "rich", "starlette", "uvicorn", "websockets")
# Distribution -> (extra that brings it, what it is for).
_EXTRAS = {
    "torch": ("torch", "convolutional nets, training on a GPU"),
    "pygame-ce": ("desktop", "the desktop board"),
    "ray": ("cluster", "self-play on several machines"),
    "onnxruntime": ("onnx", "nets in ONNX format"),
    "matplotlib": ("plot", "curves of a training run"),
    "tensorboard": ("tensorboard", "the same in TensorBoard"),
}


@click.command()
def command() -> None:
    """Say what is installed, what is missing and how to get it, which CPU path is in use and whether there is a GPU."""
    from fivestone import _core
    from fivestone.net import device

    installed = _version("fivestone") or "not installed as a package"
    click.echo(f"fivestone    {installed}")
    click.echo(f"python       {platform.python_version()} ({sys.executable})")
    click.echo(f"system       {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    click.echo(f"CPU path     {_core.kernel_names(32)[0]} (of {', '.join(_core.kernel_names(32))})")
    click.echo(f"GPU          {'used by torch for learning' if device.torch_sees_gpu() else 'none that torch can use'}")
    missing = [name for name in _NEEDED if not _report(name)]
    for name, (extra, purpose) in _EXTRAS.items():
        if not _report(name, purpose):
            click.echo(f"{'':12} pip install 'fivestone[{extra}]'")
    if missing:
        click.echo(f"Fivestone cannot run without {', '.join(missing)}: pip install --force-reinstall fivestone")
        sys.exit(1)


def _report(name: str, purpose: str = "") -> bool:
    """Prints a line about a distribution; whether it is there."""
    version = _version(name)
    click.echo(f"{name:12} {version or 'missing'}{f' ({purpose})' if purpose else ''}")
    return version is not None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
