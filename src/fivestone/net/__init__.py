"""Nets: what they are made of, how they are stored, and who judges positions with them."""

from fivestone.net.line import LineNet
from fivestone.net.load import game_of, load_net, shipped_nets

__all__ = ["LineNet", "game_of", "load_net", "shipped_nets"]
