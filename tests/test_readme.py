"""What the README shows works as printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_the_example_plays_a_game() -> None:
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert example is not None
    assert len(example[1].splitlines()) <= 11
    done = subprocess.run([sys.executable, "-c", example[1]], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "X" in done.stdout


def test_the_tutorial_builds_a_player_in_twenty_lines() -> None:
    """That it plays a game is tested with every other block."""
    example = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "tutorial.md").read_text(), re.DOTALL)
    assert example is not None
    assert "play_game(" in example[1]
    assert len([line for line in example[1].splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("name", ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        assert link.startswith("http") or (page.parent / link).exists(), f"{name} links to {link}"


def test_every_command_in_the_table_exists() -> None:
    from fivestone.cli import _COMMANDS

    table = re.findall(r"`fivestone ([a-z]+)", (ROOT / "README.md").read_text())
    assert set(table) <= set(_COMMANDS)


def test_the_architecture_page_lists_every_file() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    files = [path for path in (ROOT / "src").rglob("*.py") if path.name not in ("__init__.py", "__main__.py")]
    files += (ROOT / "core").glob("*.hpp")
    missing = [str(path.relative_to(ROOT)) for path in files if f"`{path.stem}`" not in page]
    assert not missing, f"docs/architecture.md does not mention {missing}"
