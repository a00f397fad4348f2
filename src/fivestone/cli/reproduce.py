"""fivestone reproduce: run an experiment of the source systems again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fivestone.errors import BadInput, FivestoneError

if TYPE_CHECKING:
    from fivestone.experiments.experiment import Settings
    from fivestone.experiments.runner import Outcome

__all__ = ["command"]


@click.command()
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="Name the experiments, with the time each takes, and stop.")
@click.option(
    "--run", "folder", type=click.Path(path_type=Path), help="Where to keep it.  [default: runs/reproduce-NAME]"
)
@click.option("--scale", default=1.0, show_default=True, help="Its size: 0.1 takes about a tenth of the time.")
@click.option("--seed", default=0, show_default=True, help="Decides every random choice.")
@click.option("--threads", type=int, help="Threads of training, and games at once.  [default: one a core]")
@click.option(
    "--engines",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of Gomocup engines, for the gauntlet.",
)
def command(
    name: str | None,
    listed: bool,
    folder: Path | None,
    scale: float,
    seed: int,
    threads: int | None,
    engines: Path | None,
) -> None:
    """Run the experiment NAME of the source systems, or all of them, and print what it measures beside what they
    report.

    Every finished step is kept. Ctrl-C reports what there is; the same command goes on from there.
    """
    from fivestone.experiments.catalog import experiment_names
    from fivestone.experiments.experiment import Settings
    from fivestone.match.pool import cores

    threads = cores() if threads is None else threads
    settings = Settings(scale, seed, threads, str(engines.resolve()) if engines else None)
    if listed:
        _list(settings)
        return
    if name is None:
        raise BadInput(f"name an experiment: {', '.join(experiment_names())}, or all")
    if name == "all":
        _run_all(folder or Path("runs") / "reproduce-all", settings)
        return
    outcome = _run(name, folder or Path("runs") / f"reproduce-{name}", settings)
    click.echo(outcome.text)
    click.echo(f"{outcome.folder / 'report.md'}", err=True)
    if not outcome.finished:
        _say_how_to_go_on(outcome.folder)
        sys.exit(130)


def _list(settings: Settings) -> None:
    from fivestone.experiments.catalog import experiment_names, find_experiment
    from fivestone.experiments.report import duration

    for name in experiment_names():
        experiment = find_experiment(name)
        try:
            time = duration(sum(step.seconds for step in experiment.steps(settings)))
        except BadInput:  # it wants something only the user can give
            time = "-"
        click.echo(f"{name:15} {time:>12}  {experiment.title}")


def _run(name: str, folder: Path, settings: Settings) -> Outcome:
    from fivestone.cli.progress import ProgressBar
    from fivestone.experiments.catalog import find_experiment
    from fivestone.experiments.runner import run_experiment

    experiment = find_experiment(name)
    with ProgressBar() as bar:
        return run_experiment(experiment, folder, settings, watcher=bar)


def _run_all(folder: Path, settings: Settings) -> None:
    """One after the other; one that cannot be run says why, and the others are run all the same."""
    from fivestone.experiments.catalog import experiment_names
    from fivestone.files import write_atomically

    lines = ["# All experiments", ""]
    for name in experiment_names():
        try:
            outcome = _run(name, folder / name, settings)
        except FivestoneError as error:
            click.echo(f"{name}: {error}", err=True)
            lines.append(f"- {name}: not run: {error}")
            continue
        click.echo(outcome.text)
        lines.append(f"- [{name}]({name}/report.md)" + ("" if outcome.finished else ", not finished"))
        write_atomically(folder / "report.md", "\n".join(lines) + "\n")
        if not outcome.finished:
            _say_how_to_go_on(folder)
            sys.exit(130)
    write_atomically(folder / "report.md", "\n".join(lines) + "\n")
    click.echo(f"{folder / 'report.md'}", err=True)


def _say_how_to_go_on(folder: Path) -> None:
    click.echo(f"stopped; the same command goes on from what is kept in {folder}", err=True)
