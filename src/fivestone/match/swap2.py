"""The Swap2 opening: three stones, then a choice of colours, with search behind every choice.

One side puts three stones (black, white, black). The other takes Black, or stays White and puts the fourth stone, or
puts two more stones and leaves the choice of colours to the first side, which then takes Black or stays White.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.player import Player
from fivestone.search import Limit, SearchResult

__all__ = ["Swap2Choice", "choose_swap2"]

# Below this value for either side the search cannot tell who is better.
_BALANCED = 0.08
_CANDIDATES = 8
_SHORTEST = 0.02  # seconds


@dataclass(frozen=True)
class Swap2Choice:
    """Take Black (`swap`), or put these stones: three on an empty board, then one to stay White or two to pass
    the choice on."""

    swap: bool = False
    moves: tuple[int, ...] = ()

    def fits(self, board: Board) -> bool:
        """Whether the choice exists at this stage of the opening."""
        if self.swap:
            return not self.moves and len(board.moves) in (3, 5)
        return len(self.moves) in {0: (3,), 3: (1, 2), 5: (1,)}.get(len(board.moves), ())


def choose_swap2(player: Player, board: Board, limit: Limit, seed: int = 0) -> Swap2Choice:
    """The player's choice on an empty board or with three or five stones on it, within the limit as a whole."""
    stones = len(board.moves)
    if stones != board.stone_count or stones not in (0, 3, 5):
        raise BadInput(f"Swap2 is decided with 0, 3 or 5 stones on the board, not {board.stone_count}")
    source = random.Random(seed)
    if stones == 0:
        return Swap2Choice(moves=_most_balanced(player, board, _triples(board, source), limit))
    first = limit if stones == 5 else _share(limit, 2)
    result = player.choose(board, first)
    if stones == 3 and result.proven is None and abs(result.value) < _BALANCED:
        pairs = _pairs(board, result, source)
        return Swap2Choice(moves=_most_balanced(player, board, pairs, _share(limit, 2)))
    return Swap2Choice(moves=(result.move,)) if result.value >= 0 else Swap2Choice(swap=True)


def _most_balanced(
    player: Player, board: Board, candidates: Iterable[tuple[int, ...]], limit: Limit
) -> tuple[int, ...]:
    """The stones after which the search sees the least difference between the colours."""
    best: tuple[int, ...] = ()
    least = 2.0
    candidates = list(candidates)
    if limit.time is not None:
        candidates = candidates[: max(1, int(limit.time / _SHORTEST))]
    for moves in candidates:
        after = board.copy()
        for move in moves:
            after.push(move)
        value = abs(player.choose(after, _share(limit, len(candidates))).value)
        if value < least:
            best, least = moves, value
    return best


def _share(limit: Limit, parts: int) -> Limit:
    """An equal part of the time; the other limits hold for each search."""
    time = None if limit.time is None else limit.time / parts
    return Limit(time=time, visits=limit.visits, nodes=limit.nodes, depth=limit.depth)


def _triples(board: Board, source: random.Random) -> list[tuple[int, ...]]:
    """Three stones close enough to matter to each other, and nearer the edge than people play, which is what
    takes the sting out of moving first."""
    size = board.size
    triples: list[tuple[int, ...]] = []
    while len(triples) < _CANDIDATES:
        edge = source.randint(1, max(1, size // 4))
        first = source.randint(1, size - 2) * size + edge
        second = _near(board, first, 4, {first}, source)
        third = _near(board, first, 5, {first, second}, source)
        if board.rule != "renju" or not board.is_forbidden(third):
            triples.append((first, second, third))
    return triples


def _pairs(board: Board, result: SearchResult, source: random.Random) -> list[tuple[int, ...]]:
    """The searched best move of White, or another good one, and a stone of Black's somewhere near."""
    whites = [info.move for info in result.moves[:3]] or [result.move]
    taken = set(board.moves)
    pairs: list[tuple[int, ...]] = []
    while len(pairs) < _CANDIDATES:
        white = whites[len(pairs) % len(whites)]
        pairs.append((white, _near(board, white, 5, taken | {white}, source)))
    return pairs


def _near(board: Board, move: int, distance: int, taken: set[int], source: random.Random) -> int:
    """A free cell within the distance of a move."""
    size = board.size
    x, y = move % size, move // size
    cells = [
        row * size + column
        for row in range(max(0, y - distance), min(size, y + distance + 1))
        for column in range(max(0, x - distance), min(size, x + distance + 1))
        if row * size + column not in taken
    ]
    return source.choice(cells)
