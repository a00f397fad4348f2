"""`fivestone engine`: the Gomocup protocol on standard input and output."""

from __future__ import annotations

import contextlib
import os
import sys

import click

from fivestone import __version__
from fivestone.apps.gomocup import Brain, Inbox
from fivestone.match.flagship import flagship_spec
from fivestone.match.player import Player
from fivestone.match.specs import make_player

__all__ = ["command"]

_ABOUT = f'name="Fivestone", version="{__version__}", author="Fivestone contributors"'


@click.command("engine")
@click.option("--player", "spec", metavar="SPEC", help="Who plays; the strongest player there is unless given.")
@click.option("--seed", default=0, show_default=True, help="Where random choices start.")
def command(spec: str | None, seed: int) -> None:
    """Speak the Gomocup protocol on standard input and output."""
    if spec is not None:
        make_player(spec, seed=seed).close()  # a mistake shows now, not in the middle of a tournament

    def make(size: int, rule: str, threads: int, tables_mb: int) -> Player:
        return make_player(spec or flagship_spec(size, rule, 5, threads, tables_mb), seed=seed)

    inbox = Inbox(_read)
    brain = Brain(inbox, _write, make, _ABOUT, seed=seed)
    inbox.start()
    with contextlib.suppress(BrokenPipeError):  # the manager has gone
        brain.run()
    # A search may still be winding down on its thread: nothing is worth waiting for any more.
    os._exit(0)


def _read() -> bytes:
    # Without a standard input, Python has none either: the number 0 may by now be another file's.
    return b"" if sys.stdin is None else os.read(sys.stdin.fileno(), 65536)


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()
