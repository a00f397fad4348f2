"""Measures the net of a conv run and ships it with its card: python benchmarks/ship_conv.py runs/conv9 conv-9

Plays the net, with NumPy alone, against random moves and pure tree search in pairs with colours swapped; the commands
that play such matches are on the card.
"""

from __future__ import annotations

import argparse
import platform
import re
from pathlib import Path
from typing import Any

from fivestone.match.specs import make_player
from fivestone.net.conv import ConvNet
from fivestone.net.load import shipped_nets
from fivestone.search import Limit
from fivestone.train.config import TrainConfig
from fivestone.train.measure import play_pairs
from fivestone.train.rundir import RunDir

# With the exact forced moves of the shipped player, and as the source systems play: the net alone.
PLAYERS = ("puct:net={net},visits=400", "puct:net={net},visits=400,c=5,forced=0,near=0")
CURVE = (
    "games",
    "loss",
    "policy_loss",
    "value_loss",
    "entropy",
    "policy_accuracy",
    "value_accuracy",
    "draws",
    "elo",
    "elo_error",
    "ladder",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("name", help="the name to ship under")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--opponents", nargs="*", default=["random", "uct:visits=100", "uct:visits=1000"])
    parser.add_argument("--alone", action="store_true", help="measure the net alone, not with forced moves, too")
    parser.add_argument("--note", default="", help="a remark for the card, such as why there were no more games")
    parser.add_argument("--into", type=Path, help="where to write (default: the package's weights)")
    options = parser.parse_args()
    run = RunDir.open(options.run)
    config, path = run.config, options.run / "net.npz"
    strength = []
    for form in PLAYERS[1:] if options.alone else PLAYERS:
        for opponent in options.opponents:
            strength.append(measured(form, path, opponent, config, options.games, options.name))
            print(strength[-1], flush=True)
    net = ConvNet.load(path)
    target = (options.into or shipped_nets()["line"].parent) / f"{options.name}.npz"
    net.save(target, card(options.name, run, config, net, strength, options.note))
    print(f"wrote {target}: {target.stat().st_size / 1000:.0f} kB")


def measured(form: str, path: Path, opponent: str, config: TrainConfig, games: int, name: str) -> str:
    """A line for the card: result, and the command that plays such a match."""
    net, rival = make_player(form.format(net=path), seed=1), make_player(opponent, seed=1)
    pairs = play_pairs(net, rival, games, config, seed=1, limit=Limit())
    points = [p if black == net.name else 1 - p for pair in pairs for black, _white, p in pair]
    wins, draws = points.count(1.0), points.count(0.5)
    command = f"fivestone match {form.format(net=name)} {opponent} --board {config.sizes[0]} --games {games}"
    return f"{wins}-{draws}-{len(points) - wins - draws} against {opponent} ({command})"


def card(name: str, run: RunDir, config: TrainConfig, net: ConvNet, strength: list[str], note: str) -> dict[str, Any]:
    lines = run.metrics()
    every = max(1, len(lines) // 12)
    shown = [line for line in lines if line["round"] % every == 0 or "elo" in line or line is lines[-1]]
    curve = [{key: round(line[key], 3) for key in CURVE if key in line} for line in shown]
    return {
        "name": name,
        "kind": net.kind,
        "size": net.size,
        "settings": config.to_toml(),
        "games": lines[-1]["games"],
        "samples": lines[-1]["samples"],
        "minutes": round(lines[-1]["seconds"] / 60, 1),
        "cpu": f"{cpu_name()}, threads: {config.threads or 'all'}",
        "note": note,
        "strength": strength,
        "curve": curve,
    }


def cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", info.read_text()) if info.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
