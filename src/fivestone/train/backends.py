"""The kinds of nets there are to train."""

from __future__ import annotations

from fivestone.errors import BadInput, MissingExtra
from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig

__all__ = ["make_backend"]


def make_backend(
    config: TrainConfig, *, init: str | None = None, device: str = "auto", ray: str | None = None
) -> Backend:
    """The backend for the config's kind of net, from random weights or from the net `init` names.

    `ray` is the address of a cluster whose actors play the games, "" for one on this machine, None for no cluster.
    """
    if ray is not None:
        from fivestone.train.cluster import RayBackend

        if config.net != "line":
            raise BadInput("only the line net trains on a cluster")
        if config.search != "tree":
            raise BadInput("games of alpha-beta are played on one machine: leave --ray out")
        return RayBackend(config, init=init, device=device, address=ray or None)
    if config.net == "line":
        from fivestone.train.line_backend import LineBackend

        return LineBackend(config, init=init, device=device)
    from fivestone.net.conv import KINDS

    if config.net not in KINDS:
        raise BadInput(f"net is '{config.net}': choose line, {', '.join(KINDS)}")
    try:
        from fivestone.train.conv_backend import ConvBackend
    except ImportError:
        raise MissingExtra("training a conv net", "torch") from None
    return ConvBackend(config, init=init, device=device)
