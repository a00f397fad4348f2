"""What is said of a level's strength on boards that were measured, on those between, and on others."""

import pytest

from fivestone.apps.strength import strength_text

KNOWN = {
    (9, "freestyle"): {"5": 700.0, "max": 1000.0},
    (15, "freestyle"): {"5": 1108.4, "max": 2000.0},
    (6, "freestyle"): {"5": 640.0},
    (15, "renju"): {"5": 1200.0},
}


@pytest.mark.parametrize(
    ("spec", "size", "rule", "text"),
    [
        ("level:5", 15, "freestyle", "Elo 1108"),
        ("level:normal", 9, "freestyle", "Elo 700"),
        ("level:5", 12, "freestyle", "Elo about 900"),  # halfway between 700 and 1108
        ("level:5", 14, "freestyle", "Elo about 1040"),
        ("level:5", 7, "freestyle", "Elo about 660"),  # a third of the way from 6x6 to 9x9
        ("level:max", 7, "freestyle", "Elo 1000 on 9x9"),  # was not measured on 6x6
        ("level:5", 20, "freestyle", "Elo 1108 on 15x15"),
        ("level:5", 5, "freestyle", "Elo 640 on 6x6"),
        ("level:5", 9, "renju", "Elo 1200 on 15x15"),
        ("level:5", 15, "standard", ""),
        ("level:4", 15, "freestyle", ""),
        ("fool", 15, "freestyle", ""),
    ],
)
def test_strength_in_words(monkeypatch: pytest.MonkeyPatch, spec: str, size: int, rule: str, text: str) -> None:
    monkeypatch.setattr("fivestone.apps.strength.measured_elo", lambda: KNOWN)
    assert strength_text(spec, size, rule) == text


def test_every_board_from_6_to_20_says_something() -> None:
    """With the measures that ship, whatever they are."""
    for size in range(6, 21):
        for level in range(1, 11):
            assert strength_text(f"level:{level}", size, "freestyle").startswith("Elo ")
