"""The compiled core of Fivestone."""

import enum
from collections.abc import Callable, Mapping, Sequence

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
