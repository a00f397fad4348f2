"""A review as one page of HTML that needs nothing else."""

from __future__ import annotations

from html import escape

from fivestone.analysis.review import Grade, MoveReview, Review
from fivestone.board import BLACK, EMPTY, WHITE, Board, color_name, other

__all__ = ["html_report"]

_FLAWS: tuple[Grade, ...] = ("blunder", "mistake", "inaccuracy")
_SHOWN = 9  # moves of a refutation that are drawn
_STYLE = """
:root{color-scheme:light dark;--page:#f6f2e9;--card:#fffdf8;--line:#ddd5c4;--text:#22252a;--soft:#696c72;
--bad:#b3261e;--poor:#a34f00;--odd:#7a6a00;--good:#17795a}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--card:#1c2026;--line:#313842;--text:#eceae4;--soft:#9ba2ad;
--bad:#ff8a80;--poor:#f0a742;--odd:#d9c64a;--good:#3fbf92}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--text);
background:var(--page)}
h1{font-size:1.6rem;margin:0}h2{font-size:1.2rem;margin:2rem 0 .6rem}h3{margin:0 0 .4rem;font-size:1.1rem}
p{margin:.35rem 0}svg{display:block;max-width:100%;height:auto;border-radius:8px}.soft{color:var(--soft)}
.row{display:flex;gap:1.5rem;flex-wrap:wrap;margin:1rem 0;padding:1rem;background:var(--card);
border:1px solid var(--line);border-radius:12px}.row svg{width:340px}.text{flex:1;min-width:16rem}
.blunder{color:var(--bad)}.mistake{color:var(--poor)}.inaccuracy{color:var(--odd)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.15rem .8rem;text-align:left;border-bottom:1px solid var(--line)}
"""


def html_report(board: Board, review: Review, names: tuple[str, str] = ("", "")) -> str:
    """The win-rate curve, the worst moves with pictures of what refutes them, and all moves in a table."""
    rows = "".join(
        f"<tr><td>{item.ply + 1}</td><td>{color_name(item.color)}</td><td>{board.name_of(item.move)}</td>"
        f"<td>{board.name_of(item.best)}</td><td class={item.grade}>{item.grade}</td>"
        f"<td>{item.chance_after:.0%}</td></tr>"
        for item in review.moves
    )
    mistakes = "".join(_mistake(board, item) for item in review.mistakes(8)) or "<p>No mistakes found.</p>"
    result = "A draw." if board.is_over else ""
    if board.winner is not None:
        result = f"{color_name(board.winner)} wins."
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Game review</title>'
        f"<style>{_STYLE}</style><h1>Game review</h1><p class=soft>{len(review.moves)} moves, "
        f"{review.size}x{review.size} {escape(review.rule)}. {result}</p>{_sides(review, names)}{_curve(review)}"
        f"<h2>Mistakes, worst first</h2>{mistakes}"
        "<h2>All moves</h2><table><tr><th>#<th>side<th>played<th>best<th>grade<th>chance after</tr>"
        f"{rows}</table></html>"
    )


def _sides(review: Review, names: tuple[str, str]) -> str:
    """Who played, and how often each went wrong."""
    lines = []
    for color, name in zip((BLACK, WHITE), names, strict=True):
        grades = [item.grade for item in review.moves if item.color == color]
        counts = [(grades.count(flaw), flaw) for flaw in _FLAWS]
        told = ", ".join(f"{count} {_plural(flaw, count)}" for count, flaw in counts if count) or "no mistakes"
        lines.append(f"<p><b>{color_name(color)}</b>{f' ({escape(name)})' if name else ''}: {told}</p>")
    return "".join(lines)


def _plural(flaw: str, count: int) -> str:
    if count == 1:
        return flaw
    return f"{flaw[:-1]}ies" if flaw.endswith("y") else f"{flaw}s"


def _curve(review: Review) -> str:
    """Black's chance to win over the game, with the mistakes on it."""
    width, height = 900, 180
    last = max(1, len(review.chances) - 1)
    points = [(i * width / last, (1 - chance) * height) for i, chance in enumerate(review.chances)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{points[item.ply + 1][0]:.1f}" cy="{points[item.ply + 1][1]:.1f}" r="6" fill="#e8590c" '
        f'stroke="#fff" stroke-width="2"><title>{item.ply + 1}: {item.grade}</title></circle>'
        for item in review.moves
        if item.grade in _FLAWS
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Black\'s chance to win after each move">'
        f'<rect width="{width}" height="{height}" fill="#e9e6dd"/>'
        f'<polygon points="{points[0][0]:.1f},{height} {line} {points[-1][0]:.1f},{height}" fill="#2c3038"/>'
        f'<line x2="{width}" y1="{height / 2}" y2="{height / 2}" stroke="#888" stroke-dasharray="6"/>'
        f'<polyline points="{line}" fill="none" stroke="#3fbf92" stroke-width="3"/>{dots}</svg>'
        "<p class=soft>The dark part is Black's chance to win.</p>"
    )


def _mistake(board: Board, item: MoveReview) -> str:
    line = " ".join(board.name_of(move) for move in (item.refutation if item.forced else item.refutation[:12]))
    allows = f"<p>It allows {'a forced win' if item.forced else 'the line'}: {line}</p>" if line else ""
    side = color_name(item.color)
    return (
        f"<div class=row>{_picture(board, item)}<div class=text><h3>Move {item.ply + 1}: {side} "
        f"{board.name_of(item.move)} <span class={item.grade}>({item.grade})</span></h3>"
        f"<p>The chance to win fell from {item.chance:.0%} to {item.chance_after:.0%}.</p>{allows}"
        f"<p>Better: {escape(item.reason.text)}.</p>"
        "<p class=soft>Red ring: the move played. Numbers: what it allows. Green ring: the better move.</p></div></div>"
    )


def _picture(board: Board, item: MoveReview) -> str:
    """The position after the move with the refutation in numbers, the move ringed red and the better one green."""
    size = board.size
    stones = bytearray(board.stones)
    for later in board.moves[item.ply + 1 :]:
        stones[later] = EMPTY
    grid = "".join(f"M1,{i + 1}H{size}M{i + 1},1V{size}" for i in range(size))
    shapes = [f'<path d="{grid}" stroke="#7a5a2c" stroke-width=".04" fill="none"/>']

    def text(x: float, y: float, words: str, style: str) -> str:
        centred = 'text-anchor="middle" dominant-baseline="central" font-family="system-ui,sans-serif"'
        return f'<text x="{x}" y="{y}" {centred} {style}>{words}</text>'

    def circle(move: int, radius: float, style: str) -> str:
        return f'<circle cx="{move % size + 1}" cy="{size - move // size}" r="{radius}" {style}/>'

    def stone(move: int, color: int, opacity: float = 1) -> str:
        fill = "#1b1b1f" if color == BLACK else "#fdfdfb"
        return circle(move, 0.45, f'fill="{fill}" stroke="#333" stroke-width=".03" opacity="{opacity}"')

    for i in range(size):
        small = 'font-size=".42" fill="#5d421c"'
        shapes += [text(i + 1, size + 0.72, chr(ord("a") + i), small), text(0.28, size - i, str(i + 1), small)]
    shapes += [stone(move, color) for move, color in enumerate(stones) if color != EMPTY]
    color = other(item.color)
    for number, move in enumerate(item.refutation[:_SHOWN], 1):
        ink = "#fff" if color == BLACK else "#111"
        shapes += [stone(move, color, 0.85), text(move % size + 1, size - move // size, str(number), f'fill="{ink}"')]
        color = other(color)
    shapes.append(circle(item.move, 0.25, 'fill="none" stroke="#d33" stroke-width=".12"'))
    shapes.append(circle(item.best, 0.44, 'fill="none" stroke="#0a8f5b" stroke-width=".13"'))
    background = '<rect width="100%" height="100%" fill="#e3bd7e"/>'
    label = f"The position after move {item.ply + 1}"
    return (
        f'<svg viewBox="0 0 {size + 1} {size + 1}" role="img" aria-label="{label}" font-size=".5">'
        f"{background}{''.join(shapes)}</svg>"
    )
