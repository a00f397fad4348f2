"""The page of a contest: ratings with error bars, the crosstable, and every game to replay. One file, no network."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from html import escape
from importlib import resources
from pathlib import Path

from fivestone import notation
from fivestone.files import write_atomically
from fivestone.match.game import GameRecord
from fivestone.match.ratings import Field, Rating
from fivestone.match.schedule import sides_of
from fivestone.match.standings import Score, Standings

__all__ = ["write_report"]


def write_report(path: Path, title: str, standings: Standings, games: Mapping[str, GameRecord], field: Field) -> None:
    """Writes the page; games are linked as games/KEY.sgf beside it."""
    contest = standings.contest
    limit = ", ".join(f"{name} {value:g}" for name, value in contest.limit.__dict__.items() if value is not None)
    facts = [
        f"{standings.games} games",
        f"{contest.size}×{contest.size} {contest.rule}",
        f"limit: {limit or 'none'}",
        f"openings: {contest.openings}",
        f"Black's advantage {field.first_move:+.0f} Elo",
    ]
    parts = {
        "title": escape(title),
        "facts": "".join(f"<li>{escape(fact)}</li>" for fact in facts),
        "plot": _plot(field),
        "ratings": _ratings(standings, field),
        "crosstable": _crosstable(standings, field),
        # a closing tag inside the data would end the script
        "data": json.dumps(_games(standings, games), separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = (resources.files("fivestone.match") / "data" / "report.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"<!--{name}-->", text)
    write_atomically(path, page)


def _games(standings: Standings, games: Mapping[str, GameRecord]) -> dict[str, object]:
    rows = []
    for key, game in games.items():
        black, white = sides_of(key, game)
        moves = notation.format_moves(list(game.moves), game.size)
        rows.append([key, black, white, game.winner or 0, game.reason, game.opening, moves, game.detail])
    return {"size": standings.contest.size, "names": standings.names, "games": rows}


def _crosstable(standings: Standings, field: Field) -> str:
    order = [standings.names.index(rating.name) for rating in field.ratings]
    heads = "".join(f'<th title="{escape(standings.names[i])}">{n}</th>' for n, i in enumerate(order, 1))
    rows = []
    for number, player in enumerate(order, 1):
        cells = "".join(
            '<td class="self">·</td>' if player == opponent else _cell(player, opponent, standings)
            for opponent in order
        )
        name = escape(standings.names[player])
        rows.append(f'<tr><td>{number}</td><td class="name">{name}</td>{cells}</tr>')
    return f'<tr><th></th><th class="name">against</th>{heads}</tr>{"".join(rows)}'


def _cell(player: int, opponent: int, standings: Standings) -> str:
    score = standings.against(player, opponent)
    if not score.games:
        return "<td></td>"
    share = score.points / score.games
    tip = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
    return (
        f'<td class="met" style="--share:{share:.3f}" title="{tip}" data-pair="{player},{opponent}" tabindex="0">'
        f"{score.points:g}<small>/{score.games}</small></td>"
    )


def _ratings(standings: Standings, field: Field) -> str:
    rows = []
    for number, rating in enumerate(field.ratings, 1):
        score = standings.total(standings.names.index(rating.name))
        error = f"±{rating.error:.0f}" if math.isfinite(rating.error) else "?"
        cells = [str(number), escape(rating.name), f"{rating.elo:.0f}", error, *_results(score)]
        kinds = ["", ' class="name"', ' class="elo"', "", "", "", "", ""]
        rows.append(
            "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, cells, strict=True)) + "</tr>"
        )
    heads = ["", "player", "Elo", "95%", "points", "won-drawn-lost", "s/move", "forfeits"]
    return "<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>" + "".join(rows)


def _results(score: Score) -> list[str]:
    pace = f"{score.seconds / score.moves:.3f}" if score.moves else ""
    forfeits = ", ".join(f"{count} {kind}" for kind, count in sorted(score.forfeits.items()))
    return [f"{score.points:g}/{score.games}", f"{score.wins}-{score.draws}-{score.losses}", pace, forfeits]


def _plot(field: Field) -> str:
    """Ratings as dots with error bars, drawn to scale."""
    shown = [rating for rating in field.ratings if math.isfinite(rating.error)]
    low = min(rating.elo - rating.error for rating in shown)
    high = max(rating.elo + rating.error for rating in shown)
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if (high - low) / s <= 9 or s == 5000)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    left, width, line = 250, 560, 26
    height = line * len(shown) + 34

    def x(elo: float) -> float:
        return round(left + 10 + (elo - low) / max(1, high - low) * (width - 20), 1)

    parts = [f'<svg viewBox="0 0 {left + width + 10} {height}" role="img" aria-label="Ratings with 95% error bars">']
    for tick in range(int(low), int(high) + 1, step):
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="0" y2="{height - 26}"/>')
        parts.append(f'<text class="tick" x="{x(tick)}" y="{height - 8}" text-anchor="middle">{tick}</text>')
    for number, rating in enumerate(shown):
        parts.append(_bar(rating, line * number + line / 2 + 2, left, x(rating.elo), x))
    return "".join(parts) + "</svg>"


def _bar(rating: Rating, y: float, left: int, dot: float, x: object) -> str:
    assert callable(x)
    name = rating.name if len(rating.name) <= 34 else rating.name[:33] + "…"
    ends = x(rating.elo - rating.error), x(rating.elo + rating.error)
    caps = "".join(f'<line class="bar" x1="{end}" x2="{end}" y1="{y - 4}" y2="{y + 4}"/>' for end in ends)
    return (
        f"<g><title>{escape(rating.name)}: {rating.elo:.0f} ± {rating.error:.0f}</title>"
        f'<text class="label" x="{left}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
        f'<line class="bar" x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}"/>{caps}'
        f'<circle class="dot" cx="{dot}" cy="{y}" r="5"/></g>'
    )
