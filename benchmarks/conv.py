"""What a position costs a conv net: in torch, in ONNX Runtime with floats and with 8-bit integers, side by side.

    python benchmarks/conv.py --sizes 6 7 8 9

Microseconds of CPU on one thread, the least of several tries, and how far policies are from the floats'. A net of
random weights is as slow as any other. Needs the extras `torch` and `onnx`.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
import torch

from fivestone.board import Board
from fivestone.net.conv import ConvNet
from fivestone.net.conv_onnx import OnnxEvaluator
from fivestone.net.conv_torch import TorchEvaluator
from fivestone.net.load import load_net
from fivestone.search.evaluator import Evaluator, Leaves

_TRIES = 20


def positions(size: int, count: int, seed: int) -> Leaves:
    """Of random games."""
    rng, boards = random.Random(seed), []
    while len(boards) < count:
        board = Board(size)
        for _ in range(rng.randrange(size * size // 2)):
            if not board.is_over:
                board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            boards.append(board)
    return Leaves.of(boards)


def seconds(evaluator: Evaluator, leaves: Leaves) -> float:
    started = time.process_time()
    evaluator.evaluate(leaves)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[6, 9])
    parser.add_argument("--net", help="a trained conv net instead of random weights; of one size")
    parser.add_argument("--batch", type=int, default=96)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("board  torch  floats  integers   KL of integers   (microseconds a position)")
    for size in options.sizes:
        net = ConvNet.random("conv-b", size) if options.net is None else load_net(options.net)
        assert isinstance(net, ConvNet)
        leaves = positions(net.size, options.batch, 1)
        evaluators: list[Evaluator] = [
            TorchEvaluator(net, "cpu"),
            OnnxEvaluator(net),
            OnnxEvaluator(net, examples=positions(net.size, 256, 2)),
        ]
        policies = [np.maximum(evaluator.evaluate(leaves)[0], 1e-12) for evaluator in evaluators]
        kl = float((policies[0] * np.log(policies[0] / policies[2])).sum(axis=1).mean())
        # In turn, so that what else the machine does meets all of them.
        tries = [[seconds(evaluator, leaves) for evaluator in evaluators] for _ in range(_TRIES)]
        cost = np.min(tries, axis=0) / options.batch * 1e6
        print(f"{net.size:5} {cost[0]:6.1f} {cost[1]:7.1f} {cost[2]:9.1f} {kl:16.5f}", flush=True)


if __name__ == "__main__":
    main()
