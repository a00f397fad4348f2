"""The Gomocup protocol from the manager's side, spoken to engines that may do anything."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fivestone import notation
from fivestone.board import EMPTY, Board, color_name, other
from fivestone.errors import BadInput
from fivestone.match.external.forfeits import EngineCrashed, EngineIllegal, EngineTimeout
from fivestone.match.external.process import EngineGone, EngineProcess
from fivestone.match.swap2 import Swap2Choice
from fivestone.search import Limit, OnResult, SearchResult

__all__ = ["GomocupEngine"]

_RULE_NUMBERS = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8, "caro-exact": 9}
_UNLIMITED = 2147483647
_POINT = re.compile(r"(\d+)\s*,\s*(\d+)")
_SUGGEST = re.compile(r"SUGGEST\s+(\d+\s*,\s*\d+)", re.IGNORECASE)
_SILENCE = 60.0  # seconds that an engine without a time limit may think
_STOPPING = 1.0  # seconds that an engine has to answer once it is told to stop
_IDLE = 0.02  # seconds of processor time below which an engine has not been thinking

Stones = list[tuple[int, int]]
_UNSURE: Stones = [(-1, EMPTY)]  # after Swap2: what the engine has on its board is not said, so it is set up anew


class GomocupEngine:
    """A player that is another program.

    args    further arguments for the program, as a shell would split them
    dir     its working directory (a fresh temporary one unless given)
    memory  megabytes: told to the engine and enforced on what it holds, with its children (0: no limit)
    threads told to the engine
    start   seconds it may take to get ready for a game
    grace   seconds by which it may overstep the time of a move
    pause   seconds that pass at least between its move and the next command, for engines that lose such a command
    """

    def __init__(
        self,
        path: str,
        *,
        name: str | None = None,
        limit: Limit | None = None,
        args: str = "",
        dir: str | None = None,
        memory: int = 0,
        threads: int | None = None,
        start: float = 30.0,
        grace: float = 0.5,
        pause: float = 0.05,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name or Path(path).stem.removeprefix("pbrain-")
        self.limit = limit or Limit()
        self._command = [*_program(path), *_arguments(args)]
        if dir is not None and not os.path.isdir(dir):
            raise BadInput(f"engine directory {dir} does not exist")
        self._directory = dir
        self._memory = memory * 1_000_000
        self._threads = threads
        self._start = start
        self._grace = grace
        self._pause = pause
        self._clock = clock
        self._sleep = sleep
        self._process: EngineProcess | None = None
        self._playing: tuple[int, str] | None = None  # the size and rule it was started with
        self._known: Stones = []  # the stones it knows of
        self._told: dict[str, int] = {}
        self._answered = -1e9
        self._remark = ""

    def prepare(self, board: Board) -> None:
        """Gets the engine ready to play from this position on, outside the time of a move."""
        if board.win_length != 5:
            raise BadInput("engines play five in a row: win length 5 only")
        if self._process is not None and not self._process.alive:
            how = self._process.how_it_ended()
            self._drop()
            if self._is_next(_stones_in_order(board)):
                raise EngineCrashed(f"{how}, after its move{self._remark}")
        if self._playing != (board.size, board.rule):
            self._drop()
        if self._process is None:
            self._launch(board)
        elif self._known and not self._is_next(_stones_in_order(board)):
            self._restart(board)
        self._rest()

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        limit = self.limit.or_else(limit)
        self.prepare(board)
        stones = _stones_in_order(board)
        self._tell_limits(limit)
        self._process_or_fail().drain()
        began = self._clock()
        used = self._process_or_fail().processor_seconds()
        if not stones:
            self._send("BEGIN")
        elif self._is_next(stones):
            self._send("TURN " + notation.format_xy(stones[-1][0], board.size))
        else:
            self._send_board(board, stones)
        text = self._await_answer(_POINT, began + (limit.time or _SILENCE) + self._grace, limit, used)
        move = self._legal_move(board, text)
        self._known = [*stones, (move, board.turn)]
        self._answered = self._clock()
        result = SearchResult(move=move, value=0.0, pv=(move,), seconds=self._answered - began)
        if on_result is not None:
            on_result(result)
        return result

    def swap2(self, board: Board, limit: Limit) -> Swap2Choice:
        """The engine's choice in the Swap2 opening with 0, 3 or 5 stones on the board."""
        limit = self.limit.or_else(limit)
        self.prepare(board)
        self._tell_limits(limit)
        began = self._clock()
        points = [notation.format_xy(move, board.size) for move in board.moves]
        for line in ("SWAP2BOARD", *points, "DONE"):
            self._send(line)
        wanted = re.compile(r"SWAP|\d+\s*,\s*\d+(\s+\d+\s*,\s*\d+)*", re.IGNORECASE)
        text = self._await_answer(wanted, began + (limit.time or _SILENCE) + self._grace, limit, None)
        self._known = _UNSURE
        self._answered = self._clock()
        if text.upper() == "SWAP":
            choice = Swap2Choice(swap=True)
        else:
            after = board.copy()
            moves = []
            for point in _POINT.finditer(text):
                moves.append(self._legal_move(after, point[0]))
                after.push(moves[-1])
            choice = Swap2Choice(moves=tuple(moves))
        if not choice.fits(board):
            self._drop()
            raise EngineIllegal(f"answered '{text}' to {len(board.moves)} stones of Swap2")
        return choice

    def new_game(self) -> None:
        """Nothing to do: the next position tells a new game."""

    def stop(self) -> None:
        if self._process is not None:
            self._process.interrupt()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _launch(self, board: Board) -> None:
        self._process = EngineProcess(self._command, directory=self._directory, memory=self._memory, clock=self._clock)
        self._told = {}
        self._remark = ""
        self._send(f"START {board.size}")
        answer = self._await_ok("START")
        if answer is not None:
            self._drop()
            raise BadInput(f"{self.name} does not play {board.size}x{board.size}: {answer}")
        self._playing = (board.size, board.rule)
        self._known = []
        if self._memory:
            self._send(f"INFO max_memory {self._memory}")
        self._send("INFO game_type 1")
        self._send(f"INFO rule {_RULE_NUMBERS[board.rule]}")
        self._send(f"INFO folder {self._process.folder}")
        if self._threads is not None:
            self._send(f"INFO thread_num {self._threads}")

    def _restart(self, board: Board) -> None:
        self._rest()
        self._process_or_fail().drain()
        self._send("RESTART")
        if self._await_ok("RESTART") is None:
            self._known = []
            self._answered = self._clock()
        else:
            self._drop()
            self._launch(board)

    def _tell_limits(self, limit: Limit) -> None:
        turn = round((limit.time or _SILENCE) * 1000)
        facts = {"timeout_turn": turn, "timeout_match": 0}
        if limit.depth is not None:
            facts["max_depth"] = limit.depth
        if limit.nodes is not None or limit.visits is not None:
            facts["max_node"] = limit.nodes or limit.visits or 0
        for key, value in facts.items():
            if self._told.get(key) != value:
                self._send(f"INFO {key} {value}")
                self._told[key] = value
        self._send(f"INFO time_left {_UNLIMITED}")

    def _send_board(self, board: Board, stones: Stones) -> None:
        self._send("BOARD")
        for move, color in stones:
            self._send(f"{notation.format_xy(move, board.size)},{1 if color == board.turn else 2}")
        self._send("DONE")

    def _await_ok(self, command: str) -> str | None:
        """None once the engine has said OK, or else its refusal."""
        deadline = self._clock() + self._start
        while True:
            line = self._receive(deadline)
            if line is None:
                self._drop()
                raise EngineTimeout(f"no answer to {command} in {self._start:g} s{self._remark}")
            word = line.split()[0].upper()
            if word == "OK":
                return None
            if word in ("ERROR", "UNKNOWN"):
                return line

    def _await_answer(self, wanted: re.Pattern[str], deadline: float, limit: Limit, used: float | None) -> str:
        """The next line that is an answer; messages and garbage are passed over."""
        process = self._process_or_fail()
        stopping = False
        while True:
            line = self._receive(deadline)
            if line is None and not stopping and process.take_interrupt():
                stopping = True
                deadline = min(deadline, self._clock() + _STOPPING)
                self._send("YXSTOP")
                continue
            if line is None:
                now = process.processor_seconds()
                self._drop()
                if stopping:
                    raise EngineTimeout(f"no move when told to stop{self._remark}")
                hint = ""
                if used is not None and now is not None and now - used < _IDLE:
                    hint = "; it was idle: if it lost the command, give it a longer pause="
                allowed = limit.time or _SILENCE
                raise EngineTimeout(f"no move in {allowed:g} s (+{self._grace:g} s grace){hint}{self._remark}")
            if wanted.fullmatch(line):
                return line
            if suggestion := _SUGGEST.fullmatch(line):
                self._send("PLAY " + suggestion[1].replace(" ", ""))
            elif line.split()[0].upper() in ("ERROR", "UNKNOWN"):
                # It may be about an INFO key it does not know, and then the move follows.
                self._remark = f"; it said '{line[:200]}'"

    def _legal_move(self, board: Board, text: str) -> int:
        problem = ""
        try:
            move = notation.parse_xy(text, board.size)
            if not board.is_legal(move):
                problem = f"{board.name_of(move)} is not legal for {color_name(board.turn)}"
        except BadInput as error:
            problem = str(error)
        if problem:
            self._drop()
            raise EngineIllegal(f"answered '{text}' at move {len(board.moves) + 1}: {problem}{self._remark}")
        return move

    def _is_next(self, stones: Stones) -> bool:
        """Whether the engine knows the position but for the opponent's last stone."""
        return bool(stones) and stones[:-1] == self._known

    def _rest(self) -> None:
        wait = self._pause - (self._clock() - self._answered)
        if wait > 0:
            self._sleep(wait)

    def _process_or_fail(self) -> EngineProcess:
        if self._process is None:
            raise EngineCrashed("it is not running")
        return self._process

    def _send(self, line: str) -> None:
        self._process_or_fail().send(line)

    def _receive(self, deadline: float) -> str | None:
        try:
            return self._process_or_fail().receive(deadline)
        except EngineGone as gone:
            self._drop()
            raise EngineCrashed(f"{gone}{self._remark}") from None

    def _drop(self) -> None:
        """Ends the process; the next game starts a fresh one."""
        process, self._process = self._process, None
        self._playing = None
        if process is not None:
            process.kill()


def _program(path: str) -> list[str]:
    """The command that runs the engine; a Python script needs no execute permission."""
    found = os.path.abspath(path) if os.path.exists(path) else shutil.which(path)
    if found is None or os.path.isdir(found):
        raise BadInput(f"there is no engine at {path}")
    if found.endswith(".py"):
        return [sys.executable, found]
    if not os.access(found, os.X_OK):
        raise BadInput(f"{path} is not executable: chmod +x it")
    return [found]


def _arguments(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BadInput(f"args={text} cannot be split as a shell would: {str(error).lower()}") from None


def _stones_in_order(board: Board) -> Stones:
    """All stones, colours alternating as far as they can, the opponent's last one last.

    Some engines take the colour of a stone in BOARD from its place in the list, whatever its number says.
    """
    stones, played = board.stones, board.moves
    turn = board.turn if len(played) % 2 == 0 else other(board.turn)  # before the first played move
    placed = [(move, color) for move, color in enumerate(stones) if color != EMPTY and move not in set(played)]
    mine = [stone for stone in placed if stone[1] == turn]
    theirs = [stone for stone in placed if stone[1] != turn]
    backwards: Stones = []
    while mine or theirs:
        backwards += [side.pop() for side in (theirs, mine) if side]
    return backwards[::-1] + [(move, stones[move]) for move in played]
