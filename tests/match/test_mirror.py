"""What the mirror proves is true, and stays so whatever the opponent plays."""

import random
from collections.abc import Iterator

import pytest
from misere import misere_value

from fivestone.board import Board
from fivestone.match.mirror import answers, cannot_win, lines, safe_replies

# Size, win length and the cells that may be empty where the game is searched to its end.
BOARDS = [(3, 3, 9), (4, 3, 9), (4, 4, 8), (5, 4, 8), (5, 5, 7)]


def half_mirrored(size: int, length: int, seed: int) -> Iterator[Board]:
    """Positions of games in which one side mostly answers across the centre: some keep the proof, some just lost it."""
    source = random.Random(seed)
    board = Board(size, win_length=length)
    if source.random() < 0.5:
        board.push(source.randrange(size**2))
    while not board.is_over:
        board.push(source.choice(board.legal_moves))
        if not board.is_over:
            across = size**2 - 1 - board.moves[-1]
            keeps = board.is_legal(across) and source.random() < 0.8
            board.push(across if keeps else source.choice(board.legal_moves))
        if not board.is_over:
            yield board


@pytest.mark.parametrize(("size", "length", "cells"), BOARDS)
def test_who_cannot_be_made_to_win_is_not_lost(size: int, length: int, cells: int) -> None:
    """Against recursion: no position with the proof is one in which the opponent can force a line on its owner."""
    proofs = doubts = 0
    for seed in range(200):
        for board in half_mirrored(size, length, seed):
            if board.stones.count(0) > cells:
                continue
            if cannot_win(board):
                proofs += 1
                assert misere_value(board) <= 0, board.diagram()
            else:
                doubts += 1
    assert proofs >= 30
    assert doubts >= 30


@pytest.mark.parametrize(("size", "length"), [(4, 3), (4, 4), (5, 5), (6, 4), (7, 5)])
def test_the_proof_outlives_every_move(size: int, length: int) -> None:
    """The step of the induction: whatever the opponent plays, a reply is left that keeps the proof."""
    steps = 0
    for seed in range(40):
        for board in half_mirrored(size, length, seed):
            if not cannot_win(board):
                continue
            for move in board.legal_moves:
                board.push(move)
                if not board.is_over:
                    steps += 1
                    assert safe_replies(board), board.diagram()
                board.pop()
    assert steps >= 100


def test_the_second_player_on_an_even_board_has_the_proof_from_the_start() -> None:
    board = Board(6)
    source = random.Random(2)
    while not board.is_over:
        board.push(source.choice([move for move in board.legal_moves if not board._wins(move, board.turn)]))
        assert safe_replies(board) == [35 - board.moves[-1]]
        board.push(35 - board.moves[-1])
    assert board.is_draw


def test_proves_nothing_where_a_line_across_may_not_count() -> None:
    for rule in ("standard", "renju", "caro", "caro-exact"):
        board = Board.from_moves("a1f6", size=6, rule=rule)
        assert not cannot_win(board)
    assert cannot_win(Board.from_moves("a1f6", size=6))


def test_answers_lie_across_the_opponents_stones() -> None:
    board = Board.from_moves("a1c3b4", size=5)
    assert {board.name_of(move) for move in answers(board)} == {"e5", "d2"}


def test_lines_are_all_there() -> None:
    found = lines(15, 5)
    assert len(found) == len({tuple(line) for line in found.tolist()}) == 2 * 15 * 11 + 2 * 11 * 11
