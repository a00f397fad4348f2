"""A whole game looked at again: the value of every position, mistakes ranked, each with what refutes it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fivestone import notation
from fivestone.analysis.reasons import Reason, explain_move
from fivestone.analysis.wins import best_defence, forced_win, played_out, stopped_win
from fivestone.board import BLACK, Board
from fivestone.match.player import Player
from fivestone.search import Limit, SearchResult

__all__ = ["Grade", "MoveReview", "Review", "grade_of", "review_game"]

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
# The chance of winning a move may give away before it is called so.
_GRADES: tuple[tuple[float, Grade], ...] = ((0.02, "best"), (0.05, "good"), (0.10, "inaccuracy"), (0.20, "mistake"))


def grade_of(loss: float, *, into_forced_loss: bool = False) -> Grade:
    """The grade of a move that gave away `loss` of the chance to win, 0 to 1.

    To walk into a forced loss is a blunder however poor the position was, unless it was lost by force already.
    """
    if into_forced_loss:
        return "blunder"
    return next((grade for limit, grade in _GRADES if loss < limit), "blunder")


@dataclass(frozen=True)
class MoveReview:
    """One move of the game. Chances are for the side that moved, 0 to 1.

    `line` is what the better move would have led to, `refutation` what the move played allowed; the first move of the
    refutation is the opponent's.
    """

    ply: int
    color: int
    move: int
    best: int
    chance: float  # with the best move
    chance_after: float  # with the move played
    loss: float
    grade: Grade
    reason: Reason
    line: tuple[int, ...]
    wins: bool  # the line is a win, played out to the five
    refutation: tuple[int, ...]
    forced: bool  # the refutation is a win, played out to the five


@dataclass(frozen=True)
class Review:
    """The game and its moves; `chances` are Black's before each move and at the end."""

    size: int
    rule: str
    moves: tuple[MoveReview, ...]
    chances: tuple[float, ...]

    def mistakes(self, count: int = 5) -> list[MoveReview]:
        """The moves that gave away most, worst first."""
        bad = [move for move in self.moves if move.grade in ("inaccuracy", "mistake", "blunder")]
        return sorted(bad, key=lambda move: -move.loss)[:count]

    def to_json(self) -> dict[str, Any]:
        """Plain data with moves by name."""

        def names(moves: Sequence[int]) -> list[str]:
            return [notation.format_move(move, self.size) for move in moves]

        rows = []
        for item in self.moves:
            row = asdict(item)
            row |= {key: notation.format_move(row[key], self.size) for key in ("move", "best")}
            row |= {key: names(row[key]) for key in ("line", "refutation")}
            row["reason"] = {"kind": item.reason.kind, "text": item.reason.text, "line": names(item.reason.line)}
            rows.append(row)
        return {"size": self.size, "rule": self.rule, "chances": list(self.chances), "moves": rows}


def review_game(
    board: Board,
    judge: Player,
    limit: Limit,
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    stop: threading.Event | None = None,
) -> Review:
    """Reviews the game that led to the board, from its first move; stopped early, the moves done so far."""
    game = board.copy()
    played = game.moves
    for _ in played:
        game.pop()
    results: list[_Judged] = []
    for ply in range(len(played) + 1):
        if stop is not None and stop.is_set():
            break
        lost = _judge_lost(game) if results and results[-1].won else None
        results.append(lost or _judge(game, judge, limit))
        on_progress(ply + 1, len(played) + 1)
        if ply < len(played):
            game.push(played[ply])
    while len(game.moves) > 0:
        game.pop()
    moves = []
    chances = []
    for ply, judged in enumerate(results):
        chances.append(judged.chance if game.turn == BLACK else 1 - judged.chance)
        if ply + 1 < len(results):
            moves.append(_review_move(game, ply, played[ply], judged, results[ply + 1]))
            game.push(played[ply])
    return Review(board.size, board.rule, tuple(moves), tuple(chances))


@dataclass(frozen=True)
class _Judged:
    """A position: the best move and line for the side to move and its chance to win.

    `won`: it wins by force. `shown`: the line is that win, as far as the five.
    """

    best: int | None
    chance: float
    line: tuple[int, ...]
    won: bool
    shown: bool


def _judge(board: Board, judge: Player, limit: Limit) -> _Judged:
    if board.is_over:
        chance = 0.5 if board.winner is None else float(board.winner == board.turn)
        return _Judged(None, chance, (), won=chance == 1.0, shown=False)
    win = forced_win(board)
    if win is not None:
        return _Judged(win.line[0], 1.0, win.line, won=True, shown=True)
    result: SearchResult = judge.choose(board, limit)
    line = result.pv or (result.move,)
    shown = played_out(board, line, judge, limit) if result.proven == 1 else ()
    return _Judged(result.move, (1 + result.value) / 2, shown or line, won=result.proven == 1, shown=bool(shown))


def _judge_lost(board: Board) -> _Judged | None:
    """A position that is lost whatever the side to move does; None if that is not seen."""
    answer = best_defence(board, "threats")
    if answer is None:
        return None
    after = board.copy()
    after.push(answer)
    win = forced_win(after)
    assert win is not None
    return _Judged(answer, 0.0, (answer, *win.line), won=False, shown=False)


def _review_move(board: Board, ply: int, move: int, before: _Judged, after: _Judged) -> MoveReview:
    assert before.best is not None
    chance_after = 1 - after.chance
    # The move played may turn out better than what the search before it had thought best.
    chance = max(before.chance, chance_after)
    loss = 0.0 if move == before.best else chance - chance_after
    grade = grade_of(loss, into_forced_loss=after.won and move != before.best and before.chance > 0)
    win = before.line if before.shown else ()
    stopped = () if win or grade in ("best", "good") else stopped_win(board, before.best)
    return MoveReview(
        ply=ply,
        color=board.turn,
        move=move,
        best=before.best,
        chance=chance,
        chance_after=chance_after,
        loss=loss,
        grade=grade,
        reason=explain_move(board, before.best, win=win, stopped=stopped),
        line=before.line,
        wins=before.shown,
        refutation=after.line,
        forced=after.shown,
    )
