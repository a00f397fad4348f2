"""The websocket protocol: every request carries its position; a bad one gets an error and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from fivestone.apps.web import WebConfig, create_app
from fivestone.board import Board

BASE = "http://127.0.0.1:8555"
SOCKET = "ws://127.0.0.1:8555/socket"
ORIGIN = {"origin": BASE}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(create_app(WebConfig(workers=2)), base_url=BASE) as client:
        yield client


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(SOCKET, headers=ORIGIN) as socket:
        yield socket


def ask(socket: WebSocketTestSession, op: str, number: int = 1, **fields: Any) -> dict[str, Any]:
    """The final answer to one request."""
    socket.send_text(json.dumps({"id": number, "op": op, **fields}))
    while True:
        answer: dict[str, Any] = json.loads(socket.receive_text())
        if not answer.get("partial"):
            return answer


def game(moves: str = "", size: int = 15, rule: str = "freestyle") -> dict[str, Any]:
    return {"size": size, "rule": rule, "moves": list(Board.from_moves(moves, size, rule).moves)}


def test_a_position_is_described(socket: WebSocketTestSession) -> None:
    answer = ask(socket, "look", game=game("a1a2b1b2c1c2d1d2e1"))
    assert answer["position"] == {
        "turn": 2,
        "over": True,
        "winner": 1,
        "line": [0, 1, 2, 3, 4],
        "forbidden": [],
    }


def test_forbidden_points_are_told(socket: WebSocketTestSession) -> None:
    answer = ask(socket, "look", game=game("h8a1h9a3i10a5j10o1", rule="renju"))
    board = Board.from_moves("h8a1h9a3i10a5j10o1", rule="renju")
    assert answer["position"]["forbidden"] == list(board.forbidden_moves) == [board.parse("h10")]


@pytest.mark.parametrize("player", [{"kind": "level", "level": 1}, {"kind": "level", "level": 5}])
def test_a_player_answers_with_a_legal_move(socket: WebSocketTestSession, player: dict[str, Any]) -> None:
    answer = ask(socket, "move", game=game("h8", size=9 + 6), player=player)
    board = Board.from_moves("h8")
    assert board.is_legal(answer["move"])
    assert answer["position"]["turn"] == 1


@pytest.mark.parametrize(
    "player",
    [
        {"kind": "level", "level": 11},
        {"kind": "level", "level": True},
        {"kind": "level", "level": "1,net=/etc/passwd"},
        {"kind": "gomocup:/bin/sh"},
        {"kind": "puct:net=/etc/passwd"},
        "level:5",
        None,
    ],
)
def test_players_outside_the_list_are_refused(socket: WebSocketTestSession, player: Any) -> None:
    answer = ask(socket, "move", game=game("h8"), player=player)
    assert "error" in answer
    assert "move" not in answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        '{"id": 1}',
        '{"id": "x", "op": "look"}',
        '{"id": 1, "op": "__class__"}',
        '{"id": 1, "op": "look"}',
        '{"id": 1, "op": "look", "game": []}',
        '{"id": 1, "op": "look", "game": {"size": 1e9, "rule": "freestyle", "moves": []}}',
        '{"id": 1, "op": "look", "game": {"size": 15, "rule": "../etc", "moves": []}}',
        '{"id": 1, "op": "look", "game": {"size": 15, "rule": "freestyle", "moves": [225]}}',
        '{"id": 1, "op": "look", "game": {"size": 15, "rule": "freestyle", "moves": [7, 7]}}',
        '{"id": 1, "op": "look", "game": {"size": 15, "rule": "freestyle", "moves": [true]}}',
        '{"id": 1, "op": "look", "game": {"size": NaN, "rule": "freestyle", "moves": []}}',
        '{"id": 1, "op": "look", "game": {"size": 15, "rule": "freestyle", "moves": ' + "[" * 5000,
        '{"id": 1, "op": "stop", "target": -4}',
        "[" * 100_000,
    ],
)
def test_hostile_messages_get_an_error_and_the_session_goes_on(socket: WebSocketTestSession, text: str) -> None:
    socket.send_text(text)
    assert "error" in json.loads(socket.receive_text())
    assert ask(socket, "look", 2, game=game("h8"))["position"]["turn"] == 2


def test_bytes_are_refused(socket: WebSocketTestSession) -> None:
    socket.send_bytes(b"\xff\xfe")
    assert "error" in json.loads(socket.receive_text())
    assert "players" in ask(socket, "hello")


def test_a_move_in_a_finished_game_is_refused(socket: WebSocketTestSession) -> None:
    answer = ask(socket, "move", game=game("a1a2b1b2c1c2d1d2e1"), player={"kind": "level", "level": 5})
    assert answer["error"] == "the game is over"


def test_live_analysis_comes_in_parts_and_stops_when_told(socket: WebSocketTestSession) -> None:
    socket.send_text(json.dumps({"id": 5, "op": "analyze", "game": game("h8i9h9h10"), "lines": 3}))
    first = json.loads(socket.receive_text())
    assert first["partial"]
    assert 1 <= len(first["moves"]) <= 3
    socket.send_text(json.dumps({"id": 6, "op": "stop", "target": 5}))
    while (answer := json.loads(socket.receive_text())).get("partial"):
        assert answer["id"] == 5
    assert answer["id"] == 5
    assert Board.from_moves("h8i9h9h10").is_legal(answer["moves"][0]["move"])


def test_a_lost_connection_stops_its_searches(client: TestClient) -> None:
    with client.websocket_connect(SOCKET, headers=ORIGIN) as socket:
        socket.send_text(json.dumps({"id": 5, "op": "analyze", "game": game("h8i9h9h10")}))
        json.loads(socket.receive_text())
        assert client.get("/health").json()["running"] == 1
    for _ in range(500):
        if client.get("/health").json()["running"] == 0:
            break
    assert client.get("/health").json() | {"version": ""} == {"version": "", "running": 0, "waiting": 0, "visitors": 0}


def test_a_review_finds_the_mistake_and_its_refutation(socket: WebSocketTestSession) -> None:
    answer = ask(socket, "review", game=game("h8h9i8i9j8o15k8o14l8"))
    board = Board()
    assert len(answer["values"]) == 10
    assert answer["values"][-1] == 1.0
    worst = next(flaw for flaw in answer["mistakes"] if flaw["ply"] == 6)
    assert worst["move"] == board.parse("o15")
    after = Board.from_moves("h8h9i8i9j8o15")
    for move in worst["refutation"]:
        after.push(move)
    assert after.winner == 1


def test_the_computer_opens_and_answers_swap2(socket: WebSocketTestSession) -> None:
    opening = ask(socket, "swap2", game=game(), seed=3)
    assert opening["choice"] is None
    assert len(set(opening["moves"])) == 3
    answer = ask(socket, "swap2", game={"size": 15, "rule": "freestyle", "moves": opening["moves"]})
    assert answer["choice"] in ("black", "white", "two")
    assert len(answer["moves"]) == (2 if answer["choice"] == "two" else 0)
    assert "error" in ask(socket, "swap2", game=game("h8"))
    full = {"black": list(range(0, 225, 2)), "white": list(range(1, 225, 2)), "turn": 1}
    answer = ask(socket, "swap2", game={"size": 15, "setup": full, "moves": []})
    assert answer["error"] == "a swap2 opening begins on an empty board"


def test_many_visitors_at_once_all_get_their_moves(client: TestClient) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(client.websocket_connect(SOCKET, headers=ORIGIN)) for _ in range(12)]
        for number, one in enumerate(sockets):
            player = {"kind": "level", "level": 6, "seed": number}
            one.send_text(json.dumps({"id": number, "op": "move", "game": game("h8i9"), "player": player}))
        for number, one in enumerate(sockets):
            while (answer := json.loads(one.receive_text())).get("partial"):
                pass
            assert answer["id"] == number
            assert "move" in answer


def test_too_many_visitors_are_turned_away() -> None:
    config = WebConfig(workers=1, sockets=1)
    with TestClient(create_app(config), base_url=BASE) as client, client.websocket_connect(SOCKET, headers=ORIGIN):
        with pytest.raises(WebSocketDisconnect) as refusal, client.websocket_connect(SOCKET, headers=ORIGIN):
            pass
        assert refusal.value.code == 4429
