"""The graded puzzles that come with the page: wins by continuous fours, the longer the harder.

`python -m fivestone.apps.web.puzzles` makes the file anew, the same one every time.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from fivestone.analysis.puzzles import make_puzzles
from fivestone.apps.web.coach import interleave
from fivestone.board import Board

__all__ = ["GRADES", "graded_puzzles"]

GRADES = 5
_LENGTHS = {1: (2, 2), 2: (3, 3), 3: (4, 4), 4: (5, 6), 5: (7, 99)}  # moves of the winning side
_EACH = 30
_FILE = "puzzles.json"


@cache
def _shelf() -> dict[int, list[dict[str, Any]]]:
    text = (resources.files("fivestone.apps.web") / _FILE).read_text()
    shelf: dict[int, list[dict[str, Any]]] = {}
    for grade, games in json.loads(text).items():
        shelf[int(grade)] = [
            {
                "id": number,
                "grade": int(grade),
                "size": 15,
                "rule": "freestyle",
                "moves": list(Board.from_moves(moves).moves),
            }
            for number, moves in enumerate(games)
        ]
    return shelf


def graded_puzzles(grade: int) -> list[dict[str, Any]]:
    return _shelf()[grade]


def _make() -> dict[int, list[str]]:
    shelf: dict[int, list[str]] = {}
    for grade, (shortest, longest) in _LENGTHS.items():
        found = make_puzzles(seed=grade, shortest=shortest, longest=longest)
        shelf[grade] = []
        for puzzle in islice(found, _EACH):
            board = puzzle.board()
            moves = interleave(list(puzzle.black), list(puzzle.white))
            shelf[grade].append("".join(board.name_of(move) for move in moves))
    return shelf


if __name__ == "__main__":
    path = Path(__file__).with_name(_FILE)
    path.write_text(json.dumps(_make(), indent=0) + "\n")
