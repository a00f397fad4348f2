from pathlib import Path

import pytest

from fivestone import files
from fivestone.errors import BadFile


def test_write_replaces_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "note.txt"
    files.write_atomically(path, "one")
    files.write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["note.txt"]


def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "note.txt"
    files.write_atomically(path, "old")

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(BadFile, match="No space left"):
        files.write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["note.txt"]


def test_append_repairs_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    files.append_line(path, "{}")
    path.write_bytes(path.read_bytes() + b'{"half')
    files.append_line(path, "[]")
    assert path.read_text() == '{}\n{"half\n[]\n'
