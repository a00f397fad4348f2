"""fivestone play: sit down at a board in the browser, on the desktop or in the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

__all__ = ["command", "play_web"]


def play_web(
    host: str, port: int, *, browser: bool, token: str | None = None, threads: int | None = None, runs: Path
) -> None:
    from fivestone.apps.web.launch import serve
    from fivestone.apps.web.server import WebConfig

    config = WebConfig(token=token, runs=runs)
    if threads is not None:
        config = replace(config, workers=threads)
    serve(host, port, config=config, open_browser=browser, say=click.echo)


@click.command()
@click.option("--ui", type=click.Choice(["web"]), default="web", show_default=True, help="Where to play.")
@click.option("--port", default=8555, show_default=True, type=click.IntRange(0, 65535), help="Web: 0 takes any.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Web: beyond this machine needs a token.")
@click.option("--token", help="Web: the token visitors need; made up when left out and --host is not loopback.")
@click.option("--no-browser", is_flag=True, help="Web: print the address and open nothing.")
@click.option("--threads", type=click.IntRange(1, 256), help="Web: search threads (default: one a core, at least 2).")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), help="Web: training runs to show.")
def command(
    ui: str, port: int, host: str, token: str | None, no_browser: bool, threads: int | None, runs: Path
) -> None:
    """Play against the computer or another person."""
    play_web(host, port, browser=not no_browser, token=token, threads=threads, runs=runs)
