"""The experiments by name, imported when they are asked for."""

from __future__ import annotations

import importlib

from fivestone.errors import BadInput
from fivestone.experiments.experiment import Experiment

__all__ = ["experiment_names", "find_experiment"]

# Name -> the module that has it as `EXPERIMENT`.
_MODULES = {
    "curves": "fivestone.experiments.curves",
    "ladder": "fivestone.experiments.ladder",
    "latest-vs-best": "fivestone.experiments.latest_vs_best",
    "dqn": "fivestone.experiments.dqn",
    "fool": "fivestone.experiments.fool",
    "ucb1-tuned": "fivestone.experiments.ucb1_tuned",
    "gauntlet": "fivestone.experiments.gauntlet",
    "edges": "fivestone.experiments.edges",
    "openings": "fivestone.experiments.openings",
}


def experiment_names() -> list[str]:
    return list(_MODULES)


def find_experiment(name: str) -> Experiment:
    if name not in _MODULES:
        raise BadInput(f"no experiment '{name}': choose one of {', '.join(_MODULES)}, or all")
    found: Experiment = importlib.import_module(_MODULES[name]).EXPERIMENT
    return found
