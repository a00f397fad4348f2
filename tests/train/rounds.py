"""Training in a test: a run that is started, or taken up where it was left."""

from pathlib import Path
from typing import TypeVar

from fivestone.train.backend import Backend
from fivestone.train.config import TrainConfig
from fivestone.train.loop import Budget, TrainLoop
from fivestone.train.measure import Ladder
from fivestone.train.rundir import RunDir

AnyBackend = TypeVar("AnyBackend", bound=Backend)


def trained(path: Path, config: TrainConfig, backend: AnyBackend, rounds: int) -> AnyBackend:
    """The backend after the run has so many rounds in all."""
    fresh = not path.exists()
    run = RunDir.create(path, config) if fresh else RunDir.open(path)
    loop = TrainLoop(run, config, backend, Ladder(config))
    if not fresh:
        loop.resume()
    loop.train(Budget(rounds=rounds))
    return backend
