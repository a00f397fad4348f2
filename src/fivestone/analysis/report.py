"""A review as one page of HTML that needs nothing else."""

from __future__ import annotations

from html import escape

from fivestone.analysis.review import MoveReview, Review
from fivestone.board import BLACK, EMPTY, Board, color_name

__all__ = ["html_report"]

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fbf9f4}
h1{font-size:1.5rem} svg{max-width:100%;height:auto} .row{display:flex;gap:1.5rem;flex-wrap:wrap;margin:1.5rem 0;
padding:1rem;background:#fff;border:1px solid #e4ddcc;border-radius:10px} .row svg{width:300px}
.text{flex:1;min-width:16rem}
.blunder{color:#b3261e}.mistake{color:#b35c00}.inaccuracy{color:#7a6a00} table{border-collapse:collapse}
td,th{padding:.1rem .7rem;text-align:left;border-bottom:1px solid #eee}
"""


def html_report(board: Board, review: Review) -> str:
    """The win-rate curve, the worst moves with pictures, and all moves in a table."""
    rows = "".join(
        f"<tr><td>{item.ply + 1}</td><td>{board.name_of(item.move)}</td><td>{board.name_of(item.best)}</td>"
        f"<td class={item.grade}>{item.grade}</td><td>{item.chance_after:.0%}</td></tr>"
        for item in review.moves
    )
    mistakes = "".join(_mistake(board, item) for item in review.mistakes(8)) or "<p>No mistakes found.</p>"
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Game review</title>"
        f"<style>{_STYLE}</style><h1>Game review</h1><p>{len(review.moves)} moves, "
        f"{review.size}x{review.size} {escape(review.rule)}.</p>{_curve(review)}"
        f"<h2>Mistakes, worst first</h2>{mistakes}"
        "<h2>All moves</h2><table><tr><th>#<th>played<th>best<th>grade<th>chance after</tr>"
        f"{rows}</table></html>"
    )


def _curve(review: Review) -> str:
    """Black's chance to win over the game."""
    width, height = 900, 180
    last = max(1, len(review.chances) - 1)
    points = " ".join(f"{10 + i * width / last:.1f},{10 + (1 - c) * height:.1f}" for i, c in enumerate(review.chances))
    middle = 10 + height / 2
    return (
        f'<svg viewBox="0 0 {width + 20} {height + 20}" role="img" aria-label="Black\'s chance to win over the game">'
        f'<rect x="10" y="10" width="{width}" height="{height}" fill="#efe7d6"/>'
        f'<line x1="10" x2="{width + 10}" y1="{middle}" y2="{middle}" stroke="#bbb" stroke-dasharray="4"/>'
        f'<polyline points="{points}" fill="none" stroke="#1d6f57" stroke-width="2.5"/></svg>'
    )


def _mistake(board: Board, item: MoveReview) -> str:
    line = " ".join(board.name_of(move) for move in (item.refutation if item.forced else item.refutation[:12]))
    allows = f"<p>It allows {'a forced win' if item.forced else 'the line'}: {line}</p>" if line else ""
    side = color_name(item.color)
    return (
        f"<div class=row>{_picture(board, item)}<div class=text><h3>Move {item.ply + 1}: {side} "
        f"{board.name_of(item.move)} <span class={item.grade}>({item.grade})</span></h3>"
        f"<p>The chance to win fell from {item.chance:.0%} to {item.chance_after:.0%}.</p>"
        f"<p>Better: {escape(item.reason.text)}.</p>{allows}</div></div>"
    )


def _picture(board: Board, item: MoveReview) -> str:
    """The position after the move, with the move ringed red and the better one green."""
    size = board.size
    stones = bytearray(board.stones)
    for later in board.moves[item.ply + 1 :]:
        stones[later] = EMPTY
    grid = "".join(f"M1,{i + 1}H{size}M{i + 1},1V{size}" for i in range(size))
    shapes = [f'<path d="{grid}" stroke="#7a5a2c" stroke-width=".04" fill="none"/>']

    def circle(move: int, radius: float, style: str) -> str:
        return f'<circle cx="{move % size + 1}" cy="{size - move // size}" r="{radius}" {style}/>'

    for move, stone in enumerate(stones):
        if stone != EMPTY:
            fill = "#1b1b1f" if stone == BLACK else "#fdfdfb"
            shapes.append(circle(move, 0.43, f'fill="{fill}" stroke="#333" stroke-width=".03"'))
    shapes.append(circle(item.move, 0.25, 'fill="none" stroke="#d33" stroke-width=".12"'))
    shapes.append(circle(item.best, 0.35, 'fill="none" stroke="#2a8" stroke-width=".12"'))
    background = '<rect width="100%" height="100%" fill="#e3bd7e"/>'
    return f'<svg viewBox="0 0 {size + 1} {size + 1}">{background}{"".join(shapes)}</svg>'
