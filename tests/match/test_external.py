"""Engines that crash, hang, lie and linger, as real processes; time runs on an injected clock where it matters."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fivestone.board import BLACK, WHITE, Board
from fivestone.errors import BadInput
from fivestone.match import make_player, play_game
from fivestone.match.external import EngineCrashed, EngineIllegal, EngineTimeout
from fivestone.match.external.engine import GomocupEngine
from fivestone.match.external.process import EngineProcess
from fivestone.match.swap2 import Swap2Choice
from fivestone.search import Limit

ENGINE = Path(__file__).parents[1] / "data" / "engines" / "misbehave.py"
PLENTY = Limit(time=20)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="engines run on POSIX systems only")


class FastClock:
    """Every look at it takes a fifth of a second, so that a wait of seconds is over at once."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.2
        return self.now


class Engines:
    """Makes engines and keeps track of the processes behind them."""

    def __init__(self, tmp_path: Path) -> None:
        self.made: list[GomocupEngine] = []
        self.log = tmp_path / "received.txt"

    def __call__(self, mode: str = "good", **options: object) -> GomocupEngine:
        engine = GomocupEngine(str(ENGINE), args=f"{mode} '{self.log}'", **options)  # type: ignore[arg-type]
        self.made.append(engine)
        return engine

    def received(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[Engines]:
    made = Engines(tmp_path)
    yield made
    for engine in made.made:
        engine.close()
    assert running(str(made.log)) == []


def running(mark: str) -> list[int]:
    """The processes, zombies too, with the mark in their command line, or that are children of this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark in (entry / "cmdline").read_text() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_until(condition: object, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def test_a_game_is_told_move_by_move(engines: Engines) -> None:
    engine = engines()
    board = Board(9)
    board.push(engine.choose(board, PLENTY).move)
    board.push("e5")
    board.push(engine.choose(board, PLENTY).move)
    moves = [line for line in engines.received() if not line.startswith("INFO")]
    assert moves == ["START 9", "BEGIN", "TURN 4,4"]
    assert board.moves == [0, 40, 1]
    assert "INFO timeout_turn 20000" in engines.received()
    assert "INFO time_left 2147483647" in engines.received()


def test_facts_go_out_before_the_first_move(engines: Engines) -> None:
    engines("good", memory=900, threads=2).choose(Board(15, "caro-exact"), Limit(nodes=500, depth=7))
    info = [line for line in engines.received() if line.startswith("INFO")]
    for fact in ("rule 9", "max_memory 900000000", "thread_num 2", "max_node 500", "max_depth 7", "game_type 1"):
        assert f"INFO {fact}" in info
    folder = next(line.split(" ", 2)[2] for line in info if line.startswith("INFO folder"))
    assert os.path.isdir(folder)
    engines.made[0].close()
    assert not os.path.exists(folder)


def test_another_position_is_sent_as_a_board(engines: Engines) -> None:
    engine = engines("wants-order")
    board = Board.from_moves("e5e6f5f6", 9)
    board.push(engine.choose(board, PLENTY).move)
    board.pop()
    board.pop()
    engine.choose(board, PLENTY)
    lines = [line for line in engines.received() if not line.startswith("INFO")]
    assert lines == [
        *["START 9", "BOARD", "4,4,1", "4,5,2", "5,4,1", "5,5,2", "DONE"],
        *["RESTART", "BOARD", "4,4,2", "4,5,1", "5,4,2", "DONE"],
    ]


@pytest.mark.parametrize("turn", [BLACK, WHITE])
def test_set_up_stones_alternate(engines: Engines, turn: int) -> None:
    black = ["a1", "b2", "c3", "d4"] if turn == WHITE else ["a1", "b2", "c3"]
    board = Board.from_stones(black, ["e5", "f6", "g7"], turn, 9)
    assert engines("wants-order").choose(board, PLENTY).move == 1
    engines.made[0].choose(Board.from_stones(black, ["e5", "f6", "g7"], turn, 9), PLENTY)


@pytest.mark.parametrize("mode", ["good", "chatty", "crlf", "suggest", "info-unknown", "no-restart", "family"])
def test_odd_but_honest_engines_play_on(engines: Engines, mode: str) -> None:
    engine = engines(mode)
    for first in ("e5", "f6"):
        board = Board.from_moves(first, 9)
        for reply in ("g7", "h8"):
            board.push(engine.choose(board, PLENTY).move)
            board.push(reply)
        assert board.moves[1::2][:2] == [0, 1]


def test_an_engine_that_loses_commands_gets_a_pause(engines: Engines) -> None:
    pauses: list[float] = []

    def until_it_listens(seconds: float) -> None:
        pauses.append(seconds)
        wait_until(lambda: engines.received().count("listening again") == len(pauses))

    def play(engine: GomocupEngine) -> None:
        board = Board(9)
        for reply in ("e5", "f6", "g7"):
            board.push(engine.choose(board, PLENTY).move)
            board.push(reply)

    play(engines("forgetful", pause=500.0, sleep=until_it_listens))
    assert len(pauses) == 2
    assert all(400 < pause <= 500 for pause in pauses)
    with pytest.raises(EngineTimeout, match="pause="):
        play(engines("forgetful", pause=0.0, clock=FastClock()))


def test_a_pause_is_not_on_the_clock(engines: Engines) -> None:
    clock = FastClock()

    def sleep(seconds: float) -> None:
        clock.now += seconds

    engine = engines("good", pause=100.0, clock=clock, sleep=sleep, start=1000.0)
    record = play_game(engine, engines(), size=9, limit=Limit(time=50), opening=[80, 79], clock=clock)
    assert record.reason == "five"
    assert max(record.seconds) < 50


def test_a_slow_starter_is_waited_for_outside_its_time(engines: Engines) -> None:
    record = play_game(engines("slow-start"), engines(), size=9, limit=Limit(time=5), grace=0.5, opening=[80, 79])
    assert record.reason == "five"
    assert record.winner is not None
    assert max(record.seconds) < 0.4


def test_a_starter_that_is_too_slow_forfeits(engines: Engines) -> None:
    with pytest.raises(EngineTimeout, match="START"):
        engines("slow-start", start=1.0, clock=FastClock()).choose(Board(9), PLENTY)


@pytest.mark.parametrize(
    ("mode", "error", "words"),
    [
        ("crash", EngineCrashed, "exit code 1; it said: no idea what to do"),
        ("segfault", EngineCrashed, "SIGSEGV"),
        ("hog", EngineCrashed, "MB, more than it was allowed"),
        ("hang", EngineTimeout, "no move in 2 s"),
        ("busy", EngineTimeout, "no move in 2 s"),
        ("flood", EngineTimeout, "no move in 2 s"),
        ("refuse", EngineTimeout, "it said 'ERROR I do not like this'"),
        ("off-board", EngineIllegal, "99,3 is off the 9x9 board"),
        ("occupied", EngineIllegal, "e5 is not legal for White"),
    ],
)
def test_failures_have_their_kind(engines: Engines, mode: str, error: type[Exception], words: str) -> None:
    timed = error is EngineTimeout
    options = {"clock": FastClock()} if timed else {}
    engine = engines(mode, memory=100 if mode == "hog" else 0, **options)
    with pytest.raises(error, match=words):
        engine.choose(Board.from_moves("e5", 9), Limit(time=2) if timed else PLENTY)
    assert running(str(engines.log)) == []


def test_a_new_game_after_a_crash_starts_a_new_process(engines: Engines) -> None:
    engine = engines("crash")
    for _ in range(2):
        with pytest.raises(EngineCrashed, match="no idea"):
            engine.choose(Board(9), PLENTY)
    assert engines.received().count("START 9") == 2


def test_a_crash_between_moves_is_a_crash(engines: Engines) -> None:
    engine = engines("leaves")
    board = Board(9)
    for _ in range(2):
        board.push(engine.choose(board, PLENTY).move)
        board.push("e5")
        wait_until(lambda: running(str(engines.log)) == [])
        with pytest.raises(EngineCrashed, match="exit code 3"):
            engine.choose(board, PLENTY)
        board = Board(9)


def test_the_game_loop_counts_forfeits_apart(engines: Engines) -> None:
    for mode, kind in (("crash", "crash"), ("occupied", "illegal")):
        record = play_game(engines(), engines(mode), size=9, limit=PLENTY)
        assert (record.winner, record.reason) == (BLACK, kind)
    record = play_game(engines("slow-start", start=1.0, clock=FastClock()), engines(), size=9, limit=PLENTY)
    assert (record.winner, record.reason) == (WHITE, "time")


def test_stop_ends_a_search_that_does_not_answer(engines: Engines) -> None:
    engine = engines("hang")
    engine.prepare(Board(9))
    engine.stop()
    with pytest.raises(EngineTimeout, match="told to stop"):
        engine.choose(Board(9), Limit(time=500))


def test_an_engine_that_ignores_the_end_is_killed(engines: Engines) -> None:
    engine = engines("ignore-end")
    engine.choose(Board(9), PLENTY)
    assert running(str(engines.log)) != []
    engine.close()
    assert running(str(engines.log)) == []


def test_refusals_are_the_users_business(engines: Engines) -> None:
    with pytest.raises(BadInput, match="does not play 15x15: ERROR only up to 9"):
        engines("small-only").choose(Board(15), PLENTY)
    with pytest.raises(BadInput, match="win length"):
        engines().choose(Board(9, win_length=4), PLENTY)
    with pytest.raises(BadInput, match="no engine at"):
        make_player("gomocup:/nowhere/pbrain-x")
    with pytest.raises(BadInput, match="path"):
        make_player("gomocup")
    with pytest.raises(BadInput, match="no closing quotation"):
        make_player(f"""gomocup:{sys.executable},args='"'""")


def test_a_program_that_cannot_run_is_a_crash(tmp_path: Path) -> None:
    broken = tmp_path / "pbrain-broken"
    broken.write_bytes(b"\x00\x01not a program")
    broken.chmod(0o755)
    player = make_player(f"gomocup:{broken}")
    with pytest.raises(EngineCrashed, match="could not be started"):
        player.choose(Board(9), PLENTY)


def test_output_without_line_ends_does_not_fill_the_memory() -> None:
    script = (
        "import sys, time; sys.stdout.write('x' * 1_000_000); sys.stdout.flush()\n"
        "print('!', file=sys.stderr); time.sleep(60)"
    )
    process = EngineProcess([sys.executable, "-c", script])
    wait_until(lambda: process.drain() == [] and process._errors)
    assert len(process._partial) < 100_000
    process.kill()


def test_swap2_choices_are_read_and_checked(engines: Engines) -> None:
    engine = engines()
    assert engine.swap2(Board(9), PLENTY) == Swap2Choice(moves=(10, 20, 39))
    assert engine.swap2(Board.from_moves("e5f6g7", 9), PLENTY) == Swap2Choice(swap=True)
    with pytest.raises(EngineIllegal, match="5 stones"):
        engine.swap2(Board.from_moves("e5f6g7h8a1", 9), PLENTY)


def test_forfeits_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(EngineCrashed("ended by SIGSEGV")))
    assert type(error) is EngineCrashed
    assert (error.kind, error.detail) == ("crash", "ended by SIGSEGV")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="process groups are left to the system elsewhere")
@pytest.mark.parametrize(("mode", "how"), [("family", "KILL"), ("family", "TERM"), ("good", "KILL")])
def test_nothing_survives_the_parent(tmp_path: Path, mode: str, how: str) -> None:
    mark = tmp_path / "mark"
    script = (
        "import sys, time; from fivestone.board import Board; from fivestone.search import Limit\n"
        "from fivestone.match.external.engine import GomocupEngine\n"
        f"engine = GomocupEngine({str(ENGINE)!r}, args='{mode} {mark}')\n"
        "engine.choose(Board(9), Limit(time=20)); print(engine._process.folder, flush=True)\n"
        "time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert parent.stdout is not None
    folder = parent.stdout.readline().decode().strip()
    family = set(running(str(mark)))
    guard = next(pid for pid in family if "guard.py" in Path(f"/proc/{pid}/cmdline").read_text())
    family |= {int(name) for pid in family for name in children(pid)}
    # The parent, the guard, the engine and, in the one mode, the child it put into a session of its own.
    assert len(family) == (4 if mode == "family" else 3)
    parent.send_signal(signal.Signals[f"SIG{how}"])
    parent.wait()
    wait_until(lambda: all(gone(pid) for pid in family))
    assert guard in family
    assert not os.path.exists(folder)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a signal on the parent's death")
def test_the_engine_dies_with_its_guard(engines: Engines) -> None:
    engine = engines("hang")
    engine.prepare(Board(9))
    family = running(str(engines.log))
    guard = next(pid for pid in family if "guard.py" in Path(f"/proc/{pid}/cmdline").read_text())
    assert len(family) == 2
    os.kill(guard, signal.SIGKILL)
    wait_until(lambda: running(str(engines.log)) == [])


def children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
