"""What the page can ask for: a position's facts, a move, help and analysis."""

from __future__ import annotations

from typing import Any

from fivestone import __version__
from fivestone.apps.web.messages import BadMessage
from fivestone.apps.web.opponents import Opponents
from fivestone.apps.web.pool import Ticket
from fivestone.apps.web.session import Handler, Request
from fivestone.board import RULES, Board
from fivestone.search import Limit, SearchResult

__all__ = ["Handlers", "describe"]

# The page's own games are short; a server for many must not be held up by one move.
_MOVE_LIMIT = Limit(time=10.0)


def describe(board: Board) -> dict[str, Any]:
    """The facts of a position that the page draws."""
    return {
        "turn": board.turn,
        "over": board.is_over,
        "winner": board.winner,
        "line": list(board.winning_line),
        "forbidden": [] if board.is_over else list(board.forbidden_moves),
    }


class Handlers:
    def __init__(self, opponents: Opponents) -> None:
        self._opponents = opponents

    def table(self) -> dict[str, Handler]:
        return {"hello": self.hello, "look": self.look, "move": self.move}

    async def hello(self, request: Request) -> dict[str, Any]:
        return {"version": __version__, "rules": list(RULES), "players": self._opponents.listing()}

    async def look(self, request: Request) -> dict[str, Any]:
        return {"position": describe(request.fields.board())}

    async def move(self, request: Request) -> dict[str, Any]:
        """The move of a player from the allow-list, and the position after it."""
        board = request.fields.board()
        spec = self._opponents.spec_of(request.fields.table("player"))
        if board.is_over:
            raise BadMessage("the game is over")

        def work(ticket: Ticket) -> SearchResult:
            with self._opponents.borrow(spec) as player:
                ticket.on_stop(player.stop)
                return player.choose(board, _MOVE_LIMIT)

        result: SearchResult = await request.search(work)
        board.push(result.move)
        return {"move": result.move, "value": result.value, "position": describe(board)}
