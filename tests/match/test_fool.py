"""The fool loses on purpose, and cannot easily be made to win."""

import random

import pytest
from misere import misere_value

from fivestone.board import EMPTY, WHITE, Board
from fivestone.errors import BadInput
from fivestone.match.fool import Fool, SimpleFool
from fivestone.match.mirror import answers
from fivestone.match.specs import make_player
from fivestone.search import Limit
from fivestone.search.mcts import Mcts

FOUR = (["b2", "c2", "d2", "e2"], ["a9", "c9", "e9", "g9"])


@pytest.mark.parametrize("fool", [Fool(solve=0), Fool(visits=300), SimpleFool()])
def test_declines_its_own_five(fool: Fool | SimpleFool) -> None:
    board = Board.from_stones(*FOUR, size=9)
    move = fool.search(board, Limit()).move
    board.push(move)
    assert not board.is_over


def test_leaves_the_opponents_five_open() -> None:
    black, white = FOUR
    board = Board.from_stones(white, black, size=9)
    for fool in (Fool(solve=0), SimpleFool()):
        assert board.name_of(fool.search(board, Limit()).move) not in ("a2", "f2")


def test_completes_a_line_only_when_every_move_does() -> None:
    """Both cells left are fives for Black, so it has to take one."""
    diagram = "xxxx.\nooxoo\nxxoxx\nooxoo\n.xxxx"
    board = Board.from_diagram(diagram, turn=1)
    assert all(board._wins(move, board.turn) for move in board.legal_moves)
    assert Fool().search(board, Limit()).proven == 1  # proven to win, to its regret


def test_misere_search_equals_misere_minimax() -> None:
    """On 3x3 whoever makes three loses: the search proves what plain recursion finds."""
    source, seen = random.Random(5), set()
    for _ in range(25):
        board = Board(3, win_length=3)
        for _ in range(source.randrange(2, 7)):
            if not board.is_over:
                board.push(source.choice(board.legal_moves))
        if board.is_over:
            continue
        expected = misere_value(board)
        seen.add(expected)
        assert Mcts("rollout", misere=True, seed=1).search(board, Limit(visits=100_000)).proven == expected
    assert len(seen) > 1


def test_loses_to_a_random_player() -> None:
    lost = 0
    for game in range(4):
        board = Board(9)
        players = [make_player("fool:visits=200", seed=game), make_player("random", seed=game)]
        if game % 2:
            players.reverse()
        while not board.is_over:
            board.push(players[board.turn - 1].choose(board, Limit()).move)
        lost += board.winner is not None and players[board.winner - 1].name == "random"
    assert lost >= 3


def test_refuses_other_kinds() -> None:
    with pytest.raises(BadInput, match="fool:simple"):
        make_player("fool:clever")
    with pytest.raises(BadInput, match="net is for"):
        make_player("fool:net=line")
    with pytest.raises(BadInput, match="solve is for"):
        make_player("fool:simple,solve=3")
    with pytest.raises(BadInput, match="visits is for fool"):
        make_player("fool:simple,visits=5")


@pytest.mark.parametrize(("size", "length"), [(3, 3), (4, 3), (5, 4)])
def test_plays_the_end_as_well_as_recursion(size: int, length: int) -> None:
    """With seven cells left the fool's move is worth as much as the best there is."""
    source, seen = random.Random(size), set()
    for game in range(40):
        board = Board(size, win_length=length)
        while not board.is_over and board.stones.count(EMPTY) > 7 - game % 3:
            board.push(source.choice([m for m in board.legal_moves if not board._wins(m, board.turn)] or [0]))
        if board.is_over:
            continue
        expected = misere_value(board)
        found = Fool(seed=game).search(board, Limit())
        assert found.proven == -expected
        assert found.notes["cannot_win"] == (expected >= 0)
        board.push(found.move)
        assert -misere_value(board) == expected
        seen.add(expected)
    assert len(seen) > 1


def test_cannot_be_made_to_win_on_an_even_board_when_second() -> None:
    """Every way in which the opponent may go on after four moves, and the fool's answers to them."""
    start = Board.from_moves("a1d4b2c3d1a4c2b3", size=4, win_length=4)
    fool = Fool(solve=0)

    def games(board: Board) -> int:
        if board.is_over:
            assert board.winner != WHITE
            return 1
        played = 0
        for move in board.legal_moves:
            board.push(move)
            if not board.is_over:
                found = fool.search(board, Limit())
                assert found.notes["cannot_win"] == 1.0
                board.push(found.move)
                played += games(board)
                board.pop()
            board.pop()
        return played

    assert games(start) >= 20


def test_gives_up_the_proof_only_for_a_proven_loss() -> None:
    """Second on 6x6 against a searcher of the misere game, it has the proof to the end or a better one."""
    board = Board(6)
    fool, foe = Fool(solve=20, visits=500), Mcts("rollout", misere=True, seed=3)
    while not board.is_over:
        board.push(foe.search(board, Limit(visits=500)).move)
        if not board.is_over:
            found = fool.search(board, Limit())
            assert found.notes["cannot_win"] == 1.0
            board.push(found.move)
    assert board.winner != WHITE


def test_answers_across_the_centre_but_does_not_take_the_last_five() -> None:
    fool = Fool(solve=0)
    assert fool.search(Board.from_moves("c4", size=9), Limit()).move == Board(9).parse("g6")
    black, white = ["d9", "e9", "f9", "g9", "b1", "g1"], ["f1", "e1", "d1", "c1", "h9"]
    board = Board.from_stones(black, white, size=9)  # c9 is Black's five, and lies across g1
    assert [board.name_of(move) for move in answers(board)] == ["c9"]
    assert fool.search(board, Limit()).move != board.parse("c9")


def test_does_not_lose_its_way_against_the_simple_fool() -> None:
    """The first stones leave both alike, so that the search decides."""
    results = []
    for game in range(4):
        board = Board(9)
        players = [make_player("fool:visits=3000", seed=game), make_player("fool:simple", seed=game)]
        if game % 2:
            players.reverse()
        while not board.is_over:
            board.push(players[board.turn - 1].choose(board, Limit()).move)
        results.append(None if board.winner is None else players[board.winner - 1].name)
    assert "fool:visits=3000" not in results
    assert results.count("fool:simple") >= 2


def test_the_simple_fool_prefers_to_leave_a_five() -> None:
    """Of all moves those that stop the five are judged least lost."""
    black, white = FOUR
    board = Board.from_stones(white, black, size=9)
    values = SimpleFool()._values(board)
    open_ends = {board.parse("a2"), board.parse("f2")}
    assert all(value == -1.0 for move, value in values.items() if move not in open_ends)
    with pytest.raises(BadInput, match="five in a row"):
        SimpleFool().search(Board(4, win_length=4), Limit())
