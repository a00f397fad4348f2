"""Random-rollout tree search against open_spiel's C++ MCTS in the same run, on one thread.

    python benchmarks/rollouts.py [--simulations 20000] [--rounds 5]

Both play UCT with uniformly random games to the end, solver off, all empty cells, from the empty board, and expand a
leaf when it is reached again. open_spiel adds uct_c sqrt(ln N / n) to a mean in [-1, 1], we add c sqrt(ln N / n) to one
in [0, 1], so c = uct_c / 2. Time is that of this process: other work on the machine does not count. Needs open_spiel.
"""

from __future__ import annotations

import argparse
import time

import pyspiel

from fivestone.board import Board
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

UCT_C = 2.0


def ours(size: int, simulations: int, seed: int) -> float:
    """Simulations a second."""
    searcher = Mcts("rollout", select="ucb1", c=UCT_C / 2, solver=False, seed=seed, memory_mb=1024)
    started = time.process_time()
    searcher.search(Board(size), Limit(visits=simulations))
    return simulations / (time.process_time() - started)


def theirs(size: int, simulations: int, seed: int) -> float:
    game = pyspiel.load_game("gomoku", {"size": size})
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, 1024, False, seed, False)
    state = game.new_initial_state()
    started = time.process_time()
    bot.step(state)
    return simulations / (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'board':>7}  {'fivestone/s':>11}  {'open_spiel/s':>12}  {'ratio':>6}   medians of {options.rounds}")
    for size in (9, 15):
        # Turn about, so that both meet the same machine.
        pairs = [
            (ours(size, options.simulations, seed), theirs(size, options.simulations, seed))
            for seed in range(options.rounds)
        ]
        own, other = (sorted(speeds)[len(pairs) // 2] for speeds in zip(*pairs, strict=True))
        print(f"{size}x{size:<4}  {own:>11,.0f}  {other:>12,.0f}  {own / other:>6.1f}")


if __name__ == "__main__":
    main()
