from pathlib import Path

import pytest

from fivestone import files
from fivestone.errors import BadFile, BadInput


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


def test_a_folder_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    with files.hold(folder, "taken"), pytest.raises(BadInput, match="taken"), files.hold(folder, "taken"):
        pass
    with files.hold(folder, "taken"):
        files.write_atomically(folder / "note.txt", "one")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot write in"), files.hold(tmp_path / "file", "taken"):
        pass
