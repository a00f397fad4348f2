"""What the page can ask for to learn: hints, threats, verdicts, live analysis, review, puzzles."""

from __future__ import annotations

from typing import Any, cast

from fivestone.analysis.wins import WinKind
from fivestone.apps.web.coach import Coach
from fivestone.apps.web.handlers import describe, running_board
from fivestone.apps.web.messages import BadMessage
from fivestone.apps.web.puzzles import GRADES, graded_puzzles
from fivestone.apps.web.session import Request

__all__ = ["Lessons"]


class Lessons:
    """One method a request."""

    def __init__(self) -> None:
        self._coach = Coach()

    async def on_hint(self, request: Request) -> dict[str, Any]:
        board = running_board(request)
        return cast("dict[str, Any]", await request.search(lambda ticket: self._coach.hint(board, ticket)))

    async def on_threats(self, request: Request) -> dict[str, Any]:
        board = request.fields.board()
        return cast("dict[str, Any]", await request.search(lambda ticket: self._coach.threats(board)))

    async def on_judge(self, request: Request) -> dict[str, Any]:
        board = running_board(request)
        move = request.fields.whole("move", 0, board.size * board.size - 1)
        if not board.is_legal(move):
            raise BadMessage(f"{board.name_of(move)} is not legal")
        return cast("dict[str, Any]", await request.search(lambda ticket: self._coach.judge(board, move, ticket)))

    async def on_analyze(self, request: Request) -> dict[str, Any]:
        board = running_board(request)
        lines = request.fields.whole("lines", 1, 12, 5)
        return cast(
            "dict[str, Any]",
            await request.search(
                lambda ticket: self._coach.live(board, lines, ticket, request.emit, request.crowded), long=True
            ),
        )

    async def on_review(self, request: Request) -> dict[str, Any]:
        board = request.fields.board()
        if not board.moves:
            raise BadMessage("there is no game to review")
        return cast(
            "dict[str, Any]",
            await request.search(lambda ticket: self._coach.review(board, ticket, request.emit), long=True),
        )

    async def on_puzzles(self, request: Request) -> dict[str, Any]:
        return {"puzzles": graded_puzzles(request.fields.whole("grade", 1, GRADES))}

    async def on_solve(self, request: Request) -> dict[str, Any]:
        board = request.fields.board()
        kind = cast("WinKind", request.fields.choice("kind", ("fours", "threats"), "fours"))
        answer: dict[str, Any] = await request.search(lambda ticket: self._coach.solve(board, kind))
        answer["position"] = describe(board)
        if "reply" in answer:
            board.push(answer["reply"])
            answer["after"] = describe(board)
        return answer
