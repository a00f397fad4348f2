"""Reasons that can be checked: forty positions with what is to be said, and threats named from the board itself."""

from pathlib import Path

import pytest

from fivestone.analysis import combinations_of, explain_move, hint, threats_of
from fivestone.analysis.wins import stopped_win, win_by_fours
from fivestone.board import BLACK, RULES, WHITE, Board
from fivestone.match.player import RandomPlayer
from fivestone.notation import transform_move
from fivestone.search import Limit

POSITIONS = [
    line for line in (Path(__file__).parent / "positions.txt").read_text().splitlines() if not line.startswith("#")
]


def read(line: str) -> tuple[Board, int, str]:
    black, white, turn, move, expected = (part.strip() for part in line.split("|"))
    rule = "freestyle"
    if black.split()[0] in RULES:
        rule, _, black = black.partition(" ")
    board = Board.from_stones(black.split(), white.split(), BLACK if turn == "black" else WHITE, rule=rule)
    return board, board.parse(move), expected


def test_there_are_forty() -> None:
    assert len(POSITIONS) == 40


@pytest.mark.parametrize("line", POSITIONS)
@pytest.mark.parametrize("symmetry", [0, 3, 6])
def test_position(line: str, symmetry: int) -> None:
    board, move, expected = read(line)
    board, move = board.transform(symmetry), transform_move(move, board.size, symmetry)
    win = win_by_fours(board)
    reason = explain_move(board, move, win=win if win and win[0] == move else (), stopped=stopped_win(board, move))
    assert reason.kind == expected, reason
    assert board.name_of(move) in reason.text


@pytest.mark.parametrize("line", POSITIONS)
def test_a_reason_shows_the_stones_it_is_about(line: str) -> None:
    board, move, _ = read(line)
    win = win_by_fours(board)
    reason = explain_move(board, move, win=win if win and win[0] == move else (), stopped=stopped_win(board, move))
    shown = reason.kind not in ("starts forced win", "stops forced win", "quiet")
    assert bool(reason.shapes) == shown
    stops = reason.kind.startswith("stops")
    for shape in reason.shapes:
        stones = set(shape) - {move}
        assert stops == (move not in shape)
        assert {board.stones[cell] for cell in stones} == {3 - board.turn if stops else board.turn}
        points = sorted(divmod(cell, board.size) for cell in {*shape, move})
        (row, column), (last_row, last_column) = points[0], points[-1]
        assert row == last_row or column == last_column or abs(last_row - row) == abs(last_column - column)
        assert max(abs(last_row - row), abs(last_column - column)) < 6
        assert reason.kind == "wins" or " ".join(board.name_of(cell) for cell in shape) in reason.text


@pytest.mark.parametrize(
    ("black", "white", "turn", "move", "shapes"),
    [
        ("h8 i8 j8", "a1 c3", WHITE, "k8", ["h8 i8 j8"]),
        ("h8 i8 j8 k8", "g8 c3", WHITE, "l8", ["h8 i8 j8 k8"]),
        ("e8 f8 g8 h6 h7", "d8 a1 c3 o1 m3", BLACK, "h8", ["e8 f8 g8 h8", "h6 h7 h8"]),
        ("h8", "i9", BLACK, "h9", ["h8 h9"]),
        ("h5 h7 h8", "a1 c3", BLACK, "h6", ["h5 h6 h7 h8"]),
        ("a1 a3 a5", "c1 c3 e8", BLACK, "a4", ["a1 a3 a4 a5"]),
    ],
)
def test_the_stones_of_a_reason(black: str, white: str, turn: int, move: str, shapes: list[str]) -> None:
    board = Board.from_stones(black.split(), white.split(), turn)
    found = explain_move(board, board.parse(move)).shapes
    assert sorted(sorted(board.name_of(cell) for cell in shape) for shape in found) == [x.split() for x in shapes]


def test_a_forced_win_is_shown_and_wins_when_replayed() -> None:
    board = Board.from_stones(["e8", "f8", "g8", "h6", "h7"], ["d8", "a1", "c3", "o1", "m3"], BLACK)
    line = win_by_fours(board)
    game = board.copy()
    for move in line:
        game.push(move)
    assert game.winner == BLACK


@pytest.mark.parametrize(
    ("moves", "kind"),
    [
        ("h8j6g7i9h6h9f8e9i7k9j9g9f9f7", "starts forced win"),
        ("h8f6i7j6i8g8h7g6", "starts forced win"),
        ("f8a1g8c3h6o1h7m3", "makes double three"),
    ],
)
def test_a_hint_shows_a_win_by_threes_and_fours(moves: str, kind: str) -> None:
    """None of these has a win by fours, and no search is asked."""
    board = Board.from_moves(moves)
    assert not win_by_fours(board)
    found = hint(board, RandomPlayer(), Limit())
    assert (found.reason.kind, found.value) == (kind, 1.0)
    game = board.copy()
    for move in found.reason.line:
        game.push(move)
    assert game.winner == board.turn


@pytest.mark.parametrize(
    ("stones", "expected"),
    [
        ("h8 i8 j8", [("open three", "h8 i8 j8", {"g8", "k8"})]),
        ("h8 i8 k8", [("open three", "h8 i8 k8", {"j8"})]),
        ("h8 i8 j8 k8", [("open four", "h8 i8 j8 k8", {"g8", "l8"})]),
        ("a1 a2 a3 a4", [("four", "a1 a2 a3 a4", {"a5"})]),
        ("h8 i8", []),
        (
            "c3 d4 e5 h10 i10 j10",
            [("open three", "c3 d4 e5", {"b2", "f6"}), ("open three", "h10 i10 j10", {"g10", "k10"})],
        ),
    ],
)
def test_threats_by_name(stones: str, expected: list[tuple[str, str, set[str]]]) -> None:
    board = Board.from_stones(stones.split(), [], WHITE)
    found = [
        (threat.kind, {board.name_of(m) for m in threat.stones}, {board.name_of(m) for m in threat.cells})
        for threat in threats_of(board, BLACK)
    ]
    assert found == [(kind, set(names.split()), cells) for kind, names, cells in expected]
    assert threats_of(board, WHITE) == []


def test_a_finished_game_names_its_five() -> None:
    board = Board.from_stones(["h8", "i8", "j8", "k8", "l8"], ["a1", "b1", "c1", "d1"], WHITE)
    assert [threat.kind for threat in threats_of(board, BLACK)] == ["five"]
    assert threats_of(board, WHITE) == []


@pytest.mark.parametrize(
    ("black", "white", "rule", "expected"),
    [
        ("e8 f8 g8 h6 h7", "d8", "freestyle", [("four-three", "h8")]),
        ("e8 f8 g8 h7 h6 h5", "d8 h4", "freestyle", [("double four", "h8")]),
        ("f8 g8 h7 h6", "", "freestyle", [("double three", "h8")]),
        ("f8 g8 h7 h6", "", "renju", []),
        ("e8 f8 g8 h6 h7", "d8", "renju", [("four-three", "h8")]),
    ],
)
def test_two_threats_at_once_by_name(black: str, white: str, rule: str, expected: list[tuple[str, str]]) -> None:
    board = Board.from_stones(black.split(), white.split(), BLACK, rule=rule)
    found = {(threat.kind, board.name_of(*threat.cells)) for threat in combinations_of(board, BLACK)}
    assert set(expected) <= found
    assert bool(expected) or not any(cell == "h8" for _, cell in found)
    for threat in combinations_of(board, BLACK):
        after = board.copy()
        after.push(threat.cells[0])
        made = [standing.kind for standing in threats_of(after, BLACK) if threat.cells[0] in standing.stones]
        assert len(made) >= 2, (board.name_of(*threat.cells), made)
    assert combinations_of(board, WHITE) == []
