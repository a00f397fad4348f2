"""Reviews of small games with known mistakes, by a searcher that sees two plies."""

from fivestone.analysis.puzzles import make_puzzles, puzzles_from_review
from fivestone.analysis.review import grade_of, review_game
from fivestone.board import Board
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


def test_json_names_moves() -> None:
    review = review_game(Board.from_moves(GAME), judge(), Limit(depth=2))
    data = review.to_json()
    assert [row["move"] for row in data["moves"]][:2] == ["h8", "a1"]
    assert all(isinstance(name, str) for row in data["moves"] for name in row["refutation"])


def test_missed_wins_become_puzzles() -> None:
    board = Board.from_moves("h8a1i8a3j8o1c5k8")  # c5 leaves an open three alone, and White stops it
    review = review_game(board, judge(), Limit(depth=2))
    puzzles = puzzles_from_review(board, review)
    assert puzzles
    for puzzle in puzzles:
        position = puzzle.board()
        assert puzzle.solves(position, puzzle.solution[0])
        assert not puzzle.solves(position, position.parse("m14"))


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
