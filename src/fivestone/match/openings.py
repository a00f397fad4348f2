"""Openings: the first stones of a game, from a file, by chance, or from the balanced sets that ship.

A file holds one opening a line, as compact moves ("h8i9g9") or as centre offsets from size//2, black first
("0,0 1,1 -1,1", also "0,0,1,1,-1,1"); '#' starts a comment.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from fivestone import notation
from fivestone.board import Board
from fivestone.errors import BadFile, BadInput, FivestoneError

__all__ = [
    "Opening",
    "canonical",
    "format_offsets",
    "load_openings",
    "parse_opening",
    "random_opening",
    "read_openings",
    "remark_on",
    "shipped_openings",
]

Opening = tuple[int, ...]

_NUMBERS = re.compile(r"[-+]?\d+(?:[\s,]+[-+]?\d+)*")


def parse_opening(text: str, size: int, rule: str = "freestyle", win_length: int = 5) -> Opening:
    """One line of a file: compact moves or centre offsets. The game may not be over after it."""
    text = text.strip()
    if _NUMBERS.fullmatch(text):
        moves = _parse_offsets(text, size)
    else:
        moves = [notation.parse_move(name, size) for name in notation.split_moves(text)]
    board = Board.from_moves(moves, size, rule, win_length)
    if board.is_over:
        raise BadInput(f"the game is over after '{text}'")
    return tuple(moves)


def _parse_offsets(text: str, size: int) -> list[int]:
    numbers = [int(number) for number in re.split(r"[\s,]+", text)]
    if len(numbers) % 2:
        raise BadInput(f"'{text}' has an odd count of offsets: give dx,dy for each stone")
    moves = []
    for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
        x, y = size // 2 + dx, size // 2 + dy
        if not (0 <= x < size and 0 <= y < size):
            raise BadInput(f"the offset {dx},{dy} is off the {size}x{size} board")
        moves.append(y * size + x)
    return moves


def format_offsets(moves: Iterable[int], size: int) -> str:
    """The opening as centre offsets: "0,0 1,1 -1,1"."""
    return " ".join(f"{move % size - size // 2},{move // size - size // 2}" for move in moves)


def canonical(moves: Sequence[int], size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The black and the white stones, the same for every order of moves and under all 8 symmetries."""
    return min(
        (
            tuple(sorted(notation.transform_move(move, size, symmetry) for move in moves[0::2])),
            tuple(sorted(notation.transform_move(move, size, symmetry) for move in moves[1::2])),
        )
        for symmetry in range(8)
    )


def read_openings(path: Path, size: int, rule: str = "freestyle", win_length: int = 5) -> list[Opening]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(f"cannot read the openings {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"cannot read the openings {path}: it is not a text file") from None
    return _parse_lines(text, str(path), size, rule, win_length)


def _parse_lines(text: str, source: str, size: int, rule: str, win_length: int) -> list[Opening]:
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            openings.append(parse_opening(line, size, rule, win_length))
        except FivestoneError as error:
            raise BadFile(f"{source}, line {number}: {str(error).splitlines()[0]}") from None
    if not openings:
        raise BadFile(f"{source} holds no openings")
    return openings


def random_opening(count: int, rng: random.Random, size: int, rule: str = "freestyle", win_length: int = 5) -> Opening:
    """`count` stones near each other in the middle of the board, nobody having won."""
    board = Board(size, rule, win_length)
    if count > size * size // 2:
        raise BadInput(f"{count} random stones are too many for a {size}x{size} board")
    low, high = (size - 7) // 2 if size > 7 else 0, (size + 7) // 2 if size > 7 else size
    middle = [row * size + column for row in range(low, high) for column in range(low, high)]
    while len(board.moves) < count:
        inside = [move for move in middle if board.is_legal(move) and not _ends(board, move)]
        pool = inside or [move for move in board.legal_moves if not _ends(board, move)]
        if not pool:
            board = Board(size, rule, win_length)
            continue
        board.push(rng.choice(pool))
    return tuple(board.moves)


def _ends(board: Board, move: int) -> bool:
    board.push(move)
    over = bool(board.is_over)
    board.pop()
    return over


def shipped_openings(size: int, rule: str, win_length: int) -> list[Opening] | None:
    """The balanced set for the board and rule, or None if none ships."""
    if win_length != 5:
        return None
    name = f"balanced-{size}-{rule}.txt"
    file = resources.files("fivestone.match") / "data" / name
    if not file.is_file():
        return None
    return _parse_lines(file.read_text(encoding="utf-8"), name, size, rule, win_length)


def load_openings(
    source: str, count: int, *, seed: int, size: int, rule: str = "freestyle", win_length: int = 5
) -> list[Opening]:
    """`count` openings from `balanced`, `random:K`, `none`, `swap2` or a file, shuffled, and repeated if too few.

    A balanced set that does not ship for the board and rule is replaced by random openings of few stones.
    """
    rng = random.Random(seed)
    if source in ("none", "swap2"):  # under Swap2 the players put the stones
        return [()] * count
    if source == "balanced":
        openings = shipped_openings(size, rule, win_length)
        if openings is None:
            return _distinct(min(4, size * size // 6), count, rng, size, rule, win_length)
    elif match := re.fullmatch(r"random:(\d+)", source):
        return _distinct(int(match[1]), count, rng, size, rule, win_length)
    elif source.partition(":")[0] == "random":
        raise BadInput(f"'{source}': give the count of stones, such as random:4")
    else:
        openings = read_openings(Path(source), size, rule, win_length)
    chosen: list[Opening] = []
    while len(chosen) < count:
        rng.shuffle(openings)
        chosen += openings
    return chosen[:count]


def remark_on(
    source: str, openings: Sequence[Opening], *, size: int, rule: str = "freestyle", win_length: int = 5
) -> str | None:
    """What a user should know about the openings that were loaded."""
    if source == "balanced" and shipped_openings(size, rule, win_length) is None:
        return f"no balanced openings ship for {size}x{size} {rule}: random ones of {len(openings[0])} stones are used"
    distinct = len(set(openings))
    if source not in ("none", "swap2") and distinct < len(openings):
        return f"{len(openings)} pairs from {distinct} openings: players without chance in them will repeat games"
    return None


def _distinct(stones: int, count: int, rng: random.Random, size: int, rule: str, win_length: int) -> list[Opening]:
    """Random openings, no two the same under symmetry as long as fresh ones are found easily."""
    openings: list[Opening] = []
    seen = set()
    tries = 0
    while len(openings) < count:
        opening = random_opening(stones, rng, size, rule, win_length)
        key = canonical(opening, size)
        tries += 1
        if key not in seen or tries > 50 * count:
            seen.add(key)
            openings.append(opening)
    return openings
