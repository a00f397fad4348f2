"""Fixtures of the web app's tests: one server for all of them, a browser a module."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser import ARGUMENTS, CHROMIUM, Server, Table, make_context, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    runs = tmp_path_factory.mktemp("runs")
    _write_run(runs / "small")
    server = Server(runs)
    yield server
    server.stop()


# One a module, not one a session: while it is open, playwright's event loop counts as running in this thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, headless=True)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browser complained about: script errors and breaches of the content policy fail the test."""
    found: list[str] = []
    yield found
    assert [line for line in found if "ERR_CONNECTION_REFUSED" not in line] == []  # a server that was stopped


# One profile a module: a page whose files the browser has seen is there twice as fast.
@pytest.fixture(scope="module")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    context = make_context(browser)
    yield context
    context.close()


@pytest.fixture
def table(profile: BrowserContext, server: Server, complaints: list[str]) -> Iterator[Table]:
    with open_page(profile, server.address, complaints) as table:
        yield table.open()


def _write_run(path: Path) -> None:
    (path / "games").mkdir(parents=True)
    (path / "config.toml").write_text("size = 9\n")
    lines = [{"round": i, "seconds": 10.0 * i, "games": 20 * i, "loss": 4 - i / 10, "elo": 30.0 * i} for i in range(12)]
    (path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (path / "games" / "000011.sgf").write_text("(;GM[4]FF[4]SZ[9];B[ee];W[ef];B[fe])")
