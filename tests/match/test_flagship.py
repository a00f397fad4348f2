"""The strongest player exists for every board, keeps to its budget and plays legal moves."""

from __future__ import annotations

import pytest

from fivestone.board import RULES, Board
from fivestone.match.flagship import flagship_spec
from fivestone.match.specs import make_player, parse_spec, threads_of
from fivestone.search import Limit


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 15, 20])
def test_it_plays_every_rule(size: int, rule: str) -> None:
    board = Board.from_moves("c3d4", size, rule)
    player = make_player(flagship_spec(size, rule, memory_mb=2))
    assert board.is_legal(player.choose(board, Limit(nodes=200)).move)
    player.close()


@pytest.mark.parametrize(("size", "win_length"), [(3, 3), (6, 4), (15, 6)])
def test_it_plays_every_win_length(size: int, win_length: int) -> None:
    board = Board(size, win_length=win_length)
    player = make_player(flagship_spec(size, "freestyle", win_length))
    assert board.is_legal(player.choose(board, Limit(visits=50)).move)
    player.close()


@pytest.mark.parametrize("win_length", [4, 5])
def test_it_keeps_to_its_budget(win_length: int) -> None:
    spec = flagship_spec(15, "freestyle", win_length, threads=3, memory_mb=40)
    assert threads_of(spec) == 3
    options = parse_spec(spec).options
    assert int(options.get("hash_mb") or options["memory_mb"]) == 40
