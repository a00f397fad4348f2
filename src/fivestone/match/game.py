"""The one game loop: two players, an opening, a limit, a clock, and a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fivestone import notation
from fivestone.board import BLACK, WHITE, Board, color_name, other
from fivestone.errors import BadFile, BadInput, MissingExtra
from fivestone.match.player import Forfeit, ForfeitKind, Player
from fivestone.records import Game
from fivestone.search import Limit, SearchResult

__all__ = ["Clock", "GameRecord", "OnMove", "Reason", "play_game"]

Clock = Callable[[], float]
OnMove = Callable[[Board, SearchResult, float], None]
# Why a game ended: five in a row, no legal cell left, no line left for either side, or one side's forfeit.
Reason = Literal["five", "full", "dead draw", "time", "crash", "illegal"]
_FORFEITS = ("time", "crash", "illegal")


@dataclass(frozen=True)
class GameRecord:
    """A finished game. `moves` includes the opening; `seconds` and `values` have an entry a move after it.

    A value is for the side that moved. `winner` is None for a draw.
    """

    size: int
    rule: str
    win_length: int
    black: str
    white: str
    opening: int
    moves: tuple[int, ...]
    winner: int | None
    reason: Reason
    detail: str = ""
    seconds: tuple[float, ...] = ()
    values: tuple[float, ...] = ()

    @property
    def result(self) -> str:
        return {BLACK: "1-0", WHITE: "0-1", None: "1/2-1/2"}[self.winner]

    @property
    def forfeit(self) -> ForfeitKind | None:
        """How the loser forfeited, or None for a game that was played out."""
        return self.reason if self.reason in _FORFEITS else None  # type: ignore[return-value]

    def points(self, color: int) -> float:
        """1 for a win, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == color)

    def time_used(self, color: int) -> float:
        """Seconds the side spent thinking."""
        first = (self.opening % 2 == 0) == (color == BLACK)
        return sum(self.seconds[0 if first else 1 :: 2])

    def board(self) -> Board:
        """The final position."""
        return Board.from_moves(self.moves, self.size, self.rule, self.win_length)

    def to_game(self, event: str = "") -> Game:
        """The record other programs can read; why the game ended stands at the last move."""
        result = "Draw"
        if self.winner is not None:
            ending = {"time": "T", "crash": "F", "illegal": "F"}.get(self.reason, "")
            result = f"{'B' if self.winner == BLACK else 'W'}+{ending}"
        game = Game.from_moves(
            self.moves,
            self.size,
            self.rule,
            self.win_length,
            seconds=self.seconds[: len(self.values)],  # a forfeit took time but is no move
            values=self.values,
            black=self.black,
            white=self.white,
            result=result,
            event=event,
        )
        if self.reason != "five":
            last = game.line()[-1] if self.moves else game.root
            last.comment = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return game

    def to_json(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "rule": self.rule,
            "win_length": self.win_length,
            "black": self.black,
            "white": self.white,
            "opening": self.opening,
            "moves": notation.format_moves(list(self.moves), self.size),
            "winner": self.winner,
            "reason": self.reason,
            "detail": self.detail,
            "seconds": [round(second, 4) for second in self.seconds],
            "values": [round(value, 4) for value in self.values],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameRecord:
        try:
            moves = [notation.parse_move(name, data["size"]) for name in notation.split_moves(data["moves"])]
            return cls(
                **{
                    **data,
                    "moves": tuple(moves),
                    "seconds": tuple(data["seconds"]),
                    "values": tuple(data["values"]),
                }
            )
        except (KeyError, TypeError, BadInput) as error:
            raise BadFile(f"not a game record: {error}") from None


def play_game(
    black: Player,
    white: Player,
    *,
    size: int = 15,
    rule: str = "freestyle",
    win_length: int = 5,
    opening: Sequence[int] = (),
    limit: Limit,
    grace: float = 0.5,
    clock: Clock = time.monotonic,
    on_move: OnMove | None = None,
) -> GameRecord:
    """Plays one game from the opening.

    A player that is late by more than `grace` seconds, raises, or answers an illegal move loses. An error that
    the user can put right (a player that does not play this board at all, a missing extra) is raised instead.
    """
    board = Board.from_moves(opening, size, rule, win_length)
    players = {BLACK: black, WHITE: white}
    seconds: list[float] = []
    values: list[float] = []

    def finish(winner: int | None, reason: Reason, detail: str = "") -> GameRecord:
        return GameRecord(
            size=size,
            rule=rule,
            win_length=win_length,
            black=black.name,
            white=white.name,
            opening=len(opening),
            moves=tuple(board.moves),
            winner=winner,
            reason=reason,
            detail=detail,
            seconds=tuple(seconds),
            values=tuple(values),
        )

    for turn, player in players.items():
        player.new_game()
        try:
            _prepare(player, board)
        except Forfeit as forfeit:
            return finish(other(turn), forfeit.kind, f"{color_name(turn)}, {player.name}: {forfeit.detail}")
    while not board.is_over:
        if board.is_dead_draw:
            return finish(None, "dead draw")
        turn = board.turn
        try:
            result = _ask(players[turn], board, limit, grace, clock, seconds)
        except Forfeit as forfeit:
            detail = f"{color_name(turn)}, {players[turn].name}: {forfeit.detail}"
            return finish(other(turn), forfeit.kind, detail)
        board.push(result.move)
        values.append(result.value)
        if on_move is not None:
            on_move(board, result, seconds[-1])
    return finish(board.winner, "five" if board.winner is not None else "full")


def _prepare(player: Player, board: Board) -> None:
    """Lets a player that is slow to get ready (a program to start) do it before its time counts."""
    prepare = getattr(player, "prepare", None)
    if prepare is not None:
        prepare(board)


def _ask(player: Player, board: Board, limit: Limit, grace: float, clock: Clock, seconds: list[float]) -> SearchResult:
    """The player's answer, its time noted; raises Forfeit when it is late, broken or illegal."""
    own = getattr(player, "limit", None)  # not every player has a limit of its own
    allowed = (own.or_else(limit) if isinstance(own, Limit) else limit).time
    began = clock()
    try:
        result = player.choose(board.copy(), limit)
    except (Forfeit, BadInput, BadFile, MissingExtra):
        raise
    except Exception as error:
        raise Forfeit("crash", f"{type(error).__name__}: {error}".splitlines()[0]) from error
    finally:
        seconds.append(clock() - began)
    if allowed is not None and seconds[-1] > allowed + grace:
        raise Forfeit("time", f"{seconds[-1]:.2f} s for a move, {allowed:g} s allowed")
    move = result.move
    if not 0 <= move < board.size * board.size or not board.is_legal(move):
        where = board.name_of(move) if 0 <= move < board.size * board.size else str(move)
        raise Forfeit("illegal", f"move {len(board.moves) + 1} at {where}")
    return result
