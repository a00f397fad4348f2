"""fivestone train: teach a net from nothing."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fivestone.errors import BadInput

if TYPE_CHECKING:
    from fivestone.train.config import TrainConfig

__all__ = ["command"]

_MOST_HOURS = 1e6
_QUICK_SECONDS = 240.0
_QUICK_GAMES = 10
_QUICK_OPPONENT = "uct:visits=5000"


@click.command()
@click.option("--preset", help="A ready-made set of settings; --preset list names them.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="A TOML file with settings.")
@click.option("--hours", type=float, help="How long to train in this call (default: until Ctrl-C).")
@click.option("--rounds", type=int, help="How many rounds the run shall have in all.")
@click.option(
    "--run", "run_path", type=click.Path(path_type=Path), help="Where to keep the run (default: runs/PRESET)."
)
@click.option("--resume", "resume_path", type=click.Path(path_type=Path), help="Go on with a run.")
@click.option("--init", "init_net", help="Start from this net (a shipped name or a file).")
@click.option("--net", "net_kind", help="line, conv (the same as conv-b), conv-a, conv-c, conv-e or resnet.")
@click.option("--rule", help="freestyle (the default), standard, renju, caro or caro-exact: a net is for one rule.")
@click.option(
    "--device", default="auto", show_default=True, help="Where nets learn: auto (a GPU if there is one), cpu or cuda."
)
@click.option(
    "--ray", is_flag=False, flag_value="", help="Play on a Ray cluster; without an address, on this machine's."
)
@click.option("--seed", type=int, help="The seed of every random choice.")
@click.option("--threads", type=int, help="Threads of self-play and learning (default: one a core).")
def command(
    preset: str | None,
    config_file: Path | None,
    hours: float | None,
    rounds: int | None,
    run_path: Path | None,
    resume_path: Path | None,
    init_net: str | None,
    net_kind: str | None,
    rule: str | None,
    device: str,
    ray: str | None,
    seed: int | None,
    threads: int | None,
) -> None:
    """Teach a net to play from nothing but the rules."""
    from fivestone.train.config import PRESETS

    if preset == "list":
        for name, settings in PRESETS.items():
            click.echo(f"{name:12} " + ", ".join(f"{key}={value}" for key, value in settings.items()))
        return
    for option, number in (("--hours", hours), ("--rounds", rounds), ("--threads", threads)):
        if number is not None and number <= 0:
            raise BadInput(f"{option} must be above zero")
    if hours is not None and not hours <= _MOST_HOURS:
        raise BadInput(f"--hours is {hours:g}: choose up to {_MOST_HOURS:g}, or leave it out to train until Ctrl-C")
    quick = preset == "quick" and resume_path is None
    seconds = hours * 3600 if hours is not None else _QUICK_SECONDS if quick and rounds is None else None
    if resume_path is not None:
        if preset or config_file or init_net or net_kind or rule or seed is not None:
            raise BadInput("--resume goes on with the run's own settings: leave the others out")
        _train(resume_path, None, seconds, rounds, None, device, ray, threads)
        return
    kind = "conv-b" if net_kind == "conv" else net_kind
    config = _config(preset or "9x9", config_file, {"net": kind, "rule": rule, "seed": seed})
    path = run_path or _free_path(Path("runs") / (preset or "9x9"))
    stopped = _train(path, config, seconds, rounds, init_net, device, ray, threads)
    if quick and not stopped:
        _final_match(path, config)


def _config(preset_name: str, config_file: Path | None, options: dict[str, Any]) -> TrainConfig:
    from fivestone.train.config import config_from, preset, read_config

    config = preset(preset_name)
    if config_file is not None:
        config = read_config(config_file, config)
    return config_from({key: value for key, value in options.items() if value is not None}, config)


def _free_path(path: Path) -> Path:
    """The path, or the first of path-2, path-3, ... that holds no run yet."""
    number, free = 1, path
    while (free / "config.toml").exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _train(
    path: Path,
    config: TrainConfig | None,
    seconds: float | None,
    rounds: int | None,
    init_net: str | None,
    device: str,
    ray: str | None,
    threads: int | None,
) -> bool:
    """Trains until the budget is used up; returns whether it was stopped before."""
    from fivestone.train.backends import make_backend
    from fivestone.train.dashboard import Dashboard
    from fivestone.train.loop import Budget, TrainLoop
    from fivestone.train.measure import Ladder
    from fivestone.train.rundir import RunDir, hold_run
    from fivestone.train.tensorboard import Scalars

    stop = threading.Event()

    def end(*_signal: object) -> None:
        """The first time at the end of what must not be cut short; again, at once: nothing finished is lost."""
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, end)
    with (
        Dashboard(f"Training in {path}", seconds=seconds, output=sys.stdout) as dashboard,
        Scalars(path / "tensorboard") as scalars,
        ExitStack() as held,
    ):
        fresh = config is not None
        settings = config or RunDir.open(path).config
        if not fresh:
            held.enter_context(hold_run(path))
        if threads is not None:
            settings = replace(settings, threads=threads)
        backend = make_backend(settings, init=init_net, device=device, ray=ray)
        # Only now: a mistake in what was asked for leaves nothing behind.
        if fresh:
            held.enter_context(hold_run(path))
        run = RunDir.create(path, config, dashboard.note) if config is not None else RunDir.open(path, dashboard.note)

        def report(line: dict[str, Any]) -> None:
            dashboard.round(line)
            scalars.write(line)

        loop = TrainLoop(run, settings, backend, Ladder(settings), report=report, note=dashboard.note)
        if not fresh:
            loop.resume()
        elif init_net is not None:
            dashboard.note(f"starting from {init_net}: it plays as it is until there are samples enough to learn from")
        if rounds is not None and loop.progress.round >= rounds:
            dashboard.note(f"the run has {loop.progress.round} rounds: ask for more with --rounds, or leave it out")
        progress = loop.train(Budget(seconds, rounds), stop)
        backend.save_net(path / "net.npz", {"run": path.name, "round": progress.round, "games": progress.games})
        backend.close()
    click.echo(f"{progress.games} games in {progress.seconds / 60:.1f} minutes; the net is {path / 'net.npz'}")
    if stop.is_set():
        click.echo(f"stopped; go on with: fivestone train --resume {path}")
    return stop.is_set()


def _final_match(path: Path, config: TrainConfig) -> None:
    """Ten games against pure tree search, the line the quick preset ends with."""
    from fivestone.match.specs import make_player
    from fivestone.search import Limit
    from fivestone.train.measure import play_pairs

    net = make_player(f"puct:net={path / 'net.npz'},visits={config.evaluate_visits}", seed=config.seed)
    opponent = make_player(_QUICK_OPPONENT, seed=config.seed)
    pairs = play_pairs(net, opponent, _QUICK_GAMES, config, seed=config.seed, limit=Limit())
    points = [p if black == net.name else 1 - p for pair in pairs for black, _white, p in pair]
    wins, draws = points.count(1.0), points.count(0.5)
    click.echo(f"quick: {wins}-{draws}-{len(points) - wins - draws} against {_QUICK_OPPONENT} in {len(points)} games")
