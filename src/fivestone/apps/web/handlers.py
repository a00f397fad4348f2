"""What the page can ask for to play: a position's facts, a move, files, training runs."""

from __future__ import annotations

import asyncio
from typing import Any

from fivestone import __version__
from fivestone.apps.web.files import export_game, import_game
from fivestone.apps.web.messages import BadMessage
from fivestone.apps.web.opponents import Opponents
from fivestone.apps.web.pool import Ticket
from fivestone.apps.web.runs import RunShelf
from fivestone.apps.web.session import Handler, Request
from fivestone.board import RULES, Board
from fivestone.match.swap2 import Swap2Choice, choose_swap2
from fivestone.records import FORMATS
from fivestone.search import Limit, SearchResult

__all__ = ["Handlers", "describe", "handlers_of", "running_board"]

# The page's own games are short; a server for many must not be held up by one move.
_MOVE_LIMIT = Limit(time=10.0)
_SWAP_LIMIT = Limit(time=2.0)
_LONGEST_RECORD = 200_000
_LONGEST_NAME = 255
_LONGEST_PLAYER = 60


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
    """One method a request; `table` is what a session can call."""

    def __init__(self, opponents: Opponents, runs: RunShelf) -> None:
        self._opponents = opponents
        self._runs = runs

    async def on_hello(self, request: Request) -> dict[str, Any]:
        return {"version": __version__, "rules": list(RULES), "players": self._opponents.listing()}

    async def on_ping(self, request: Request) -> dict[str, Any]:
        return {}

    async def on_look(self, request: Request) -> dict[str, Any]:
        return {"position": describe(request.fields.board())}

    async def on_move(self, request: Request) -> dict[str, Any]:
        """The move of a player from the allow-list, and the position after it."""
        board = running_board(request)
        spec = self._opponents.spec_of(request.fields.table("player"))

        def work(ticket: Ticket) -> SearchResult:
            with self._opponents.borrow(spec) as player:
                ticket.on_stop(player.stop)
                return player.choose(board, _MOVE_LIMIT)

        result: SearchResult = await request.search(work)
        board.push(result.move)
        return {"move": result.move, "value": result.value, "position": describe(board)}

    async def on_swap2(self, request: Request) -> dict[str, Any]:
        """The computer's part of a swap2 opening: stones to place, or the colour it takes."""
        board = request.fields.board()
        if board.stone_count != len(board.moves):
            raise BadMessage("a swap2 opening begins on an empty board")
        seed = request.fields.whole("seed", 0, 2**31 - 1, 0)

        def work(ticket: Ticket) -> Swap2Choice:
            with self._opponents.borrow(f"level:9,seed={seed}") as player:
                ticket.on_stop(player.stop)
                return choose_swap2(player, board, _SWAP_LIMIT, seed)

        choice: Swap2Choice = await request.search(work)
        if choice.swap:
            return {"moves": [], "choice": "black"}
        if len(choice.moves) == 1:
            return {"moves": [], "choice": "white"}
        return {"moves": list(choice.moves), "choice": "two" if board.moves else None}

    async def on_runs(self, request: Request) -> dict[str, Any]:
        return {"runs": await asyncio.to_thread(self._runs.listing)}

    async def on_run(self, request: Request) -> dict[str, Any]:
        return await asyncio.to_thread(self._runs.run, request.fields.text("name", _LONGEST_NAME))

    async def on_run_game(self, request: Request) -> dict[str, Any]:
        name, number = request.fields.text("name", _LONGEST_NAME), request.fields.whole("number", 0, 2**31 - 1)
        return {"game": await asyncio.to_thread(self._runs.game, name, number)}

    async def on_import(self, request: Request) -> dict[str, Any]:
        text = request.fields.text("text", _LONGEST_RECORD)
        return {"game": await request.search(lambda ticket: import_game(text))}

    async def on_export(self, request: Request) -> dict[str, Any]:
        board = request.fields.board()
        kind = request.fields.choice("format", FORMATS)
        text = export_game(
            board,
            kind,
            nodes=request.fields.nodes("nodes", board.size),
            resigned=request.fields.whole("resigned", 0, 2, 0),
            names=(
                request.fields.text("black", _LONGEST_PLAYER, ""),
                request.fields.text("white", _LONGEST_PLAYER, ""),
            ),
        )
        return {"text": text}


def running_board(request: Request) -> Board:
    """The board of a request that needs somebody to be able to move."""
    board = request.fields.board()
    if board.is_over:
        raise BadMessage("the game is over")
    return board


def handlers_of(service: object) -> dict[str, Handler]:
    """Every method that is called on_something, by that something."""
    return {name[3:]: getattr(service, name) for name in dir(service) if name.startswith("on_")}
