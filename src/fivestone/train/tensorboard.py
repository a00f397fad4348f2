"""The numbers of a run for TensorBoard, where it is installed: every metrics line as scalars over rounds."""

from __future__ import annotations

import contextlib
import importlib.util
import math
from pathlib import Path
from typing import Any

__all__ = ["Scalars"]

# Folder of TensorBoard -> metrics; the rest goes under "run".
_GROUPS = {
    "loss": ("loss", "policy_loss", "value_loss", "entropy", "target_entropy", "kl", "learning_rate"),
    "accuracy": ("policy_accuracy", "value_accuracy"),
    "games": ("draws", "black_wins", "plies", "proven", "resigned"),
    "strength": ("elo", "elo_error", "ladder", "ladder_points", "best_rate", "promote"),
}
_FOLDERS = {name: folder for folder, names in _GROUPS.items() for name in names}


class Scalars:
    """Writes metrics lines into a folder. Does nothing where TensorBoard is not installed or the folder cannot be
    written: training needs neither."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None
        self._off = importlib.util.find_spec("tensorboard") is None

    def __enter__(self) -> Scalars:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()

    def write(self, line: dict[str, Any]) -> None:
        """Every number of the line; the time of a point is how long the run had trained."""
        if self._off:
            return
        try:
            self._write(line)
        except (ImportError, OSError):
            self._off = True

    def _write(self, line: dict[str, Any]) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary

        if self._writer is None:
            from tensorboard.summary.writer.event_file_writer import EventFileWriter

            self._writer = EventFileWriter(str(self._folder))
            # Takes back what a run that was killed had written of rounds that are run again.
            self._writer.add_event(Event(step=line["round"], session_log=SessionLog(status=SessionLog.START)))
        values = [
            Summary.Value(tag=f"{_FOLDERS.get(name, 'run')}/{name}", simple_value=float(value))
            for name, value in line.items()
            if name != "round" and isinstance(value, (int, float)) and math.isfinite(value)
        ]
        self._writer.add_event(Event(wall_time=line["seconds"], step=line["round"], summary=Summary(value=values)))
        self._writer.flush()
