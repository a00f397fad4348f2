"""Patterns against the slow classifier, for every window there is; incremental positions against fresh ones."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from fivestone import RULES, Board, _core
from oracle import BLACK, DIRECTIONS, WHITE, OracleBoard, classify, window_of
from walks import walk

CORE_RULES = {
    "freestyle": _core.Rule.FREESTYLE,
    "standard": _core.Rule.STANDARD,
    "renju": _core.Rule.RENJU,
    "caro": _core.Rule.CARO,
    "caro-exact": _core.Rule.CARO_EXACT,
}
# What decides at once, or must be answered.
URGENT = (_core.Threat.FIVE, _core.Threat.OPEN_FOUR, _core.Threat.DOUBLE_FOUR)
FOURS = (*URGENT, _core.Threat.FOUR, _core.Threat.FOUR_THREE)


def flags(rule: str, color: int) -> tuple[bool, bool, bool]:
    """exact, caro, line fours allowed"""
    renju_black = rule == "renju" and color == BLACK
    return (
        rule in ("standard", "caro-exact") or renju_black,
        rule in ("caro", "caro-exact"),
        not renju_black,
    )


def name(pattern: int) -> str:
    return _core.Pattern(pattern).name.lower().replace("_", "-")


def sides(reach: int) -> list[tuple[int | None, ...]]:
    """Every side of a window in the order of its number: shorter ones first, then as ternary digits, nearest last."""
    found: list[tuple[int | None, ...]] = []
    for length in range(reach + 1):
        found += [digits[::-1] + (None,) * (reach - length) for digits in product((0, 1, 2), repeat=length)]
    return found


def visible(side: tuple[int | None, ...], own: int) -> tuple[int | None, ...]:
    """A side as its owner sees it (1 own, 2 opposing); nothing behind an opposing stone matters."""
    seen = [None if stone is None else {0: 0, own: 1, 3 - own: 2}[stone] for stone in side]
    cut = seen.index(2) + 1 if 2 in seen else len(seen)
    return tuple(seen[:cut]) + (None,) * (len(seen) - cut)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_every_window_has_the_right_pattern(rule: str, color: int) -> None:
    reach = 4 if rule == "freestyle" else 5
    table = np.frombuffer(_core.pattern_table(CORE_RULES[rule], color), dtype=np.uint8)
    seen = [visible(side, color) for side in sides(reach)]
    kinds = sorted(set(seen), key=str)
    kind_of = np.array([kinds.index(side) for side in seen])
    expected = np.array(
        [[classify((*behind[::-1], 1, *ahead), *flags(rule, color)) for ahead in kinds] for behind in kinds]
    )
    wanted = expected[kind_of][:, kind_of].reshape(-1)
    assert table.size == wanted.size == len(seen) ** 2
    names = np.array([name(pattern) for pattern in range(12)])
    wrong = np.flatnonzero(names[table] != wanted)
    assert wrong.size == 0, [
        (seen[code // len(seen)][::-1], seen[code % len(seen)], names[table[code]], wanted[code]) for code in wrong[:5]
    ]


def pattern_on_row(row: str, rule: str) -> str:
    """What Black makes on the cell marked * of the lowest row."""
    black, white = ([move for move, cell in enumerate(row) if cell == symbol] for symbol in "XO")
    board = Board.from_stones(black, white, BLACK, len(row), rule)
    return name(_core.Position(board).pattern(row.index("*"), BLACK, 0))


@pytest.mark.parametrize(
    ("row", "pattern"),
    [
        ("....XX*X....", "open-four"),
        ("...OXX*X....", "four"),
        ("..X.X*X.X...", "line-fours"),
        ("....XX*.....", "open-three"),
        ("...X.*X.....", "open-three"),
        ("...OXX*.....", "three"),
        (".....X*.....", "open-two"),
        ("....XXX*X...", "five"),
        ("...OX.*.O...", "dead"),
    ],
)
def test_shapes_everybody_knows(row: str, pattern: str) -> None:
    assert pattern_on_row(row, "freestyle") == pattern


def test_an_open_four_under_caro_cannot_be_stopped_by_one_stone() -> None:
    assert pattern_on_row(".....XX*X......", "caro") == "open-four"
    assert pattern_on_row("...O.XX*X.O....", "caro") == "four"  # O at either end leaves a five between two O
    assert pattern_on_row("...O.XX*X.O....", "freestyle") == "open-four"
    assert pattern_on_row("..OX.X*X.XO....", "caro-exact") == "four"
    assert pattern_on_row("...X.X*X.X.....", "caro-exact") == "line-fours"


@pytest.mark.parametrize("rule", RULES)
def test_positions_kept_by_push_and_pop_equal_fresh_ones(rule: str) -> None:
    rng = random.Random(f"position {rule}")
    for size in (5, 9, 15, 20):
        board = Board(size, rule)
        for position in walk(board, rng, 120):
            if rng.random() < 0.15:
                assert_position(position, board, rng)


@pytest.mark.parametrize("rule", RULES)
def test_a_jump_equals_the_single_moves(rule: str) -> None:
    rng = random.Random(5)
    quiet = closed = 0
    for size in (5, 9, 20):
        board = Board(size, rule)
        position = _core.Position(board)
        for step in range(60):
            dropped, played = rng.randrange(min(6, len(board.moves)) + 1), []
            for _ in range(dropped):
                board.pop()
            for _ in range(rng.randrange(7)):
                if not board.is_over:
                    played.append(rng.choice(board.legal_moves))
                    board.push(played[-1])
            urgent, *fours = position.jump(dropped, played)
            if any(position.count(threat, color) for threat in URGENT for color in (BLACK, WHITE)):
                assert urgent
            for color, may in zip((BLACK, WHITE), fours, strict=True):
                assert may or not any(position.count(threat, color) for threat in FOURS)
            quiet += not any(fours)
            closed += not urgent and any(fours)
            if step % 3 == 0 and not board.is_over:  # moves pushed after a jump are taken back as always
                move = rng.choice(board.legal_moves)
                position.push(move)
                position.pop()
            if step % 3 == 1 and board.moves:  # and so are those that the jump itself played
                board.pop()
                position.pop()
            assert_position(position, board, rng)
            fresh = _core.Position(board)
            assert (position.score, position.cell_score) == (fresh.score, fresh.cell_score)
    assert quiet > 10
    assert closed > 5


def assert_position(position: _core.Position, board: Board, rng: random.Random) -> None:
    fresh = _core.Position(board)
    empty = [move for move, stone in enumerate(board.stones) if stone == 0]
    for move in range(board.size**2):
        assert position.codes(move) == fresh.codes(move)
    for color in (BLACK, WHITE):
        for move in empty:
            assert position.threat(move, color) == fresh.threat(move, color)
        threats = [position.threat(move, color) for move in empty]
        for threat in _core.Threat:
            if threat >= _core.Threat.OPEN_THREE:
                assert position.count(threat, color) == threats.count(threat)
    oracle = OracleBoard.from_stones(board.stones, board.turn, board.size, board.rule)
    reach = 4 if board.rule == "freestyle" else 5
    for move in rng.sample(empty, min(6, len(empty))):
        for color, direction in product((BLACK, WHITE), range(4)):
            window = window_of(oracle, move, color, DIRECTIONS[direction], reach)
            expected = classify(window, *flags(board.rule, color))
            assert name(position.pattern(move, color, direction)) == expected
    if board.rule == "renju":
        maybe = {move for move in empty if position.threat(move, BLACK) == _core.Threat.MAYBE_FORBIDDEN}
        assert set(board.forbidden_moves) <= maybe


def test_the_strongest_threat_names_the_cell() -> None:
    board = Board.from_stones(["h8", "h9", "h10", "i7", "j7"], [], BLACK)
    position = _core.Position(board)
    threat = {move: position.threat(board.parse(move), BLACK) for move in ("h7", "h11", "k7", "a1")}
    assert threat["h7"] == _core.Threat.OPEN_FOUR
    assert threat["h11"] == _core.Threat.OPEN_FOUR
    assert threat["k7"] == _core.Threat.OPEN_THREE
    assert threat["a1"] == _core.Threat.NONE


def test_positions_refuse_what_is_not_there() -> None:
    position = _core.Position(Board())
    for call in (
        lambda: position.codes(225),
        lambda: position.pattern(-1, BLACK, 0),
        lambda: position.pattern(0, BLACK, 4),
        lambda: position.threat(900, BLACK),
    ):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(ValueError, match="colour"):
        position.threat(0, 3)
    with pytest.raises(ValueError, match="take back"):
        position.pop()
    with pytest.raises(ValueError, match="win length 5"):
        _core.Position(Board(6, win_length=4))
