"""Fivestone: five in a row (Gomoku) to play, to learn, to teach to a net, and to enter in tournaments."""

from fivestone.board import BLACK, EMPTY, RULES, WHITE, Board, color_name, other
from fivestone.errors import BadFile, BadInput, FivestoneError, IllegalMove, MissingExtra

__version__ = "0.1.0"

__all__ = [
    "BLACK",
    "EMPTY",
    "RULES",
    "WHITE",
    "BadFile",
    "BadInput",
    "Board",
    "FivestoneError",
    "IllegalMove",
    "MissingExtra",
    "color_name",
    "other",
]
