"""The line net in floats and in 16-bit numbers in the same run, on one thread.

    python benchmarks/linenet.py [--net line] [--leaves 20000] [--simulations 20000]

First evaluations alone, for every compiled form the machine can run: all judge the same leaves, as a tree meets them,
five hundred at a time turn about. Then whole searches from the empty board, by the time of this process.
"""

from __future__ import annotations

import argparse
import time

from fivestone import _core
from fivestone.board import Board
from fivestone.net import LineNet, load_net
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

SIZES = (9, 15, 20)


def evaluations(net: LineNet, leaves: int) -> None:
    if net.quantised is None:
        raise SystemExit("16-bit numbers cannot hold this net")
    figures = {size: _core.bench_line_net(net.core, net.quantised, size, leaves) for size in SIZES}
    print(f"{'evaluations/s':<22}" + "".join(f"{f'{size}x{size}':>12}" for size in SIZES))
    for name in figures[SIZES[0]]:
        print(f"{name:<22}" + "".join(f"{1 / figures[size][name]:>12,.0f}" for size in SIZES))
    ratios = [
        next(seconds for name, seconds in figures[size].items() if name.startswith("float"))
        / next(seconds for name, seconds in figures[size].items() if name.startswith("int16"))
        for size in SIZES
    ]
    print(f"{'best int16 / float':<22}" + "".join(f"{ratio:>12.2f}" for ratio in ratios))


def searches(net: LineNet, simulations: int) -> None:
    def speed(size: int, floats: bool, seed: int) -> float:
        net.floats = floats
        searcher = Mcts(net, seed=seed, reuse=False)
        started = time.process_time()
        searcher.search(Board(size), Limit(visits=simulations))
        return simulations / (time.process_time() - started)

    print(f"{'simulations/s':<22}" + "".join(f"{f'{size}x{size}':>12}" for size in SIZES))
    best = {
        size: {floats: max(speed(size, floats, seed) for seed in range(5)) for floats in (True, False)}
        for size in SIZES
    }
    for floats, name in ((True, "float"), (False, "int16")):
        print(f"{name:<22}" + "".join(f"{best[size][floats]:>12,.0f}" for size in SIZES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="line")
    parser.add_argument("--leaves", type=int, default=20_000)
    parser.add_argument("--simulations", type=int, default=20_000)
    options = parser.parse_args()
    net = load_net(options.net)
    if not isinstance(net, LineNet):
        raise SystemExit(f"{options.net} is not a line net")
    evaluations(net, options.leaves)
    searches(net, options.simulations)


if __name__ == "__main__":
    main()
