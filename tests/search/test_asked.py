"""The positions that alpha-beta asked its scorer about: all of them, or some, each as likely as any other."""

from __future__ import annotations

from collections import Counter

import pytest

from fivestone import _core
from fivestone.board import Board
from fivestone.net.load import load_net
from fivestone.search import Limit
from fivestone.search.alphabeta import AlphaBeta

ROOT = ("h8", "i9", "g8")
EVERYTHING = 100_000


def board() -> Board:
    return Board.from_moves([Board(15).parse(move) for move in ROOT], 15)


def asked(room: int, seed: int, nodes: int) -> list[tuple[int, ...]]:
    kept = _core.Asked(room)
    engine = AlphaBeta(hash_mb=1, asked=kept)
    kept.start(seed)
    engine.search(board(), Limit(nodes=nodes))
    found = [tuple(moves) for moves in kept.take()]
    assert kept.take() == []
    return found


def test_they_are_positions_that_moves_from_the_root_lead_to() -> None:
    root = board()
    found = asked(EVERYTHING, 1, 3000)
    assert len(found) > 500
    assert max(map(len, found)) > len(ROOT) + 4
    for moves in found:
        assert list(moves[: len(ROOT)]) == root.moves
        assert not Board.from_moves(list(moves), 15).is_over  # and every move of them is legal


def test_remembering_changes_nothing() -> None:
    net = load_net("line")
    kept = _core.Asked(3)
    engines = [AlphaBeta(hash_mb=1, net=net, asked=remember) for remember in (None, kept)]  # type: ignore[arg-type]
    plain, watched = (engine.search(board(), Limit(nodes=5000)) for engine in engines)
    assert (plain.pv, plain.score, plain.nodes) == (watched.pv, watched.score, watched.nodes)
    assert len(kept.take()) == 3


def test_each_is_as_likely_to_be_kept_as_any_other() -> None:
    everything = Counter(asked(EVERYTHING, 1, 150))
    count = sum(everything.values())
    room, searches = count // 4, 400
    kept = Counter[tuple[int, ...]]()
    for seed in range(searches):
        some = asked(room, seed, 150)
        assert len(some) == room
        kept.update(some)
    assert set(kept) <= set(everything)
    for moves, times in everything.items():
        expected = searches * times * room / count
        assert abs(kept[moves] - expected) < 6 * expected**0.5
    assert asked(room, 7, 150) == asked(room, 7, 150) != asked(room, 8, 150)


def test_several_threads_cannot_share_it() -> None:
    with pytest.raises(ValueError, match="one thread"):
        AlphaBeta(threads=2, asked=_core.Asked(1))
