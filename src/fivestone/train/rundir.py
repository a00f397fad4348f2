"""The directory of a training run: the interface between self-play, learning and measuring.

    runs/NAME/config.toml           what the run was told
              metrics.jsonl         a line a round
              selfplay/000012.npz   the samples of round 12
              checkpoints/000012.npz   the learner's whole state before round 12's self-play
              nets/000012.npz       the net that was measured then
              games/000012.sgf      a sample game

Files appear whole or not at all. A file that cannot be read is set aside with a warning, and the run goes on from the
last good state before it. One process at a time trains in a directory (`hold_run`).
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from fivestone.errors import BadFile, BadInput
from fivestone.files import append_line, hold, write_atomically
from fivestone.train.config import TrainConfig, read_config

__all__ = ["Arrays", "RunDir", "hold_run"]

Arrays = dict[str, np.ndarray]
_MAX_FILE_BYTES = 1 << 30
_NUMBERED = re.compile(r"(\d{6,})\.npz")


def hold_run(path: Path) -> AbstractContextManager[None]:
    """Keeps other processes from training in the directory meanwhile; whoever only reads it needs not ask."""
    return hold(path, f"{path} is being trained by another process: wait for it or stop it")


class RunDir:
    """Reads and writes the files of one run. `warn` hears of everything that was found broken and set aside."""

    def __init__(self, path: Path, warn: Callable[[str], None] = lambda _line: None) -> None:
        self.path = path
        self._warn = warn

    @classmethod
    def create(cls, path: Path, config: TrainConfig, warn: Callable[[str], None] = lambda _line: None) -> RunDir:
        if (path / "config.toml").exists():
            raise BadInput(f"{path} holds a run already: go on with --resume {path}, or name another --run")
        write_atomically(path / "config.toml", config.to_toml())
        return cls(path, warn)

    @classmethod
    def open(cls, path: Path, warn: Callable[[str], None] = lambda _line: None) -> RunDir:
        if not (path / "config.toml").is_file():
            raise BadFile(f"{path} is not a training run: it has no config.toml")
        return cls(path, warn)

    @property
    def config(self) -> TrainConfig:
        return read_config(self.path / "config.toml")

    # Shards.

    def save_shard(self, number: int, samples: Arrays) -> None:
        write_atomically(self._shard(number), _packed(samples))

    def load_shard(self, number: int) -> Arrays | None:
        """The samples of a round, or None when they are not there (any more) and must be made (again)."""
        return self._load(self._shard(number))

    def shard_numbers(self) -> list[int]:
        return _numbers(self.path / "selfplay")

    def remove_shards(self, keep: Callable[[int], bool]) -> None:
        """Deletes the shards nobody will read again."""
        for number in self.shard_numbers():
            if not keep(number):
                self._shard(number).unlink(missing_ok=True)

    def _shard(self, number: int) -> Path:
        return self.path / "selfplay" / f"{number:06}.npz"

    # Checkpoints and nets.

    def save_checkpoint(self, number: int, state: Arrays, keep: int) -> None:
        """Saves a state, then deletes the oldest ones beyond `keep`."""
        write_atomically(self._checkpoint(number), _packed(state))
        for old in self.checkpoint_numbers()[:-keep]:
            self._checkpoint(old).unlink(missing_ok=True)

    def checkpoint_numbers(self) -> list[int]:
        return _numbers(self.path / "checkpoints")

    def last_checkpoint(self, needs: Sequence[str] = ()) -> tuple[int, Arrays] | None:
        """The newest state that can be read and has what it needs; broken ones are set aside."""
        for number in reversed(self.checkpoint_numbers()):
            state = self._load(self._checkpoint(number), needs)
            if state is not None:
                return number, state
        return None

    def had_checkpoints(self) -> bool:
        """Whether the run ever had a state to go on from, readable or not; a metrics line comes after the first."""
        broken = any((self.path / "checkpoints").glob("*.broken"))
        return broken or bool(self.checkpoint_numbers()) or bool(self.metrics())

    def _checkpoint(self, number: int) -> Path:
        return self.path / "checkpoints" / f"{number:06}.npz"

    def net_path(self, number: int) -> Path:
        return self.path / "nets" / f"{number:06}.npz"

    def net_numbers(self) -> list[int]:
        return _numbers(self.path / "nets")

    # Metrics.

    def append_metrics(self, line: dict[str, Any]) -> None:
        append_line(self.path / "metrics.jsonl", json.dumps(line))

    def metrics(self) -> list[dict[str, Any]]:
        """Every readable line; a torn one is skipped."""
        path = self.path / "metrics.jsonl"
        if not path.exists():
            return []
        lines = []
        for text in path.read_text(errors="replace").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and isinstance(line.get("round"), int):
                lines.append(line)
        return lines

    def rewind_metrics(self, number: int) -> None:
        """Drops what was written of rounds from `number` on, which will be run again."""
        kept = [json.dumps(line) for line in self.metrics() if line["round"] < number]
        write_atomically(self.path / "metrics.jsonl", "".join(f"{line}\n" for line in kept))

    def _load(self, path: Path, needs: Sequence[str] = ()) -> Arrays | None:
        if not path.exists():
            return None
        try:
            return _unpacked(path, needs)
        except BadFile as error:
            aside = path.with_suffix(".broken")
            path.replace(aside)
            self._warn(f"{error}; set aside as {aside.name}")
            return None


def _numbers(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    return sorted(int(match[1]) for entry in folder.iterdir() if (match := _NUMBERED.fullmatch(entry.name)))


def _packed(arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def _unpacked(path: Path, needs: Sequence[str]) -> Arrays:
    if path.stat().st_size > _MAX_FILE_BYTES:
        raise BadFile(f"{path} is too large")
    try:
        file = np.load(path, allow_pickle=False)
        if isinstance(file, np.ndarray):  # a .npy under the name of an archive
            raise BadFile(f"{path} is damaged (a single array)")
        with file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise BadFile(f"{path} is damaged ({type(error).__name__})") from None
    if missing := [name for name in needs if name not in arrays]:
        raise BadFile(f"{path} is damaged (no {missing[0]} in it)")
    return arrays
