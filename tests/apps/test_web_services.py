"""What stands behind the page: records, training runs, players, puzzles, the port."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from fivestone import records
from fivestone.analysis.wins import win_by_fours
from fivestone.apps.web.coach import Coach, net_name
from fivestone.apps.web.files import export_game, import_game, setup_of
from fivestone.apps.web.launch import bind, serve
from fivestone.apps.web.messages import BadMessage, Fields
from fivestone.apps.web.opponents import Opponents
from fivestone.apps.web.pool import Ticket
from fivestone.apps.web.puzzles import GRADES, graded_puzzles
from fivestone.apps.web.runs import RunShelf
from fivestone.apps.web.server import WebConfig
from fivestone.board import Board
from fivestone.cli import main
from fivestone.errors import BadInput, FivestoneError
from fivestone.match.flagship import flagship_spec
from fivestone.match.player import Player, RandomPlayer
from fivestone.net import LineNet
from fivestone.net.conv import ConvNet
from fivestone.search import Limit
from fivestone.search.alphabeta import AlphaBeta

# Records.


@pytest.mark.parametrize("format", records.FORMATS)
def test_a_game_goes_out_and_comes_back(format: str) -> None:
    board = Board.from_moves("e5e4f5d5f4f6", 9)
    game = import_game(export_game(board, format))
    assert (game["size"], [node[1] for node in game["nodes"]]) == (9, list(board.moves))
    assert [node[0] for node in game["nodes"]] == list(range(-1, 5))


def test_variations_come_in() -> None:
    game = import_game("(;GM[4]FF[4]SZ[9];B[ee];W[ef](;B[fe])(;B[dd]))")
    board = Board(9)
    first, second, main, side = (board.parse(name) for name in ("e5", "e4", "f5", "d6"))
    assert game["nodes"] == [[-1, first, 0], [0, second, 0], [1, main, 0], [1, side, 0]]


def test_variations_go_out_and_come_back() -> None:
    text = "(;GM[4]FF[4]SZ[9];B[ee];W[ef](;B[fe];W[dd])(;B[dd]))"
    nodes = [tuple(node) for node in import_game(text)["nodes"]]
    board = Board.from_moves("e5e4f5d6", 9)
    again = import_game(export_game(board, "sgf", nodes=nodes, names=("A", "B")))
    assert [tuple(node) for node in again["nodes"]] == nodes
    assert (again["black"], again["white"]) == ("A", "B")
    with pytest.raises(BadMessage):
        export_game(board, "sgf", nodes=[(-1, 40, 0.0), (0, 40, 0.0)])


@pytest.mark.parametrize("nodes", ["x", [[0, 1, 0]], [[-1, 81, 0]], [[-1, 1]], [[-1, 1, -3]], [[-1, 1, True]], [3]])
def test_trees_that_make_no_sense_are_refused(nodes: Any) -> None:
    with pytest.raises(BadMessage):
        Fields({"nodes": nodes}).nodes("nodes", 9)


def test_a_chain_of_empty_nodes_is_no_trap() -> None:
    game = import_game("(;GM[4]SZ[9]" + ";C[x]" * 20_000 + ";B[ee])")
    assert game["nodes"] == [[-1, 40, 0]]


def test_the_result_is_written() -> None:
    assert "RE[B+" in export_game(Board.from_moves("a1a2b1b2c1c2d1d2e1"), "sgf")
    assert "RE[W+R" in export_game(Board.from_moves("h8"), "sgf", resigned=1)


@pytest.mark.parametrize("text", ["(;GM[4]SZ[4]INAROW[4];B[cc])", "(;GM[4]SZ[9]INAROW[4];B[aa])"])
def test_records_the_page_cannot_show_are_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        import_game(text)


@pytest.mark.parametrize(
    ("text", "black", "white", "turn", "moves"),
    [
        ("(;GM[4]SZ[9]AB[ai][bi]AW[ci];W[di];B[ei])", "a1b1", "c1", 2, "d1e1"),
        ("(;GM[4]SZ[9]AB[ai][bi]AW[ci]PL[B](;B[di])(;B[ei]))", "a1b1", "c1", 1, "d1 e1"),
        ("(;GM[4]SZ[9]AB[ai];C[then];W[bi])", "a1", "", 2, "b1"),
        ("(;GM[4]SZ[9];B[ai];B[bi];W[ci])", "a1", "", 1, "b1c1"),  # a turn left out
        ("(;GM[4]SZ[9];B[ai];W[];B[bi])", "a1", "", 1, "b1"),  # a pass
        ("(;GM[4]SZ[9];B[ai];W[bi];AE[ai]AB[ci];B[di])", "c1", "b1", 1, "d1"),  # a set-up in the middle
        ("(;GM[4]SZ[9]AB[ai](;W[bi])(;W[ci];B[di]))", "a1", "", 2, "b1 c1d1"),
    ],
)
def test_stones_that_were_set_up_come_in_and_go_out(text: str, black: str, white: str, turn: int, moves: str) -> None:
    game = import_game(text)
    sides = [list(Board.from_moves(names, 9).moves) for names in (black, white)]
    assert game["setup"] == {"black": sides[0], "white": sides[1], "turn": turn}
    wanted: list[list[int]] = []
    for line in moves.split():
        played = Board.from_moves(line, 9).moves
        wanted += [[-1 if i == 0 else len(wanted) + i - 1, move, 0] for i, move in enumerate(played)]
    assert game["nodes"] == wanted
    assert game["warnings"] == []
    main_line = Board.from_moves(moves.split()[0], 9).moves
    board = Fields({"game": {"size": 9, "setup": game["setup"], "moves": list(main_line)}}).board()
    assert board == records.parse(text).board()
    assert setup_of(board) == game["setup"]
    again = import_game(export_game(board, "sgf", nodes=[(node[0], node[1], 0.0) for node in game["nodes"]]))
    assert (again["setup"], again["nodes"]) == (game["setup"], game["nodes"])
    with pytest.raises(BadInput, match="write SGF"):
        export_game(board, "psq")


def test_what_cannot_be_played_is_left_out_and_said() -> None:
    game = import_game("(;GM[4]SZ[9];B[ai];W[bi](;B[ci])(;W[di];B[ei])(;B[];W[fi]))")
    assert [node[1] for node in game["nodes"]] == [0, 1, 2]
    assert "2 moves" in game["warnings"][-1]


@pytest.mark.parametrize(
    "setup",
    [
        [],
        {"black": [0], "white": []},
        {"black": [0], "white": [], "turn": 3},
        {"black": [0], "white": [0], "turn": 1},
        {"black": [0, 0], "white": [], "turn": 1},
        {"black": [81], "white": [], "turn": 1},
        {"black": "a1", "white": [], "turn": 1},
    ],
)
def test_set_ups_that_make_no_sense_are_refused(setup: Any) -> None:
    with pytest.raises(FivestoneError):
        Fields({"game": {"size": 9, "setup": setup, "moves": []}}).board()


# Training runs.


@pytest.fixture
def shelf(tmp_path: Path) -> RunShelf:
    run = tmp_path / "runs" / "first"
    (run / "games").mkdir(parents=True)
    (run / "config.toml").write_text("")
    lines = [{"round": i, "seconds": i * 2.0, "loss": float(i), "note": "x", "bad": float("inf")} for i in range(1500)]
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"torn')
    (run / "games" / "000004.sgf").write_text("(;GM[4]SZ[9];B[ee])")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "config.toml").write_text("")
    return RunShelf(tmp_path / "runs")


def test_a_run_is_thinned_and_holds_numbers_only(shelf: RunShelf) -> None:
    run = shelf.run("first")
    assert run["rounds"] == 1500
    assert set(run["curves"]) == {"loss"}
    points = run["curves"]["loss"]
    assert len(points) == 500
    assert points[0] == [2.0, 1.0]  # the average of rounds 0, 1 and 2
    assert run["games"] == [4]
    json.dumps(run, allow_nan=False)


def test_a_recorded_game_is_read(shelf: RunShelf) -> None:
    assert shelf.game("first", 4)["moves"] == [40]


@pytest.mark.parametrize("name", ["../secret", "..", ".", "", "/etc", "first/../../secret", "first\0", "other"])
def test_only_listed_runs_are_opened(shelf: RunShelf, name: str) -> None:
    with pytest.raises(BadMessage):
        shelf.run(name)
    with pytest.raises(BadMessage):
        shelf.game(name, 4)


def test_a_missing_folder_has_no_runs(tmp_path: Path) -> None:
    assert RunShelf(tmp_path / "none").listing() == []


# Players.


def test_a_player_is_used_again_and_the_shelf_stays_small() -> None:
    made: list[str] = []
    closed: list[str] = []

    class Counted(RandomPlayer):
        def close(self) -> None:
            closed.append(self.name)

    def make(spec: str) -> Player:
        made.append(spec)
        return Counted(spec)

    opponents = Opponents(make, keep=2)
    for spec in ("a", "a", "b", "c", "a"):
        with opponents.borrow(spec):
            pass
    assert made == ["a", "b", "c", "a"]
    assert closed == ["a", "b"]


def test_a_player_is_never_shared_by_two_searches() -> None:
    opponents = Opponents(RandomPlayer)
    with opponents.borrow("a"):
        pass
    with opponents.borrow("a") as one, opponents.borrow("a") as two:
        assert one is not two


def test_specs_are_built_from_checked_numbers() -> None:
    opponents = Opponents()
    assert opponents.spec_of(Fields({"kind": "level", "level": 3, "seed": 7})) == "level:3,seed=7"
    assert opponents.spec_of(Fields({"kind": "max"})) == "level:max,seed=0"
    hostile: list[dict[str, Any]] = [
        {"kind": "level", "level": "3,time=9"},
        {"kind": "level", "level": 3, "seed": "0,net=x"},
        {"kind": "net", "net": "../../x"},
        {"kind": "puct"},
    ]
    for fields in hostile:
        with pytest.raises(BadMessage):
            opponents.spec_of(Fields(fields))


def test_shipped_nets_are_offered_and_their_visits_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "small.npz"
    LineNet.random(width=16).save(path)
    for module in ("fivestone.apps.web.opponents", "fivestone.net.load"):
        monkeypatch.setattr(f"{module}.shipped_nets", lambda: {"small": path})
    opponents = Opponents()
    line = {"kind": "net", "net": "small", "rule": "freestyle", "size": None, "visits": 800}
    assert opponents.listing()[-1] == line
    conv = tmp_path / "six.npz"
    ConvNet.random("conv-b", 6).save(conv)
    monkeypatch.setattr("fivestone.apps.web.opponents.shipped_nets", lambda: {"six": conv, "small": path})
    slow = {"kind": "net", "net": "six", "rule": "freestyle", "size": 6, "visits": 150}
    assert opponents.listing()[-2] == slow
    with opponents.borrow(opponents.spec_of(Fields({"kind": "net", "net": "small", "visits": 20}))) as player:
        board = Board.from_moves("h8i9")
        assert board.is_legal(player.choose(board, Limit(time=5.0)).move)
    with pytest.raises(BadMessage):
        opponents.spec_of(Fields({"kind": "net", "net": "small", "visits": 10**6}))


def test_measured_elo_is_told_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {(15, "freestyle"): {"1": 800.0, "max": 2000.0}, (9, "freestyle"): {"1": 700.0}, (15, "renju"): {"2": 9.0}}
    monkeypatch.setattr("fivestone.apps.strength.measured_elo", lambda: known)
    listing = {entry.get("level", entry["kind"]): entry.get("elo") for entry in Opponents().listing()}
    assert sorted(listing[1]["freestyle"]) == list(range(5, 21))
    assert listing[1]["freestyle"][15] == {"elo": 800, "kind": "measured", "board": 15}
    assert listing[1]["freestyle"][12] == {"elo": 750, "kind": "between", "board": 12}
    assert list(listing[2]) == ["renju"]
    assert listing[3] == {}
    assert listing["max"]["freestyle"][9] == {"elo": 2000, "kind": "elsewhere", "board": 15}


# Puzzles and the coach.


@pytest.mark.parametrize("grade", range(1, GRADES + 1))
def test_every_puzzle_has_a_win_by_fours_and_longer_ones_are_harder(grade: int) -> None:
    puzzles = graded_puzzles(grade)
    assert len(puzzles) >= 20
    lengths = []
    for puzzle in puzzles:
        line = win_by_fours(Fields({"game": puzzle}).board())
        assert line, puzzle
        lengths.append((len(line) + 1) // 2)
    assert min(lengths) >= {1: 2, 2: 2, 3: 3, 4: 4, 5: 5}[grade]


def test_a_solver_is_answered_until_five() -> None:
    coach = Coach(hash_mb=1)
    three = "h8a1i8a3j8a5"
    kept = coach.solve(Board.from_moves(three + "k8"), "fours")
    assert kept["keeps"]
    assert kept["reply"] in [Board().parse(name) for name in ("g8", "l8")]
    assert not coach.solve(Board.from_moves(three + "o15"), "fours")["keeps"]
    assert coach.solve(Board.from_moves(three + "k8l8g8"), "fours")["solved"]


def test_walking_into_a_forced_loss_is_a_blunder_and_blocking_is_not() -> None:
    coach, board = Coach(hash_mb=1), Board.from_moves("h8h9i8i9j8")
    bad = coach.judge(board, board.parse("o15"), Ticket())
    assert bad["verdict"] == "blunder"
    after = Board.from_moves("h8h9i8i9j8o15")
    for move in bad["refutation"]:
        after.push(move)
    assert after.winner == 1
    assert coach.judge(board, board.parse("g8"), Ticket())["verdict"] != "blunder"
    winning = Board.from_moves("h8j6g7i9h6h9f8e9i7k9j9g9f9f7")  # by threes and fours, with g8 or with f4
    losses = [coach.judge(winning, winning.parse(name), Ticket())["loss"] for name in ("g8", "f4", "o1")]
    assert losses[:2] == [0.0, 0.0]
    assert losses[2] > 0


def test_live_analysis_shows_a_win_by_force_to_its_end() -> None:
    board, ticket = Board.from_moves("h8f6i7j6i8g8h7g6"), Ticket()
    parts: list[dict[str, Any]] = []

    def take(part: dict[str, Any]) -> None:
        parts.append(part)
        ticket.stop()

    parts.append(Coach(hash_mb=1).live(board, 3, ticket, take))
    for part in parts:
        best = part["moves"][0]
        assert (part["proven"], part["value"], best["value"], best["move"]) == (1, 1.0, 1.0, best["pv"][0])
        assert len({info["move"] for info in part["moves"]}) == len(part["moves"])
        game = board.copy()
        for move in best["pv"]:
            game.push(move)
        assert game.winner == board.turn


@pytest.mark.parametrize(
    ("size", "rule", "net"),
    [(15, "freestyle", "line"), (6, "freestyle", "line"), (9, "renju", "line"), (9, "caro", "")],
)
def test_the_coach_judges_as_the_strongest_player_does(size: int, rule: str, net: str) -> None:
    coach, board = Coach(hash_mb=1), Board.from_moves("c3d4c4c5", size, rule)
    assert net_name(board) == net
    assert (f"net={net}" in flagship_spec(size, rule)) == bool(net)
    first = coach.hint(board, Ticket())
    plain = AlphaBeta(hash_mb=1).search(board, Limit(nodes=100_000)).value
    assert (first["value"] == plain) == (not net)
    assert first["pv"][0] == first["move"]
    assert coach.hint(board, Ticket()) == first  # nothing of the last question is left


# The port.


def test_a_taken_port_gives_the_next_one() -> None:
    first = bind("127.0.0.1", 0)
    port = first.getsockname()[1]
    second = bind("127.0.0.1", port)
    assert port < second.getsockname()[1] <= port + 20
    first.close()
    second.close()


@pytest.mark.parametrize(
    ("host", "token", "expected"),
    [
        ("127.0.0.1", None, ""),
        ("127.0.0.1", "", ""),
        ("0.0.0.0", None, "?token="),
        ("0.0.0.0", "", "?token="),
        ("0.0.0.0", "mine", "?token=mine"),
    ],
)
def test_beyond_loopback_a_token_is_part_of_the_address(
    monkeypatch: pytest.MonkeyPatch, host: str, token: str | None, expected: str
) -> None:
    def run(server: Any, sockets: list[socket.socket]) -> None:
        for listener in sockets:
            listener.close()

    monkeypatch.setattr("uvicorn.Server.run", run)
    said: list[str] = []
    serve(host, 0, config=WebConfig(workers=1, token=token), open_browser=False, say=said.append)
    address = said[-1].split()[3]
    assert address.partition("/?")[1] == ("/?" if expected else "")
    assert expected in address


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--host", ""], "--host is empty"),
        (["--token", "two words"], "--token: use letters"),
        (["--token", "a;b"], "--token: use letters"),
        (["--token", "ende\n"], "--token: use letters"),
    ],
)
def test_a_host_or_token_that_cannot_work_is_told(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda _server, sockets: [listener.close() for listener in sockets])
    with pytest.raises(SystemExit) as exit_:
        main(["play", "--no-browser", "--port", "0", *arguments])
    assert exit_.value.code == 2
    assert says in capsys.readouterr().err


def test_the_command_says_where_it_is_and_takes_the_next_port() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "fivestone", "play", "--ui", "web", "--no-browser", "--port", str(port)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                first, second = process.stdout.readline(), process.stdout.readline()
                assert first.startswith(f"Port {port} is taken; using ")
                with urllib.request.urlopen(second.split()[3], timeout=20) as page:
                    assert b"Fivestone" in page.read()
            finally:
                process.terminate()


def test_without_a_command_the_board_opens_in_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr("fivestone.cli.play.play_web", lambda *args, **options: calls.append((args, options)))
    main([])
    assert calls[0][0][0] == "127.0.0.1"
    assert calls[0][1]["browser"] is True


def test_the_server_starts_without_what_is_slow_to_import() -> None:
    """Whoever starts it wants to play at once."""
    slow = ["torch", "matplotlib", "pygame", "ray", "onnxruntime", "rich", "fivestone.train.loop"]
    code = f"""if True:
        import sys
        from fivestone.apps.web import create_app
        from fivestone.apps.web.launch import serve
        create_app()
        print([name for name in {slow} if name in sys.modules])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
