"""Everything a training run can be told, with presets for the usual ones."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fivestone.board import Board
from fivestone.errors import BadFile, BadInput

__all__ = ["PRESETS", "TrainConfig", "config_from", "preset", "read_config"]


@dataclass(frozen=True)
class TrainConfig:
    """One training run. A config file sets any of these by name; everything else keeps its default."""

    # The game.
    sizes: tuple[int, ...] = (9,)  # board sizes; self-play draws one for each game
    size_weights: tuple[float, ...] = ()  # how often each size is drawn; empty: equally often
    rule: str = "freestyle"
    win_length: int = 5
    # The net.
    net: str = "line"  # line, conv-a, conv-b, conv-c, conv-e or resnet
    width: int = 32  # features a cell in the line net
    int8: bool = False  # a conv net plays its games in 8-bit integers: twice as fast on many CPUs; needs onnxruntime
    # Self-play. A conv net searches every move in full and never resigns, as the source systems' do.
    simulations: int = 200  # a full search; its moves are recorded
    fast_simulations: int = 40  # a fast search, which only moves the game on
    full_share: float = 0.25  # share of moves searched in full; 1: all
    cpuct: float = 1.4
    noise_alpha: float = 0.15  # Dirichlet noise at the root of a full search, on 9x9; less on larger boards
    noise_share: float = 0.25
    temperature_plies: int = 8  # plies played in proportion to visits; later ones with late_temperature
    late_temperature: float = 0.25
    random_plies: int = 4  # a game starts from 1 to so many random plies ...
    random_share: float = 0.75  # ... this often
    leaf_vcf: int = 30  # stones a leaf's search for a win by continuous fours may place; line nets only, 0: none
    balance_tries: int = 1  # of so many random openings the one the net thinks most even is played; line nets only
    resign_below: float = -1.0  # resign when the value stays below; -1: never
    resign_check: float = 0.1  # share of games in which nobody resigns, to count how often that would have been wrong
    games_at_once: int = 64  # of a conv net, so that positions are judged in large batches
    opponent: str = "self"  # of a conv net's games: self, or ladder: the tree search it is measured against
    self_play_net: str = "latest"  # latest, or best: the last net that beat the best one
    search: str = "tree"  # that plays a line net's games: tree, or alphabeta, which needs a net that can play
    nodes: int = 1200  # of alpha-beta, a move
    stray_share: float = 0.1  # share of alpha-beta's moves that are replaced by others, to learn what comes of those
    tree_positions: int = 0  # inside the tree of each such move, that are searched as well and learned from
    samples_per_shard: int = 8192  # samples made between two rounds of learning
    # Learning.
    batch: int = 512
    reuse: float = 4.0  # how often a sample is learned from, on average
    learning_rate: float = 2e-3
    learning_rate_half: int = 400_000  # samples after which the learning rate has fallen to half, then a third ...
    l2: float = 1e-5
    ema: float = 0.999  # averaging of the weights that play
    value_mix: float = 0.3  # share of the search's value in the value target; the rest is the result of the game
    window_min: int = 50_000  # samples learned from at first ...
    window_max: int = 400_000  # ... and at most; in between the window grows with the run
    window_growth: float = 0.5  # share of all samples so far that are kept in the window
    # Measuring.
    evaluate_every: int = 10  # rounds between two evaluations; 0: never
    evaluate_games: int = 10  # games of one ladder match
    evaluate_visits: int = 400  # simulations a move of the net when it is measured
    ladder: str = "uct"  # the ladder's opponent: uct, or heuristic
    ladder_start: int = 1000  # its first number of simulations; so many more at 10:0
    # The run.
    seed: int = 1
    threads: int = 0  # 0: one for each core
    keep_checkpoints: int = 3  # full states kept for resuming; nets of every evaluation are kept anyway

    def __post_init__(self) -> None:
        for size in self.sizes:
            Board(size, self.rule, self.win_length)
        if not self.sizes:
            raise BadInput("sizes is empty: name at least one board size")
        if self.size_weights and len(self.size_weights) != len(self.sizes):
            raise BadInput("size_weights must have one number for each of sizes")
        if self.size_weights and not (all(0 <= w <= 1e6 for w in self.size_weights) and any(self.size_weights)):
            raise BadInput(f"size_weights is {list(self.size_weights)}: choose 0 to 1000000 each, and one above 0")
        if self.self_play_net not in ("latest", "best"):
            raise BadInput(f"self_play_net is '{self.self_play_net}': choose latest or best")
        if self.search not in ("tree", "alphabeta"):
            raise BadInput(f"search is '{self.search}': choose tree or alphabeta")
        if self.search == "alphabeta" and self.net != "line":
            raise BadInput("only the line net learns from games of alpha-beta: choose search = tree for a conv net")
        if self.opponent not in ("self", "ladder"):
            raise BadInput(f"opponent is '{self.opponent}': choose self or ladder")
        if self.opponent == "ladder" and self.net == "line":
            raise BadInput("the line net learns from games against itself: choose a conv net for opponent = ladder")
        if self.ladder not in ("uct", "heuristic"):
            raise BadInput(f"ladder is '{self.ladder}': choose uct or heuristic")
        for name, (least, most) in _BOUNDS.items():
            value = getattr(self, name)
            if not least <= value <= most:  # nan is neither
                raise BadInput(f"{name} is {value}: choose {least} to {most}")
        if self.net == "line" and (self.win_length != 5 or min(self.sizes) < 5):
            raise BadInput("the line net is for win length 5 on boards from 5x5: choose a conv net for other games")

    def to_toml(self) -> str:
        """The text of a config file that gives this config."""
        lines = []
        for name, value in dataclasses.asdict(self).items():
            lines.append(f"{name} = {json.dumps(list(value) if isinstance(value, tuple) else value)}")
        return "\n".join(lines) + "\n"


# The least and the most of every number: beyond them training crashes, hangs or means nothing.
_SHARE = (0.0, 1.0)
_BOUNDS: dict[str, tuple[float, float]] = {
    "width": (1, 4096),
    "simulations": (2, 10_000_000),
    "fast_simulations": (2, 10_000_000),
    "full_share": (0.001, 1.0),
    "cpuct": (0.001, 1000.0),
    "noise_alpha": (0.001, 1000.0),
    "noise_share": _SHARE,
    "temperature_plies": (0, 1000),
    "late_temperature": (0.0, 100.0),
    "random_plies": (0, 400),
    "random_share": _SHARE,
    "leaf_vcf": (0, 100_000),
    "balance_tries": (1, 1000),
    "resign_below": (-1.0, 1.0),
    "resign_check": _SHARE,
    "nodes": (1, 10**9),
    "stray_share": _SHARE,
    "tree_positions": (0, 1000),
    "games_at_once": (1, 100_000),
    "samples_per_shard": (1, 10_000_000),
    "batch": (1, 1_000_000),
    "reuse": (0.001, 1000.0),
    "learning_rate": (1e-12, 10.0),
    "learning_rate_half": (1, 10**15),
    "l2": _SHARE,
    "ema": (0.0, 0.999999),  # at 1 nothing would ever be learned
    "value_mix": _SHARE,
    "window_min": (1, 10**12),
    "window_max": (1, 10**12),
    "window_growth": (0.0, 1000.0),
    "evaluate_every": (0, 10**9),
    "evaluate_games": (1, 1_000_000),
    "evaluate_visits": (1, 10**9),
    "ladder_start": (1, 10**12),
    "seed": (0, 2**63 - 1),
    "threads": (0, 1024),
    "keep_checkpoints": (1, 10**12),
}

# Settings the source systems share: 400 simulations of every move, c of 5, noise 0.25 with Dirichlet(0.3).
_SEED: dict[str, Any] = {
    "simulations": 400,
    "full_share": 1.0,
    "cpuct": 5.0,
    "noise_alpha": 0.3,
    "temperature_plies": 30,
    "late_temperature": 0.1,
    "random_plies": 0,
    "samples_per_shard": 2048,
    "l2": 1e-4,
    "value_mix": 0.0,
    "window_min": 10_000,
    "window_max": 10_000,
    "evaluate_every": 3,
}

# What each preset changes; docs/training.md says what they are for.
PRESETS: dict[str, dict[str, Any]] = {
    "quick": {"sizes": (9,), "evaluate_every": 6},
    "9x9": {"sizes": (9,)},
    "15x15": {"sizes": (15,), "temperature_plies": 12, "balance_tries": 8},
    "20x20": {"sizes": (20,), "temperature_plies": 12, "balance_tries": 8},
    "all-sizes": {
        "sizes": (6, 7, 8, 9, 11, 13, 15, 17, 20),
        "size_weights": (0.3, 0.3, 0.5, 1, 1, 1, 3, 1, 1.5),
        "temperature_plies": 10,
        "balance_tries": 8,
        "window_max": 800_000,
        "learning_rate_half": 2_000_000,
    },
    # For a net that has learned from tree search: what alpha-beta asks of it is another kind of position.
    "alphabeta": {
        "sizes": (9, 12, 15, 17, 20),
        "size_weights": (1, 0.5, 6, 0.5, 2),
        "search": "alphabeta",
        "random_plies": 8,
        "balance_tries": 8,
        "value_mix": 0.5,
        "reuse": 12.0,
        "window_min": 16_384,
        "window_max": 800_000,
        "window_growth": 1.0,
        "learning_rate_half": 2_000_000,
        "evaluate_every": 0,
    },
    # As the source systems describe their training; docs/training.md says which is which.
    "seed-a": _SEED | {"net": "conv-a", "sizes": (9,), "self_play_net": "best"},
    # To the letter: the games are played against the pure tree search, a hundred between two measurements.
    "seed-a-literal": _SEED
    | {
        "net": "conv-a",
        "sizes": (9,),
        "self_play_net": "best",
        "opponent": "ladder",
        "games_at_once": 100,
        "samples_per_shard": 100,
        "evaluate_every": 1,
    },
    "seed-b": _SEED | {"net": "conv-b", "sizes": (8,), "self_play_net": "latest"},
    "seed-c": _SEED | {"net": "conv-c", "sizes": (9,), "self_play_net": "best", "ladder": "heuristic"},
    "seed-e": _SEED | {"net": "conv-e", "sizes": (15,), "self_play_net": "latest"},
    "tic-tac-toe": _SEED
    | {
        "net": "conv-b",
        "sizes": (3,),
        "win_length": 3,
        "simulations": 50,
        "samples_per_shard": 512,
        "window_min": 4096,
    },
    "tiny": {
        "sizes": (6,),
        "width": 16,
        "simulations": 32,
        "fast_simulations": 8,
        "samples_per_shard": 256,
        "batch": 64,
        "window_min": 1024,
        "evaluate_every": 2,
        "evaluate_games": 4,
        "evaluate_visits": 32,
        "ladder_start": 50,
        "ema": 0.9,
        "threads": 1,
    },
}


def preset(name: str) -> TrainConfig:
    if name not in PRESETS:
        raise BadInput(f"unknown preset '{name}': choose one of {', '.join(PRESETS)}")
    return TrainConfig(**PRESETS[name])


def config_from(settings: dict[str, Any], base: TrainConfig | None = None) -> TrainConfig:
    """The base (or default) config with some settings changed; an unknown key is an error that names the nearest."""
    fields = {field.name: field for field in dataclasses.fields(TrainConfig)}
    changes: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(fields)}"
            raise BadInput(f"unknown setting '{key}': {hint}")
        changes[key] = _checked(key, value, fields[key].default)
    return dataclasses.replace(base or TrainConfig(), **changes)


def _checked(key: str, value: Any, default: Any) -> Any:
    """The value in the type of its default, or an error that says what is expected."""
    if isinstance(default, tuple):
        wanted = int if key == "sizes" else float
        if isinstance(value, list) and all(type(item) in (int, wanted) for item in value):
            return tuple(_float(item) if wanted is float else item for item in value)
        raise BadInput(f"{key} must be a list of numbers")
    if isinstance(default, float) and type(value) is int:
        return _float(value)
    if type(value) is not type(default):
        raise BadInput(f"{key} must be {_TYPE_NAMES[type(default)]}, not {value!r}")
    return value


def _float(number: float) -> float:
    """The number as a float; one with more digits than a float can hold is out of all bounds."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number > 0 or -1)


_TYPE_NAMES = {int: "a whole number", float: "a number", str: "a text in quotes", bool: "true or false"}


def read_config(path: Path, base: TrainConfig | None = None) -> TrainConfig:
    """A config file, on top of a preset."""
    try:
        settings = tomllib.loads(path.read_text())
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # not TOML, not a text, or a number of thousands of digits
        raise BadFile(f"{path} is not a config file: {error}") from None
    try:
        return config_from(settings, base)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
