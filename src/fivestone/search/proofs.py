"""Threat proofs: wins by continuous fours (VCF) or threats (VCT), found in the core and replayable move by move."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fivestone import _core
from fivestone.board import Board, color_name
from fivestone.errors import BadInput, IllegalMove

__all__ = ["KINDS", "Answer", "Proof", "Solution", "Solver", "solve"]

KINDS = ("vcf", "vct")
_UNLIMITED = 1 << 62
_DEEPEST = 200
# Up to here the smallest table holds all there is to remember, and is made in no time.
_FEW_NODES = 50_000


@dataclass(frozen=True)
class Answer:
    """A node of a proof: the attacker's move, and his next one for every defence.

    `answers` holds the defences that change something, `otherwise` is for every other legal move. A move that makes
    five has neither.
    """

    move: int
    answers: Mapping[int, Answer] = field(default_factory=dict)
    otherwise: Answer | None = None

    def to(self, defence: int) -> Answer | None:
        """The answer to a defence, or None if the proof has none."""
        return self.answers.get(defence, self.otherwise)

    def walk(self) -> Iterator[Answer]:
        """This node and all below it."""
        yield self
        for answer in self.answers.values():
            yield from answer.walk()
        if self.otherwise is not None:
            yield from self.otherwise.walk()


class Proof:
    """That the side to move wins: one attacking move at each node and an answer to every legal defence."""

    def __init__(self, board: Board, kind: str, tree: _core.ProofTree) -> None:
        self.kind = kind
        self._board = board.copy()
        self._tree = tree
        self._root: Answer | None = None
        self.length: int = tree.length
        self.line: tuple[int, ...] = tuple(tree.main_line(board))

    @property
    def board(self) -> Board:
        """The position it is about."""
        return self._board.copy()

    @property
    def attacker(self) -> int:
        return self._board.turn

    @property
    def move(self) -> int:
        """The first attacking move."""
        return self.line[0]

    @property
    def root(self) -> Answer:
        if self._root is None:
            built: dict[int, Answer] = {}
            nodes = self._tree.nodes(self._board)
            # Children are added after their parents, so that going backwards they are there when they are needed.
            for index in reversed(range(len(nodes))):
                move, answers, otherwise = nodes[index]
                built[index] = Answer(move, {reply: built[node] for reply, node in answers}, built.get(otherwise))
            self._root = built[self._tree.root]
        return self._root

    def verify(self) -> bool:
        """Whether it holds against every legal defence, by the rules of the board alone."""
        return self._tree.holds(self._board)

    def replay(self, defend: Callable[[Board], int | str]) -> Board:
        """The game when `defend` chooses the defences: the board on which the attacker has won."""
        board, node = self.board, self.root
        while True:
            board.push(node.move)
            if board.winner == self.attacker:
                return board
            defence = board.parse(defend(board.copy()))
            board.push(defence)
            answer = node.to(defence)
            if answer is None:
                raise IllegalMove(f"the proof has no answer to {board.name_of(defence)}\n{board.diagram()}")
            node = answer

    def to_json(self) -> dict[str, Any]:
        """Plain data with named moves; `tree` nests a move, the answers to some defences and the one to all others."""
        name = self._board.name_of

        def node(answer: Answer) -> dict[str, Any]:
            data: dict[str, Any] = {"move": name(answer.move)}
            if answer.answers:
                data["answers"] = {name(defence): node(next_) for defence, next_ in answer.answers.items()}
            if answer.otherwise is not None:
                data["otherwise"] = node(answer.otherwise)
            return data

        return {
            "kind": self.kind,
            "attacker": color_name(self.attacker).lower(),
            "length": self.length,
            "line": [name(move) for move in self.line],
            "tree": node(self.root),
        }

    def __repr__(self) -> str:
        return f"<Proof {self.kind} {self._board.name_of(self.move)} length={self.length}>"


@dataclass(frozen=True)
class Solution:
    """What a solver found. Without a proof, `exhausted` says that there is no such win; else a limit came first."""

    proof: Proof | None
    exhausted: bool
    nodes: int
    seconds: float


class Solver:
    """Searches for proofs with tables that are kept from call to call."""

    def __init__(self, table_mb: int = 16) -> None:
        if not 1 <= table_mb <= 1 << 16:
            raise BadInput(f"table_mb={table_mb}: choose 1 to {1 << 16}")
        self._core = _core.Prover(table_mb << 20)

    def solve(
        self,
        board: Board,
        kind: str = "vcf",
        *,
        nodes: int | None = None,
        time: float | None = None,
        depth: int = _DEEPEST,
        shortest: bool = False,
    ) -> Solution:
        """A win of the side to move within the limits: stones placed, seconds, and its moves before the five.

        With `shortest`, what is left of the limits goes into finding the shortest one.
        """
        if kind not in KINDS:
            raise BadInput(f"unknown kind of proof '{kind}': choose one of {', '.join(KINDS)}")
        if board.win_length != 5:
            raise BadInput(f"threat proofs are for five in a row, not {board.win_length}")
        self._core.resume()
        found = self._search(board, kind, nodes, time, depth, False)
        if not shortest or found.proof is None or found.proof.length == 0:
            return found
        nodes_left = None if nodes is None else max(1, nodes - found.nodes)
        time_left = None if time is None else max(0.0, time - found.seconds)
        shorter = self._search(board, kind, nodes_left, time_left, found.proof.length - 1, True)
        return replace(
            found,
            proof=shorter.proof or found.proof,
            nodes=found.nodes + shorter.nodes,
            seconds=found.seconds + shorter.seconds,
        )

    def _search(
        self, board: Board, kind: str, nodes: int | None, time: float | None, depth: int, shortest: bool
    ) -> Solution:
        start = clock.perf_counter()
        verdict, tree, used = self._core.solve(board, kind == "vct", nodes or _UNLIMITED, time, depth, shortest)
        proof = None if tree is None else Proof(board, kind, tree)
        return Solution(proof, verdict == _core.Verdict.NO_WIN, used, clock.perf_counter() - start)

    def stop(self) -> None:
        """Ends the search under way, from any thread."""
        self._core.stop()


def solve(
    board: Board,
    kind: str = "vcf",
    *,
    nodes: int | None = None,
    time: float | None = None,
    shortest: bool = False,
) -> Proof | None:
    """The proof that the side to move wins by fours (vcf) or by threes and fours (vct), if one is found."""
    few = nodes is not None and nodes <= _FEW_NODES
    return Solver(1 if few else 16).solve(board, kind, nodes=nodes, time=time, shortest=shortest).proof
