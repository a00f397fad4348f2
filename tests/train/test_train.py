"""The train command as a user runs it: learns, survives kills and a full disk, goes on bit for bit."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from rounds import trained

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.game import play_game
from fivestone.match.player import RandomPlayer
from fivestone.match.specs import make_player
from fivestone.search import Limit
from fivestone.train.config import TrainConfig, config_from, preset
from fivestone.train.line_backend import LineBackend
from fivestone.train.measure import play_pairs
from fivestone.train.rundir import RunDir

ROUNDS = 5
TIMES = ("seconds", "self_play_seconds", "learn_seconds", "simulations_per_second")


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "fivestone", "train", *map(str, arguments)]


def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=300, **options)  # type: ignore[call-overload,no-any-return]


def outcome(path: Path) -> tuple[dict[str, np.ndarray], list[dict[str, object]]]:
    with np.load(path / "net.npz") as file:
        arrays = {name: file[name] for name in file.files if name != "card"}
    lines = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    return arrays, [{key: value for key, value in line.items() if key not in TIMES} for line in lines]


def assert_same(one: Path, two: Path) -> None:
    arrays, lines = outcome(one)
    other_arrays, other_lines = outcome(two)
    assert lines == other_lines
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, other_arrays[name])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "run"
    done = run("--preset", "tiny", "--rounds", str(ROUNDS), "--run", path)
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.long
def test_killed_at_random_moments_it_ends_the_same(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    rng = random.Random(1)
    arguments: tuple[str | Path, ...] = ("--preset", "tiny", "--run", path)
    for _kill in range(4):
        process = subprocess.Popen(
            command(*arguments, "--rounds", str(ROUNDS)), stdout=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(rng.uniform(0.4, 1.6))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if (path / "config.toml").exists():
            arguments = ("--resume", path)
    done = run(*arguments, "--rounds", str(ROUNDS))
    assert done.returncode == 0, done.stderr
    assert_same(whole, path)


def test_interrupt_keeps_everything_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "run"
    process = subprocess.Popen(command("--preset", "tiny", "--run", path), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "round 0" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=120)[0]
    assert process.returncode == 0
    assert f"fivestone train --resume {path}" in rest
    assert RunDir.open(path).last_checkpoint() is not None


def test_quick_plays_no_last_games_when_it_is_stopped(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text("samples_per_shard = 64\nsimulations = 8\nfast_simulations = 4\n")
    process = subprocess.Popen(
        command("--preset", "quick", "--config", config, "--run", tmp_path / "run"), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert "round 0" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=120)[0]
    assert "stopped; go on with" in rest
    assert "quick:" not in rest


def test_two_cannot_train_in_one_directory(tmp_path: Path) -> None:
    path = tmp_path / "run"
    first = subprocess.Popen(command("--preset", "tiny", "--run", path), stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert "round 0" in first.stdout.readline()
    for arguments in (("--resume", path), ("--preset", "tiny", "--run", path)):
        second = run(*arguments, "--rounds", "1")
        assert second.returncode == 2
        message = f"fivestone: {path} is being trained by another process: wait for it or stop it\n"
        assert second.stderr == message
    assert first.poll() is None
    first.kill()  # the lock must not outlive it
    first.wait()
    first.stdout.close()
    rounds = RunDir.open(path).metrics()[-1]["round"] + 2
    done = run("--resume", path, "--rounds", str(rounds))
    assert done.returncode == 0, done.stderr
    assert f"resuming at round {rounds - 1}" in done.stdout or f"resuming at round {rounds - 2}" in done.stdout


def test_a_second_interrupt_does_not_wait_for_a_measurement(tmp_path: Path) -> None:
    path, config = tmp_path / "run", tmp_path / "slow.toml"
    config.write_text("evaluate_every = 1\nladder_start = 2000000\n")  # hours of it
    process = subprocess.Popen(
        command("--preset", "tiny", "--config", config, "--run", path), stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 100
    while not (path / "nets").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1].strip() == "stopped"
    assert process.returncode == 130
    assert RunDir.open(path).last_checkpoint() is not None


@pytest.mark.parametrize("rule", ["renju", "caro"])
def test_every_rule_is_learned_and_played(rule: str, tmp_path: Path) -> None:
    path, config = tmp_path / "run", tmp_path / "more.toml"
    config.write_text("sizes = [9]\nevaluate_every = 0\nrandom_plies = 9\nsamples_per_shard = 64\n")
    for arguments in (("--preset", "tiny", "--config", config, "--rule", rule, "--run", path), ("--resume", path)):
        rounds = "2" if "--resume" in arguments else "1"
        done = run(*arguments, "--rounds", rounds)
        assert done.returncode == 0, done.stderr
    found = RunDir.open(path)
    assert found.config.rule == rule
    forbidden = 0
    for number in found.shard_numbers():
        samples = found.load_shard(number)
        assert samples is not None
        visited = np.split(samples["policy_moves"], np.cumsum(samples["policy_count"])[:-1])
        for stones, moves in zip(samples["stones"].reshape(-1, 81), visited, strict=True):
            sides = [[int(cell) for cell in np.flatnonzero(stones == side)] for side in (1, 2)]
            board = Board.from_stones(*sides, size=9, rule=rule)
            assert set(moves.tolist()) <= set(board.legal_moves)
            forbidden += len(board.forbidden_moves)
    assert (forbidden > 0) == (rule == "renju")
    net = make_player(f"puct:net={path / 'net.npz'},visits=16", seed=1)
    record = play_game(net, RandomPlayer("random", 1), size=9, rule=rule, limit=Limit())
    assert record.board().is_over or record.board().is_dead_draw
    with pytest.raises(BadInput, match=f"the net is for {rule}"):
        net.choose(Board(9), Limit(visits=16))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    done = run("--preset", "tiny", "--rounds", "2", "--run", path)
    assert done.returncode == 0, done.stderr
    return path


def assert_told(stderr: str) -> None:
    assert stderr.startswith("fivestone: cannot write")
    assert len(stderr.splitlines()) == 1


def test_no_room_for_large_files_ends_in_one_line_and_loses_nothing(whole: Path, begun: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    full = run("--resume", begun, "--rounds", str(ROUNDS), preexec_fn=small_files)
    assert full.returncode == 2
    assert_told(full.stderr)
    done = run("--resume", begun, "--rounds", str(ROUNDS))
    assert done.returncode == 0, done.stderr
    assert_same(whole, begun)


# A file system of its own in memory, seen by the shell and its children alone: the rest of the machine keeps its room.
SMALL_DISK = """set -e
mount -t tmpfs -o size=100m fivestone "$1"
cp -r "$2" "$1/run"
cat /dev/zero > "$1/filler" 2> /dev/null || truncate -s -"$3"k "$1/filler"
"${@:4}" || echo "full: $?"
rm "$1/filler"
"${@:4}"
cp -r "$1/run" "$2-done"
"""


@pytest.mark.parametrize("kilobytes", [0, 40, 4000])
def test_a_full_disk_ends_in_one_line_and_loses_nothing(
    whole: Path, begun: Path, tmp_path: Path, kilobytes: int
) -> None:
    own = ["unshare", "--map-root-user", "--mount", "bash", "-c"]
    disk = tmp_path / "disk"
    disk.mkdir()
    if shutil.which("unshare") is None or subprocess.run([*own, 'mount -t tmpfs x "$0"', disk]).returncode != 0:
        pytest.skip("a small disk takes unshare and leave to mount one")
    resume = command("--resume", disk / "run", "--rounds", str(ROUNDS))
    both = subprocess.run(
        [*own, SMALL_DISK, "bash", disk, begun, str(kilobytes), *resume], capture_output=True, text=True, timeout=300
    )
    assert both.returncode == 0, both.stderr
    assert "full: 2" in both.stdout.splitlines()
    assert_told(both.stderr)
    assert_same(whole, Path(f"{begun}-done"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--preset", "none"), "unknown preset 'none'"),
        (("--resume", "/nowhere"), "is not a training run"),
        (("--resume", "/nowhere", "--seed", "3"), "leave the others out"),
        (("--hours", "-1"), "--hours must be above zero"),
        (("--rounds", "0"), "--rounds must be above zero"),
        (("--threads", "-1"), "--threads must be above zero"),
        (("--hours", "inf"), "--hours is inf: choose"),
        (("--hours", "nan"), "--hours is nan: choose"),
        (("--seed", "-1"), "seed is -1: choose 0"),
        (("--init", "nothing.npz"), "nothing.npz"),
        (("--config", "/nowhere.toml"), "cannot read"),
        (("--rule", "chess"), "unknown rule 'chess'"),
        (("--resume", "/nowhere", "--rule", "renju"), "leave the others out"),
        (("--net", "convolution"), "net is 'convolution'"),
    ],
)
def test_mistakes_get_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []  # and no half-made run


def train(path: Path, config: TrainConfig, rounds: int) -> LineBackend:
    return trained(path, config, LineBackend(config), rounds)


def test_it_learns(tmp_path: Path) -> None:
    """A few seconds on 6x6 make a player that random moves seldom hold to a draw, and lower the loss."""
    config = config_from({"evaluate_every": 0, "evaluate_visits": 8}, preset("tiny"))
    backend = train(tmp_path / "run", config, 12)
    lines = RunDir.open(tmp_path / "run").metrics()
    assert lines[-1]["value_loss"] < lines[0]["value_loss"]
    excess = [line["policy_loss"] - line["target_entropy"] for line in lines]
    assert excess[-1] < 0.8 * excess[0]
    assert 0 <= lines[0]["policy_accuracy"] < lines[-1]["policy_accuracy"] <= 1
    assert 0 <= lines[0]["value_accuracy"] < lines[-1]["value_accuracy"] <= 1
    backend.save_net(tmp_path / "net.npz", {})
    pairs = play_pairs(
        backend.player(tmp_path / "net.npz"), RandomPlayer("random", 1), 20, config, seed=1, limit=Limit()
    )
    points = sum(p if black != "random" else 1 - p for pair in pairs for black, _white, p in pair)
    assert points >= 14


def test_some_games_are_played_on_where_others_would_resign() -> None:
    hopeless = {"resign_below": 0.99, "resign_check": 1.0, "random_share": 0.0, "samples_per_shard": 64}
    shard = LineBackend(config_from(hopeless, preset("tiny"))).generate(0, threading.Event())
    assert shard is not None
    assert shard.stats["resigned"] == 0
    assert shard.stats["checked_resignations"] > 0


def test_best_plays_until_promoted(tmp_path: Path) -> None:
    config = config_from({"self_play_net": "best", "evaluate_every": 0}, preset("tiny"))
    backend = train(tmp_path / "run", config, 2)
    first = backend._best
    assert first is not None
    state = backend.state()
    backend.promote()
    assert backend._best is not first
    again = LineBackend(config)
    again.restore(state)
    assert again._best is not None
    np.testing.assert_array_equal(again._best.arrays()["policy"], first.arrays()["policy"])
