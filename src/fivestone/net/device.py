"""Where a net learns and runs in torch: on a GPU where there is one."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from fivestone.errors import BadInput, MissingExtra

__all__ = ["choose_device", "torch_sees_gpu"]

# Linux: the drivers of NVIDIA, AMD and of Windows' own Linux.
_DRIVERS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")


def torch_sees_gpu() -> bool:
    """Whether torch is installed and has a GPU to run on; torch is imported only where that may be so."""
    if importlib.util.find_spec("torch") is None:
        return False
    if sys.platform == "linux" and not any(Path(driver).exists() for driver in _DRIVERS):
        return False
    import torch

    return bool(torch.cuda.is_available())


def choose_device(name: str = "auto", sees_gpu: Callable[[], bool] = torch_sees_gpu) -> str:
    """torch's name of a device: "auto" is the GPU where there is one, else the CPU."""
    kind, _, number = name.partition(":")
    if kind not in ("auto", "cpu", "cuda") or (number and not (number.isdecimal() and kind != "auto")):
        raise BadInput(f"unknown device '{name}': choose auto, cpu, cuda or, of several, cuda:1")
    if kind == "auto":
        return "cuda" if sees_gpu() else "cpu"
    if kind == "cuda" and not sees_gpu():
        if importlib.util.find_spec("torch") is None:
            raise MissingExtra(f"--device {name}", "torch")
        raise BadInput(f"--device {name}: there is no GPU that torch can use; leave it out, or say cpu")
    return name
