"""Reviews of small games with known mistakes, by a searcher that sees two plies."""

from collections.abc import Sequence

import pytest

from fivestone.analysis.puzzles import Puzzle, make_puzzles, puzzles_from_review
from fivestone.analysis.report import html_report
from fivestone.analysis.review import grade_of, review_game
from fivestone.analysis.wins import (
    WinKind,
    best_defence,
    forced_win,
    holding_moves,
    stopped_win,
    threatened_win,
    win_by_fours,
)
from fivestone.board import BLACK, WHITE, Board
from fivestone.match.player import SearcherPlayer
from fivestone.search import Limit
from fivestone.search.alphabeta import AlphaBeta

# White ignores an open three; Black then overlooks the five once before playing it.
GAME = "h8a1i8a3j8o1k8o3c5o5l8"


def judge() -> SearcherPlayer:
    return SearcherPlayer("judge", AlphaBeta())


def test_mistakes_are_found_and_refuted() -> None:
    board = Board.from_moves(GAME)
    review = review_game(board, judge(), Limit(depth=4))
    assert len(review.moves) == 11
    assert len(review.chances) == 12
    assert review.chances[-1] == 1.0
    by_ply = {move.ply: move for move in review.moves}
    ignored = by_ply[5]  # o1 with three in a row on the board
    assert ignored.grade == "blunder"
    assert ignored.forced
    game = Board.from_moves(board.moves[:6])
    for move in ignored.refutation:
        game.push(move)
    assert game.winner == 1
    assert by_ply[10].grade == "best"
    worst = review.mistakes(3)
    assert [move.loss for move in worst] == sorted((move.loss for move in worst), reverse=True)
    assert board == Board.from_moves(GAME), "the board is left as it was"


@pytest.mark.parametrize(
    "moves",
    [
        "j7i8g6i9j6j8i6h6i7h8k8f8g8h5h7g7j5f9k4",
        "h8g9g7i9h9h10f8j8g11h6g8e8f7e6f9f6f11f10j11i10h11i11d11e11e10h7c12",
    ],
)
def test_every_win_by_force_is_played_out_to_the_five(moves: str) -> None:
    """Also those that the search proves without fours, whose lines break off before the end."""
    board = Board.from_moves(moves)
    review = review_game(board, judge(), Limit(nodes=20_000))
    assert any(move.forced for move in review.moves)
    assert any(move.reason.kind == "starts forced win" for move in review.moves)
    for item in review.moves:
        before = Board.from_moves(board.moves[: item.ply])
        assert item.color == before.turn
        if item.reason.kind == "starts forced win":
            assert _after(before, item.reason.line).winner == before.turn
        if item.forced:
            assert _after(before, (item.move, *item.refutation)).winner == 3 - before.turn


def _after(board: Board, moves: Sequence[int]) -> Board:
    after = board.copy()
    for move in moves:
        after.push(move)
    return after


def test_a_four_that_only_delays_a_win_does_not_stop_it() -> None:
    board = Board.from_moves("h8h7g9i8g7i9i7j6h6g6j9i5f4g5h5h4g3j5f10e11h10f6e7f8g10i10e5")
    assert [board.name_of(move) for move in threatened_win(board)] == ["d6", "h2", "c7"]
    assert stopped_win(board, board.parse("f5")) == ()
    assert stopped_win(board, board.parse("d6")) != ()


def test_a_game_that_begins_with_set_up_stones_is_reviewed_for_the_right_side() -> None:
    board = Board.from_stones(["h8", "i8", "j8"], ["a1", "a3"], turn=WHITE)
    for name in ("o1", "k8", "o3", "l8"):
        board.push(name)
    review = review_game(board, judge(), Limit(depth=4))
    assert [move.color for move in review.moves] == [WHITE, BLACK, WHITE, BLACK]
    worst = review.moves[0]
    assert (worst.grade, worst.forced) == ("blunder", True)
    page = html_report(board, review)
    assert "Move 1: White o1" in page
    assert page.count('fill="#1b1b1f" stroke="#333" stroke-width=".03" opacity="1"') == sum(
        3 + (item.ply + 1) // 2 for item in review.mistakes(8)
    )


def test_json_names_moves() -> None:
    review = review_game(Board.from_moves(GAME), judge(), Limit(depth=2))
    data = review.to_json()
    assert [row["move"] for row in data["moves"]][:2] == ["h8", "a1"]
    assert all(isinstance(name, str) for row in data["moves"] for name in row["refutation"])


@pytest.mark.parametrize(
    ("moves", "kind"),
    [
        ("h8a1i8a3j8o1c5k8", "fours"),  # c5 leaves an open three alone, and White stops it
        ("h8f6i7j6i8g8h7g6a1", "threats"),  # Black has no win by fours, and plays elsewhere
        ("h8j6g7i9h6h9f8e9i7k9j9g9f9f7o1", "threats"),
    ],
)
def test_missed_wins_become_puzzles_that_are_solved_move_by_move(moves: str, kind: WinKind) -> None:
    board = Board.from_moves(moves)
    review = review_game(board, judge(), Limit(depth=2))
    puzzles = puzzles_from_review(board, review)
    assert puzzles
    assert puzzles[-1].kind == kind
    for puzzle in [puzzle for puzzle in puzzles if puzzle.kind != "defence"]:
        position = puzzle.board()
        assert bool(win_by_fours(position)) == (puzzle.kind == "fours")
        position.push("m14")
        assert best_defence(position, kind) is None
        assert _solve(puzzle, kind) == puzzle.turn


def _solve(puzzle: Puzzle, kind: WinKind) -> int | None:
    """Who wins when the solver plays the proof and the defender its best answers."""
    board = puzzle.board()
    while not board.is_over:
        win = forced_win(board)
        assert win is not None
        board.push(win.line[0])
        answer = best_defence(board, kind)
        if answer is None:
            break
        board.push(answer)
    return board.winner


def test_a_win_that_is_kept_another_way_is_no_mistake() -> None:
    """Black wins by h6, and by h5 as well, which so shallow a search does not see."""
    board = Board.from_moves("h8f6i7j6i8g8h7g6h5")
    review = review_game(board, judge(), Limit(depth=2))
    assert review.moves[-1].best == board.parse("h6")
    assert review.moves[-1].grade == "best"
    assert review.chances[-2:] == (1.0, 1.0)
    assert [puzzle.turn for puzzle in puzzles_from_review(board, review)] == []


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("h8a1i8a3j8o1", ["g8", "k8"]),  # White leaves an open three alone; from further off it wins all the same
        ("h8i9h9h10g8i8i10g7f8e8", ["f7"]),  # White stops one three where a move stops both
    ],
)
def test_a_win_that_was_allowed_becomes_a_puzzle(moves: str, answers: list[str]) -> None:
    board = Board.from_moves(moves)
    puzzle = puzzles_from_review(board, review_game(board, judge(), Limit(depth=2)))[-1]
    position = puzzle.board()
    assert (puzzle.kind, puzzle.turn, puzzle.solution) == ("defence", WHITE, ())
    assert [position.name_of(move) for move in puzzle.answers] == answers
    for move in [*puzzle.answers, board.peek(), position.parse("o15")]:
        after = position.copy()
        after.push(move)
        assert (forced_win(after) is None) == (move in puzzle.answers), position.name_of(move)


def test_where_nothing_is_threatened_or_all_is_lost_no_move_holds() -> None:
    assert holding_moves(Board.from_moves("h8i9j7k10"), 6) == []
    assert holding_moves(Board.from_moves("h8a1i8a3j8a5k8"), 6) == []  # an open four
    assert holding_moves(Board.from_moves("h8a1i8a3j8"), 1) == []  # two moves hold


@pytest.mark.parametrize(
    "moves",
    [
        "h8f6i7j6i8g8h7g6h6",
        "h8k8g5h7g7g8i6f6i7h6j6k5i5",  # the answer that comes to mind first, i4, loses sooner than others
    ],
)
def test_a_defence_is_the_one_that_holds_out_longest(moves: str) -> None:
    """Against every legal answer the attacker has a win left, and the one chosen leaves the longest."""
    board = Board.from_moves(moves)
    answer = best_defence(board, "threats")
    assert answer is not None
    lengths = {}
    for reply in board.legal_moves:
        after = board.copy()
        after.push(reply)
        win = forced_win(after)
        assert win is not None, board.name_of(reply)
        lengths[reply] = len(win.line)
    assert lengths[answer] == max(lengths.values())
    assert best_defence(board, "fours") is None  # the last move makes no four


def test_grades() -> None:
    assert [grade_of(loss) for loss in (0.0, 0.03, 0.07, 0.15, 0.5)] == [
        "best",
        "good",
        "inaccuracy",
        "mistake",
        "blunder",
    ]


def test_puzzles_are_solvable_graded_and_repeatable() -> None:
    stream = make_puzzles(seed=5, size=11)
    puzzles = [next(stream) for _ in range(5)]
    again = make_puzzles(seed=5, size=11)
    assert puzzles == [next(again) for _ in range(5)]
    for puzzle in puzzles:
        board = puzzle.board()
        for move in puzzle.solution:
            board.push(move)
        assert board.winner == puzzle.turn
        assert puzzle.length >= 2
        assert puzzle.difficulty in ("easy", "medium", "hard", "expert")
