"""The page that lists the players lists all of them, with all their options."""

import re
from pathlib import Path

import pytest

from fivestone.match import specs

PAGE = (Path(__file__).parents[2] / "docs" / "players.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", specs.known_players())
def test_every_player_and_option_is_listed(name: str) -> None:
    listed = set(re.findall(r"`([a-z_]+)[^`]*`", PAGE))
    assert {name, *specs._registry[name].keys} <= listed


def test_no_option_is_listed_that_does_not_exist() -> None:
    known = {key for entry in specs._registry.values() for key in entry.keys}
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    listed = {option for row in rows for option in re.findall(r"`([a-z_]+)`", row)}
    assert listed - known - set(specs.known_players()) == set()
