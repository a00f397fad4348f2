"""The fool loses on purpose, and cannot easily be made to win."""

import random

import pytest

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.fool import Fool, SimpleFool
from fivestone.match.specs import make_player
from fivestone.search import Limit, SearchResult
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

    def value(board: Board) -> int:
        if board.winner is not None:
            return 1  # the opponent has just completed a line, and lost
        if board.is_over:
            return 0
        best = -1
        for move in board.legal_moves:
            board.push(move)
            best = max(best, -value(board))
            board.pop()
        return best

    source, seen = random.Random(5), set()
    for _ in range(25):
        board = Board(3, win_length=3)
        for _ in range(source.randrange(2, 7)):
            if not board.is_over:
                board.push(source.choice(board.legal_moves))
        if board.is_over:
            continue
        expected = value(board)
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


def test_a_clear_loss_is_not_searched_for_long_and_an_open_fight_is() -> None:
    """White's lines are open and Black's are dead: nearly every game from there is lost. On an empty board none is."""
    calls: list[int] = []
    fool = Fool(visits=12_000)
    search = fool._search.search

    def counted(board: Board, limit: Limit) -> SearchResult:
        found = search(board, limit)
        calls.append(found.visits)
        return found

    fool._search.search = counted  # type: ignore[method-assign, assignment]
    lost = Board.from_stones(
        ["a1", "a2", "b4", "h1", "h2", "g4", "a8", "h8"], ["c3", "d3", "e3", "c5", "d5", "e5", "c7", "d7"], size=8
    )
    fool.search(lost, Limit())
    assert len(calls) == 1
    calls.clear()
    fool.search(Board(8), Limit())
    assert len(calls) == 2
    assert calls[-1] == 12_000


def test_a_stop_between_two_looks_ends_the_search() -> None:
    fool = Fool()
    search = fool._search.search

    def stopped(board: Board, limit: Limit) -> SearchResult:
        found = search(board, limit)
        fool.stop()
        return found

    fool._search.search = stopped  # type: ignore[method-assign, assignment]
    assert fool._think(Board(8), None).visits < 10_000


def test_the_simple_fool_prefers_to_leave_a_five() -> None:
    """Of all moves those that stop the five are judged least lost."""
    black, white = FOUR
    board = Board.from_stones(white, black, size=9)
    values = SimpleFool()._values(board)
    open_ends = {board.parse("a2"), board.parse("f2")}
    assert all(value == -1.0 for move, value in values.items() if move not in open_ends)
    with pytest.raises(BadInput, match="five in a row"):
        SimpleFool().search(Board(4, win_length=4), Limit())
