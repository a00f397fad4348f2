"""The one game loop: two players, an opening, a limit, a clock, and a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from fivestone import notation
from fivestone.board import BLACK, RULES, WHITE, Board, color_name, other
from fivestone.errors import BadFile, BadInput, MissingExtra
from fivestone.match.player import Forfeit, ForfeitKind, Player
from fivestone.match.swap2 import Swap2Choice, choose_swap2
from fivestone.records import Game
from fivestone.search import Limit, SearchResult

__all__ = ["Clock", "GameRecord", "OnMove", "Reason", "check_fields", "play_game", "prepare"]

T = TypeVar("T")
Clock = Callable[[], float]
OnMove = Callable[[Board, SearchResult, float], None]
# Why a game ended: five in a row, no legal cell left, no line left for either side, or one side's forfeit.
Reason = Literal["five", "full", "dead draw", "time", "crash", "illegal"]
_FORFEITS = ("time", "crash", "illegal")
# What the fields of a kept game may be: types, or the values themselves.
_FIELDS: Mapping[str, tuple[Any, ...]] = {
    "size": (int,),
    "rule": RULES,
    "win_length": (int,),
    "black": (str,),
    "white": (str,),
    "opening": (int,),
    "moves": (str,),
    "winner": (BLACK, WHITE, None),
    "reason": get_args(Reason),
    "detail": (str,),
    "seconds": (list,),
    "values": (list,),
    "swapped": (bool,),
}


def check_fields(data: Any, fields: Mapping[str, tuple[Any, ...]]) -> None:
    """Raises BadInput unless `data` is a JSON object whose fields are of those types or among those values."""
    if not isinstance(data, dict):
        raise BadInput("not a JSON object")
    for key, value in data.items():
        if key not in fields:
            raise BadInput(f"unknown field '{key}'")
        # By the exact type: to Python, true is a number and 5.0 is 5.
        if type(value) not in fields[key] and not any(type(value) is type(one) and value == one for one in fields[key]):
            raise BadInput(f"{key} cannot be {str(value)[:40]!r}")


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
    # Whether Swap2 gave White to the player who put the first three stones.
    swapped: bool = False

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
            "swapped": self.swapped,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameRecord:
        try:
            check_fields(data, _FIELDS)
            if not all(type(number) in (int, float) for key in ("seconds", "values") for number in data[key]):
                raise BadInput("seconds and values are lists of numbers")
            moves = [notation.parse_move(name, data["size"]) for name in notation.split_moves(data["moves"])]
            return cls(
                **{
                    **data,
                    "moves": tuple(moves),
                    "seconds": tuple(data["seconds"]),
                    "values": tuple(data["values"]),
                }
            )
        except KeyError as error:
            raise BadFile(f"not a game record: {error} is missing") from None
        except (TypeError, BadInput) as error:
            raise BadFile(f"not a game record: {error}") from None


def play_game(
    first: Player,
    second: Player,
    *,
    size: int = 15,
    rule: str = "freestyle",
    win_length: int = 5,
    opening: Sequence[int] = (),
    swap2: int | None = None,
    limit: Limit,
    grace: float = 0.5,
    clock: Clock = time.monotonic,
    on_move: OnMove | None = None,
) -> GameRecord:
    """Plays one game from the opening, the first player with Black.

    Or they settle the opening and who has Black by Swap2, the first player putting the first three stones; `swap2` is
    then the seed for what chance there is in it.

    A player that is late by more than `grace` seconds, raises, or answers an illegal move loses. An error that
    the user can put right (a player that does not play this board at all, a missing extra) is raised instead.
    """
    game = _Game(first, second, Board.from_moves(opening, size, rule, win_length), limit, grace, clock)
    try:
        for turn, player in game.players.items():
            player.new_game()
            game.call(turn, prepare, player, game.board)
        if swap2 is not None:
            game.settle_opening(swap2)
        winner, reason = game.play(on_move)
    except _Lost as lost:
        player = game.players[lost.color]
        detail = f"{color_name(lost.color)}, {player.name}: {lost.forfeit.detail}"
        return game.record(other(lost.color), lost.forfeit.kind, detail)
    return game.record(winner, reason)


class _Lost(Exception):
    """The game ends with a forfeit."""

    def __init__(self, color: int, forfeit: Forfeit) -> None:
        super().__init__(color)
        self.color = color
        self.forfeit = forfeit


class _Game:
    """A game in progress."""

    def __init__(self, first: Player, second: Player, board: Board, limit: Limit, grace: float, clock: Clock) -> None:
        self.players = {BLACK: first, WHITE: second}
        self.board, self.limit, self.grace, self.clock = board, limit, grace, clock
        self.swapped = False
        self.opening = len(board.moves)
        self.seconds: list[float] = []
        self.values: list[float] = []

    def call(self, color: int, what: Callable[..., T], *arguments: Any) -> T:
        """What a player answers; whatever goes wrong on its side is its forfeit."""
        try:
            return what(*arguments)
        except Forfeit as forfeit:
            raise _Lost(color, forfeit) from forfeit
        except (BadInput, BadFile, MissingExtra):
            raise
        except Exception as error:
            detail = f"{type(error).__name__}: {error}".splitlines()[0]
            raise _Lost(color, Forfeit("crash", detail)) from error

    def settle_opening(self, seed: int) -> None:
        """Swap2: three stones by the first player, then colours are chosen, at the latest with five stones."""
        self._choose_swap2(BLACK, seed)
        choice = self._choose_swap2(WHITE, seed + 1)
        if choice.swap or (len(choice.moves) == 2 and not self._choose_swap2(BLACK, seed + 2).swap):
            self._change_colours()
        self.opening = len(self.board.moves)

    def _choose_swap2(self, color: int, seed: int) -> Swap2Choice:
        player = self.players[color]
        choice: Swap2Choice = self.call(color, _swap2_choice, player, self.board.copy(), self.limit, seed)
        for move in choice.moves:
            self._check(color, move)
            self.board.push(move)
        return choice

    def _change_colours(self) -> None:
        self.players = {BLACK: self.players[WHITE], WHITE: self.players[BLACK]}
        self.swapped = True

    def play(self, on_move: OnMove | None) -> tuple[int | None, Reason]:
        """Moves until the game is over; the winner and why."""
        board = self.board
        while not board.is_over:
            if board.is_dead_draw:
                return None, "dead draw"
            turn = board.turn
            result = self._ask(turn)
            self._check(turn, result.move)
            board.push(result.move)
            self.values.append(result.value)
            if on_move is not None:
                on_move(board, result, self.seconds[-1])
        return board.winner, "five" if board.winner is not None else "full"

    def _ask(self, turn: int) -> SearchResult:
        """The player's answer in time."""
        player = self.players[turn]
        own = getattr(player, "limit", None)  # not every player has a limit of its own
        allowed = (own.or_else(self.limit) if isinstance(own, Limit) else self.limit).time
        self.call(turn, prepare, player, self.board)
        began = self.clock()
        try:
            result: SearchResult = self.call(turn, player.choose, self.board.copy(), self.limit)
        finally:
            self.seconds.append(self.clock() - began)
        if allowed is not None and self.seconds[-1] > allowed + self.grace:
            detail = f"{self.seconds[-1]:.2f} s for a move, {allowed:g} s allowed"
            raise _Lost(turn, Forfeit("time", detail))
        return result

    def _check(self, color: int, move: int) -> None:
        board = self.board
        inside = 0 <= move < board.size * board.size
        if not inside or not board.is_legal(move):
            where = board.name_of(move) if inside else str(move)
            raise _Lost(color, Forfeit("illegal", f"move {len(board.moves) + 1} at {where}"))

    def record(self, winner: int | None, reason: Reason, detail: str = "") -> GameRecord:
        board = self.board
        return GameRecord(
            size=board.size,
            rule=board.rule,
            win_length=board.win_length,
            black=self.players[BLACK].name,
            white=self.players[WHITE].name,
            opening=min(self.opening, len(board.moves)),
            moves=tuple(board.moves),
            winner=winner,
            reason=reason,
            detail=detail,
            seconds=tuple(self.seconds),
            values=tuple(self.values),
            swapped=self.swapped,
        )


def _swap2_choice(player: Player, board: Board, limit: Limit, seed: int) -> Swap2Choice:
    """The player's own choice where it has one, or else one by search."""
    own = getattr(player, "swap2", None)
    choice = own(board, limit) if own is not None else choose_swap2(player, board, limit, seed)
    assert isinstance(choice, Swap2Choice)
    if not choice.fits(board):
        raise Forfeit("illegal", f"{len(choice.moves)} stones for the opening with {len(board.moves)} on the board")
    return choice


def prepare(player: Player, board: Board) -> None:
    """Lets a player that has to get ready (start a program, let one catch its breath) do it before its time counts."""
    ready = getattr(player, "prepare", None)
    if ready is not None:
        ready(board)
