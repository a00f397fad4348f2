"""How the weak levels err: what they miss when it is there to be seen, by kind, and the price of their quiet moves.

    python benchmarks/levels.py --level 2 --games 200

A five, an open four or a four-three is missed when it is the most urgent threat on the board and the move neither
makes nor stops it. A quiet move is missed when it is worse than the reference's by more than 0.01 in value.
"""

from __future__ import annotations

import argparse
import random

from fivestone import Board, _core
from fivestone.match import make_player, play_game
from fivestone.match.attention import KINDS, facts_of
from fivestone.search import Limit
from fivestone.search.alphabeta import AlphaBeta

REFERENCE = Limit(nodes=3000)
WORSE = 0.01


def loss(reference: AlphaBeta, board: Board, move: int) -> float:
    """How much value the move gives away, by the reference."""
    best = reference.search(board, REFERENCE)
    if best.move == move:
        return 0.0
    board.push(move)
    after = 1.0 if board.is_over else -reference.search(board, REFERENCE).value
    board.pop()
    return best.value - after


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--board", type=int, default=15)
    parser.add_argument("--quiet-share", type=float, default=0.1, help="share of the quiet moves that is judged")
    options = parser.parse_args()
    kinds = [*KINDS, "quiet"]
    chances, misses = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    reference, rng = AlphaBeta(hash_mb=16), random.Random(0)
    for seed in range(options.games):
        players = [make_player(f"level:{options.level}", seed=2 * seed + side) for side in (0, 1)]
        game = play_game(players[0], players[1], size=options.board, limit=Limit())
        board = Board(options.board)
        for move in game.moves:
            facts = facts_of(board, _core.Position(board))
            if facts:
                chances[facts[0].kind] += 1
                misses[facts[0].kind] += move not in facts[0].moves
            elif board.stone_count and rng.random() < options.quiet_share:
                chances["quiet"] += 1
                misses["quiet"] += loss(reference, board, move) > WORSE
            board.push(move)
    print(f"level {options.level}, {options.games} games, {options.board}x{options.board}")
    for kind in kinds:
        rate = f"{misses[kind] / chances[kind]:7.1%}" if chances[kind] else "      -"
        print(f"{kind:12}{misses[kind]:6} of{chances[kind]:6}{rate}")


if __name__ == "__main__":
    main()
