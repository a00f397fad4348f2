"""The websocket protocol: every request carries its position; a bad one gets an error and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

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
