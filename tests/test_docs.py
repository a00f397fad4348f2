"""Every code block of the README and of docs/ is run: as printed, or at the reduced size a comment before it gives.

    <!-- long: COMMAND -->     run this instead; one comment a command, at least one for each that is printed
    <!-- server -->            it serves until it is stopped: started, asked for its address, stopped

A console block holds commands after "$ "; lines without it are what they print ("..." for anything in between). An
indented block is a console block of commands alone. A python block is run; a toml block is a training config.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from fivestone.cli import cli
from fivestone.train.config import config_from, preset

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SHOWN = ("text", "transcript")  # for people; the transcript is replayed by the tests of the brain
TIMEOUT = 180
_MARK = re.compile(r"<!-- (long|server)(?:: (.*?))? -->")


@dataclass
class Block:
    """A code block with the marks before it."""

    page: str
    line: int
    language: str
    lines: list[str] = field(default_factory=list)
    reduced: list[str] = field(default_factory=list)
    server: bool = False

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    def commands(self) -> list[tuple[str, list[str]]]:
        """The commands, each with the lines it is said to print."""
        found: list[tuple[str, list[str]]] = []
        for line in self.lines:
            continued = bool(found) and found[-1][0].endswith("\\")
            if continued:
                found[-1] = (found[-1][0][:-1].rstrip() + " " + line.strip(), [])
            elif self.language == "indented":
                found.append((line, []))
            elif line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line)
        return found


def blocks_of(page: str, text: str) -> list[Block]:
    """Fenced and indented blocks. Marks count for the next block."""
    blocks: list[Block] = []
    reduced: list[str] = []
    server, block, blank, in_list = False, None, True, False
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None and block.language != "indented":
            if line.strip() == "```":
                block = None
            else:
                block.lines.append(line)
            continue
        if block is not None:
            if line.startswith("    ") or not line.strip():
                if line.strip():
                    block.lines.append(line[4:])
                continue
            block = None
        mark = _MARK.fullmatch(line.strip())
        if mark:
            reduced += [mark[2]] if mark[1] == "long" else []
            server = server or mark[1] == "server"
        elif line.startswith("```") or (line.startswith("    ") and blank and not in_list):
            language = line[3:].strip() if line.startswith("```") else "indented"
            block = Block(page, number, language, [] if line.startswith("```") else [line[4:]], reduced, server)
            blocks.append(block)
            reduced, server = [], False
        elif line.strip():
            assert not reduced, f"{page}:{number}: a mark stands right before its block"
            assert not server, f"{page}:{number}: a mark stands right before its block"
        in_list = bool(re.match(r"\s*([-*]|\d+\.) ", line)) or (in_list and bool(line.strip()))
        blank = not line.strip()
    return blocks


BLOCKS = [block for page in PAGES for block in blocks_of(page, (ROOT / page).read_text())]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """A folder like the project's, and a PATH on which the commands are those of this Python."""
    for path in ROOT.iterdir():
        if not path.name.startswith(".") and path.name not in ("runs", "build"):
            (tmp_path / path.name).symlink_to(path)
    tools = tmp_path / ".bin"
    tools.mkdir()
    starts = {"fivestone": "-m fivestone", "pbrain-fivestone": "-m fivestone engine", "python": "", "pip": "-m pip"}
    for name, arguments in starts.items():
        (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments} "$@"\n')
        (tools / name).chmod(0o755)
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tmp_path), "COLUMNS": "160"}


def run(command: str, environment: dict[str, str], folder: Path) -> str:
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"{command} takes more than {TIMEOUT} s: give a smaller one in a comment before it (long: ...)")
    assert process.returncode == 0, f"{command}\n{output[-2000:]}\n{errors[-2000:]}"
    return output


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language in ("console", "indented")], ids=str)
def test_commands_work(block: Block, shell: dict[str, str], tmp_path: Path) -> None:
    if block.server:
        for command, _ in block.commands():
            check_server(command, shell, tmp_path)
        return
    for command in block.reduced:
        run(command, shell, tmp_path)
    for command, printed in [] if block.reduced else block.commands():
        output = run(command, shell, tmp_path)
        pattern = ".*".join(re.escape(part.strip("\n")) for part in "\n".join(printed).split("..."))
        assert re.search(pattern, output, re.DOTALL), f"{block}: {command} printed\n{output}"


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.reduced or b.server], ids=str)
def test_what_is_printed_is_understood(block: Block) -> None:
    """Also where something smaller is run: every command and option exists."""
    for command, _ in block.commands():
        check_options(command)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.reduced], ids=str)
def test_what_is_run_instead_is_the_same_at_a_smaller_size(block: Block) -> None:
    run = "\n".join(block.reduced)
    assert "--help" not in run
    missing = [kind for kind in map(kind_of, (command for command, _ in block.commands())) if kind not in run]
    assert not missing, f"{block}: nothing is run for {missing}"


def kind_of(command: str) -> str:
    """What a smaller command must have in common with the one that is printed: program, subcommand, experiment."""
    words = [word for word in shlex.split(command, comments=True) if not word.startswith("-")]
    if words[:2] == ["fivestone", "reproduce"]:
        return " ".join(words[:3])
    if words[:2] == ["ray", "start"]:
        return "--ray"  # a cluster on this machine alone
    return words[0] if words[0] == "make" else " ".join(words[:2])


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_text_are_understood(page: str) -> None:
    text = (ROOT / page).read_text()
    for command in re.findall(r"`(fivestone [a-z]+ [^`]+)`", text):
        check_options(command)
    for script in re.findall(r"`(?:python )?(benchmarks/\w+\.py)", text):
        assert (ROOT / script).exists(), f"{page}: {script}"


def check_options(command: str) -> None:
    """Parses a command without running it."""
    words = shlex.split(command, comments=True)
    if words[0] != "fivestone":
        return
    found = cli.get_command(click.Context(cli), words[1])
    assert found is not None, command
    # path/to/engine does not exist, and `rate --out` names an option without its value.
    with contextlib.suppress(click.BadParameter, click.BadOptionUsage):
        found.make_context(words[1], words[2:])


def check_server(command: str, environment: dict[str, str], folder: Path) -> None:
    words = shlex.split(command.partition("  #")[0])
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    # A remark may come first: that the port is taken, say.
    addressed = any("http://" in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert addressed, command
    assert process.returncode in (0, 130)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "python"], ids=str)
def test_python_works(block: Block, shell: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "block.py").write_text("\n".join(block.lines) + "\n")
    assert run("python block.py", shell, tmp_path).strip(), "an example shows something"


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "toml"], ids=str)
def test_settings_are_known(block: Block) -> None:
    config_from(tomllib.loads("\n".join(block.lines)), preset("quick"))


def test_every_block_is_run_or_only_shown() -> None:
    known = ("console", "indented", "python", "toml", *SHOWN)
    assert [str(block) for block in BLOCKS if block.language not in known] == []
    assert len(BLOCKS) > 10


def test_blocks_are_found_with_their_marks() -> None:
    page = (
        "Text\n\n<!-- long: two -->\n<!-- long: three -->\n```console\n$ one \\\n    more\nsays\n```\n\n"
        "- a list\n\n    that goes on\n\nText\n\n    run this\n    and this\n\n"
        "<!-- server -->\n```console\n$ serve\n```\n"
    )
    first, *rest = blocks_of("page", page)
    assert (first.reduced, first.commands()) == (["two", "three"], [("one more", ["says"])])
    assert rest[-1].server
    assert [command for command, _ in rest[-2].commands()] == ["run this", "and this"]
    with pytest.raises(AssertionError, match="right before its block"):
        blocks_of("page", "<!-- long: x -->\nText\n")
