"""Searchers: from a board and a limit to a move with its reasons."""

from fivestone.search.proofs import Proof, Solution, Solver, solve
from fivestone.search.result import Limit, MoveInfo, OnResult, Searcher, SearchResult

__all__ = [
    "Limit",
    "MoveInfo",
    "OnResult",
    "Proof",
    "SearchResult",
    "Searcher",
    "Solution",
    "Solver",
    "solve",
]
