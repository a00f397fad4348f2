"""The window: a menu, a table, and the events between them. It never waits for a search."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pygame

from fivestone.apps.desktop.drawing import (
    ACCENT,
    BACKGROUND,
    SOFT,
    TEXT,
    Button,
    Geometry,
    draw_board,
    draw_lines,
    draw_text,
    forget_fonts,
    scale_of,
)
from fivestone.apps.desktop.table import Choice, Table, title_of
from fivestone.apps.strength import strength_text
from fivestone.board import BLACK, RULES, WHITE, Board
from fivestone.errors import BadInput
from fivestone.match.player import Player
from fivestone.match.specs import make_player

__all__ = ["DesktopApp", "result_band", "run_desktop"]

_FRAMES = 60
_UNSEEN = ("offscreen", "dummy")  # SDL's drivers that show nothing
_SIZES = (6, 7, 8, 9, 11, 13, 15, 19, 20)
_OPPONENTS = (
    ("Person", None),
    ("Easy", "level:2"),
    ("Normal", "level:5"),
    ("Hard", "level:8"),
    ("Fool", "fool"),
)
_FOOL = "The fool wants you to win. It looks for the move that hurts it most: losing to it on purpose is a real puzzle."
_GAME_KEYS = {
    pygame.K_u: "undo",
    pygame.K_BACKSPACE: "undo",
    pygame.K_h: "hint",
    pygame.K_n: "new",
    pygame.K_ESCAPE: "menu",
}
_ARROWS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, 1), pygame.K_DOWN: (0, -1)}


class DesktopApp:
    """One window. `step` handles the waiting events and draws a frame, so that a test can drive it."""

    def __init__(
        self, choice: Choice | None = None, *, seed: int = 0, players: Callable[..., Player] = make_player
    ) -> None:
        self.surface = _open_window()
        self.choice = choice or Choice()
        self.table: Table | None = None
        self.cursor: int | None = None
        self.running = True
        self._random_color = False
        self._random = random.Random(seed)
        self._seed = seed
        self._players = players
        self._menu_at: tuple[int, int] | None = None  # where the keyboard stands in the menu: row and column

    def run(self) -> None:
        clock = pygame.time.Clock()
        while self.running:
            self.step()
            clock.tick(_FRAMES)
        self.close()

    def close(self) -> None:
        if self.table is not None:
            self.table.close()
            self.table = None
        forget_fonts()
        pygame.quit()

    def step(self) -> None:
        """Handles what has happened and draws what is."""
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.running = False
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_F11:
                pygame.display.toggle_fullscreen()
            elif self.table is None:
                self._menu_event(event)
            else:
                self._game_event(event, self.table)
        if self.table is not None:
            self.table.poll()
        self._draw()

    # The menu.

    def _menu_rows(self) -> list[tuple[str, int, str, list[tuple[str, Any]], Any]]:
        """Title, height, what it sets, the labels with their values, and what is chosen."""
        levels = [(str(level), f"level:{level}") for level in range(1, 11)] + [("Max", "level:max")]
        color = None if self._random_color else self.choice.color
        return [
            ("Board", 130, "size", [(f"{size}x{size}", size) for size in _SIZES], self.choice.size),
            ("Rule", 225, "rule", [(rule, rule) for rule in RULES], self.choice.rule),
            (f"Opponent{self._strength()}", 320, "opponent", list(_OPPONENTS), self.choice.opponent),
            ("", 368, "opponent", levels, self.choice.opponent),
            ("You play", 463, "color", [("First", BLACK), ("Second", WHITE), ("Random", None)], color),
        ]

    def _strength(self) -> str:
        """What is known of the chosen opponent on the chosen board."""
        choice = self.choice
        found = strength_text(choice.opponent or "", choice.size, choice.rule)
        return f": {title_of(choice.opponent or '')}, {found}" if found else ": a person, the fool, or a level"

    def _menu_buttons(self) -> list[Button]:
        width, height = self.surface.get_size()
        scale = scale_of((width, height))
        left, top = width / 2 - 400 * scale, max(0.0, height / 2 - 330 * scale)
        buttons = []
        for number, (_title, y, key, items, chosen) in enumerate(self._menu_rows()):
            step = min(110.0, 808 / len(items)) * scale
            for i, (label, value) in enumerate(items):
                rect = pygame.Rect(
                    round(left + i * step), round(top + y * scale), round(step - 8 * scale), round(40 * scale)
                )
                marked = self._menu_at == (number, i)
                buttons.append(Button(label, (key, value), rect, scale=scale, chosen=value == chosen, marked=marked))
        rect = pygame.Rect(
            round(width / 2 - 110 * scale), round(top + 548 * scale), round(220 * scale), round(54 * scale)
        )
        buttons.append(Button("Play  (Enter)", ("start", None), rect, scale=scale, chosen=True))
        return buttons

    def _menu_event(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.key == pygame.K_RETURN:
            self.start()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.running = False
        elif event.type == pygame.KEYDOWN and event.key in _ARROWS:
            self._walk_menu(*_ARROWS[event.key])
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._menu_at = None
            for button in self._menu_buttons():
                if button.rect.collidepoint(event.pos):
                    self._choose(*button.value)
                    break

    def _walk_menu(self, dx: int, dy: int) -> None:
        """The arrow keys walk over the menu and choose what they come to in a row."""
        rows = self._menu_rows()
        chosen = [next((i for i, (_, value) in enumerate(items) if value == now), 0) for _, _, _, items, now in rows]
        if self._menu_at is None:
            self._menu_at = (0, chosen[0])
            return
        row = min(len(rows) - 1, max(0, self._menu_at[0] - dy))
        items = rows[row][3]
        at = min(len(items) - 1, max(0, self._menu_at[1] + dx)) if dx else chosen[row]
        self._menu_at = (row, at)
        if dx:
            self._choose(rows[row][2], items[at][1])

    def _choose(self, key: str, value: Any) -> None:
        if key == "start":
            self.start()
        elif key == "color":
            self._random_color = value is None
            if value is not None:
                self.choice = replace(self.choice, color=value)
        else:
            self.choice = replace(self.choice, **{key: value})

    def start(self) -> None:
        """Sits down at a new table with what the menu says."""
        if self.table is not None:
            self.table.close()
        if self._random_color:
            self.choice = replace(self.choice, color=self._random.choice((BLACK, WHITE)))
        self.table = Table(self.choice, seed=self._random.randrange(1 << 30), players=self._players)
        self.cursor = None

    # The game.

    def _geometry(self, table: Table) -> Geometry:
        return Geometry.fit(*self.surface.get_size(), table.board.size)

    def _game_buttons(self, table: Table) -> list[Button]:
        geometry = self._geometry(table)
        scale, left, top = geometry.scale, geometry.right, geometry.frame.top
        items = (("New game (N)", "new"), ("Undo (U)", "undo"), ("Hint (H)", "hint"), ("Menu (Esc)", "menu"))
        size = (round(176 * scale), round(42 * scale))
        return [
            Button(label, what, pygame.Rect((left, round(top + (112 + 52 * i) * scale)), size), scale=scale)
            for i, (label, what) in enumerate(items)
        ]

    def _game_event(self, event: pygame.event.Event, table: Table) -> None:
        if event.type == pygame.KEYDOWN:
            self._game_key(event.key, table)
        elif event.type == pygame.MOUSEMOTION:
            self.cursor = self._geometry(table).move_at(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for button in self._game_buttons(table):
                if button.rect.collidepoint(event.pos):
                    self._do(button.value, table)
                    return
            move = self._geometry(table).move_at(event.pos)
            if move is not None:
                table.play(move)

    def _game_key(self, key: int, table: Table) -> None:
        size = table.board.size
        if key in _GAME_KEYS:
            self._do(_GAME_KEYS[key], table)
        elif key in _ARROWS:
            at = size // 2 * size + size // 2 if self.cursor is None else self.cursor
            column, row = at % size, at // size
            dx, dy = _ARROWS[key] if self.cursor is not None else (0, 0)  # the first key shows where it stands
            self.cursor = min(size - 1, max(0, row + dy)) * size + min(size - 1, max(0, column + dx))
        elif key in (pygame.K_RETURN, pygame.K_SPACE):
            if table.board.is_over:
                self.start()
            elif self.cursor is not None:
                table.play(self.cursor)

    def _do(self, what: str, table: Table) -> None:
        if what == "new":
            self.start()
        elif what == "undo":
            table.undo()
        elif what == "hint":
            table.ask_hint()
        else:
            table.close()
            self.table = None

    # Drawing.

    def _draw(self) -> None:
        self.surface.fill(BACKGROUND)
        mouse = pygame.mouse.get_pos()
        if self.table is None:
            self._draw_menu(mouse)
        else:
            self._draw_game(self.table, mouse)
        pygame.display.flip()

    def _draw_menu(self, mouse: tuple[int, int]) -> None:
        width, height = self.surface.get_size()
        scale = scale_of((width, height))
        left, top = round(width / 2 - 400 * scale), max(0.0, height / 2 - 330 * scale)
        draw_text(self.surface, "Fivestone", (width // 2, round(top + 50 * scale)), 46 * scale, centre=True)
        for title, y, *_ in self._menu_rows():
            draw_text(self.surface, title, (left, round(top + (y - 25) * scale)), 15 * scale, SOFT)
        for button in self._menu_buttons():
            button.draw(self.surface, mouse)

    def _draw_game(self, table: Table, mouse: tuple[int, int]) -> None:
        geometry = self._geometry(table)
        hover = self.cursor if table.can_play else None
        draw_board(self.surface, geometry, table.board, hover=hover, hint=table.hint)
        for button in self._game_buttons(table):
            button.draw(self.surface, mouse)
        scale, left, top = geometry.scale, geometry.right, geometry.frame.top
        for i, color in enumerate((BLACK, WHITE)):
            y = round(top + (14 + 44 * i) * scale)
            active = not table.board.is_over and table.board.turn == color
            disc = (left + round(14 * scale), y + round(10 * scale))
            pygame.draw.circle(
                self.surface, (12, 12, 14) if color == BLACK else (240, 240, 236), disc, round(12 * scale)
            )
            pygame.draw.circle(self.surface, ACCENT if active else SOFT, disc, round(14 * scale), 2)
            draw_text(
                self.surface, table.name_of(color), (left + round(38 * scale), y), 17 * scale, TEXT if active else SOFT
            )
            note = (left + round(38 * scale), y + round(21 * scale))
            draw_text(self.surface, table.strength_of(color), note, 12 * scale, SOFT)
        if table.board.is_over:
            self._draw_result(table, geometry)
        else:
            width = max(80, self.surface.get_width() - left - 8)
            words = table.advice or (_FOOL if table.choice.opponent == "fool" else "")
            draw_lines(self.surface, words, (left, round(top + 330 * scale)), 15 * scale, width, SOFT)
        draw_text(
            self.surface, table.status(), (geometry.frame.left, geometry.frame.bottom + round(10 * scale)), 19 * scale
        )

    def _draw_result(self, table: Table, geometry: Geometry) -> None:
        """How it ended, and what can be done now."""
        scale, place = geometry.scale, result_band(table.board, geometry)
        band = pygame.Surface(place.size, pygame.SRCALPHA)
        band.fill((24, 25, 29, 225))
        middle = band.get_width() // 2
        draw_text(band, table.result(), (middle, round(40 * scale)), 36 * scale, centre=True)
        again = f"after {len(table.board.moves)} moves     Enter: play again     U: take back     Esc: menu"
        draw_text(band, again, (middle, round(78 * scale)), 15 * scale, SOFT, centre=True)
        self.surface.blit(band, place)


def result_band(board: Board, geometry: Geometry) -> pygame.Rect:
    """Where the result stands: along the edge of the board where it hides no stone of the winning line."""
    line, size, frame = board.winning_line, board.size, geometry.frame
    upper = bool(line) and sum(move // size for move in line) / len(line) >= (size - 1) / 2
    band = pygame.Rect(frame.left, frame.top, frame.width, round(min(104 * geometry.scale, 0.15 * frame.height)))
    if upper:
        band.bottom = frame.bottom
    return band


def _open_window() -> pygame.Surface:
    """Without a display SDL may draw where nobody sees it; that is for those who ask for it."""
    try:
        pygame.display.init()  # not pygame.init(): there is no sound, and no sound card to complain about
        if pygame.display.get_driver() in _UNSEEN and not os.environ.get("SDL_VIDEODRIVER"):
            raise pygame.error("nothing can be seen")
        pygame.font.init()
        pygame.display.set_caption("Fivestone")
        return pygame.display.set_mode((980, 780), pygame.RESIZABLE)
    except pygame.error as error:
        pygame.quit()
        raise BadInput(f"there is no display for a window: use --ui web or --ui terminal ({error})") from None


def run_desktop(choice: Choice | None = None) -> None:
    DesktopApp(choice, seed=random.SystemRandom().randrange(1 << 30)).run()
