"""fivestone doctor: what is there, what is missing, and the line that brings it."""

from __future__ import annotations

from importlib import metadata

import pytest

from fivestone import _core
from fivestone.cli import main
from fivestone.net import device


def pretend_missing(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name in names:
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)


def test_doctor_names_the_cpu_path_and_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    out = capsys.readouterr().out
    assert f"CPU path     {_core.kernel_names(32)[0]} " in out
    assert f"numpy        {metadata.version('numpy')}\n" in out


@pytest.mark.parametrize(("found", "line"), [(True, "used by torch for learning"), (False, "none that torch can use")])
def test_doctor_says_whether_there_is_a_gpu(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, found: bool, line: str
) -> None:
    monkeypatch.setattr(device, "torch_sees_gpu", lambda: found)
    main(["doctor"])
    assert f"GPU          {line}\n" in capsys.readouterr().out


def test_a_missing_extra_comes_with_its_install_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_missing(monkeypatch, "torch", "pygame-ce")
    main(["doctor"])
    out = capsys.readouterr().out
    assert "torch        missing" in out
    assert "pip install 'fivestone[torch]'" in out
    assert "pip install 'fivestone[desktop]'" in out


def test_a_missing_part_that_is_needed_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_missing(monkeypatch, "uvicorn")
    with pytest.raises(SystemExit) as exit_:
        main(["doctor"])
    assert exit_.value.code == 1
    assert "cannot run without uvicorn" in capsys.readouterr().out
