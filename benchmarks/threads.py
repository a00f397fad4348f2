"""What more threads are worth: how deep the flagship looks with them, and alone in as long and as many times as long.

    python benchmarks/threads.py --threads 2 --seconds 0.5 --positions 40

Needs a machine with nothing else to do. The three searches of a position follow each other, so that a machine whose
speed varies slows all of them alike.
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean

from fivestone.board import Board
from fivestone.match.flagship import flagship_spec
from fivestone.match.openings import load_openings
from fivestone.match.specs import make_player
from fivestone.search import Limit, SearchResult


def look(board: Board, threads: int, seconds: float) -> SearchResult:
    player = make_player(flagship_spec(board.size, board.rule, threads=threads, memory_mb=64))
    found = player.choose(board, Limit(time=seconds))
    player.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one search")
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--board", type=int, default=15)
    options = parser.parse_args()
    ways = [(1, options.seconds), (options.threads, options.seconds), (1, options.threads * options.seconds)]
    found: list[list[SearchResult]] = [[] for _ in ways]
    for number, opening in enumerate(load_openings("balanced", options.positions, seed=1, size=options.board), 1):
        board = Board(options.board)
        for move in opening:
            board.push(move)
        for results, (threads, seconds) in zip(found, ways, strict=True):
            results.append(look(board, threads, seconds))
        print(f"\r{number} of {options.positions} positions", end="", file=sys.stderr)
    print(file=sys.stderr)
    for results, (threads, seconds) in zip(found, ways, strict=True):
        speed = sum(result.nodes for result in results) / sum(result.seconds for result in results)
        depth = mean(result.depth for result in results)
        print(f"{threads} thread{'s' * (threads > 1)}, {seconds:g} s: {depth:.2f} plies, {speed:,.0f} nodes/s")


if __name__ == "__main__":
    main()
