"""The Gomocup protocol from the engine's side.

One thread reads (see inbox.py), one searches (see thinking.py), and this one decides and writes. It never waits for a
search without listening, so that commands take effect, or are put by, whenever they arrive.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from fivestone import notation
from fivestone.apps.gomocup.inbox import EndOfInput, Inbox, Line
from fivestone.apps.gomocup.position import (
    board_from_fields,
    moves_from_points,
    parse_fields,
    take_back,
    with_rule,
)
from fivestone.apps.gomocup.settings import Settings
from fivestone.apps.gomocup.thinking import Thinking
from fivestone.board import Board, color_name
from fivestone.errors import BadInput, FivestoneError
from fivestone.match.player import Player
from fivestone.match.swap2 import Swap2Choice, choose_swap2
from fivestone.search import Limit, OnResult, SearchResult
from fivestone.search.greedy import Greedy

__all__ = ["Brain", "PlayerFactory"]

# A player for a size, a rule, threads and the megabytes its tables may take.
PlayerFactory = Callable[[int, str, int, int], Player]

_SMALLEST, _LARGEST = 5, 20
_LAST_WORDS = 0.05  # seconds for a move that is asked for when the end has already been announced
_STOP_AGAIN = 0.02
# These replace the position, so that a search still running has lost its point.
_REPLACING = ("START", "RECTSTART", "RESTART", "BEGIN", "BOARD", "YXBOARD", "SWAP2BOARD", "TAKEBACK")


@dataclass
class _Turn:
    """A search under way: when its command came, when it is to end and when its move must be out."""

    thinking: Thinking
    board: Board | None  # None where the answer is not a move but a choice of Swap2
    moves: int
    began: float
    search_until: float
    answer_until: float
    last_words: bool = False
    stopped: bool = False


class Brain:
    """Answers commands until END or the end of the input."""

    def __init__(
        self,
        inbox: Inbox,
        write: Callable[[str], None],
        make_player: PlayerFactory,
        about: str,
        *,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox = inbox
        self._write = write
        self._make_player = make_player
        self._about = about
        self._seed = seed
        self._clock = clock
        self._settings = Settings()
        self._board: Board | None = None
        self._player: Player | None = None
        self._player_fits: tuple[int, str, int, int] | None = None
        self._turn: _Turn | None = None
        self._stray: Thinking | None = None  # a search that was not waited for
        self._put_by: deque[Line] = deque()
        self._collecting: tuple[Line, list[str]] | None = None  # BOARD and its lines so far
        self._answered_at = 0.0
        self._input_over = False
        self._over = False
        self._commands: dict[str, Callable[[Line], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._opponents_move,
            "BOARD": self._collect,
            "YXBOARD": self._collect,
            "SWAP2BOARD": self._collect,
            "TAKEBACK": self._take_back,
            "PLAY": self._play,
            "INFO": self._info,
            "ABOUT": lambda _: self._write(self._about),
            "STOP": lambda _: None,  # nothing to stop
            "YXSTOP": lambda _: None,
            "END": lambda _: self._end(),
        }

    def run(self) -> None:
        while not self._over:
            if self._turn is None and self._put_by:
                self._obey(self._put_by.popleft())
                continue
            if self._turn is None and self._input_over:
                break
            event = self._inbox.next(self._patience())
            if event is None:
                self._time_is_up()
            elif isinstance(event, Thinking):
                self._finished(event)
            elif isinstance(event, EndOfInput):
                self._input_over = True
                self._stop_search()
            elif isinstance(event, Line):
                self._hear(event)
        if self._player is not None:
            self._player.stop()

    # Listening

    def _hear(self, line: Line) -> None:
        """Obeys a command, or puts it by while there is a search it has to wait for."""
        if self._turn is None:
            self._obey(line)
        elif line.word == "END" and not self._turn.last_words:
            self._end()
        elif line.word in ("STOP", "YXSTOP"):
            self._stop_search()
        elif line.word in ("INFO", "ABOUT") and not self._put_by:
            self._obey(line)
        else:
            self._put_by.append(line)
            if line.word in _REPLACING:
                self._stop_search()

    def _obey(self, line: Line) -> None:
        if self._collecting is not None and line.word not in self._commands:
            self._collected(line)
            return
        self._collecting = None
        command = self._commands.get(line.word)
        if command is None:
            self._write(f"UNKNOWN command {line.text[:80]}")
            return
        try:
            command(line)
        except FivestoneError as error:
            self._write(f"ERROR {_in_a_line(error)}")

    def _end(self) -> None:
        self._over = True

    # Setting up

    def _start(self, line: Line) -> None:
        # Yixin's board sends the width and the height.
        self._new_square(line.rest.split(), "START needs the size of the board")

    def _rectstart(self, line: Line) -> None:
        sides = [side.strip() for side in line.rest.split(",")]
        self._new_square(sides if len(sides) == 2 else [], "RECTSTART needs width,height")

    def _new_square(self, sides: list[str], otherwise: str) -> None:
        sizes = [notation.parse_count(side) for side in sides]
        if not 1 <= len(sizes) <= 2 or sizes[0] is None or sizes[-1] is None:
            raise BadInput(otherwise)
        if sizes[0] != sizes[-1]:
            raise BadInput("only square boards are supported")
        self._new_board(sizes[0])

    def _restart(self, line: Line) -> None:
        self._new_board(self._need_board().size)

    def _new_board(self, size: int) -> None:
        if not _SMALLEST <= size <= _LARGEST:
            raise BadInput(f"board size {size} is not supported: {_SMALLEST} to {_LARGEST}")
        self._board = Board(size, self._settings.rule)
        self._settings.time.new_game()
        self._ready_player().new_game()
        self._write("OK")

    def _info(self, line: Line) -> None:
        words = line.rest.split(maxsplit=1)
        if len(words) < 2:
            return
        self._settings.tell(words[0], words[1])
        if self._board is not None and self._turn is None:
            if self._board.rule != self._settings.rule:
                self._board = with_rule(self._board, self._settings.rule)
            self._ready_player()  # now, not on the clock of the next move
        elif self._turn is not None:
            time_ = self._settings.time.next_turn(self._turn.moves)
            self._turn.search_until = min(self._turn.search_until, self._turn.began + time_.search)
            self._turn.answer_until = min(self._turn.answer_until, self._turn.began + time_.answer)

    def _ready_player(self) -> Player:
        """The player for the board and the settings, built anew where they have changed."""
        board, settings = self._need_board(), self._settings
        wanted = (board.size, board.rule, settings.threads, settings.tables())
        if self._player is None or self._player_fits != wanted:
            if self._player is not None:
                self._player.close()
                self._player = None  # before the new one takes its memory
            self._player = self._make_what_fits(*wanted)
            self._player_fits = wanted
        return self._player

    def _make_what_fits(self, size: int, rule: str, threads: int, tables_mb: int) -> Player:
        """The player, with smaller tables where a manager promised memory that is not to be had."""
        while True:
            try:
                return self._make_player(size, rule, threads, tables_mb)
            except MemoryError:
                if tables_mb == 1:
                    raise FivestoneError("there is no memory for a player") from None
                tables_mb //= 2

    def _need_board(self) -> Board:
        if self._board is None:
            raise BadInput("no game yet: send START first")
        return self._board

    # Moves and positions

    def _begin(self, line: Line) -> None:
        self._think(self._need_board(), line.at)

    def _opponents_move(self, line: Line) -> None:
        board = self._need_board()
        board.push(notation.parse_xy(line.rest, board.size))
        self._think(board, line.at)

    def _play(self, line: Line) -> None:
        board = self._need_board()
        move = notation.parse_xy(line.rest, board.size)
        board.push(move)
        self._write(notation.format_xy(move, board.size))

    def _take_back(self, line: Line) -> None:
        board = self._need_board()
        self._board = take_back(board, notation.parse_xy(line.rest, board.size))
        self._write("OK")

    def _collect(self, line: Line) -> None:
        self._need_board()
        self._collecting = (line, [])

    def _collected(self, line: Line) -> None:
        """One more line of a board; DONE ends it."""
        assert self._collecting is not None
        command, lines = self._collecting
        if line.word != "DONE":
            lines.append(line.text)
            return
        self._collecting = None
        board = self._need_board()
        try:
            if command.word == "SWAP2BOARD":
                self._think_swap2(moves_from_points(lines, board.size, board.rule), command.at)
                return
            self._board = board_from_fields(parse_fields(lines, board.size), board.size, board.rule)
            if command.word == "BOARD":
                self._think(self._board, command.at)
        except FivestoneError as error:
            self._write(f"ERROR {_in_a_line(error)}")

    # Thinking

    def _think(self, board: Board, arrived: float) -> None:
        if board.is_over:
            winner = board.winner
            raise BadInput(
                "the game is over: " + (f"{color_name(winner)} has won" if winner else "no legal move is left")
            )
        player = self._ready_player()
        position = board.copy()

        def task(limit: Limit, on_result: OnResult) -> SearchResult:
            return player.choose(position, limit, on_result)

        self._begin_turn(player, task, board, arrived, moves=board.stone_count // 2)

    def _think_swap2(self, board: Board, arrived: float) -> None:
        player = self._ready_player()

        def task(limit: Limit, on_result: OnResult) -> Swap2Choice:
            return choose_swap2(player, board, limit, self._seed)

        self._begin_turn(player, task, None, arrived, moves=0)

    def _begin_turn(
        self,
        player: Player,
        task: Callable[[Limit, OnResult], object],
        board: Board | None,
        arrived: float,
        moves: int,
    ) -> None:
        now = self._clock()
        began = max(arrived, self._answered_at)  # a command that came early waits on nobody's clock
        time_ = self._settings.time.next_turn(moves)
        search = min(time_.search, _LAST_WORDS) if self._inbox.ending else time_.search
        search_until = began + search
        answer_until = began + time_.answer
        if self._stray is not None and not self._stray.join(None if board is None else search_until - now):
            assert board is not None
            self._answer_move(board, _emergency_move(board))
            return
        self._stray = None
        limit = self._settings.limit(max(0.001, search_until - self._clock()))
        thinking = Thinking(player, partial(task, limit), self._inbox.post)
        self._turn = _Turn(thinking, board, moves, began, search_until, answer_until, self._inbox.ending)

    def _patience(self) -> float | None:
        """Seconds until the search under way needs attention."""
        turn = self._turn
        if turn is None:
            return None
        left = (turn.answer_until if turn.stopped else turn.search_until) - self._clock()
        return min(left, _STOP_AGAIN) if turn.stopped else left

    def _time_is_up(self) -> None:
        """Asks the search to end, and again, for it may not have begun; when time has run out, answers without it."""
        turn = self._turn
        assert turn is not None
        if not turn.stopped or turn.board is None or self._clock() < turn.answer_until:
            self._stop_search()
            return
        self._turn = None
        self._stray = turn.thinking
        latest = turn.thinking.latest
        move = latest.move if latest is not None else _emergency_move(turn.board)
        self._answer_move(turn.board, move, latest, turn)

    def _stop_search(self) -> None:
        if self._turn is not None:
            self._turn.stopped = True
            self._turn.thinking.stop()

    def _finished(self, thinking: Thinking) -> None:
        turn = self._turn
        if turn is None or turn.thinking is not thinking:
            return
        self._turn = None
        if turn.board is None and thinking.error is None:
            self._answer_swap2(thinking.outcome)
        elif turn.board is None:
            self._write(f"ERROR {_in_a_line(thinking.error)}")
        elif thinking.error is not None or not turn.board.is_legal(thinking.outcome.move):
            # Whatever went wrong, a move is better than none.
            self._write(f"DEBUG {_in_a_line(thinking.error or BadInput('the search gave an illegal move'))}")
            self._answer_move(turn.board, _emergency_move(turn.board), None, turn)
        else:
            self._answer_move(turn.board, thinking.outcome.move, thinking.outcome, turn)

    # Answering

    def _answer_move(
        self, board: Board, move: int, result: SearchResult | None = None, turn: _Turn | None = None
    ) -> None:
        message = _describe(result, board.size) if result is not None else ""
        board.push(move)
        self._write(message + notation.format_xy(move, board.size))
        self._answered_at = self._clock()
        if turn is not None:
            self._settings.time.spend(self._answered_at - turn.began)
            self._settings.time.note_lateness(max(0.0, self._answered_at - turn.search_until))

    def _answer_swap2(self, choice: Swap2Choice) -> None:
        size = self._need_board().size
        self._write("SWAP" if choice.swap else " ".join(notation.format_xy(move, size) for move in choice.moves))
        self._answered_at = self._clock()


def _emergency_move(board: Board) -> int:
    """A sensible move within a millisecond."""
    return Greedy().search(board, Limit()).move


def _in_a_line(error: Exception | None) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _describe(result: SearchResult, size: int) -> str:
    """A MESSAGE line on what the search saw, in the protocol's coordinates."""
    facts = [f"value {result.value:+.3f}"]
    if result.proven:
        facts.append("win found" if result.proven > 0 else "loss found")
    if result.depth:
        facts.append(f"depth {result.depth}")
    if result.visits:
        facts.append(f"visits {result.visits}")
    if result.nodes:
        facts.append(f"nodes {result.nodes}")
    facts.append(f"{result.seconds * 1000:.0f} ms")
    line = " ".join(notation.format_xy(move, size) for move in result.pv[:12])
    return f"MESSAGE {', '.join(facts)}{' pv ' + line if line else ''}\n"
