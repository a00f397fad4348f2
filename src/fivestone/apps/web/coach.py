"""Help and analysis for the page: hints, threats, a verdict before a blunder, live search, review, puzzles.

Everything here blocks and runs in the engine pool. Limits are in nodes, so that the same question gets the same
answer however busy the machine is; only live analysis runs by the clock.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from typing import Any

from fivestone.analysis import combinations_of, threats_of
from fivestone.analysis.hints import hint
from fivestone.analysis.puzzles import puzzles_from_review
from fivestone.analysis.reasons import Reason
from fivestone.analysis.review import MoveReview, grade_of, review_game
from fivestone.analysis.wins import Win, WinKind, best_defence, forced_win, played_out, threatened_win
from fivestone.apps.web.files import setup_of
from fivestone.apps.web.pool import Ticket
from fivestone.board import BLACK, WHITE, Board
from fivestone.match.flagship import flagship_spec
from fivestone.match.player import SearcherPlayer
from fivestone.match.specs import parse_spec
from fivestone.net import LineNet, load_net
from fivestone.search import Limit, SearchResult
from fivestone.search.alphabeta import AlphaBeta

__all__ = ["Coach", "net_name"]

_HINT = Limit(nodes=100_000)
_JUDGE = Limit(nodes=40_000)
_REVIEW = Limit(nodes=40_000)
_LIVE = Limit(time=30.0)
_CROWDED_SECONDS = 4.0
_PARTIAL_EVERY = 0.12  # seconds between two live results

Emit = Callable[[dict[str, Any]], None]


class Coach:
    """Answers questions about positions with engines that are kept between questions.

    They judge by the net of the strongest player for the board: nobody should be advised by less than he plays against.
    """

    def __init__(self, hash_mb: int = 32) -> None:
        self._hash_mb = hash_mb
        self._shelves: dict[str, queue.SimpleQueue[AlphaBeta]] = {}

    @contextmanager
    def _engine(self, board: Board, lines: int = 1) -> Iterator[AlphaBeta]:
        """A searcher; those for a single line go back to the shelf."""
        net = net_name(board)
        if lines != 1:
            yield self._make(net, lines)
            return
        shelf = self._shelves.setdefault(net, queue.SimpleQueue())
        try:
            engine = shelf.get_nowait()
        except queue.Empty:
            engine = self._make(net)
        engine.new_game()
        try:
            yield engine
        finally:
            shelf.put(engine)

    def _make(self, net: str, lines: int = 1) -> AlphaBeta:
        return AlphaBeta(hash_mb=self._hash_mb, multipv=lines, net=_line_net(net) if net else None)

    def hint(self, board: Board, ticket: Ticket) -> dict[str, Any]:
        with self._engine(board) as engine:
            ticket.on_stop(engine.stop)
            found = hint(board, SearcherPlayer("coach", engine), _HINT)
        return {"move": found.move, "value": found.value, "reason": _reason(found.reason), "pv": list(found.pv)}

    def threats(self, board: Board) -> dict[str, Any]:
        """What stands on the board or could be made at one point, the win of the side to move, or of its opponent."""
        kinds = (threats_of, combinations_of)
        found = [asdict(threat) for kind in kinds for color in (BLACK, WHITE) for threat in kind(board, color)]
        win = forced_win(board)
        danger = () if win or board.is_over else threatened_win(board)
        return {"threats": found, "win": win and {"kind": win.kind, "line": list(win.line)}, "danger": list(danger)}

    def judge(self, board: Board, move: int, ticket: Ticket) -> dict[str, Any]:
        """How much a move would give away, and what refutes it."""
        after = board.copy()
        after.push(move)
        if after.is_over:
            return {"verdict": "best", "loss": 0.0, "refutation": []}
        wins = forced_win(board) is not None
        if wins and best_defence(after, "threats") is not None:
            return {"verdict": "best", "loss": 0.0, "refutation": []}
        win = forced_win(after)
        won, refutation = win is not None, win.line if win else ()
        with self._engine(board) as engine:
            ticket.on_stop(engine.stop)
            before = 1.0 if wins else _chance(engine.search(board, _JUDGE))
            left = 0.0
            if not refutation:
                reply = engine.search(after, _JUDGE)
                left = 1.0 - _chance(reply)
                if reply.proven == 1:
                    won = True
                    refutation = played_out(after, reply.pv, SearcherPlayer("coach", engine), _JUDGE)
        loss = max(0.0, before - left)
        verdict = grade_of(loss, into_forced_loss=won and before > 0.0)
        return {"verdict": verdict, "loss": loss, "refutation": list(refutation)}

    def live(
        self, board: Board, lines: int, ticket: Ticket, emit: Emit, crowded: Callable[[], bool] = lambda: False
    ) -> dict[str, Any]:
        """Searches until stopped or out of time, sending what it has every so often.

        When others wait for an engine it makes room after a few seconds. A win by force is shown to its end: a search
        that has proven one breaks its line off.
        """
        win = forced_win(board)
        started, last = time.monotonic(), 0.0

        def report(result: SearchResult) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _PARTIAL_EVERY:
                last = now
                emit(_search(result, win))
            if now - started > _CROWDED_SECONDS and crowded():
                engine.stop()

        with self._engine(board, lines) as engine:
            ticket.on_stop(engine.stop)
            return _search(engine.search(board, _LIVE, report), win)

    def review(self, board: Board, ticket: Ticket, emit: Emit) -> dict[str, Any]:
        """The value of every position, the mistakes worst first, and puzzles of wins that were missed or allowed."""
        stop = threading.Event()
        ticket.on_stop(stop.set)
        with self._engine(board) as engine:
            review = review_game(
                board,
                SearcherPlayer("coach", engine),
                _REVIEW,
                on_progress=lambda done, total: emit({"done": done, "total": total}),
                stop=stop,
            )
        puzzles = [] if stop.is_set() else puzzles_from_review(board, review)
        return {
            "values": list(review.chances),
            "mistakes": [_mistake(move) for move in review.mistakes(12)],
            "puzzles": [
                {"setup": setup_of(puzzle.board()), "kind": puzzle.kind, "answers": list(puzzle.answers)}
                for puzzle in puzzles
            ],
        }

    def solve(self, board: Board, kind: WinKind) -> dict[str, Any]:
        """A puzzle after the solver's move: solved, still won with the defender's best answer, or thrown away."""
        if board.winner is not None:
            return {"solved": True}
        reply = best_defence(board, kind)
        return {"solved": False, "keeps": reply is not None} | ({} if reply is None else {"reply": reply})


def net_name(board: Board) -> str:
    """The net that the strongest player for the board judges by; empty where it does without."""
    spec = parse_spec(flagship_spec(board.size, board.rule, board.win_length))
    return spec.options.get("net", "") if spec.name == "alphabeta" else ""


@cache
def _line_net(name: str) -> LineNet:
    net = load_net(name)
    assert isinstance(net, LineNet)
    return net


def _chance(result: SearchResult) -> float:
    return (1 + result.value) / 2


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.kind,
        "move": reason.move,
        "text": reason.text,
        "shapes": [list(shape) for shape in reason.shapes],
        "line": list(reason.line),
    }


def _search(result: SearchResult, win: Win | None) -> dict[str, Any]:
    moves = [
        {"move": info.move, "value": info.value, "visits": info.visits, "pv": list(info.pv)[:12]}
        for info in sorted(result.moves, key=lambda info: -info.value)
    ]
    if win is not None:
        first = win.line[0]
        visits = next((info.visits for info in result.moves if info.move == first), 0)
        best = {"move": first, "value": 1.0, "visits": visits, "pv": list(win.line)}
        moves = [best, *(info for info in moves if info["move"] != first)]
    return {
        "value": result.value if win is None else 1.0,
        "proven": result.proven if win is None else 1,
        "depth": result.depth,
        "nodes": result.nodes,
        "visits": result.visits,
        "moves": moves,
    }


def _mistake(move: MoveReview) -> dict[str, Any]:
    return {
        "ply": move.ply + 1,
        "move": move.move,
        "best": move.best,
        "loss": move.loss,
        "verdict": move.grade,
        "reason": _reason(move.reason),
        "line": list(move.line),
        "refutation": list(move.refutation),
        "forced": move.forced,
    }
