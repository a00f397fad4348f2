"""fivestone bench: how fast everything is on one thread, and the signature of the search.

The signature is the number of nodes alpha-beta needs for fixed positions at a fixed depth: it changes when the search
behaves differently, and only then. Seconds are the processor's for this process: other work on the machine does not
count.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

import click

from fivestone import _core
from fivestone.board import RULES, Board
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.mcts import Mcts
from fivestone.search.result import Limit

__all__ = ["DEPTH", "POSITIONS", "QUICK_DEPTH", "SPEED_DEPTH", "command", "signature"]

DEPTH: Final = 7
SPEED_DEPTH: Final = 9
QUICK_DEPTH: Final = 5  # instead, for a quick look
# Size, rule and moves: openings, middle games, an edge, a corner, and every rule.
POSITIONS: Final = (
    (15, "freestyle", "h8i9"),
    (15, "freestyle", "h8h9i8g8j10"),
    (15, "freestyle", "h8i9j8h10g8f8"),
    (15, "freestyle", "h8h7h10g8e10i8j5g6j9"),
    (15, "freestyle", "b2c3b4d4c5a3e3f2"),
    (15, "freestyle", "a8b9b7c8a10c6d7d9"),
    (20, "freestyle", "j10k11k9l10i8m9"),
    (9, "freestyle", "e5d6f6e7d4g5"),
    (15, "standard", "h8i8h10i9g9j7"),
    (15, "renju", "h8i9j8g10h6k8i6"),
    (15, "caro", "h8i9i7g9h10j8"),
    (15, "caro-exact", "h8g9i9h10g7i7"),
)
_SECONDS: Final = 1.0
_QUICK_SECONDS: Final = 0.05


@dataclass(frozen=True)
class _Effort:
    """How long to measure: seconds for a rate, and the depth alpha-beta searches to."""

    seconds: float
    depth: int


def signature() -> int:
    """The nodes of a search of every position to the fixed depth, each with an empty table."""
    engine = AlphaBeta(hash_mb=16)
    nodes = 0
    for size, rule, moves in POSITIONS:
        engine.new_game()
        nodes += engine.search(Board.from_moves(moves, size, rule), Limit(depth=DEPTH)).nodes
    return nodes


def _rate(step: Callable[[], int], seconds: float) -> float:
    """What `step` counts, a second; it is called until so many have passed."""
    count, started = 0, time.process_time()
    while (passed := time.process_time() - started) < seconds:
        count += step()
    return count / passed


def _alphabeta(engine: AlphaBeta, depth: int, rules: Collection[str] = RULES) -> float:
    """Nodes a second on the 15x15 positions. The tables of patterns and weights have been built by then."""
    nodes, seconds = 0, 0.0
    for size, rule, moves in POSITIONS:
        if size == 15 and rule in rules:
            engine.new_game()
            board, started = Board.from_moves(moves, size, rule), time.process_time()
            nodes += engine.search(board, Limit(depth=depth)).nodes
            seconds += time.process_time() - started
    return nodes / seconds


def _push_pop(loop: Callable[[Board, int], object], seconds: float) -> float:
    """Stones placed and taken back in the core, a second."""
    board, count = Board.from_moves(POSITIONS[3][2]), 100_000

    def step() -> int:
        loop(board, count)
        return count

    return _rate(step, seconds)


def _vcf(seconds: float) -> float:
    nodes, passed = 0, 0.0
    while passed < seconds:
        more = _core.bench_vcf()
        nodes, passed = nodes + more[0], passed + more[1]
    return nodes / passed


def _rollouts(size: int, seconds: float) -> float:
    board = Board(size)
    engine = Mcts("rollout", solver=False, reuse=False)
    return _rate(lambda: engine.search(board, Limit(visits=20_000)).visits, seconds)


def _net_figures(effort: _Effort) -> dict[str, Any]:
    """Tree search and alpha-beta with the shipped line net."""
    from fivestone.net import LineNet, load_net

    net = load_net("line")
    assert isinstance(net, LineNet)

    def rate(size: int) -> float:
        board = Board(size)
        engine = Mcts(net, reuse=False)
        return _rate(lambda: engine.search(board, Limit(visits=20_000)).visits, effort.seconds)

    return {
        "net_sims_per_s": {str(size): round(rate(size)) for size in (9, 15)},
        "alphabeta_net_nps": round(_alphabeta(AlphaBeta(hash_mb=16, net=net), effort.depth, ("freestyle",))),
    }


def _measure(effort: _Effort) -> dict[str, Any]:
    return {
        "signature": signature(),
        "alphabeta_nps": round(_alphabeta(AlphaBeta(hash_mb=16), effort.depth)),
        "vcf_nps": round(_vcf(effort.seconds)),
        "push_pop_per_s": round(_push_pop(_core.bench_push_pop, effort.seconds)),
        "pattern_push_pop_per_s": round(_push_pop(_core.bench_position, effort.seconds)),
        "rollout_sims_per_s": {str(size): round(_rollouts(size, effort.seconds)) for size in (9, 15)},
        **_net_figures(effort),
    }


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--quick", is_flag=True, help="Measure for a moment only: rough figures, the same signature.")
def command(as_json: bool, quick: bool) -> None:
    """Measure the engine on one thread."""
    figures = _measure(_Effort(_QUICK_SECONDS, QUICK_DEPTH) if quick else _Effort(_SECONDS, SPEED_DEPTH))
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"signature            {figures['signature']}")
    click.echo(f"alpha-beta           {figures['alphabeta_nps']:>12,} nodes/s")
    click.echo(f"... with the net     {figures['alphabeta_net_nps']:>12,} nodes/s")
    click.echo(f"continuous fours     {figures['vcf_nps']:>12,} nodes/s")
    click.echo(f"push and pop         {figures['push_pop_per_s']:>12,} /s")
    click.echo(f"... with patterns    {figures['pattern_push_pop_per_s']:>12,} /s")
    for name, title in (("rollout_sims_per_s", "rollouts"), ("net_sims_per_s", "line net")):
        for size, rate in figures[name].items():
            click.echo(f"{f'{title} {size}x{size}':<20} {rate:>12,} simulations/s")
