"""Learning a line net with torch in the training loop; here torch's own name of the CPU stands in for a GPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fivestone.errors import BadFile, BadInput
from fivestone.train.config import config_from, preset
from fivestone.train.line_backend import LineBackend
from fivestone.train.loop import Budget, TrainLoop
from fivestone.train.measure import Ladder
from fivestone.train.rundir import RunDir

torch = pytest.importorskip("torch")
CONFIG = config_from({"evaluate_every": 0, "samples_per_shard": 64, "batch": 32}, preset("tiny"))


def test_torch_learns_in_the_loop_and_resumes(tmp_path: Path) -> None:
    states = []
    for name, cuts in (("whole", [2]), ("cut", [1, 2])):
        run = RunDir.create(tmp_path / name, CONFIG)
        for rounds in cuts:
            backend = LineBackend(CONFIG, device="cpu:0")
            loop = TrainLoop(run, CONFIG, backend, Ladder(CONFIG))
            loop.resume()
            loop.train(Budget(rounds=rounds))
        states.append(backend.state())
    for name, values in states[0].items():
        np.testing.assert_array_equal(values, states[1][name])
    lines = RunDir.open(tmp_path / "whole").metrics()
    assert all(np.isfinite(line["loss"]) for line in lines)


def test_a_checkpoint_of_the_other_learner_is_refused() -> None:
    with pytest.raises(BadFile, match="does not fit"):
        LineBackend(CONFIG, device="cpu:0").restore(LineBackend(CONFIG).state())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_said() -> None:
    with pytest.raises(BadInput, match="cuda"):
        LineBackend(CONFIG, device="cuda")
