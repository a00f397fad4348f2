"""How the board and the buttons look, at any size of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pygame

from fivestone.board import BLACK, EMPTY, Board

__all__ = ["Button", "Geometry", "draw_board", "draw_text"]

WOOD = (222, 184, 120)
GRID = (92, 64, 30)
BACKGROUND = (38, 40, 46)
TEXT = (236, 236, 230)
ACCENT = (86, 156, 214)
MARK = (214, 70, 60)
WIN = (90, 190, 110)


@dataclass(frozen=True)
class Geometry:
    """Where the cells are: the board takes the left part of the window, as large as it fits."""

    left: float
    top: float
    cell: float
    size: int

    @classmethod
    def fit(cls, width: int, height: int, size: int) -> Geometry:
        side = max(60, min(width - 230, height - 60))
        cell = side / (size + 1.2)
        return cls(left=20 + 1.1 * cell, top=(height - 40 - side) / 2 + cell, cell=cell, size=size)

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
    def right(self) -> int:
        """Where the side panel begins."""
        return round(self.left + self.size * self.cell + 15)


class Button:
    """A label that can be clicked, with the key that does the same."""

    def __init__(self, label: str, value: Any, rect: pygame.Rect, *, chosen: bool = False) -> None:
        self.label = label
        self.value = value
        self.rect = rect
        self.chosen = chosen

    def draw(self, surface: pygame.Surface, mouse: tuple[int, int]) -> None:
        hot = self.rect.collidepoint(mouse)
        color = ACCENT if self.chosen else (78, 82, 94) if hot else (58, 61, 70)
        pygame.draw.rect(surface, color, self.rect, border_radius=8)
        draw_text(surface, self.label, self.rect.center, 18, centre=True)


def draw_text(
    surface: pygame.Surface,
    text: str,
    position: tuple[int, int],
    size: int,
    color: tuple[int, int, int] = TEXT,
    *,
    centre: bool = False,
) -> None:
    image = pygame.font.Font(None, round(size * 1.35)).render(text, True, color)
    surface.blit(image, image.get_rect(center=position) if centre else image.get_rect(topleft=position))


def draw_board(
    surface: pygame.Surface, geometry: Geometry, board: Board, *, hover: int | None = None, hint: int | None = None
) -> None:
    cell, size = geometry.cell, board.size
    frame = pygame.Rect(0, 0, round(cell * (size + 0.9)), round(cell * (size + 0.9)))
    frame.topleft = (round(geometry.left - cell * 1.1), round(geometry.top - cell * 0.8))
    pygame.draw.rect(surface, WOOD, frame, border_radius=10)
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
    for move in board.winning_line:
        pygame.draw.circle(surface, WIN, geometry.centre(move), round(cell * 0.2), 0)
    if board.moves and not board.winning_line:
        pygame.draw.circle(surface, MARK, geometry.centre(board.moves[-1]), max(2, round(cell * 0.12)))
    if hint is not None:
        pygame.draw.circle(surface, ACCENT, geometry.centre(hint), round(cell * 0.42), max(2, round(cell * 0.08)))
    if hover is not None and stones[hover] == EMPTY:
        _draw_stone(surface, geometry, hover, board.turn, alpha=120)


def _star_points(size: int) -> list[int]:
    """The dots that help the eye: the middle, and four around it on larger boards."""
    if size < 9:
        return []
    middle, edge = size // 2, 3 if size >= 13 else 2
    spots = [edge, size - 1 - edge]
    return [row * size + column for row in spots for column in spots] + ([middle * size + middle] if size % 2 else [])


def _draw_stone(surface: pygame.Surface, geometry: Geometry, move: int, stone: int, alpha: int = 255) -> None:
    radius = max(3, round(geometry.cell * 0.44))
    # Drawn at four times the size and scaled down, which smooths the edge.
    big = pygame.Surface((8 * radius, 8 * radius), pygame.SRCALPHA)
    body, light = ((22, 22, 26), (92, 92, 100)) if stone == BLACK else ((206, 206, 200), (255, 255, 255))
    # Ever smaller and lighter circles towards the upper left: a round stone under a lamp.
    for shade in range(9):
        share = shade / 8
        color = tuple(round(dark + (bright - dark) * share) for dark, bright in zip(body, light, strict=True))
        offset = 4 * radius - share * 1.5 * radius
        pygame.draw.circle(big, (*color, alpha), (round(offset), round(offset)), round((4 - 3.4 * share) * radius) - 1)
    image = pygame.transform.smoothscale(big, (2 * radius, 2 * radius))
    surface.blit(image, image.get_rect(center=geometry.centre(move)))
