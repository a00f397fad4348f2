"""Messages nobody would send: each gets exactly one final answer, an error that was meant, and the session goes on."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession

from fivestone.apps.web import WebConfig, create_app

SOCKET = "ws://127.0.0.1:8555/socket"
# Those that search for long have tests of their own.
OPS = ["hello", "look", "move", "threats", "puzzles", "solve", "import", "export", "runs", "run", "run_game", "ping"]

scalars = st.none() | st.booleans() | st.integers(-3, 500) | st.floats(allow_nan=False) | st.text(max_size=12)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner))
# Games that are almost right, so that the checks behind the first one are reached; too short to be searched for long.
cells = st.lists(st.integers(-1, 60), max_size=30, unique=True)
setups = st.fixed_dictionaries({"black": cells, "white": cells, "turn": st.integers(0, 3)})
games = st.fixed_dictionaries(
    {},
    optional={
        "size": st.integers(3, 22) | scalars,
        "rule": st.sampled_from(["freestyle", "renju", "standard", "caro", "caro-exact", "x"]) | scalars,
        "moves": st.lists(st.integers(-2, 40), max_size=14) | values,
        "setup": setups | values,
    },
)
players = st.fixed_dictionaries(
    {}, optional={"kind": st.sampled_from(["level", "fool", "net", "gomocup"]), "level": scalars, "seed": scalars}
)
messages = st.fixed_dictionaries(
    {"op": st.sampled_from(OPS) | st.text(max_size=9)},
    optional={
        "game": games | values,
        "player": players | values,
        "move": scalars,
        "grade": scalars,
        "name": scalars,
        "number": scalars,
        "text": st.text(max_size=60) | st.sampled_from(["(;GM[4]SZ[15];B[hh]", "(;)", "Piskvorky 9x9\n1,1,0", "h8h8"]),
        "format": st.sampled_from(["sgf", "psq", "txt", "exe"]) | scalars,
        "resigned": scalars,
        "target": scalars,
    },
)


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebSocketTestSession]:
    config = WebConfig(workers=2, runs=Path(tmp_path_factory.mktemp("runs")))
    with (
        TestClient(create_app(config), base_url="http://127.0.0.1:8555") as client,
        client.websocket_connect(SOCKET, headers={"origin": "http://127.0.0.1:8555"}) as socket,
    ):
        yield socket


@settings(max_examples=90, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=messages)
def test_every_message_gets_one_answer(
    socket: WebSocketTestSession, caplog: pytest.LogCaptureFixture, message: dict[str, Any]
) -> None:
    caplog.set_level(logging.ERROR, "fivestone")
    caplog.clear()
    socket.send_text(json.dumps({"id": 1, **message}))
    socket.send_text(json.dumps({"id": 2, "op": "ping"}))
    wanted = {2} if message["op"] == "stop" and isinstance(message.get("target"), int) else {1, 2}
    seen: list[int] = []
    while not wanted <= set(seen):
        answer = json.loads(socket.receive_text())
        assert "the reason is in its log" not in str(answer.get("error"))
        if not answer.get("partial"):
            seen.append(answer["id"] if answer["id"] >= 0 else 1)
    assert sorted(seen) == sorted(wanted)
    assert caplog.records == []
