"""The window: a menu, a table, and the events between them. It never waits for a search."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pygame

from fivestone.apps.desktop.drawing import BACKGROUND, Button, Geometry, draw_board, draw_text
from fivestone.apps.desktop.table import Choice, Table
from fivestone.board import BLACK, RULES, WHITE
from fivestone.match.player import Player
from fivestone.match.specs import make_player

__all__ = ["DesktopApp", "run_desktop"]

_FRAMES = 60
_SIZES = (6, 7, 8, 9, 11, 13, 15, 19, 20)
_OPPONENTS = (
    ("Person", None),
    ("Easy", "level:2"),
    ("Normal", "level:5"),
    ("Hard", "level:8"),
    ("Fool", "fool"),
    *((str(level), f"level:{level}") for level in range(1, 11)),
)
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
        pygame.display.init()  # not pygame.init(): there is no sound, and no sound card to complain about
        pygame.font.init()
        pygame.display.set_caption("Fivestone")
        self.surface = pygame.display.set_mode((980, 780), pygame.RESIZABLE)
        self.choice = choice or Choice()
        self.table: Table | None = None
        self.cursor: int | None = None
        self.running = True
        self._random_color = False
        self._random = random.Random(seed)
        self._seed = seed
        self._players = players
        self._buttons: list[Button] = []

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

    def _menu_left(self) -> int:
        return max(12, self.surface.get_width() // 2 - 400)

    def _menu_buttons(self) -> list[Button]:
        width = self.surface.get_width()
        left, top, buttons = self._menu_left(), 130, []

        def row(label_key: str, items: list[tuple[str, Any]], chosen: Any, y: int) -> None:
            step = min(110, (width - 2 * left + 8) // len(items))
            for i, (label, value) in enumerate(items):
                rect = pygame.Rect(left + i * step, y, step - 8, 40)
                buttons.append(Button(label, (label_key, value), rect, chosen=value == chosen))

        row("size", [(f"{size}x{size}", size) for size in _SIZES], self.choice.size, top)
        row("rule", [(rule, rule) for rule in RULES], self.choice.rule, top + 95)
        row("opponent", list(_OPPONENTS[:5]), self.choice.opponent, top + 190)
        row("opponent", list(_OPPONENTS[5:]), self.choice.opponent, top + 238)
        color = None if self._random_color else self.choice.color
        row("color", [("First", BLACK), ("Second", WHITE), ("Random", None)], color, top + 335)
        buttons.append(
            Button("Play  (Enter)", ("start", None), pygame.Rect(width // 2 - 110, top + 420, 220, 54), chosen=True)
        )
        return buttons

    def _menu_event(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_SPACE):
            self.start()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.running = False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for button in self._menu_buttons():
                if button.rect.collidepoint(event.pos):
                    self._choose(*button.value)
                    break

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
        left = self._geometry(table).right
        items = (("New game (N)", "new"), ("Undo (U)", "undo"), ("Hint (H)", "hint"), ("Menu (Esc)", "menu"))
        return [Button(label, what, pygame.Rect(left, 60 + 56 * i, 170, 44)) for i, (label, what) in enumerate(items)]

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
            centre = size // 2 * size + size // 2
            column, row = (self.cursor or centre) % size, (self.cursor or centre) // size
            dx, dy = _ARROWS[key] if self.cursor is not None else (0, 0)
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
        width = self.surface.get_width()
        draw_text(self.surface, "Fivestone", (width // 2, 50), 48, centre=True)
        for title, y in (("Board", 105), ("Rule", 200), ("Opponent: a person, or a level from 1 to 10", 295)):
            draw_text(self.surface, title, (self._menu_left(), y), 15, (170, 174, 184))
        draw_text(self.surface, "You play", (self._menu_left(), 440), 15, (170, 174, 184))
        for button in self._menu_buttons():
            button.draw(self.surface, mouse)

    def _draw_game(self, table: Table, mouse: tuple[int, int]) -> None:
        hover = self.cursor if table.can_play else None
        draw_board(self.surface, self._geometry(table), table.board, hover=hover, hint=table.hint)
        for button in self._game_buttons(table):
            button.draw(self.surface, mouse)
        height = self.surface.get_height()
        draw_text(self.surface, table.status(), (24, height - 38), 20)
        if table.board.is_over:
            left = self._geometry(table).right
            draw_text(self.surface, table.result(), (left, 310), 26)
            draw_text(self.surface, "Enter: play again", (left, 350), 15, (170, 174, 184))


def run_desktop(choice: Choice | None = None) -> None:
    DesktopApp(choice, seed=random.SystemRandom().randrange(1 << 30)).run()
