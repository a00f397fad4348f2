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
from fivestone.apps.web.files import setup_of
from fivestone.board import Board
from fivestone.notation import format_move, split_moves

__all__ = ["GRADES", "graded_puzzles"]

GRADES = 5
_LENGTHS = {1: (2, 2), 2: (3, 3), 3: (4, 4), 4: (5, 6), 5: (7, 99)}  # moves of the winning side
_EACH = 30
_FILE = "puzzles.json"


@cache
def _shelf() -> dict[int, list[dict[str, Any]]]:
    text = (resources.files("fivestone.apps.web") / _FILE).read_text()
    shelf: dict[int, list[dict[str, Any]]] = {}
    for grade, stones in json.loads(text).items():
        shelf[int(grade)] = [
            {
                "id": number,
                "grade": int(grade),
                "size": 15,
                "rule": "freestyle",
                "setup": setup_of(Board.from_stones(split_moves(black), split_moves(white))),
                "moves": [],
            }
            for number, (black, white) in enumerate(stones)
        ]
    return shelf


def graded_puzzles(grade: int) -> list[dict[str, Any]]:
    return _shelf()[grade]


def _make() -> dict[int, list[list[str]]]:
    shelf: dict[int, list[list[str]]] = {}
    for grade, (shortest, longest) in _LENGTHS.items():
        found = make_puzzles(seed=grade, shortest=shortest, longest=longest)
        shelf[grade] = []
        for puzzle in islice(found, _EACH):
            sides = (puzzle.black, puzzle.white)
            shelf[grade].append(["".join(format_move(move, puzzle.size) for move in side) for side in sides])
    return shelf


if __name__ == "__main__":
    rows = [f'"{grade}": [\n' + ",\n".join(map(json.dumps, stones)) + "\n]" for grade, stones in _make().items()]
    Path(__file__).with_name(_FILE).write_text("{\n" + ",\n".join(rows) + "\n}\n")
