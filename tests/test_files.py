import os
import threading
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


def test_a_link_keeps_pointing_where_it_does(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    note, link, later = tmp_path / "real" / "note.txt", tmp_path / "link.txt", tmp_path / "later.txt"
    note.write_text("old")
    link.symlink_to(note)
    later.symlink_to("real/later.txt")
    files.write_atomically(link, "new")
    files.write_atomically(later, "made")
    assert (link.is_symlink(), later.is_symlink()) == (True, True)
    assert (note.read_text(), (tmp_path / "real" / "later.txt").read_text()) == ("new", "made")
    assert {entry.name for entry in tmp_path.rglob("*")} == {"real", "note.txt", "link.txt", "later.txt"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    """As is a device, which only root could make for a test."""
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for name in ("pipe", "link"):
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
        reader.start()
        files.write_atomically(tmp_path / name, "through")
        assert pipe.is_fifo()
        reader.join(10)
    assert got == [b"through", b"through"]


@pytest.mark.parametrize("name", ["a\0b.txt", "folder", "link"])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    for write in (files.write_atomically, files.append_line):
        with pytest.raises(BadFile, match=r"cannot write .*: (embedded null byte|Is a directory)"):
            write(tmp_path / name, "text")
    assert {entry.name for entry in tmp_path.iterdir()} == {"folder", "link"}


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
