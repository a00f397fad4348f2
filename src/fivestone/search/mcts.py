"""Monte-Carlo tree search: one tree, every selection rule, every evaluator."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from fivestone import _core
from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.search.batched import run_together
from fivestone.search.evaluator import Evaluator, NativeEvaluator
from fivestone.search.greedy import Greedy
from fivestone.search.lineprober import LineProber
from fivestone.search.proofs import Proof, Solver
from fivestone.search.result import Limit, MoveInfo, OnResult, SearchResult

__all__ = ["Mcts", "MctsOptions"]

_SELECT = {"ucb1": _core.Select.UCB1, "ucb1-tuned": _core.Select.UCB1_TUNED, "puct": _core.Select.PUCT}
_ROOT = {"plain": _core.RootSchedule.PLAIN, "gumbel": _core.RootSchedule.GUMBEL}
_PROVEN = {_core.Proof.WON: 1, _core.Proof.LOST: -1, _core.Proof.DRAWN: 0, _core.Proof.OPEN: None}
_DEFAULT_C = {"ucb1": math.sqrt(2.0), "ucb1-tuned": 1.0, "puct": 1.4}
_DEFAULT = Limit(time=1.0)
_MOST_VISITS = 2**31 - 1  # the tree counts them in an int
# The core is left for a look at the clock this often, and this much is kept for the way back.
_SLICE_SECONDS = 0.004
_SLICE_MOST = 4096
_RETURN_SECONDS = 0.002
_REPORT_SECONDS = 0.1
_PV_LENGTH = 20
_SOLVER_MB = 16
_STONES_A_VISIT = 20  # what a proof search places in the time of a simulation
_PV_MOVES = 8


@dataclass(frozen=True)
class MctsOptions:
    """How the tree is searched; what is None depends on the evaluator or the board.

    `select` is ucb1, ucb1-tuned or puct (None: ucb1 for rollouts, puct else), `c` its exploration, on the scale of
    rewards 0..1 for ucb1 and ucb1-tuned, of values -1..1 for puct. `root` is plain or gumbel; `fpu` lowers the value
    puct assumes for untried moves. `forced` takes exact forced moves from patterns (None: for five in a row, unless by
    rollouts). `near` leaves out cells with no stone within 1, 2 or 3 on one of their lines, 0 none (None: 3, or 0 for
    rollouts). `solver` passes proven results up. `draw` is the reward of a draw, 0.5 for neutral. `leaf_vcf` and
    `root_vcf` are the stones a proof by continuous fours may place; where a position is visited often, it is searched
    again with `probe_vcf` stones for each visit (native evaluators only). `root_vct` is the share of the limit that
    goes into a proof by threes and fours before the tree is searched, `line_vct` the share for such proofs along the
    principal variation while it is. `noise` is the share of Dirichlet noise in the
    root policy. `temperature` above 0 draws the move from the visits, in the first `temperature_plies` of the game
    (None: always). `batch` leaves at a time go to an evaluator in Python. At `memory_mb` the tree stops growing and
    leaves are judged without being expanded. `misere` turns the game around: whoever completes a line loses (rollouts
    only).
    """

    select: Literal["ucb1", "ucb1-tuned", "puct"] | None = None
    c: float | None = None
    root: Literal["plain", "gumbel"] = "plain"
    gumbel_moves: int = 16
    fpu: float = 0.25
    root_fpu: float = 0.1
    forced: bool | None = None
    near: int | None = None
    solver: bool = True
    draw: float = 0.5
    leaf_vcf: int = 0
    root_vcf: int = 0
    probe_vcf: int = 0
    root_vct: float = 0.0
    line_vct: float = 0.0
    noise: float = 0.0
    noise_alpha: float = 0.15
    temperature: float = 0.0
    temperature_plies: int | None = None
    batch: int = 16
    threads: int = 1
    memory_mb: int = 256
    reuse: bool = True
    misere: bool = False

    def __post_init__(self) -> None:
        if self.select is not None and self.select not in _SELECT:
            raise BadInput(f"select={self.select}: choose {', '.join(_SELECT)}")
        if self.root not in _ROOT:
            raise BadInput(f"root={self.root}: choose {', '.join(_ROOT)}")
        for name, least, most in (
            ("gumbel_moves", 1, 400),
            ("fpu", 0.0, 2.0),
            ("root_fpu", 0.0, 2.0),
            ("near", 0, 3),
            ("draw", 0.0, 1.0),
            ("leaf_vcf", 0, 1_000_000),
            ("root_vcf", 0, 1_000_000_000),
            ("probe_vcf", 0, 1_000),
            ("root_vct", 0.0, 0.9),
            ("line_vct", 0.0, 0.9),
            ("noise", 0.0, 1.0),
            ("temperature", 0.0, 100.0),
            ("batch", 1, 4096),
            ("threads", 1, 256),
            ("memory_mb", 1, 1 << 17),
        ):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise BadInput(f"{name}={value}: choose {least} to {most}")
        if self.c is not None and not 0.0 <= self.c <= 1000.0:
            raise BadInput(f"c={self.c}: choose 0 to 1000")
        if not 0.0 < self.noise_alpha <= 100.0:
            raise BadInput(f"noise_alpha={self.noise_alpha}: choose above 0, up to 100")


class Mcts:
    """Searches with one tree that is kept from move to move.

    `evaluator` is "rollout" (random games), "heuristic" (patterns and short guided games), a net that judges inside
    the core, or anything with evaluate(leaves). With one thread and a limit of visits the same seed gives the same
    tree.
    """

    _tree: _core.Mcts

    def __init__(
        self,
        evaluator: str | NativeEvaluator | Evaluator = "rollout",
        *,
        seed: int = 0,
        plies: int = 12,
        clock: Callable[[], float] = time.perf_counter,
        **options: Any,
    ) -> None:
        """`plies` is how far the heuristic evaluator plays on, `clock` gives seconds, `options` are those of
        MctsOptions."""
        for name in options:
            if name not in MctsOptions.__dataclass_fields__:
                raise BadInput(f"no search option '{name}': choose among {', '.join(MctsOptions.__dataclass_fields__)}")
        self.options = MctsOptions(**options)
        self._clock = clock
        self._seed = seed & (1 << 64) - 1
        self._make_judges: Callable[[], _core.Judges] | None = None
        self._check: Callable[[Board], None] = lambda _board: None
        self._evaluator: Evaluator | None = None
        self._rollouts = evaluator == "rollout"
        threads = self.options.threads
        if self._rollouts:
            self._make_judges = partial(_core.rollout_judges, threads, self._seed)
        elif evaluator == "heuristic":
            self._make_judges = partial(_core.heuristic_judges, threads, self._seed, plies)
        elif isinstance(evaluator, NativeEvaluator):
            self._make_judges = partial(evaluator.judges, threads, self._seed)
            self._check = evaluator.check
        elif isinstance(evaluator, Evaluator):
            self._evaluator = evaluator
        else:
            raise BadInput(f"evaluator '{evaluator}': choose rollout, heuristic or a net")
        if self.options.misere and (not self._rollouts or self.options.forced):
            raise BadInput("misere goes with rollouts, and without forced moves")
        self._solver = Solver(_SOLVER_MB) if self.options.root_vct > 0.0 else None
        self._fives = True
        self._held = False
        self.new_game()

    def _config(self, fives: bool) -> _core.MctsConfig:
        options = self.options
        select = options.select or ("ucb1" if self._rollouts else "puct")
        config = _core.MctsConfig()
        config.tree.select = _SELECT[select]
        config.tree.c = _DEFAULT_C[select] if options.c is None else options.c
        config.tree.fpu_reduction = options.fpu
        config.tree.root_fpu_reduction = options.root_fpu
        config.tree.solver = options.solver
        config.tree.draw_value = 2.0 * options.draw - 1.0
        config.tree.memory_bytes = options.memory_mb << 20
        config.forced = fives and (not self._rollouts if options.forced is None else options.forced)
        config.near = (0 if self._rollouts else 3) if options.near is None else options.near
        config.misere = options.misere
        config.leaf_vcf = options.leaf_vcf if fives else 0
        config.root_vcf = options.root_vcf if fives else 0
        config.probe_vcf = options.probe_vcf if fives else 0
        config.root = _ROOT[options.root]
        config.gumbel.moves = options.gumbel_moves
        config.noise_share = options.noise
        config.noise_alpha = options.noise_alpha
        return config

    def search(
        self, board: Board, limit: Limit, on_result: OnResult | None = None, *, only: Sequence[int] = ()
    ) -> SearchResult:
        """Simulates until the limit is reached (a second if there is none) or the root is proven.

        Where `only` names legal moves, no others are considered at the root, and what is proven is proven of these.
        """
        self._tree.resume()  # first of all: what is stopped from now on is this search, wherever it has got to
        started = self._clock()
        if board.is_over:
            raise BadInput("the game is over: there is nothing to search")
        self._check(board)
        if board.win_length != 5 and not (self._rollouts or self._evaluator):
            raise BadInput(f"win length {board.win_length}: this evaluator is for five in a row, use rollouts")
        kept = self._set_root(board, only)
        wanted = limit.or_else(_DEFAULT)
        if wanted.time is None and wanted.visits is None and wanted.nodes is None:
            wanted = Limit(time=_DEFAULT.time, depth=wanted.depth)
        if not only and (proof := self._proof(board, wanted)):
            return self._proven(proof, started, on_result)
        counts = [min(count, _MOST_VISITS) for count in (wanted.visits, wanted.nodes) if count is not None]
        deadline = math.inf if wanted.time is None else started + wanted.time - _RETURN_SECONDS
        if counts:
            self._tree.plan(min(counts))
        most = min(counts, default=1 << 31)
        prober = self._prober(board, wanted.time, min(counts, default=None))
        made = self._simulate(board, most, deadline, wanted.depth, kept, started, on_result, prober)
        known = self._tree.root_moves
        result = self._result(board, made, kept, started) if known else _unsearched(board, self._clock() - started)
        if on_result is not None:
            on_result(result)
        return result

    def _prober(self, board: Board, seconds: float | None, visits: int | None) -> LineProber | None:
        if self.options.line_vct == 0.0 or board.win_length != 5:
            return None
        return LineProber(self._tree, self.options.line_vct, seconds=seconds, visits=visits, clock=self._clock)

    def _proof(self, board: Board, limit: Limit) -> Proof | None:
        """A win by threes and fours, if the share of the limit that goes into it shows one."""
        if self._solver is None or board.win_length != 5 or self._tree.stopped:
            return None
        share = self.options.root_vct
        visits = limit.visits or limit.nodes
        nodes = None if visits is None else max(1, int(share * visits * _STONES_A_VISIT))
        seconds = None if limit.time is None else share * limit.time
        return self._solver.solve(board, "vct", nodes=nodes, time=seconds).proof

    def _proven(self, proof: Proof, started: float, on_result: OnResult | None) -> SearchResult:
        result = SearchResult(
            move=proof.move,
            value=1.0,
            pv=proof.line,
            moves=(MoveInfo(proof.move, 1.0, pv=proof.line),),
            proven=1,
            depth=len(proof.line),
            seconds=self._clock() - started,
        )
        if on_result is not None:
            on_result(result)
        return result

    def _set_root(self, board: Board, only: Sequence[int]) -> int:
        """Stands the tree on the board and returns how many visits it brings along."""
        fives = board.win_length == 5
        if fives != self._fives:
            before = self._tree
            self._tree = _core.Mcts(self._config(fives), self._seed)
            self._fives = fives
            if before.stopped:
                self._tree.stop()
        illegal = [move for move in only if not board.is_legal(move)]
        if illegal:
            raise BadInput(f"cannot search only {', '.join(str(move) for move in illegal)}: not legal here")
        # A tree that was held to some moves at its root knows too little of the others.
        if only or self._held or not self.options.reuse or not self._tree.follow(board):
            self._tree.set_root(board, list(only))
        self._held = bool(only)
        self._tree.set_noise(self._random.getrandbits(64))
        return self._tree.root_visits

    def _simulate(
        self,
        board: Board,
        most: int,
        deadline: float,
        depth: int | None,
        kept: int,
        started: float,
        on_result: OnResult | None,
        prober: LineProber | None,
    ) -> int:
        """Slice by slice until something ends the search; returns the simulations made."""
        tree = self._tree
        made, step, reported = 0, 1 if deadline < math.inf else 256, started
        before = self._clock()
        while made < most:
            count = self._run(board, min(step, most - made))
            made += count
            now = self._clock()
            over = tree.stopped or now >= deadline or count == 0 or tree.root_proof != _core.Proof.OPEN
            if over or (depth is not None and tree.deepest >= depth):
                break
            if deadline < math.inf and len(tree.root_moves) == 1 and made >= 256:
                break  # nothing to choose from
            if on_result is not None and now - reported >= _REPORT_SECONDS:
                on_result(self._result(board, made, kept, started))
                reported = now
            # As many as fit into a slice at the speed seen last, or into what is left of the time.
            speed = count / max(now - before, 1e-6)
            if prober is not None:
                prober.step(max(made / most, (now - started) / (deadline - started)))
                now = self._clock()
            fitting = int(speed * min(_SLICE_SECONDS, (deadline - now) * 0.7))
            step = max(1, min(fitting, 4 * step, _SLICE_MOST * self.options.threads))
            before = now
        return made

    def _run(self, board: Board, simulations: int) -> int:
        if self._judges is not None:
            return self._tree.run(self._judges, simulations)
        assert self._evaluator is not None
        batch = self.options.batch
        rule, win_length = board.rule, board.win_length
        return run_together(
            [self._tree], self._evaluator, [simulations], batch=batch, rule=rule, win_length=win_length
        )[0]

    def _result(self, board: Board, made: int, kept: int, started: float) -> SearchResult:
        tree = self._tree
        best = tree.best_move
        proven = _PROVEN[tree.root_proof]
        rows = sorted(tree.root_moves, key=lambda row: (row.move == best, *_rank(row)), reverse=True)
        moves = tuple(
            MoveInfo(
                row.move,
                row.value if proven is None or row.visits else float(proven),
                row.visits,
                row.prior,
                pv=tuple(tree.pv(_PV_LENGTH, row.move)) if index < _PV_MOVES else (row.move,),
            )
            for index, row in enumerate(rows)
        )
        chosen = self._draw_move(board, best)
        seconds = self._clock() - started
        return SearchResult(
            move=chosen,
            value=tree.root_value if proven is None else float(proven),
            pv=next(info.pv for info in moves if info.move == chosen),
            moves=moves,
            proven=proven,
            depth=tree.deepest,
            nodes=made,
            visits=tree.root_visits,
            seconds=seconds,
            notes={
                "kept": float(kept),
                "memory_mb": tree.bytes / (1 << 20),
                "full": float(tree.full),
            },
        )

    def _draw_move(self, board: Board, best: int) -> int:
        """The best move, or one drawn from the visits to the power 1 / temperature."""
        options, rows = self.options, self._tree.root_moves
        over = options.temperature_plies is not None and board.stone_count >= options.temperature_plies
        if options.temperature == 0.0 or over or self._tree.root_proof != _core.Proof.OPEN:
            return best
        shares = [(row.move, share) for row, share in zip(rows, self._tree.improved_policy, strict=True) if share > 0]
        top = max(share for _, share in shares)
        # Through logarithms: small temperatures would overflow.
        weights = [math.exp(math.log(share / top) / options.temperature) for _, share in shares]
        return self._random.choices([move for move, _ in shares], weights)[0]

    def stop(self) -> None:
        """Ends the search that is running in another thread."""
        if self._solver is not None:
            self._solver.stop()
        self._tree.stop()

    def new_game(self) -> None:
        """Forgets the tree and starts all dice from the seed again: a game does not depend on the games before it."""
        self._random = random.Random(self._seed)
        self._judges = self._make_judges() if self._make_judges is not None else None
        self._tree = _core.Mcts(self._config(self._fives), self._seed)


def _unsearched(board: Board, seconds: float) -> SearchResult:
    """A move all the same, for a search that was stopped before it had begun."""
    if board.win_length == 5:
        return replace(Greedy().search(board, Limit()), seconds=seconds)
    move = board.legal_moves[0]
    return SearchResult(move=move, value=0.0, pv=(move,), moves=(MoveInfo(move, 0.0),), seconds=seconds)


def _rank(row: _core.RootMove) -> tuple[int, int, float]:
    order = {_core.Proof.WON: 2, _core.Proof.LOST: 0}.get(row.proof, 1)
    return order, row.visits, row.value
