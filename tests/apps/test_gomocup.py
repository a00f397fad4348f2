"""The Gomocup brain in dialogue: what it answers, what it keeps, and what it does when time runs out."""

from __future__ import annotations

import itertools
import queue
import re
import threading
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fivestone.apps.gomocup import Brain, Inbox
from fivestone.apps.gomocup.inbox import EndOfInput, Line, LineSplitter
from fivestone.apps.gomocup.settings import Settings, rule_name
from fivestone.board import Board
from fivestone.match.player import Player
from fivestone.search import Limit, OnResult, SearchResult


class FirstCell:
    """Plays the first legal cell and remembers what it was asked."""

    name = "first"

    def __init__(self) -> None:
        self.asked: list[tuple[Board, Limit]] = []
        self.games = 0
        self.closed = False

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        self.asked.append((board.copy(), limit))
        return SearchResult(board.legal_moves[0], 0.0)

    def new_game(self) -> None:
        self.games += 1

    def stop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


class Ponderous(FirstCell):
    """Thinks until it is stopped, or for ever; reports the second cell on its way where it is to."""

    def __init__(self, *, deaf: bool = False, reports: bool = False) -> None:
        super().__init__()
        self.deaf, self.reports = deaf, reports
        self.stopped = threading.Event()
        self.released = threading.Event()
        self.stops = 0

    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        if self.reports and on_result is not None:
            on_result(SearchResult(board.legal_moves[1], 0.0))
        (self.released if self.deaf else self.stopped).wait(20)
        return super().choose(board, limit, on_result)

    def stop(self) -> None:
        self.stops += 1
        self.stopped.set()


class LateRiser(Ponderous):
    """Does not hear the first time it is told to stop, as if its search had not begun."""

    def stop(self) -> None:
        self.stops += 1
        if self.stops > 1:
            self.stopped.set()


class Sluggish(Ponderous):
    """Takes 30 ms to come to an end."""

    clock: FakeTime

    def stop(self) -> None:
        self.clock.now += 0.03 if self.stops == 0 else 0.0
        super().stop()


class Broken(FirstCell):
    def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        raise RuntimeError("out of ideas\nand of words")


class FakeTime:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Script(Inbox):
    """Hands out lines as if they were read; when there is nothing to hear, the fake clock moves on.

    `<end>` is the end of the input, `<wait N>` holds the rest back until there were N answers.
    """

    def __init__(
        self, clock: FakeTime, lines: list[str], answered: Callable[[], int], *, at_once: bool = False
    ) -> None:
        super().__init__(lambda: b"", clock)
        self._time = clock
        self._answered = answered
        self._lines = list(lines)
        self._posted: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.ending = at_once

    def post(self, event: object) -> None:
        self._posted.put(event)

    def next(self, timeout: float | None = None) -> object | None:
        while self._lines:
            text = self._lines[0]
            if text.startswith("<wait"):
                if self._answered() < int(text[5:-1]):
                    break
                self._lines.pop(0)
                continue
            self._lines.pop(0)
            return EndOfInput() if text == "<end>" else Line(text, self._time.now)
        try:
            return self._posted.get(timeout=20 if timeout is None else 0.2)
        except queue.Empty:
            assert timeout is not None, "the brain would wait for ever"
            self._time.now += max(0.0, timeout)
            return None


class Dialogue:
    """A brain, what it wrote, when, and the players it was given."""

    def __init__(
        self, lines: str | list[str], make: Callable[[], Player] = FirstCell, *, at_once: bool = False
    ) -> None:
        self.clock = FakeTime()
        self.wrote: list[str] = []
        self.when: list[float] = []
        self.requests: list[tuple[int, str, int, int]] = []
        self.players: list[Player] = []
        self._make = make
        texts = [line.strip() for line in lines.splitlines() if line.strip()] if isinstance(lines, str) else lines
        script = Script(self.clock, texts, lambda: len(self.answers), at_once=at_once)
        Brain(script, self._write, self._player, "about me", clock=self.clock).run()

    @property
    def answers(self) -> list[str]:
        return [line for line in self.wrote if not line.startswith(("MESSAGE", "DEBUG"))]

    def _write(self, text: str) -> None:
        self.wrote += text.split("\n")
        self.when.append(self.clock.now - 100.0)

    def _player(self, size: int, rule: str, threads: int, tables_mb: int) -> Player:
        self.requests.append((size, rule, threads, tables_mb))
        self.players.append(self._make())
        if isinstance(self.players[-1], Sluggish):
            self.players[-1].clock = self.clock
        return self.players[-1]


def asked(dialogue: Dialogue) -> list[tuple[Board, Limit]]:
    return [question for player in dialogue.players for question in player.asked]  # type: ignore[attr-defined]


def answers(lines: str) -> list[str]:
    return Dialogue(lines + "\n<end>").answers


def test_a_short_game() -> None:
    lines = "START 15\nBEGIN\nturn 7,7\n  TURN   8 , 8  \nRESTART\nTURN 0,0\n<end>"
    assert Dialogue(lines).answers == ["OK", "0,0", "1,0", "2,0", "OK", "1,0"]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("ABOUT", ["about me"]),
        ("HELLO there", ["UNKNOWN command HELLO there"]),
        ("BEGIN", ["ERROR no game yet: send START first"]),
        ("START", ["ERROR START needs the size of the board"]),
        ("START x", ["ERROR START needs the size of the board"]),
        ("START 4", ["ERROR board size 4 is not supported: 5 to 20"]),
        ("START 21\nSTART 20", ["ERROR board size 21 is not supported: 5 to 20", "OK"]),
        ("START ²", ["ERROR START needs the size of the board"]),
        ("START " + "9" * 5000, ["ERROR START needs the size of the board"]),
        ("START 9 9\nBEGIN", ["OK", "0,0"]),
        ("START 9 10", ["ERROR only square boards are supported"]),
        ("START 9 9 9", ["ERROR START needs the size of the board"]),
        ("RECTSTART 9,9\nBEGIN", ["OK", "0,0"]),
        ("RECTSTART 9,²", ["ERROR RECTSTART needs width,height"]),
        ("RECTSTART 9,10", ["ERROR only square boards are supported"]),
        ("RECTSTART 9", ["ERROR RECTSTART needs width,height"]),
        ("START 9\nTURN 9,0", ["OK", "ERROR 9,0 is off the 9x9 board"]),
        ("START 9\nTURN 1;2", ["OK", "ERROR '1;2' is not a pair of coordinates x,y"]),
        ("START 9\nBEGIN\nTURN 0,0\nTURN 1,1", ["OK", "0,0", "ERROR a1 is illegal: there is a stone on it", "1,0"]),
        ("START 9\nPLAY 4,4\nTURN 5,5", ["OK", "4,4", "0,0"]),
        ("START 9\nDONE", ["OK", "UNKNOWN command DONE"]),
        ("START 9\nSTOP\nYXSTOP", ["OK"]),
    ],
)
def test_answers(lines: str, wanted: list[str]) -> None:
    assert answers(lines) == wanted


@pytest.mark.parametrize("order", ["2,2,2 0,0,1 1,1,2", "0,0,1 1,1,2 2,2,2", "1,1,2 2,2,2 0,0,1"])
def test_a_board_may_come_in_any_order(order: str) -> None:
    dialogue = Dialogue(["START 9", "BOARD", *order.split(), "DONE", "TURN 5,5", "<end>"])
    assert dialogue.answers == ["OK", "1,0", "2,0"]
    board = asked(dialogue)[0][0]
    assert board == Board.from_stones([10, 20], [0], size=9)


def test_a_board_in_order_of_play_is_a_game() -> None:
    dialogue = Dialogue("START 9\nBOARD\n2,2,2\n0,0,1\n1,1,2\nDONE\n<end>")
    assert asked(dialogue)[0][0].moves == [20, 0, 10]


def test_yxboard_sets_up_without_thinking() -> None:
    assert answers("START 9\nYXBOARD\n0,0,2\nDONE\nTAKEBACK 0,0\nBEGIN") == ["OK", "OK", "0,0"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0,0", "ERROR '0,0' is not x,y,1 or x,y,2"),
        ("0,0,3", "ERROR '0,0,3': cells of won lines in a continuous game are not supported"),
        ("9,0,1", "ERROR 9,0 is off the 9x9 board"),
        ("4,4,1", "ERROR two stones on one cell"),
    ],
)
def test_a_bad_board_is_refused_as_a_whole(line: str, reason: str) -> None:
    assert answers(f"START 9\nBOARD\n4,4,2\n{line}\n5,5,2\nDONE\nBEGIN") == ["OK", reason, "0,0"]


def test_a_won_game_is_over() -> None:
    fields = "\n".join(f"{x},4,2\n{x},5,1" for x in range(4))
    assert answers(f"START 9\nBOARD\n{fields}\n4,4,2\nDONE") == ["OK", "ERROR the game is over: Black has won"]


def test_a_command_inside_a_board_ends_the_board() -> None:
    assert answers("START 9\nBOARD\n0,0,2\nSTART 7\nBEGIN") == ["OK", "OK", "0,0"]


def test_moves_are_taken_back() -> None:
    dialogue = Dialogue("START 9\nBEGIN\nTURN 4,4\nTAKEBACK 1,0\nTAKEBACK 4,4\nTURN 5,5\nTAKEBACK 8,8\n<end>")
    assert dialogue.answers == ["OK", "0,0", "1,0", "OK", "OK", "1,0", "ERROR there is no stone on 8,8"]
    assert asked(dialogue)[-1][0].moves == [0, 50]


def test_a_stone_set_up_is_taken_back() -> None:
    lines = "START 9\nBOARD\n2,2,2\n1,1,2\n0,0,1\nDONE\nTAKEBACK 1,0\nTAKEBACK 1,1\nTURN 7,7\n<end>"
    dialogue = Dialogue(lines)
    assert dialogue.answers == ["OK", "1,0", "OK", "OK", "1,0"]
    assert asked(dialogue)[-1][0] == Board.from_stones([20, 70], [0], turn=2, size=9)


@pytest.mark.parametrize(
    ("mask", "rule"),
    [
        *[(0, "freestyle"), (1, "standard"), (2, "freestyle"), (3, "standard"), (4, "renju"), (5, "renju")],
        *[(8, "caro"), (9, "caro-exact"), (10, "caro"), (11, "caro-exact"), (16, "freestyle")],
    ],
)
def test_the_rule_is_a_bit_mask(mask: int, rule: str) -> None:
    assert rule_name(mask) == rule
    for lines in (f"INFO rule {mask}\nSTART 15\nBEGIN", f"START 15\nINFO rule {mask}\nBEGIN"):
        assert asked(Dialogue(lines + "\n<end>"))[0][0].rule == rule


def test_the_player_fits_the_facts_before_its_clock_runs() -> None:
    dialogue = Dialogue("START 15\nINFO max_memory 367001600\nINFO thread_num 4\nINFO rule 1\nSTART 20\nRESTART\n<end>")
    assert dialogue.requests == [
        (15, "freestyle", 1, 16),
        (15, "freestyle", 1, 286),
        (15, "freestyle", 4, 286),
        (15, "standard", 4, 286),
        (20, "standard", 4, 286),
    ]
    assert [player.closed for player in dialogue.players] == [True] * 4 + [False]  # type: ignore[attr-defined]
    assert dialogue.players[-1].games == 2  # type: ignore[attr-defined]


@given(
    st.lists(st.tuples(st.sampled_from(["rule", "timeout_turn", "max_memory", "hash_size", "x", "folder"]), st.text()))
)
def test_no_info_upsets_the_settings(facts: list[tuple[str, str]]) -> None:
    settings = Settings()
    for key, value in facts:
        settings.tell(key, value)
    assert settings.tables() >= 2


def test_facts_become_limits() -> None:
    settings = Settings()
    for fact in ("max_depth 8", "max_node 5000", "TIMEOUT_TURN 1000", "time_left 2147483647", "hash_size 65536"):
        settings.tell(*fact.split())
    assert settings.limit(0.5) == Limit(time=0.5, nodes=5000, depth=8)
    assert (settings.time.turn, settings.time.left, settings.tables()) == (1.0, None, 64)
    settings.tell("max_memory", str(120 << 20))
    assert settings.tables() == 56
    settings.tell("max_memory", "0")
    settings.tell("hash_size", "0")
    assert settings.tables() == 128
    settings.tell("max_depth", "0")
    settings.tell("max_node", "0")
    settings.tell("time_left", "-20")
    assert settings.limit(1) == Limit(time=1)
    assert settings.time.left == -0.02


def test_facts_beyond_reason_are_cut_or_passed_over() -> None:
    settings = Settings()
    for key in ("timeout_turn", "timeout_match", "time_left", "max_memory", "hash_size", "max_depth", "max_node"):
        settings.tell(key, "9" * 400)
        settings.tell(key, "-" + "9" * 400)
    assert settings == Settings()
    for key in ("timeout_turn", "max_depth", "max_node", "max_memory", "hash_size"):
        settings.tell(key, str(2**63 - 1))
    assert settings.limit(1) == Limit(time=1)
    assert settings.time.turn <= threading.TIMEOUT_MAX
    assert settings.tables() == 2048
    settings.tell("hash_size", "0")
    settings.tell("max_memory", str(80 << 30))
    assert settings.tables() == 2048


def test_tables_that_cannot_be_had_are_halved() -> None:
    short = iter([True, True, True, False])

    def make() -> Player:
        if next(short):
            raise MemoryError
        return FirstCell()

    dialogue = Dialogue("START 9\nBEGIN\n<end>", make)
    assert dialogue.answers == ["OK", "0,0"]
    assert [tables for *_, tables in dialogue.requests] == [16, 8, 4, 2]


def test_without_any_memory_there_is_an_error_and_no_end() -> None:
    def make() -> Player:
        raise MemoryError

    assert Dialogue("START 9\nABOUT\n<end>", make).answers == ["ERROR there is no memory for a player", "about me"]


def test_an_input_that_cannot_be_read_is_at_its_end() -> None:
    def read() -> bytes:
        raise OSError("bad file descriptor")

    inbox = Inbox(read)
    inbox.start()
    assert isinstance(inbox.next(10), EndOfInput)


def test_a_search_is_stopped_in_time() -> None:
    dialogue = Dialogue("START 9\nINFO timeout_turn 1000\nBEGIN\n<wait 2>\nEND", Ponderous)
    assert dialogue.answers == ["OK", "0,0"]
    assert 0.9 < dialogue.when[-1] < 0.98


def test_less_time_counts_at_once() -> None:
    lines = "START 9\nINFO timeout_turn 60000\nBEGIN\nINFO timeout_turn 1000\n<wait 2>\nEND"
    assert 0.9 < Dialogue(lines, Ponderous).when[-1] < 1.0


def test_a_late_search_makes_the_next_one_shorter() -> None:
    lines = "START 9\nINFO timeout_turn 100\nBEGIN\n<wait 2>\nTURN 3,3\n<wait 3>\nEND"
    dialogue = Dialogue(lines, Sluggish)
    first, second = (limit.time for _, limit in asked(dialogue))
    assert first == pytest.approx(0.077)
    assert second == pytest.approx(0.1 - 1.5 * 0.03)


@pytest.mark.parametrize(("reports", "move"), [(True, "1,0"), (False, "4,4")])
def test_a_search_that_does_not_stop_is_not_waited_for(reports: bool, move: str) -> None:
    deaf = Ponderous(deaf=True, reports=reports)
    lines = "START 9\nINFO timeout_turn 1000\nBEGIN\n<wait 2>\nTURN 3,3\n<wait 3>\nEND"
    dialogue = Dialogue(lines, lambda: deaf)
    deaf.released.set()
    assert dialogue.answers[:2] == ["OK", move]
    assert dialogue.when[1] < 1.0
    assert len(dialogue.answers) == 3  # greedy answers while the player is still busy with the first move
    assert deaf.stops > 1


def test_stop_is_said_until_it_is_heard() -> None:
    dialogue = Dialogue("START 9\nINFO timeout_turn 60000\nBEGIN\nSTOP\n<wait 2>\nEND", LateRiser)
    assert dialogue.answers == ["OK", "0,0"]
    assert dialogue.when[-1] < 0.1


@pytest.mark.parametrize("word", ["STOP", "YXSTOP"])
def test_stop_brings_the_move_at_once(word: str) -> None:
    dialogue = Dialogue(f"START 9\nBEGIN\n{word}\n<wait 2>\nEND", Ponderous)
    assert dialogue.answers == ["OK", "0,0"]
    assert dialogue.when[-1] == 0


def test_the_end_while_thinking_is_silent() -> None:
    dialogue = Dialogue("START 9\nBEGIN\nEND", Ponderous)
    assert dialogue.wrote == ["OK"]
    assert dialogue.players[0].stops > 0  # type: ignore[attr-defined]


def test_the_end_of_input_brings_what_was_found() -> None:
    dialogue = Dialogue("START 9\nBEGIN\n<end>", Ponderous)
    assert dialogue.answers == ["OK", "0,0"]
    assert dialogue.when[-1] == 0


def test_what_stands_before_the_end_is_answered_quickly() -> None:
    dialogue = Dialogue("START 9\nINFO timeout_turn 5000\nBEGIN\nTURN 4,4\nEND", at_once=True)
    assert dialogue.answers == ["OK", "0,0", "1,0"]
    assert all(limit.time is not None and limit.time <= 0.05 for _, limit in asked(dialogue))


def test_commands_that_come_while_thinking_are_kept() -> None:
    early = "INFO max_depth 3\nABOUT\nTURN 4,4\nINFO max_depth 5\nWHAT"
    lines = f"START 9\nINFO timeout_turn 1000\nBEGIN\n{early}\n<wait 5>\nEND"
    dialogue = Dialogue(lines, Ponderous)
    assert dialogue.answers == ["OK", "about me", "0,0", "1,0", "UNKNOWN command WHAT"]
    assert [limit.depth for _, limit in asked(dialogue)] == [None, 3]


@pytest.mark.parametrize("command", ["RESTART", "START 9", "RECTSTART 9,9", "TAKEBACK 0,0"])
def test_a_new_position_ends_the_search_for_the_old_one(command: str) -> None:
    dialogue = Dialogue(f"START 9\nINFO timeout_turn 60000\nBEGIN\n{command}\n<wait 3>\nEND", Ponderous)
    assert dialogue.answers == ["OK", "0,0", "OK"]
    assert dialogue.when[-1] == 0


def test_a_broken_player_still_moves() -> None:
    dialogue = Dialogue("START 9\nBEGIN\n<wait 2>\nEND", Broken)
    assert dialogue.wrote == ["OK", "DEBUG out of ideas", "4,4"]


def test_time_left_is_kept_to() -> None:
    lines = "START 9\nINFO timeout_turn 5000\nINFO timeout_match 9000\nBEGIN\n<wait 2>\nTURN 4,4\n<wait 3>\nEND"
    dialogue = Dialogue(lines, Ponderous)
    first, second = (limit.time for _, limit in asked(dialogue))
    assert first == pytest.approx((9 - 2) / 21 - 0.03)
    assert second == pytest.approx((9 - first - 2) / 20 - 0.03, abs=0.001)
    dialogue = Dialogue(lines.replace("<wait 3>", "<wait 3>\nINFO time_left -5\nTURN 5,5\n<wait 4>"))
    assert asked(dialogue)[-1][1].time == pytest.approx(0.01)


def test_swap2_comes_from_the_player() -> None:
    class Judge(FirstCell):
        """Likes Black more, the more stones there are."""

        def choose(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
            super().choose(board, limit)
            return SearchResult(board.legal_moves[0], {3: 0.5, 5: -0.5}[len(board.moves)])

    three = "SWAP2BOARD\n4,4\n5,5\n6,6\nDONE"
    five = "SWAP2BOARD\n4,4\n5,5\n6,6\n1,2\n3,2\nDONE"
    got = Dialogue(f"START 9\nSWAP2BOARD\nDONE\n{three}\n{five}\n<wait 4>\nSWAP2BOARD\n1,1\nDONE\n<wait 5>\nEND", Judge)
    assert re.fullmatch(r"\d,\d \d,\d \d,\d", got.answers[1])
    assert got.answers[2:4] == ["0,0", "SWAP"]
    assert got.answers[4] == "ERROR Swap2 is decided with 0, 3 or 5 stones on the board, not 1"


POINTS = st.builds("{},{}".format, st.integers(-1, 6), st.integers(-1, 6))
COMMANDS = st.one_of(
    st.sampled_from(["START 5", "START 6", "RESTART", "BEGIN", "BOARD", "YXBOARD", "SWAP2BOARD", "DONE", "STOP"]),
    st.builds("{} {}".format, st.sampled_from(["TURN", "PLAY", "TAKEBACK", "RECTSTART"]), POINTS),
    st.builds("{},{}".format, POINTS, st.integers(0, 3)),
    st.builds("INFO {} {}".format, st.sampled_from(["rule", "timeout_turn", "max_memory"]), st.integers(-1, 10)),
    POINTS,
    st.text(st.characters(exclude_characters="\r\n"), max_size=8),
)


@given(st.lists(COMMANDS, max_size=25))
def test_no_command_upsets_the_brain(commands: list[str]) -> None:
    commands = [command for command in commands if command.strip() and not command.startswith(("<", "END"))]
    dialogue = Dialogue(["START 6", *commands, "ABOUT", "<end>"])
    assert dialogue.answers[0] == "OK"
    assert "about me" in dialogue.answers[-2:]  # at once, also while a move is due
    assert len(dialogue.answers) <= len(commands) + 2
    for board, limit in asked(dialogue):
        assert not board.is_over
        assert limit.time is not None


@example("a\r\n\nb", [2, 3])
@given(st.text("ab \r\n", max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_lines_end_in_any_way_and_in_any_piece(text: str, cuts: list[int]) -> None:
    data = text.encode()
    splitter = LineSplitter()
    got: list[str] = []
    edges = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    for begin, end in itertools.pairwise(edges):
        got += splitter.feed(data[begin:end])
    got += splitter.finish()
    wanted = re.split(r"\r\n|\r|\n", text)
    assert got == (wanted if wanted[-1] else wanted[:-1])


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    splitter = LineSplitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 10_000) == []
    assert len(splitter.feed(b"\n")[0]) < 20_000


def test_the_inbox_tells_the_end_before_it_is_heard() -> None:
    pieces = iter([b"START 15\r", b"\nBEGIN\n\nEND\nTURN", b" 3,3", b""])
    inbox = Inbox(lambda: next(pieces))
    inbox._listen()
    events = [inbox.next() for _ in range(5)]
    assert [event.text for event in events[:4] if isinstance(event, Line)] == ["START 15", "BEGIN", "END", "TURN 3,3"]
    assert isinstance(events[4], EndOfInput)
    assert inbox.ending
    assert inbox.next(0) is None
