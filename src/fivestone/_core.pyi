"""The compiled core of Fivestone."""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numpy
from numpy.typing import NDArray

class Rule(enum.Enum):
    FREESTYLE = 0

    STANDARD = 1

    RENJU = 2

    CARO = 3

    CARO_EXACT = 4

class CoreBoard:
    @overload
    def __init__(self, size: int, rule: Rule, win_length: int) -> None: ...
    @overload
    def __init__(self, other: CoreBoard) -> None: ...
    def _place(self, move: int, color: int) -> None: ...
    def _finish_setup(self, turn: int) -> None: ...
    def _push(self, move: int) -> None: ...
    def _try_push(self, move: int) -> bool: ...
    def _pop(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def _rule(self) -> Rule: ...
    @property
    def win_length(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def hash(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def is_dead_draw(self) -> bool: ...
    @property
    def stone_count(self) -> int: ...
    @property
    def moves(self) -> list[int]: ...
    @property
    def move_count(self) -> int: ...
    @property
    def stones(self) -> bytes: ...
    @property
    def winning_line(self) -> list[int]: ...
    @property
    def legal_moves(self) -> list[int]: ...
    @property
    def forbidden_moves(self) -> list[int]: ...
    def _is_legal(self, move: int) -> bool: ...
    def _is_forbidden(self, move: int) -> bool: ...
    def _wins(self, move: int, color: int) -> bool: ...
    def _at(self, move: int) -> int: ...

def bench_push_pop(board: CoreBoard, count: int) -> int:
    """Pushes and pops empty cells in turn and returns how many pushes won."""

class Pattern(enum.IntEnum):
    DEAD = 0

    OVERLINE = 1

    ONE = 2

    OPEN_ONE = 3

    TWO = 4

    OPEN_TWO = 5

    THREE = 6

    OPEN_THREE = 7

    FOUR = 8

    LINE_FOURS = 9

    OPEN_FOUR = 10

    FIVE = 11

class Threat(enum.IntEnum):
    NONE = 0

    TWO = 1

    OPEN_THREE = 2

    DOUBLE_THREE = 3

    FOUR = 4

    FOUR_THREE = 5

    DOUBLE_FOUR = 6

    OPEN_FOUR = 7

    FIVE = 8

    MAYBE_FORBIDDEN = 9

class Position:
    def __init__(self, board: CoreBoard) -> None: ...
    def push(self, move: int) -> None: ...
    def pop(self) -> None: ...
    def jump(self, dropped: int, moves: Sequence[int]) -> tuple[bool, bool, bool]:
        """
        Takes back moves and plays others. Whether a cell may be urgent, and whether Black and White may make a four.
        """

    @property
    def score(self) -> int: ...
    @property
    def cell_score(self) -> int: ...
    def promise(self, move: int) -> int: ...
    def codes(self, move: int) -> list[int]: ...
    def pattern(self, move: int, color: int, direction: int) -> Pattern: ...
    def threat(self, move: int, color: int) -> Threat: ...
    def count(self, threat: Threat, color: int) -> int: ...

def pattern_table(rule: Rule, color: int) -> bytes:
    """
    What playing the centre makes for a colour, a byte for every window code.
    """

def bench_position(board: CoreBoard, count: int) -> None:
    """Pushes and pops `count` stones with everything that patterns keep."""

SET_CLASSES: int = 1365

THREAT_FLAGS: int = 512

class Weights:
    def __init__(
        self,
        rule: Rule,
        cell: Sequence[Sequence[int]],
        move_own: Sequence[Sequence[int]],
        move_foe: Sequence[Sequence[int]],
        threats: Sequence[int],
        scale: float,
    ) -> None: ...
    @property
    def scale(self) -> float: ...
    def value_of(self, score: int) -> float: ...

def hand_made_tables(rule: Rule) -> tuple[list[list[int]], list[list[int]], list[list[int]], list[int], float]: ...

class Features:
    @property
    def cells(self) -> list[list[int]]: ...
    @property
    def flags(self) -> int: ...
    @property
    def quiet(self) -> bool: ...
    @property
    def moves(self) -> list[int]: ...
    @property
    def own_classes(self) -> list[int]: ...
    @property
    def foe_classes(self) -> list[int]: ...

def features(board: CoreBoard) -> Features: ...
def class_sets() -> list[int]: ...
def greedy_move(board: CoreBoard, weights: Weights) -> tuple[int, int]: ...

WIN_SCORE: int = 30000

PROVEN_SCORE: int = 29500

class SearchLine:
    @property
    def move(self) -> int: ...
    @property
    def score(self) -> int: ...
    @property
    def pv(self) -> list[int]: ...
    @property
    def nodes(self) -> int: ...

class SearchReport:
    @property
    def lines(self) -> list[SearchLine]: ...
    @property
    def depth(self) -> int: ...
    @property
    def deepest(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

class Asked:
    def __init__(self, room: int) -> None: ...
    def start(self, seed: int) -> None: ...
    def take(self) -> list[list[int]]: ...

class AlphaBeta:
    def __init__(
        self,
        hash_mb: int,
        threads: int,
        multipv: int,
        tuning: Mapping[str, int],
        net: CoreLineNet | None = None,
        quantised: QuantisedNet | None = None,
        asked: Asked | None = None,
    ) -> None: ...
    def search(
        self,
        board: CoreBoard,
        weights: Weights,
        seconds: float,
        nodes: int,
        depth: int,
        on_report: Callable[[SearchReport], None] | None = None,
    ) -> SearchReport: ...
    def stop(self) -> None: ...
    def resume(self) -> None: ...
    def clear(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    @staticmethod
    def tuning() -> dict[str, int]: ...

class Verdict(enum.Enum):
    UNKNOWN = 0

    WIN = 1

    NO_WIN = 2

class ProofTree:
    @property
    def root(self) -> int: ...
    @property
    def length(self) -> int: ...
    def nodes(self, board: CoreBoard) -> list[tuple[int, list[tuple[int, int]], int]]: ...
    def main_line(self, board: CoreBoard) -> list[int]: ...
    def holds(self, board: CoreBoard) -> bool: ...

class Prover:
    def __init__(self, table_bytes: int) -> None: ...
    def solve(
        self, board: CoreBoard, threes: bool, nodes: int, seconds: float | None, depth: int, shortest: bool
    ) -> tuple[Verdict, ProofTree | None, int]: ...
    def stop(self) -> None: ...
    def resume(self) -> None: ...

def bench_vcf() -> tuple[int, float, int]:
    """
    Searches fixed positions by fours: nodes (the same everywhere), seconds, wins.
    """

class CoreLineNet:
    def __init__(self, rule: Rule, width: int) -> None: ...
    @staticmethod
    def random(rule: Rule, seed: int, width: int) -> CoreLineNet: ...
    @property
    def rule(self) -> Rule: ...
    def judges(self, rule: Rule) -> bool:
        """Whether the net can judge games by a rule, its own or another."""

    @property
    def width(self) -> int: ...
    @property
    def row_count(self) -> int: ...
    def arrays(self) -> dict[str, NDArray[numpy.float32]]:
        """Copies of all arrays by name, the table of rows among them."""

    def set_array(self, name: str, values: NDArray[numpy.float32]) -> None: ...
    def row(self, turn: int, centre: int, code: int) -> int:
        """The table row of a window code with its centre, for the side to move."""

    def windows(self) -> NDArray[numpy.uint8]:
        """What each table row stands for, rows x digits (docs/line-net.md)."""

    def evaluate(
        self, boards: Sequence[CoreBoard], kernels: str | None = None
    ) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Policies (boards x cells) and probabilities of win, draw and loss (boards x 3) for the side to move.
        """

class QuantisedNet:
    def evaluate(
        self, boards: Sequence[CoreBoard], kernels: str | None = None
    ) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """What CoreLineNet.evaluate gives, in 16-bit numbers."""

def quantised(net: CoreLineNet) -> QuantisedNet | None:
    """The net in 16-bit numbers, or None where they cannot hold it."""

def kernel_names(width: int) -> list[str]:
    """
    The compiled forms of a net of this width that the machine can run, best first.
    """

def kernel16_names(width: int) -> list[str]:
    """The same for nets in 16-bit numbers."""

def bench_line_net(net: CoreLineNet, quantised: QuantisedNet, size: int, leaves: int) -> dict[str, float]:
    """
    Seconds an evaluation, for every compiled form of the net in floats and in 16-bit numbers.
    """

class SampleWindow:
    def __init__(self) -> None: ...
    def add(self, samples: dict[str, NDArray[Any]]) -> None:
        """
        Appends a block of samples (the arrays that self-play gives); other keys are left alone.
        """

    def trim(self, keep: int) -> None:
        """Drops the oldest blocks as long as `keep` samples remain."""

    def __len__(self) -> int: ...

class Learner:
    def __init__(
        self,
        net: CoreLineNet,
        value_weight: float = 1.0,
        search_share: float = 0.3,
        decay: float = 0.0001,
        average: float = 0.999,
    ) -> None: ...
    def train(
        self, window: SampleWindow, steps: int, batch: int, rate: float, seed: int, threads: int = 1
    ) -> dict[str, float]:
        """
        Learns from random batches of the window, without the interpreter lock; returns the mean losses.
        The result does not depend on the number of threads.
        """

    def step(self, samples: dict[str, NDArray[Any]], rate: float, threads: int = 1) -> dict[str, float]:
        """One step on these samples."""

    def gradient(self, samples: dict[str, NDArray[Any]]) -> tuple[dict[str, float], dict[str, NDArray[numpy.float32]]]:
        """The losses and their gradient by array, without a step."""

    def stop(self) -> None:
        """Ends a train() that runs in another thread."""

    @property
    def steps(self) -> int: ...
    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that changes while learning, as flat arrays."""

    def restore(self, state: dict[str, NDArray[Any]]) -> None: ...
    def net(self, mean: bool = True) -> CoreLineNet:
        """
        The net to play with: the running mean of the weights, or the weights as they stand.
        """

class Select(enum.Enum):
    UCB1 = 0

    UCB1_TUNED = 1

    PUCT = 2

class RootSchedule(enum.Enum):
    PLAIN = 0

    GUMBEL = 1

class Proof(enum.Enum):
    OPEN = 0

    WON = 1

    LOST = 2

    DRAWN = 3

class TreeConfig:
    def __init__(self) -> None: ...
    @property
    def select(self) -> Select: ...
    @select.setter
    def select(self, arg: Select, /) -> None: ...
    @property
    def c(self) -> float: ...
    @c.setter
    def c(self, arg: float, /) -> None: ...
    @property
    def fpu_reduction(self) -> float: ...
    @fpu_reduction.setter
    def fpu_reduction(self, arg: float, /) -> None: ...
    @property
    def root_fpu_reduction(self) -> float: ...
    @root_fpu_reduction.setter
    def root_fpu_reduction(self, arg: float, /) -> None: ...
    @property
    def solver(self) -> bool: ...
    @solver.setter
    def solver(self, arg: bool, /) -> None: ...
    @property
    def draw_value(self) -> float: ...
    @draw_value.setter
    def draw_value(self, arg: float, /) -> None: ...
    @property
    def memory_bytes(self) -> int: ...
    @memory_bytes.setter
    def memory_bytes(self, arg: int, /) -> None: ...

class GumbelConfig:
    def __init__(self) -> None: ...
    @property
    def moves(self) -> int: ...
    @moves.setter
    def moves(self, arg: int, /) -> None: ...
    @property
    def visits(self) -> float: ...
    @visits.setter
    def visits(self, arg: float, /) -> None: ...
    @property
    def scale(self) -> float: ...
    @scale.setter
    def scale(self, arg: float, /) -> None: ...

class MctsConfig:
    def __init__(self) -> None: ...
    @property
    def tree(self) -> TreeConfig: ...
    @tree.setter
    def tree(self, arg: TreeConfig, /) -> None: ...
    @property
    def forced(self) -> bool: ...
    @forced.setter
    def forced(self, arg: bool, /) -> None: ...
    @property
    def near(self) -> int: ...
    @near.setter
    def near(self, arg: int, /) -> None: ...
    @property
    def misere(self) -> bool: ...
    @misere.setter
    def misere(self, arg: bool, /) -> None: ...
    @property
    def leaf_vcf(self) -> int: ...
    @leaf_vcf.setter
    def leaf_vcf(self, arg: int, /) -> None: ...
    @property
    def probe_vcf(self) -> int: ...
    @probe_vcf.setter
    def probe_vcf(self, arg: int, /) -> None: ...
    @property
    def root_vcf(self) -> int: ...
    @root_vcf.setter
    def root_vcf(self, arg: int, /) -> None: ...
    @property
    def root(self) -> RootSchedule: ...
    @root.setter
    def root(self, arg: RootSchedule, /) -> None: ...
    @property
    def gumbel(self) -> GumbelConfig: ...
    @gumbel.setter
    def gumbel(self, arg: GumbelConfig, /) -> None: ...
    @property
    def noise_share(self) -> float: ...
    @noise_share.setter
    def noise_share(self, arg: float, /) -> None: ...
    @property
    def noise_alpha(self) -> float: ...
    @noise_alpha.setter
    def noise_alpha(self, arg: float, /) -> None: ...

class RootMove:
    @property
    def move(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def prior(self) -> float: ...
    @property
    def proof(self) -> Proof: ...

class Judges:
    pass

def rollout_judges(threads: int, seed: int) -> Judges: ...
def heuristic_judges(threads: int, seed: int, plies: int) -> Judges: ...
def line_net_judges(net: CoreLineNet, quantised: QuantisedNet | None, threads: int) -> Judges:
    """In 16-bit numbers if the net is given in them, else in floats."""

class Mcts:
    def __init__(self, config: MctsConfig, seed: int) -> None: ...
    def set_root(self, board: CoreBoard, only: Sequence[int] = []) -> None: ...
    def follow(self, board: CoreBoard) -> bool: ...
    def advance(self, move: int) -> None: ...
    def set_noise(self, seed: int) -> None: ...
    def plan(self, simulations: int) -> None: ...
    def prove_line(self, line: Sequence[int], nodes: int | None, seconds: float | None) -> tuple[bool, int]:
        """
        Whether there is a win by threats at the end of a line from the root, and the stones placed for it.
        """

    def run(self, judges: Judges, simulations: int) -> int: ...
    def collect(
        self, most: int, simulations: int
    ) -> tuple[int, NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.int32], NDArray[numpy.uint64]]: ...
    def judge(self, policies: NDArray[numpy.float32], values: NDArray[numpy.float32]) -> None: ...
    @property
    def waiting(self) -> int: ...
    def stop(self) -> None: ...
    def resume(self) -> None: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def root_moves(self) -> list[RootMove]: ...
    @property
    def root_value(self) -> float: ...
    @property
    def root_proof(self) -> Proof: ...
    @property
    def root_visits(self) -> int: ...
    @property
    def best_move(self) -> int: ...
    @property
    def improved_policy(self) -> list[float]: ...
    def pv(self, length: int, first: int = -1) -> list[int]: ...
    @property
    def deepest(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def full(self) -> bool: ...

class SelfPlay:
    def __init__(self, net: CoreLineNet, settings: dict[str, Any]) -> None: ...
    def generate(
        self, seed: int, samples: int = 0, games: int = 0, threads: int = 1
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]], dict[str, float]] | None:
        """
        Plays until there are so many samples, or exactly so many games, without the interpreter lock.
        Returns samples, games and stats, or None when stopped; the number of threads changes none of the first two.
        """

    def stop(self) -> None:
        """Ends a generate() that runs in another thread."""
