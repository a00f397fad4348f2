"""The spec grammar and the registry."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivestone import Board
from fivestone.errors import BadInput
from fivestone.match import specs
from fivestone.match.player import RandomPlayer
from fivestone.match.specs import Spec, format_spec, make_player, parse_spec, threads_of
from fivestone.search import Limit

names = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
values = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=12)


@given(names, st.none() | values, st.dictionaries(names, values, max_size=4))
def test_what_is_formatted_parses_back(name: str, arg: str | None, options: dict[str, str]) -> None:
    spec = Spec(name, arg, options)
    assert parse_spec(format_spec(spec)) == spec


@given(st.text(max_size=30) | st.text("au:,='\" 1", max_size=12).map("uct:".__add__))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        spec = parse_spec(text)
    except BadInput:
        return
    assert parse_spec(format_spec(spec)) == spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        ("alphabeta:time=1", Spec("alphabeta", None, {"time": "1"})),
        ("uct:100", Spec("uct", "100")),
        ("uct:visits=200,select=ucb1-tuned", Spec("uct", None, {"visits": "200", "select": "ucb1-tuned"})),
        ("uct,visits=200", Spec("uct", None, {"visits": "200"})),
        ("gomocup:/opt/a=b/engine", Spec("gomocup", "/opt/a=b/engine")),
        ("gomocup:C:\\engines\\wine.exe,time=5", Spec("gomocup", "C:\\engines\\wine.exe", {"time": "5"})),
        ('gomocup:\'a, b\',name="say ""hi"""', Spec("gomocup", "a, b", {"name": 'say "hi"'})),
        ('gomocup:""', Spec("gomocup", "")),
    ],
)
def test_examples(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "starts with a name"),
        ("7up", "starts with a name"),
        ("uct visits", "comes ':' or ','"),
        ("uct:", "nothing follows"),
        ("uct:visits=3,", "nothing follows"),
        ("uct:visits=", "visits has no value"),
        ("uct:3,4", "'4' is not key=value"),
        ("uct:c=1,c=2", "c is given twice"),
        ("uct:'abc", "not closed"),
        ("uct:'abc'd", "a comma comes after"),
        ("uct:,c=1", "a value is missing"),
    ],
)
def test_bad_grammar_is_explained(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        parse_spec(text)


def test_unknown_names_and_keys_list_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r"unknown player 'rndom'.*did you mean random\?"):
        make_player("rndom")
    with pytest.raises(BadInput, match=r"unknown key 'tim'; known: .*depth.*did you mean time\?"):
        make_player("alphabeta:tim=3")
    with pytest.raises(BadInput, match="takes no argument"):
        make_player("random:3")
    with pytest.raises(BadInput, match="depth=x is not a whole number"):
        make_player("alphabeta:depth=x")
    for key in ("visits", "nodes", "depth"):
        with pytest.raises(BadInput, match=f"{key} is at most"):
            make_player(f"alphabeta:{key}={'9' * 20}")
    with pytest.raises(BadInput, match="above zero"):
        make_player("alphabeta:time=-1")
    for visits in ("0", "²", "9" * 5000):
        with pytest.raises(BadInput, match="is not a number of visits"):
            make_player(f"uct:{visits}")


def test_factories_get_typed_options_and_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specs, "_registry", dict(specs._registry))
    seen: dict[str, object] = {}

    def factory(**given: object) -> RandomPlayer:
        seen.update(given)
        return RandomPlayer()

    specs.register("probe", factory, {"c": float, "reuse": specs.flag}, arg="anything", limits=("visits",))
    make_player("probe:x,c=1.5,visits=20,reuse=no,seed=9", seed=4)
    expected = {
        "name": "probe:x,c=1.5,visits=20,reuse=no,seed=9",
        "arg": "x",
        "limit": Limit(visits=20),
        "seed": 9,
        "c": 1.5,
        "reuse": False,
    }
    assert seen == expected
    with pytest.raises(BadInput, match="unknown key 'depth'"):
        make_player("probe:depth=3")
    with pytest.raises(BadInput, match="reuse=maybe is not a value"):
        make_player("probe:reuse=maybe")


def test_a_part_that_is_missing_from_the_build_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specs, "_registry", dict(specs._registry))
    specs.register("ghost", "fivestone.no_such_module:make")
    with pytest.raises(BadInput, match="not part of this build"):
        make_player("ghost")


def test_players_can_be_given_a_name() -> None:
    assert make_player("random:name=dice").name == specs.label_of("random:name=dice") == "dice"
    assert make_player("random,seed=4").name == specs.label_of("random,seed=4") == "random:seed=4"


def test_threads_are_read_from_the_spec() -> None:
    assert threads_of("alphabeta:threads=3") == 3
    assert threads_of("random") == 1
    with pytest.raises(BadInput):
        threads_of("alphabeta:threads=many")


def test_random_players_repeat_with_the_seed() -> None:
    board = Board(9)
    first, again, different = (make_player("random", seed=seed) for seed in (1, 1, 2))
    moves = [[player.choose(board, Limit()).move for _ in range(20)] for player in (first, again, different)]
    assert moves[0] == moves[1] != moves[2]
    assert set(moves[0]) <= set(board.legal_moves)
