"""fivestone reproduce: run an experiment of the source systems again."""

from __future__ import annotations

import importlib

import click

from fivestone.errors import BadInput

__all__ = ["command"]

# Experiment -> (module, one line for --help). The module has a click command called `command`.
_EXPERIMENTS = {
    "ucb1-tuned": ("fivestone.experiments.ucb1_tuned", "UCB1 against UCB1-tuned on an open three."),
}


class _LazyExperiments(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_EXPERIMENTS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _EXPERIMENTS:
            return None
        found = importlib.import_module(_EXPERIMENTS[name][0]).command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Experiments"):
            formatter.write_dl([(name, line) for name, (_, line) in _EXPERIMENTS.items()])


@click.group(cls=_LazyExperiments, invoke_without_command=True)
@click.option("--list", "listed", is_flag=True, help="Name the experiments and nothing else.")
@click.pass_context
def command(ctx: click.Context, listed: bool) -> None:
    """Run an experiment of the source systems and print what it measures beside what they report."""
    if listed:
        for name, (_, line) in _EXPERIMENTS.items():
            click.echo(f"{name:14} {line}")
    elif ctx.invoked_subcommand is None:
        raise BadInput(f"name an experiment: {', '.join(_EXPERIMENTS)}")
