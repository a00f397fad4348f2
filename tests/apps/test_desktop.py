"""The real window under a dummy display, driven by posted events."""

import threading
from collections.abc import Iterator
from itertools import product

import pytest

from fivestone.board import BLACK, EMPTY, WHITE, Board
from fivestone.match.player import Player, SearcherPlayer
from fivestone.search import Limit, OnResult, SearchResult

pygame = pytest.importorskip("pygame")


class Patient:
    """Plays the lowest empty cell, but only when it is let go or stopped."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate = gate
        self.stopped = False

    def search(self, board: Board, limit: Limit, on_result: OnResult | None = None) -> SearchResult:
        self.gate.wait()
        return SearchResult(move=board.legal_moves[0], value=0.5, pv=())

    def stop(self) -> None:
        self.stopped = True
        self.gate.set()


@pytest.fixture
def gate() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> Iterator[object]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    from fivestone.apps.desktop import DesktopApp
    from fivestone.apps.desktop.table import Choice

    def players(spec: str, *, seed: int = 0) -> Player:
        return SearcherPlayer(spec, Patient(gate))

    app = DesktopApp(Choice(size=9), players=players)
    yield app
    app.close()


def settle(app) -> None:
    """Lets a search that is free to go finish, and the window take it."""
    app.step()
    thread = app.table._thread if app.table is not None else None
    if thread is not None:
        thread.join(timeout=30)
    app.step()


def click(app, move: int) -> None:
    position = app._geometry(app.table).centre(move)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=position, button=1))
    settle(app)


def press(app, *keys: int) -> None:
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        settle(app)


def names(app) -> list[str]:
    return [app.table.board.name_of(move) for move in app.table.board.moves]


def test_menu_choices_reach_the_table(app) -> None:
    for wanted in (("size", 13), ("rule", "standard"), ("opponent", None), ("color", WHITE), ("start", None)):
        button = next(button for button in app._menu_buttons() if button.value == wanted)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=button.rect.center, button=1))
        app.step()
    assert (app.table.board.size, app.table.board.rule, app.table.choice.opponent) == (13, "standard", None)


def test_a_whole_game_by_clicks_and_another_by_enter(app) -> None:
    press(app, pygame.K_RETURN)
    for row in range(4, 9):
        click(app, row * 9 + 4)
    assert app.table.board.winner == BLACK
    assert app.table.status() == "You win!"
    press(app, pygame.K_RETURN)
    assert app.table.board.moves == []


@pytest.mark.parametrize("size", [6, 9, 20])
@pytest.mark.parametrize("window", [(980, 780), (500, 900), (1600, 500)])
def test_the_result_hides_no_stone_of_the_winning_line(size: int, window: tuple[int, int]) -> None:
    from fivestone.apps.desktop.drawing import Geometry
    from fivestone.apps.desktop.window import result_band

    geometry = Geometry.fit(*window, size)
    for row, column in product(range(size), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + i * down, column + i * right) for i in range(5)]
            if not all(0 <= x < size and 0 <= y < size for x, y in cells):
                continue
            line = [x * size + y for x, y in cells]
            board = Board.from_stones(line, [], WHITE, size)
            band = result_band(board, geometry)
            assert geometry.frame.contains(band)
            for move in line:
                x, y = geometry.centre(move)
                half = round(geometry.cell * 0.3)
                assert not band.collidepoint(x, y + half)
                assert not band.collidepoint(x, y - half)


def test_a_click_on_a_stone_or_outside_changes_nothing(app) -> None:
    press(app, pygame.K_RETURN)
    click(app, 40)
    before = names(app)
    click(app, 40)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(5, 5), button=1))
    settle(app)
    assert names(app) == before == ["e5", "a1"]


def test_keyboard_only(app) -> None:
    press(app, pygame.K_RETURN, pygame.K_LEFT, pygame.K_UP, pygame.K_SPACE)
    assert names(app) == ["e6", "a1"]
    press(app, pygame.K_u)
    assert names(app) == []
    press(app, pygame.K_ESCAPE)
    assert app.table is None


def test_the_cursor_walks_out_of_the_corner(app) -> None:
    press(app, pygame.K_RETURN, *[pygame.K_LEFT] * 6, *[pygame.K_DOWN] * 6)
    assert app.cursor == 0
    press(app, pygame.K_RIGHT)
    assert app.cursor == 1


def test_the_menu_by_keyboard(app) -> None:
    """The first arrow shows where the keyboard stands; left and right choose, up and down change the row."""
    press(app, pygame.K_DOWN, pygame.K_LEFT)
    assert app.choice.size == 8
    press(app, pygame.K_DOWN, pygame.K_RIGHT, pygame.K_RIGHT)
    assert app.choice.rule == "renju"
    press(app, pygame.K_DOWN, pygame.K_DOWN, *[pygame.K_RIGHT] * 12)
    assert app.choice.opponent == "level:max"
    press(app, pygame.K_DOWN, pygame.K_RIGHT, pygame.K_RETURN)
    assert (app.table.board.size, app.table.board.rule, app.table.choice.color) == (8, "renju", WHITE)


def test_the_menu_and_the_table_tell_the_elo_of_a_level(app, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {(9, "freestyle"): {"5": 700.0}, (15, "freestyle"): {"5": 1000.0}}
    monkeypatch.setattr("fivestone.apps.strength.measured_elo", lambda: known)

    def title() -> str:
        return app._menu_rows()[2][0]

    assert title() == "Opponent: Level 5, Elo 700"
    app._choose("size", 12)
    assert title() == "Opponent: Level 5, Elo about 850"
    press(app, pygame.K_RETURN)
    assert [app.table.strength_of(color) for color in (BLACK, WHITE)] == ["", "Elo about 850"]
    press(app, pygame.K_ESCAPE)
    app._choose("opponent", "fool")
    assert title() == "Opponent: a person, the fool, or a level"


def test_hint(app) -> None:
    press(app, pygame.K_RETURN, pygame.K_h)
    assert app.table.hint == 0
    assert "75% for you" in app.table.status()
    assert app.table.advice == "a1 is a quiet move."


def test_the_window_lives_while_the_computer_thinks(app, gate: threading.Event) -> None:
    press(app, pygame.K_RETURN)
    gate.clear()
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=app._geometry(app.table).centre(40), button=1))
    for _ in range(5):
        app.step()
    assert app.table.thinking
    assert app.table.board.at(40) == BLACK
    press(app, pygame.K_u)  # undo stops the search and its answer is never played
    assert names(app) == []
    assert app.table.board.at(0) == EMPTY


def test_resizing(app) -> None:
    for size in ((400, 320), (2560, 1440), (600, 1000)):
        app.surface = pygame.display.set_mode(size)
        app.table = None
        app.step()
        window = app.surface.get_rect()
        assert all(window.contains(button.rect) for button in app._menu_buttons())
        press(app, pygame.K_RETURN)
        assert window.contains(app._geometry(app.table).frame)
        assert all(window.contains(button.rect) for button in app._game_buttons(app.table))
        geometry = app._geometry(app.table)
        assert all(geometry.move_at(geometry.centre(move)) == move for move in range(81))


def test_closing_the_window_ends_the_loop(app) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    app.step()
    assert not app.running


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "99"], "board size 99"),
        (["--opponent", "nobody"], "unknown player 'nobody'"),
        ([], "there is no display"),
    ],
)
def test_the_command_says_what_is_wrong_before_a_window_opens(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from fivestone.cli import cli
    from fivestone.errors import BadInput

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    done = CliRunner().invoke(cli, ["play", "--ui", "desktop", *arguments])
    assert isinstance(done.exception, BadInput)
    assert message in str(done.exception)


@pytest.mark.parametrize("driver", ["nosuch", ""])
def test_a_window_that_nobody_would_see_is_refused(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from fivestone.apps.desktop import DesktopApp
    from fivestone.errors import BadInput

    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.setenv("DISPLAY", ":77")  # a display that is not there
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if not driver:
        monkeypatch.setattr(pygame.display, "init", lambda: None)
        monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
        monkeypatch.setattr(pygame.display, "set_mode", lambda *_: pygame.Surface((1, 1)))
    with pytest.raises(BadInput, match="there is no display for a window"):
        DesktopApp()
