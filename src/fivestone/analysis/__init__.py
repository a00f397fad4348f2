"""Explaining: threats named, hints with reasons, whole games reviewed, puzzles."""

from fivestone.analysis.hints import Hint, hint
from fivestone.analysis.reasons import Reason, explain_move
from fivestone.analysis.threats import NamedThreat, combinations_of, threats_of

__all__ = ["Hint", "NamedThreat", "Reason", "combinations_of", "explain_move", "hint", "threats_of"]
