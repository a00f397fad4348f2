"""How the board and the buttons look, at any size of the window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import pygame

from fivestone.board import BLACK, EMPTY, Board

__all__ = ["Button", "Geometry", "draw_board", "draw_lines", "draw_text", "forget_fonts", "scale_of"]

WOOD = (222, 184, 120)
GRID = (92, 64, 30)
BACKGROUND = (38, 40, 46)
TEXT = (236, 236, 230)
ACCENT = (86, 156, 214)
MARK = (214, 70, 60)
WIN = (60, 190, 110)
HINT = (20, 98, 206)


SOFT = (170, 174, 184)
_PANEL = 230  # of the side panel, in units of the layout
_LAYOUT = (980, 780)  # the window the layout was drawn for; everything grows and shrinks with the real one


def scale_of(window: tuple[int, int]) -> float:
    """How much larger a window is than the layout."""
    return max(0.4, min(window[0] / _LAYOUT[0], window[1] / _LAYOUT[1]))


@dataclass(frozen=True)
class Geometry:
    """Where the cells are: the board is as large as fits beside the side panel, and both stand in the middle."""

    left: float
    top: float
    cell: float
    size: int
    scale: float

    @classmethod
    def fit(cls, width: int, height: int, size: int) -> Geometry:
        scale = scale_of((width, height))
        panel = _PANEL * scale
        side = max(40.0, min(width - panel, height - 60 * scale))
        cell = side / (size + 1.2)
        spare = max(0.0, (width - panel - side) / 2)
        return cls(spare + 1.3 * cell, max(0.0, (height - 44 * scale - side) / 2) + cell, cell, size, scale)

    def centre(self, move: int) -> tuple[int, int]:
        column, row = move % self.size, move // self.size
        return round(self.left + column * self.cell), round(self.top + (self.size - 1 - row) * self.cell)

    def move_at(self, position: tuple[int, int]) -> int | None:
        column = round((position[0] - self.left) / self.cell)
        row = self.size - 1 - round((position[1] - self.top) / self.cell)
        if 0 <= column < self.size and 0 <= row < self.size:
            return row * self.size + column
        return None

    @property
    def frame(self) -> pygame.Rect:
        """The wood around the cells."""
        side = round(self.cell * (self.size + 0.9))
        return pygame.Rect(round(self.left - self.cell * 1.1), round(self.top - self.cell * 0.8), side, side)

    @property
    def right(self) -> int:
        """Where the side panel begins."""
        return round(self.frame.right + 20 * self.scale)


class Button:
    """A label that can be clicked; `marked` is where the keyboard stands."""

    def __init__(
        self,
        label: str,
        value: Any,
        rect: pygame.Rect,
        *,
        scale: float = 1.0,
        chosen: bool = False,
        marked: bool = False,
    ) -> None:
        self.label = label
        self.value = value
        self.rect = rect
        self.scale = scale
        self.chosen = chosen
        self.marked = marked

    def draw(self, surface: pygame.Surface, mouse: tuple[int, int]) -> None:
        hot = self.rect.collidepoint(mouse)
        color = ACCENT if self.chosen else (78, 82, 94) if hot else (58, 61, 70)
        radius = round(8 * self.scale)
        pygame.draw.rect(surface, color, self.rect, border_radius=radius)
        if self.marked:
            pygame.draw.rect(surface, TEXT, self.rect.inflate(6, 6), width=2, border_radius=radius + 3)
        draw_text(surface, self.label, self.rect.center, 17 * self.scale, centre=True)


@cache
def _font(pixels: int) -> pygame.font.Font:
    return pygame.font.Font(None, pixels)


def forget_fonts() -> None:
    """Fonts end with pygame: another window in the same program needs new ones."""
    _font.cache_clear()


def draw_text(
    surface: pygame.Surface,
    text: str,
    position: tuple[int, int],
    size: float,
    color: tuple[int, int, int] = TEXT,
    *,
    centre: bool = False,
) -> None:
    image = _font(max(8, round(size * 1.35))).render(text, True, color)
    surface.blit(image, image.get_rect(center=position) if centre else image.get_rect(topleft=position))


def draw_lines(
    surface: pygame.Surface, text: str, position: tuple[int, int], size: float, width: int, color: tuple[int, int, int]
) -> None:
    """Text broken into lines that fit the width."""
    font = _font(max(8, round(size * 1.35)))
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.size(longer)[0] > width:
            lines.append(word)
        else:
            lines[-1] = longer
    for number, line in enumerate(lines):
        draw_text(surface, line, (position[0], position[1] + round(number * size * 1.4)), size, color)


def draw_board(
    surface: pygame.Surface, geometry: Geometry, board: Board, *, hover: int | None = None, hint: int | None = None
) -> None:
    cell, size = geometry.cell, board.size
    pygame.draw.rect(surface, (24, 25, 29), geometry.frame.move(0, round(cell * 0.12)), border_radius=10)
    pygame.draw.rect(surface, WOOD, geometry.frame, border_radius=10)
    for i in range(size):
        first, last = geometry.centre(i * size), geometry.centre(i * size + size - 1)
        pygame.draw.line(surface, GRID, first, last)
        pygame.draw.line(surface, GRID, geometry.centre(i), geometry.centre((size - 1) * size + i))
        label = max(9, round(cell * 0.3))
        draw_text(surface, str(i + 1), (round(first[0] - cell * 0.78), first[1]), label, GRID, centre=True)
        bottom = geometry.centre(i)
        draw_text(surface, chr(ord("a") + i), (bottom[0], round(bottom[1] + cell * 0.78)), label, GRID, centre=True)
    for move in _star_points(size):
        pygame.draw.circle(surface, GRID, geometry.centre(move), max(2, round(cell * 0.09)))
    stones = board.stones
    for move, stone in enumerate(stones):
        if stone != EMPTY:
            _draw_stone(surface, geometry, move, stone)
    line = board.winning_line
    if line:
        pygame.draw.line(surface, WIN, geometry.centre(line[0]), geometry.centre(line[-1]), max(3, round(cell * 0.12)))
        for move in line:
            pygame.draw.circle(surface, WIN, geometry.centre(move), round(cell * 0.46), max(2, round(cell * 0.07)))
    elif board.moves:
        pygame.draw.circle(surface, MARK, geometry.centre(board.moves[-1]), max(2, round(cell * 0.12)))
    for move in [] if board.is_over else board.forbidden_moves:
        (x, y), arm = geometry.centre(move), max(3, round(cell * 0.17))
        pygame.draw.line(surface, MARK, (x - arm, y - arm), (x + arm, y + arm), 3)
        pygame.draw.line(surface, MARK, (x - arm, y + arm), (x + arm, y - arm), 3)
    if hint is not None:
        pygame.draw.circle(surface, HINT, geometry.centre(hint), round(cell * 0.42), max(2, round(cell * 0.08)))
    if hover is not None and stones[hover] == EMPTY:
        _draw_stone(surface, geometry, hover, board.turn, alpha=130)


def _star_points(size: int) -> list[int]:
    """The dots that help the eye: the middle, and four around it on larger boards."""
    if size < 9:
        return []
    middle, edge = size // 2, 3 if size >= 13 else 2
    spots = [edge, size - 1 - edge]
    return [row * size + column for row in spots for column in spots] + ([middle * size + middle] if size % 2 else [])


def _draw_stone(surface: pygame.Surface, geometry: Geometry, move: int, stone: int, alpha: int = 255) -> None:
    image = _stone(max(3, round(geometry.cell * 0.44)), stone)
    x, y = geometry.centre(move)
    if alpha == 255:
        shadow = _shadow(image.get_width() // 2)
        surface.blit(shadow, shadow.get_rect(center=(x + 1, y + max(1, round(geometry.cell * 0.06)))))
    image.set_alpha(alpha)
    surface.blit(image, image.get_rect(center=(x, y)))


@lru_cache(maxsize=16)
def _stone(radius: int, stone: int) -> pygame.Surface:
    """A stone, drawn at four times the size and scaled down, which smooths the edge."""
    big = pygame.Surface((8 * radius, 8 * radius), pygame.SRCALPHA)
    body, light = ((22, 22, 26), (92, 92, 100)) if stone == BLACK else ((206, 206, 200), (255, 255, 255))
    # Ever smaller and lighter circles towards the upper left: a round stone under a lamp.
    for shade in range(17):
        share = shade / 16
        color = tuple(round(dark + (bright - dark) * share) for dark, bright in zip(body, light, strict=True))
        offset = 4 * radius - share * 1.5 * radius
        pygame.draw.circle(big, color, (round(offset), round(offset)), round((4 - 3.4 * share) * radius) - 1)
    return pygame.transform.smoothscale(big, (2 * radius, 2 * radius))


@lru_cache(maxsize=16)
def _shadow(radius: int) -> pygame.Surface:
    image = pygame.Surface((2 * radius, 2 * radius), pygame.SRCALPHA)
    pygame.draw.circle(image, (0, 0, 0, 70), (radius, radius), radius)
    return image
