"""The empty board as Black, where free five in a row is a proven win: how often a player gets there.

    python benchmarks/first_move.py level:max greedy --games 40 --time 1

The first player has Black in every game. Later games of the same two players may be copies of earlier ones, so the
different ones are counted, too.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from fivestone.board import BLACK
from fivestone.match.game import GameRecord
from fivestone.match.pool import play_all
from fivestone.match.schedule import GameTask
from fivestone.search import Limit


def summary(records: list[GameRecord]) -> str:
    points = Counter(record.points(BLACK) for record in records)
    different = len({tuple(record.moves) for record in records})
    forfeits = Counter(record.reason for record in records if record.forfeit)
    text = f"Black {points[1.0]}-{points[0.5]}-{points[0.0]} in {len(records)} games, {different} different"
    return text + "".join(f", {count} by {reason}" for reason, count in sorted(forfeits.items()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("black")
    parser.add_argument("white")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move")
    parser.add_argument("--board", type=int, default=15)
    parser.add_argument("--concurrency", type=int, default=1)
    options = parser.parse_args()
    tasks = [
        GameTask(
            key=str(number),
            black=options.black,
            white=options.white,
            opening=(),
            size=options.board,
            rule="freestyle",
            win_length=5,
            limit=Limit(time=options.time),
            grace=0.5,
            seed=number,
        )
        for number in range(options.games)
    ]
    records: list[GameRecord] = []
    for _task, record in play_all(tasks, options.concurrency):
        records.append(record)
        print(f"\r{len(records)} of {options.games} games", end="", file=sys.stderr)
    print(file=sys.stderr)
    print(f"{options.black} against {options.white}: {summary(records)}")


if __name__ == "__main__":
    main()
