"""fivestone play: sit down at a board in the browser, on the desktop or in the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from fivestone.board import RULES

__all__ = ["command", "play_desktop", "play_terminal", "play_web"]


def play_web(
    host: str, port: int, *, browser: bool, token: str | None = None, threads: int | None = None, runs: Path
) -> None:
    from fivestone.apps.web.launch import serve
    from fivestone.apps.web.server import WebConfig

    config = WebConfig(token=token, runs=runs)
    if threads is not None:
        config = replace(config, workers=threads)
    serve(host, port, config=config, open_browser=browser, say=click.echo)


def play_terminal(size: int, rule: str, opponent: str, color: str) -> None:
    import random
    import sys

    from fivestone.apps.terminal import TerminalGame
    from fivestone.board import BLACK, WHITE

    game = TerminalGame(
        size=size,
        rule=rule,
        opponent=opponent,
        color=WHITE if color == "white" else BLACK,
        seed=random.SystemRandom().randrange(1 << 30),
        output=sys.stdout,
        colors=sys.stdout.isatty(),
    )
    game.run(sys.stdin)


def play_desktop(size: int, rule: str, opponent: str, color: str) -> None:
    import os
    import sys

    from fivestone.board import BLACK, WHITE, Board
    from fivestone.errors import BadInput, MissingExtra
    from fivestone.match.specs import make_player

    Board(size, rule)  # a bad size or rule, or a bad opponent, is told before a window opens
    make_player(opponent).close()
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in displays):
        raise BadInput("there is no display for a window: use --ui web or --ui terminal")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: F401
    except ImportError:
        raise MissingExtra("the desktop program", "desktop") from None
    from fivestone.apps.desktop import run_desktop
    from fivestone.apps.desktop.table import Choice

    run_desktop(Choice(size, rule, opponent, WHITE if color == "white" else BLACK))


@click.command()
@click.option(
    "--ui", type=click.Choice(["web", "desktop", "terminal"]), default="web", show_default=True, help="Where to play."
)
@click.option("--port", default=8555, show_default=True, type=click.IntRange(0, 65535), help="Web: 0 takes any.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Web: beyond this machine needs a token.")
@click.option("--token", help="Web: the token visitors need; made up when left out and --host is not loopback.")
@click.option("--no-browser", is_flag=True, help="Web: print the address and open nothing.")
@click.option("--threads", type=click.IntRange(1, 256), help="Web: search threads (default: one a core, at least 2).")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), help="Web: training runs to show.")
@click.option("--board", "size", default=15, show_default=True, help="Desktop, terminal: board size.")
@click.option("--rule", default="freestyle", show_default=True, type=click.Choice(RULES), help="Desktop, terminal.")
@click.option("--opponent", default="level:5", show_default=True, help="Desktop, terminal: a player spec.")
@click.option("--color", default="black", show_default=True, type=click.Choice(["black", "white"]), help="Yours.")
def command(
    ui: str,
    port: int,
    host: str,
    token: str | None,
    no_browser: bool,
    threads: int | None,
    runs: Path,
    size: int,
    rule: str,
    opponent: str,
    color: str,
) -> None:
    """Play against the computer or another person."""
    if ui == "terminal":
        play_terminal(size, rule, opponent, color)
    elif ui == "desktop":
        play_desktop(size, rule, opponent, color)
    else:
        play_web(host, port, browser=not no_browser, token=token, threads=threads, runs=runs)
