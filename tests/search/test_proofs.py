"""Proofs hold against every legal defence, under every rule, by the rule book alone."""

from __future__ import annotations

import json
import random
import threading

import pytest
from bruteforce import random_position

from fivestone import Board
from fivestone.board import RULES
from fivestone.errors import BadInput
from fivestone.search import Proof, Solver, solve
from fivestone.search.proofs import Answer
from oracle import BLACK, DIRECTIONS, OracleBoard


def makes_five(oracle: OracleBoard, move: int) -> bool:
    """Whether the stone on the move completes a row that wins."""
    row, column = divmod(move, oracle.size)
    color = oracle.grid[row][column]
    for rows, columns in DIRECTIONS:
        ends = []
        for way in (1, -1):
            length = 1
            while oracle.at((row + way * length * rows, column + way * length * columns)) == color:
                length += 1
            ends.append((length, oracle.at((row + way * length * rows, column + way * length * columns))))
        (ahead, one), (behind, other) = ends
        if oracle.run_wins(color, ahead + behind - 1, (one, other)):
            return True
    return False


def is_forbidden(oracle: OracleBoard, move: int) -> bool:
    return oracle.rule == "renju" and oracle.turn == BLACK and oracle._is_forbidden(divmod(move, oracle.size))


def holds(oracle: OracleBoard, node: Answer) -> bool:
    """Plays the attack against every legal defence."""
    assert oracle.grid[node.move // oracle.size][node.move % oracle.size] == 0
    assert not is_forbidden(oracle, node.move)
    oracle.play(node.move)
    won = makes_five(oracle, node.move)
    if not won:
        replies = [reply for reply in oracle.empty_moves() if not is_forbidden(oracle, reply)]
        won = bool(replies) and all(_beaten(oracle, reply, node.to(reply)) for reply in replies)
    oracle.undo()
    return won


def _beaten(oracle: OracleBoard, reply: int, answer: Answer | None) -> bool:
    oracle.play(reply)
    beaten = answer is not None and not makes_five(oracle, reply) and holds_at(oracle, answer)
    oracle.undo()
    return beaten


def holds_at(oracle: OracleBoard, answer: Answer) -> bool:
    if oracle.grid[answer.move // oracle.size][answer.move % oracle.size] != 0 or is_forbidden(oracle, answer.move):
        return False
    return holds(oracle, answer)


def oracle_of(board: Board) -> OracleBoard:
    return OracleBoard.from_stones(board.stones, board.turn, board.size, board.rule)


def proofs(rule: str, kind: str, size: int, stones: tuple[int, int], count: int) -> list[Proof]:
    """Proofs in random positions that are not won at once, and for threes not by fours either."""
    rng, solver = random.Random(f"{rule}{kind}{size}"), Solver(1)
    found: list[Proof] = []
    while len(found) < count:
        board = random_position(rng, size, rule, rng.randint(*stones), 1)
        before = board.copy()
        proof = solver.solve(board, "vcf", nodes=20_000).proof
        if kind == "vct" and proof is None:
            proof = solver.solve(board, "vct", nodes=20_000, shortest=True).proof
        elif kind == "vct":
            proof = None
        assert board == before
        if proof is not None and proof.length > 0:
            found.append(proof)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_wins_by_fours_hold_against_every_defence(rule: str) -> None:
    for proof in proofs(rule, "vcf", 9, (14, 50), 10) + proofs(rule, "vcf", 15, (20, 60), 2):
        assert proof.verify(), proof.board
        assert holds(oracle_of(proof.board), proof.root), proof.board


@pytest.mark.parametrize("rule", RULES)
def test_wins_by_threats_hold_against_every_defence(rule: str) -> None:
    checked = 0
    for proof in proofs(rule, "vct", 7, (10, 24), 3) + proofs(rule, "vct", 10, (12, 30), 4):
        assert proof.verify(), proof.board
        if sum(1 for _ in proof.root.walk()) < 50:  # the slow rule book is not for the big ones
            assert holds(oracle_of(proof.board), proof.root), proof.board
            checked += 1
    assert checked > 0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", ["vcf", "vct"])
def test_replay_ends_in_five_whatever_the_defender_does(rule: str, kind: str) -> None:
    rng = random.Random(rule)
    for proof in proofs(rule, kind, 11, (16, 36), 3):
        for _ in range(20):
            board = proof.replay(lambda at: rng.choice(at.legal_moves))
            assert board.winner == proof.attacker
            assert len(board.moves) - len(proof.board.moves) <= 2 * proof.length + 1
        line = iter(proof.line[1::2])
        played = proof.replay(lambda _, line=line: next(line)).moves  # type: ignore[misc]
        assert tuple(played) == (*proof.board.moves, *proof.line)
        assert len(proof.line) == 2 * proof.length + 1


def test_verify_fails_where_a_stone_of_the_defender_breaks_the_proof() -> None:
    proof = solve(Board.from_stones(["d4", "e4", "f4"], ["a1", "a2", "a4"], BLACK))
    assert proof is not None
    assert proof.verify()
    for stone, good in (("c4", False), ("g4", False), ("a3", False), ("l12", True)):
        other = Board.from_stones(["d4", "e4", "f4"], ["a1", "a2", "a4", stone], BLACK)
        assert proof._tree.holds(other) is good, stone


def test_json_is_the_tree_by_name() -> None:
    proof = solve(Board.from_stones(["d4", "e4", "f4"], ["a1", "a2", "a4"], BLACK))
    assert proof is not None
    data = json.loads(json.dumps(proof.to_json()))
    assert (data["kind"], data["attacker"], data["length"]) == ("vcf", "black", 1)
    assert data["line"] == [proof.board.name_of(move) for move in proof.line]
    tree = data["tree"]
    assert tree["move"] == data["line"][0]
    for defence, answer in tree["answers"].items():
        assert set(answer) == {"move"}
        assert {defence, answer["move"]} <= {"b4", "c4", "g4", "h4"}
    assert set(tree["otherwise"]) == {"move"}


def test_every_win_by_fours_is_a_win_by_threats() -> None:
    rng, solver = random.Random(5), Solver(1)
    seen = 0
    for _ in range(60):
        board = random_position(rng, 12, "freestyle", 30)
        fours = solver.solve(board, "vcf", nodes=50_000, shortest=True).proof
        if fours is not None:
            threats = solver.solve(board, "vct", nodes=500_000, shortest=True).proof
            assert threats is not None
            assert threats.length <= fours.length
            seen += 1
    assert seen > 5


def test_limits_and_stop() -> None:
    board = random_position(random.Random(23), 15, "freestyle", 24, 1)  # not decided in a million nodes
    solver = Solver(1)
    none = solver.solve(board, "vct", nodes=20)
    assert none.proof is None
    assert not none.exhausted
    assert none.nodes < 100
    assert not solver.solve(board, "vct", time=1e-9).exhausted
    timer = threading.Timer(0.05, solver.stop)
    timer.start()
    stopped = solver.solve(board, "vct", nodes=1_000_000)
    timer.join()
    assert stopped.nodes < 1_000_000
    assert not stopped.exhausted


def test_mistakes_are_told() -> None:
    with pytest.raises(BadInput, match="vcf, vct"):
        solve(Board(), "vcx")
    with pytest.raises(BadInput, match="five in a row"):
        solve(Board(9, win_length=4))
