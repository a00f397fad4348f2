"""Who gets in: host, origin and token checks, headers, and files outside the static folder."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fivestone.apps.web import WebConfig, create_app
from fivestone.apps.web.security import is_loopback

BASE = "http://127.0.0.1:8555"
SOCKET = "ws://127.0.0.1:8555/socket"


def client(config: WebConfig | None = None, base: str = BASE) -> TestClient:
    return TestClient(create_app(config or WebConfig(workers=2)), base_url=base)


def test_the_page_is_locked_down() -> None:
    answer = client().get("/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8555", ""])
def test_a_foreign_host_is_refused(host: str) -> None:
    assert client().get("/", headers={"host": host}).status_code == 403


def test_an_empty_token_is_none() -> None:
    """With one, anyone could leave it out, and the host would not be looked at."""
    visitor = client(WebConfig(workers=2, token=""))
    assert visitor.get("/", headers={"host": "evil.example"}).status_code == 403
    assert visitor.get("/").status_code == 200


@pytest.mark.parametrize("origin", ["http://[", "http://evil.example"])
def test_a_page_from_elsewhere_is_refused(origin: str) -> None:
    assert client().get("/", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8555", "127.0.0.1", "[::1]:8555"])
def test_loopback_names_are_served(host: str) -> None:
    assert client().get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9999", "http://[", "null", None])
def test_a_socket_from_elsewhere_is_refused(origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    with (
        pytest.raises(WebSocketDisconnect) as refusal,
        client().websocket_connect(SOCKET, headers=headers),
    ):
        pass
    assert refusal.value.code == 4403
    assert "origin" in refusal.value.reason


def test_a_socket_under_a_foreign_name_is_refused() -> None:
    """DNS rebinding: the origin agrees with the host, but the host is not ours."""
    headers = {"origin": "http://evil.example:8555"}
    with (
        pytest.raises(WebSocketDisconnect) as refusal,
        client().websocket_connect("ws://evil.example:8555/socket", headers=headers),
    ):
        pass
    assert "own address" in refusal.value.reason


def test_a_token_opens_the_door_once_and_a_cookie_keeps_it_open() -> None:
    visitor = client(WebConfig(workers=2, token="secret"), base="http://192.168.1.5:8555")
    assert visitor.get("/").status_code == 403
    assert visitor.get("/?token=wrong").status_code == 403
    first = visitor.get("/?token=secret")
    assert first.status_code == 200
    assert "HttpOnly" in first.headers["set-cookie"]
    assert visitor.get("/static/js/main.js").status_code == 200
    assert client(WebConfig(workers=2, token="secret")).get("/static/js/main.js").status_code == 403


@pytest.mark.parametrize(
    "path",
    ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/static/..%2fserver.py"],
)
def test_nothing_outside_the_static_folder_is_served(path: str) -> None:
    assert client().get(path).status_code == 404


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("a.b", False),
    ],
)
def test_loopback_is_recognised(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
