"""The terminal game, fed through a stream as a pipe would."""

import io
from pathlib import Path

import pytest

from fivestone.apps.terminal import TerminalGame
from fivestone.board import BLACK, WHITE, Board
from fivestone.errors import BadInput
from fivestone.match.player import Forfeit, Player, SearcherPlayer
from fivestone.search import Limit, OnResult, SearchResult


class LowestCell:
    """Plays the first empty cell: a1, b1, ..."""

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        return SearchResult(move=board.legal_moves[0], value=0.0, pv=(board.legal_moves[0],))

    def stop(self) -> None: ...


def players(spec: str, *, seed: int = 0) -> Player:
    if spec == "level:11":
        raise BadInput("level 11: choose 1 to 10")
    return SearcherPlayer(spec, LowestCell())


def play(*lines: str, color: int = BLACK, size: int = 9) -> tuple[str, TerminalGame]:
    output = io.StringIO()
    game = TerminalGame(size=size, color=color, output=output, players=players)
    game.run(io.StringIO("".join(f"{line}\n" for line in lines)))
    return output.getvalue(), game


def test_a_whole_game() -> None:
    text, game = play("e5", "e6", "e7", "e8", "e9")
    assert "You win: e5 e6 e7 e8 e9" in text
    assert game.board.winner == BLACK


def test_the_opponent_begins_when_you_are_white() -> None:
    text, game = play("e5", color=WHITE)
    assert [game.board.name_of(move) for move in game.board.moves] == ["a1", "e5", "b1"]
    assert "You are White" in text


def test_undo_takes_back_both_moves() -> None:
    _text, game = play("e5", "e6", "undo")
    assert [game.board.name_of(move) for move in game.board.moves] == ["e5", "a1"]
    _text, game = play("e5", "e6", "e7", "e8", "e9", "undo")
    assert len(game.board.moves) == 8
    _text, game = play("undo", color=WHITE)
    assert len(game.board.moves) == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("z99", "is not a move"),
        ("a1", "there is a stone on it"),
        ("level", "give 1 to 10"),
        ("level 11", "choose 1 to 10"),
        ("board 40", "from 5 to 20"),
        pytest.param("board " + "9" * 5000, "from 5 to 20", id="board too large a number"),
        ("new green", "new black or new white"),
        ("save", "give a file name"),
        ("save /dev/null/game.sgf", "cannot write"),
        ("save a\0b.sgf", "cannot write"),
    ],
)
def test_mistakes_get_one_line_and_change_nothing(line: str, answer: str) -> None:
    text, game = play("e5", line, "e6")
    assert answer in text
    assert [game.board.name_of(move) for move in game.board.moves] == ["e5", "a1", "e6", "b1"]


def test_a_move_the_opponent_cannot_answer_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    search = LowestCell.search

    def fail_at_first(self: LowestCell, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        monkeypatch.setattr(LowestCell, "search", search)
        raise Forfeit("crash", "it has gone")

    monkeypatch.setattr(LowestCell, "search", fail_at_first)
    text, game = play("e5", "e6")
    assert "your move is taken back: crash: it has gone\n" in text
    assert [game.board.name_of(move) for move in game.board.moves] == ["e6", "a1"]
    monkeypatch.setattr(LowestCell, "search", fail_at_first)
    text, game = play("new white", "e6")
    assert "crash: it has gone\n" in text
    assert [game.board.name_of(move) for move in game.board.moves] == ["a1", "e6", "b1"]


def test_after_the_game_only_a_new_one() -> None:
    text, game = play("e5", "e6", "e7", "e8", "e9", "d4", "new white")
    assert 'type "new"' in text
    assert [game.board.name_of(move) for move in game.board.moves] == ["a1"]


def test_hint_level_and_board() -> None:
    text, game = play("hint", "level fool", "board 6", "quit", "e5")
    assert text.count("It wants you to win") == 2  # when it sits down, and at the new board
    assert "Try a1 (50% for you): a1 is a quiet move" in text
    assert "Now against fool." in text
    assert game.board.size == 6
    assert not game.board.moves


def test_the_opponent_s_elo_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {(9, "freestyle"): {"5": 700.0, "7": 900.0}, (15, "freestyle"): {"5": 1000.0, "7": 1500.0}}
    monkeypatch.setattr("fivestone.apps.strength.measured_elo", lambda: known)
    text, _game = play("level 7", "board 12")
    assert "against level normal. Elo 700." in text
    assert "Now against level 7. Elo 900." in text
    assert "against level 7. Elo about 1200." in text


def test_save(tmp_path: Path) -> None:
    play("e5", f"save {tmp_path / 'game.sgf'}")
    assert "GM[4]" in (tmp_path / "game.sgf").read_text()
