"""The compiled core of Fivestone."""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

class Rule(enum.Enum):
    FREESTYLE = 0

    STANDARD = 1

    RENJU = 2

    CARO = 3

    CARO_EXACT = 4

class CoreBoard:
    def __init__(self, size: int, rule: Rule, win_length: int) -> None: ...
    def _assign(self, other: CoreBoard) -> None: ...
    def _place(self, move: int, color: int) -> None: ...
    def _finish_setup(self, turn: int) -> None: ...
    def _push(self, move: int) -> None: ...
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

class AlphaBeta:
    def __init__(self, hash_mb: int, threads: int, multipv: int, tuning: Mapping[str, int]) -> None: ...
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
    def clear(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    @staticmethod
    def tuning() -> dict[str, int]: ...

class Verdict(enum.Enum):
    UNKNOWN = 0

    WIN = 1

    NO_WIN = 2

class Prover:
    def __init__(self, table_bytes: int) -> None: ...
    def solve_vcf(
        self, board: CoreBoard, nodes: int, seconds: float | None, shortest: bool
    ) -> tuple[Verdict, int | None, int, int]: ...
    def line_vcf(self, board: CoreBoard) -> list[int]: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...

class CoreLineNet:
    def __init__(self, rule: Rule, width: int) -> None: ...
    @staticmethod
    def random(rule: Rule, seed: int, width: int) -> CoreLineNet: ...
    @property
    def rule(self) -> Rule: ...
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

def kernel_names(width: int) -> list[str]:
    """
    The compiled forms of a net of this width that the machine can run, best first.
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
