"""The command line: one module a command, imported only when that command runs."""

from __future__ import annotations

import errno
import importlib
import os
import sys

import click

from fivestone.errors import FivestoneError

__all__ = ["brain", "main"]

# Command -> (module, one line for --help). The module has a click command called `command`.
_COMMANDS = {
    "play": ("fivestone.cli.play", "Play in the browser, on the desktop or in the terminal."),
    "engine": ("fivestone.cli.engine", "Speak the Gomocup protocol, for managers and other programs."),
    "show": ("fivestone.cli.show", "Draw a position or a game."),
    "convert": ("fivestone.cli.convert", "Turn a game record into another format."),
    "doctor": ("fivestone.cli.doctor", "Say what is installed, what is missing and how to get it."),
    "solve": ("fivestone.cli.solve", "Find a win by threats and prove it."),
    "match": ("fivestone.cli.match", "Play two players against each other and measure the difference."),
    "tournament": ("fivestone.cli.tournament", "Play a round robin or a gauntlet and rate the field."),
    "rate": ("fivestone.cli.rate", "Rate the built-in players on one scale."),
    "openings": ("fivestone.cli.openings", "Make sets of balanced openings."),
    "analyze": ("fivestone.cli.analyze", "Review a game: mistakes ranked, each with its refutation."),
    "train": ("fivestone.cli.train", "Teach a net to play from nothing."),
    "bench": ("fivestone.cli.bench", "Measure how fast everything is, and print the search's signature."),
    "tune": ("fivestone.cli.tune", "Learn the pattern weights of the classic engine."),
    "plot": ("fivestone.cli.plot", "Draw the curves of a training run."),
    "reproduce": ("fivestone.cli.reproduce", "Run an experiment of the source systems again."),
}

# Files are written through `files`, which tells its errors itself: what is left is the output.
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class _LazyCommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command = importlib.import_module(_COMMANDS[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(cls=_LazyCommands, invoke_without_command=True)
@click.version_option(package_name="fivestone")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Five in a row: play it, analyse it, teach a net to play it, enter it in tournaments.

    Without a command it opens the board in the browser.
    """
    if ctx.invoked_subcommand is None:
        play = cli.get_command(ctx, "play")
        assert play is not None
        ctx.invoke(play)


def main(args: list[str] | None = None) -> None:
    """Runs a command; a mistake of the user's ends in one line and exit code 2."""
    if hasattr(sys.stdout, "reconfigure"):  # not every stand-in of a test runner has it
        # A question mark in a table is better than no table, where the output has no such character.
        sys.stdout.reconfigure(errors="replace")
    try:
        cli.main(args=args, standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"fivestone: {error.format_message()}", err=True)
        sys.exit(2)
    except FivestoneError as error:
        # An illegal move's message goes on with the position, which is for programs and tracebacks.
        click.echo(f"fivestone: {str(error).splitlines()[0]}", err=True)
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped", err=True)
        sys.exit(130)
    except OSError as error:
        if error.errno not in _DISK_FULL:
            raise
        _drop_stuck_output()
        click.echo(f"fivestone: cannot write the output: {error.strerror}", err=True)
        sys.exit(2)


def _drop_stuck_output() -> None:
    """Lets go what the output does not take: Python flushes it once more when it ends, and would fail again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def brain() -> None:
    """The Gomocup brain, `pbrain-fivestone`."""
    main(["engine"])
