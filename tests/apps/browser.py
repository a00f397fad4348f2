"""A real browser at a real server, for the tests of the web app."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from fivestone.apps.web import WebConfig, create_app
from fivestone.apps.web.launch import bind

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CELL, MARGIN, RIM = 36, 36 * 0.98, 36 * 0.72  # the board's own units


class Server:
    """A server in a thread that can be stopped and started again on the same port."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self._config = WebConfig(workers=2, runs=runs)
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        listener = bind("127.0.0.1", self.port)
        self.port = listener.getsockname()[1]
        options = uvicorn.Config(
            create_app(self._config), log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(options)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)


class Table:
    """The page as a person uses it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def open(self, path: str = "/") -> Table:
        self.page.goto(self.address + path)
        return self

    def play(self, size: int, opponent: str = "level", side: str = "first", **choices: str) -> Table:
        """A new game by way of the dialog."""
        page = self.page
        page.locator("#do-new").click()
        page.locator("#new-game input[name=size]").fill(str(size))
        for name, value in {"opponent": opponent, "side": side, **choices}.items():
            if name == "rule":
                page.locator("#new-game select[name=rule]").select_option(value)
            elif opponent not in ("human", "watch") or name != "side":
                page.locator(f"#new-game input[name={name}][value={value}]").check(force=True)
        page.locator("#start-game").click()
        return self

    def place_of(self, name: str, size: int) -> tuple[float, float]:
        box = self.page.locator("#board").bounding_box()
        assert box is not None
        scale = box["width"] / ((size - 1) * CELL + MARGIN + RIM)
        column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
        return box["x"] + scale * (MARGIN + column * CELL), box["y"] + scale * (RIM + (size - 1 - row) * CELL)

    def click(self, name: str, size: int = 15) -> None:
        self.page.mouse.click(*self.place_of(name, size))

    def tap(self, name: str, size: int = 15) -> None:
        self.page.touchscreen.tap(*self.place_of(name, size))

    @property
    def stones(self) -> Locator:
        return self.page.locator(".layer-stones .stone")

    def points(self) -> list[str]:
        """The stones on the board in the order of play."""
        found: list[str] = self.stones.evaluate_all("all => all.map((stone) => stone.dataset.point)")
        return found

    def wait_for_stones(self, count: int) -> None:
        self.page.wait_for_function(
            "count => document.querySelectorAll('.layer-stones .stone').length === count", arg=count
        )

    def wait_for_turn(self) -> None:
        """Until the person can play, or the game is over."""
        self.page.wait_for_selector("#board.can-play, #after-game:not([hidden])", state="attached")

    def socket(self, script: str) -> Any:
        """Runs a script in the page with a websocket of its own, `ws`, and what it answers."""
        return self.page.evaluate(
            """async (script) => {
              const ws = new WebSocket(`ws://${location.host}/socket`);
              await new Promise((resolve) => (ws.onopen = resolve));
              const answers = [];
              ws.onmessage = (event) => answers.push(JSON.parse(event.data));
              for (const text of script) ws.send(text);
              while (answers.length < script.length) await new Promise((resolve) => setTimeout(resolve, 10));
              ws.close();
              return answers;
            }""",
            script,
        )


SETTINGS = {"viewport": {"width": 1200, "height": 760}, "locale": "en-GB", "reduced_motion": "reduce"}
# Every new page finds an empty store, as if nobody had been here; a reload of it finds what it kept itself.
FRESH = """if (location.protocol === "http:" && !sessionStorage.getItem("here")) {
  localStorage.clear();
  sessionStorage.setItem("here", "yes");
}"""


def make_context(browser: Browser, **options: Any) -> BrowserContext:
    context = browser.new_context(**{**SETTINGS, **options})
    context.set_default_timeout(15_000)
    context.add_init_script(FRESH)
    return context


@contextmanager
def open_page(context: BrowserContext, address: str, complaints: list[str]) -> Iterator[Table]:
    """A page of its own; what the browser complains about is collected."""
    page = context.new_page()
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        yield Table(page, address)
    finally:
        page.close()


@contextmanager
def open_table(browser: Browser, address: str, complaints: list[str], **options: Any) -> Iterator[Table]:
    """A page in a profile of its own."""
    context = make_context(browser, **options)
    try:
        with open_page(context, address, complaints) as table:
            yield table
    finally:
        context.close()
