"""The core's search for wins by continuous fours, against brute force and on its own promises."""

from __future__ import annotations

import random

import pytest
from bruteforce import five_points, random_position, shortest_vcf

from fivestone import Board, _core
from fivestone.board import RULES

NODES = 1_000_000


def vcf(board: Board, *, shortest: bool = True, nodes: int = NODES) -> int | None:
    """The length of the win, or None if there is none."""
    verdict, proof, _ = _core.Prover(1 << 16).solve(board, False, nodes, None, 200, shortest)
    assert verdict != _core.Verdict.UNKNOWN
    assert (proof is not None) == (verdict == _core.Verdict.WIN)
    return None if proof is None else proof.length


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "stones"), [(6, (8, 26)), (7, (8, 24))])
def test_finds_the_shortest_win_that_brute_force_finds(rule: str, size: int, stones: tuple[int, int]) -> None:
    rng = random.Random(f"{rule}{size}")
    found = 0
    for _ in range(90):
        board = random_position(rng, size, rule, rng.randint(*stones))
        expected = shortest_vcf(board, 20)
        assert vcf(board) == expected, board.diagram()
        assert (vcf(board, shortest=False) is None) == (expected is None), board.diagram()
        found += expected is not None and expected > 0
    assert found >= 2


@pytest.mark.parametrize("rule", RULES)
def test_the_line_is_legal_and_ends_in_five(rule: str) -> None:
    rng = random.Random(rule)
    lengths = set()
    for _ in range(100):
        board = random_position(rng, 15, rule, rng.randint(20, 50))
        before = board.copy()
        _, proof, _ = _core.Prover(1 << 16).solve(board, False, NODES, None, 200, True)
        assert board == before
        if proof is None:
            continue
        lengths.add(proof.length)
        attacker = board.turn
        line = proof.main_line(board)
        assert len(line) == 2 * proof.length + 1
        assert proof.holds(board)
        for ply, move in enumerate(line):
            board.push(move)
            assert ply % 2 or board.winner == attacker or five_points(board, attacker)
        assert board.winner == attacker
    assert {0, 1, 2, 3} <= lengths


def test_stops_at_the_node_limit() -> None:
    board = Board.from_stones(["d4", "e4", "f4", "h10", "h11", "h12"], ["c4", "h9", "a1", "a3", "a5", "a7"])
    assert vcf(board) is None
    verdict, proof, nodes = _core.Prover(1 << 16).solve(board, False, 3, None, 200, True)
    assert (verdict, proof) == (_core.Verdict.UNKNOWN, None)
    assert nodes <= 3


def test_the_benchmark_searches_the_same_positions_every_time() -> None:
    nodes, seconds, wins = _core.bench_vcf()
    assert nodes > 100_000
    assert seconds > 0
    assert wins > 0
    assert _core.bench_vcf()[::2] == (nodes, wins)
