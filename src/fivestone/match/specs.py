"""Player specs: the text `name[:arg][,key=value...]` that names a player in every command.

    random    alphabeta:time=1    uct:1000,select=ucb1-tuned    gomocup:"engines/my, engine",time=5

A value with a comma, a quote or outer spaces is quoted, '...' or "..."; a quote inside is doubled.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fivestone.errors import BadInput
from fivestone.match.player import Player, SearcherPlayer
from fivestone.search import Limit

__all__ = [
    "LIMIT_KEYS",
    "Kind",
    "Spec",
    "flag",
    "format_spec",
    "known_players",
    "label_of",
    "make_player",
    "nearest",
    "parse_spec",
    "read_option",
    "register",
    "searcher",
    "threads_of",
]

Kind = Callable[[str], Any]
Factory = Callable[..., Player]

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"([a-z][a-z0-9_-]*)=")
_PLAIN = re.compile(r"[^\s,'\"=](?:[^,'\"]*[^\s,'\"])?")
LIMIT_KEYS: Mapping[str, Kind] = {"time": float, "visits": int, "nodes": int, "depth": int}


@dataclass(frozen=True)
class Spec:
    """A parsed spec: the player's name, the argument after the colon or None, and the options as text."""

    name: str
    arg: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Entry:
    factory: str | Factory
    keys: Mapping[str, Kind]
    arg: str | None
    limits: frozenset[str]


_registry: dict[str, _Entry] = {}


def register(
    name: str,
    factory: str | Factory,
    keys: Mapping[str, Kind] | None = None,
    *,
    arg: str | None = None,
    limits: Iterable[str] = LIMIT_KEYS,
) -> None:
    """Adds a player. Its factory, or what "module:function" names, imported at first use, is called as

        factory(name=the spec's text, arg=str or None, limit=Limit, seed=int, **options)

    `keys` gives each option's type; `arg` says in a few words what the argument is, or None if there is none;
    `limits` are the limits that mean something to the player.
    """
    _registry[name] = _Entry(factory, dict(keys or {}), arg, frozenset(limits))


def known_players() -> list[str]:
    return sorted(_registry)


def nearest(word: str, known: Iterable[str]) -> str:
    """ "known: a, b, c; did you mean b?" for an error message."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    listed = f"known: {', '.join(names)}" if names else "there are none"
    return f"{listed}; did you mean {close[0]}?" if close else listed


def parse_spec(text: str) -> Spec:
    """Reads the grammar; whether the player and its keys exist is checked by make_player."""
    match = _NAME.match(text)
    if not match:
        raise BadInput(f"'{text}' is not a player: it starts with a name ({', '.join(known_players())})")
    name, rest = match[0], text[match.end() :]
    if rest and rest[0] not in ":,":
        raise BadInput(f"player '{text}': after '{name}' comes ':' or ',', not '{rest[0]}'")
    if rest in (":", ","):
        raise BadInput(f"player '{text}': nothing follows '{rest}'")
    arg: str | None = None
    options: dict[str, str] = {}
    first = rest.startswith(":")
    while rest:
        key, value, rest = _next_part(text, rest[1:])
        if key is None:
            if not first:
                raise BadInput(f"player '{text}': '{value}' is not key=value")
            arg = value
        elif key in options:
            raise BadInput(f"player '{text}': {key} is given twice")
        else:
            options[key] = value
        first = False
        if rest == ",":
            raise BadInput(f"player '{text}': nothing follows ','")
    return Spec(name, arg, options)


def _next_part(text: str, rest: str) -> tuple[str | None, str, str]:
    """Key if there is one, value, and what follows them (empty, or starting with a comma)."""
    key = None
    if found := _KEY.match(rest):
        key, rest = found[1], rest[found.end() :]
    if rest.startswith(("'", '"')):
        quote, at, value = rest[0], 1, ""
        while True:
            end = rest.find(quote, at)
            if end < 0:
                raise BadInput(f"player '{text}': the quote {quote} is not closed")
            value += rest[at:end]
            if rest[end + 1 : end + 2] != quote:
                break
            value += quote
            at = end + 2
        rest = rest[end + 1 :]
        if rest and rest[0] != ",":
            raise BadInput(f"player '{text}': a comma comes after a quoted value, not '{rest[0]}'")
        return key, value, rest
    value, comma, after = rest.partition(",")
    if not value.strip():
        raise BadInput(f"player '{text}': " + (f"{key} has no value" if key else "a value is missing"))
    return key, value.strip(), comma + after


def format_spec(spec: Spec) -> str:
    """The shortest text that parses to the spec."""
    text = spec.name
    if spec.arg is not None:
        text += ":" + (_quote(spec.arg) if _KEY.match(spec.arg) else _quoted_if_needed(spec.arg))
    for index, (key, value) in enumerate(spec.options.items()):
        text += ":" if index == 0 and spec.arg is None else ","
        text += f"{key}={_quoted_if_needed(value)}"
    return text


def _quoted_if_needed(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else _quote(value)


def _quote(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def label_of(spec: str | Spec) -> str:
    """What the player is called: its name option, or else the spec itself."""
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    return parsed.options.get("name") or format_spec(parsed)


def make_player(spec: str | Spec, *, seed: int = 0) -> Player:
    """The player a spec names. A limit, a seed or a name in the spec wins over the one given."""
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    text = format_spec(parsed)
    entry = _registry.get(parsed.name)
    if entry is None:
        raise BadInput(f"unknown player '{parsed.name}'; {nearest(parsed.name, _registry)}")
    if parsed.arg is not None and entry.arg is None:
        raise BadInput(f"player '{text}': {parsed.name} takes no argument, only key=value")
    kinds: dict[str, Kind] = {"seed": int, "name": str, **{key: LIMIT_KEYS[key] for key in entry.limits}, **entry.keys}
    values: dict[str, Any] = {}
    for key, value in parsed.options.items():
        if key not in kinds:
            raise BadInput(f"player '{text}': unknown key '{key}'; {nearest(key, kinds)}")
        values[key] = read_option(text, kinds[key], key, value)
    limit = Limit(**{key: values.pop(key) for key in entry.limits - entry.keys.keys() if key in values})
    seed, text = values.pop("seed", seed), values.pop("name", text)
    factory = entry.factory if callable(entry.factory) else _load(parsed.name, entry.factory)
    return factory(name=text, arg=parsed.arg, limit=limit, seed=seed, **values)


def read_option(text: str, kind: Kind, key: str, value: str) -> Any:
    """The value of an option of the spec `text`."""
    try:
        return kind(value)
    except ValueError:
        what = {"int": "whole number", "float": "number"}.get(getattr(kind, "__name__", ""), "value")
        raise BadInput(f"player '{text}': {key}={value} is not a {what}") from None


def _load(name: str, where: str) -> Any:
    """What "module:attribute" names."""
    module, _, attribute = where.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("fivestone."):
            raise
        raise BadInput(f"player '{name}' is not part of this build ({error.name} is missing)") from None


def searcher(where: str) -> Factory:
    """The factory of a player that is nothing but a searcher: "module:Class", built with the options."""

    def build(*, name: str, arg: str | None, limit: Limit, seed: int, **options: Any) -> Player:
        return SearcherPlayer(name, _load(name, where)(**options), limit)

    return build


def threads_of(spec: str | Spec) -> int:
    """How many threads the player searches with at once."""
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    try:
        return max(1, int(parsed.options.get("threads", "1")))
    except ValueError:
        raise BadInput(f"player '{format_spec(parsed)}': threads is not a whole number") from None


def flag(text: str) -> bool:
    """The type of an option that is on or off."""
    word = text.lower()
    if word in ("yes", "on", "true", "1"):
        return True
    if word in ("no", "off", "false", "0"):
        return False
    raise ValueError(text)


register("random", "fivestone.match.builtin:make_random", limits=())
register("greedy", searcher("fivestone.search.greedy:Greedy"), limits=())
register(
    "alphabeta",
    "fivestone.match.builtin:make_alphabeta",
    {"hash_mb": int, "threads": int, "weights": str, "net": str, "tuning": str},
)
register(
    "gomocup",
    "fivestone.match.external:make_gomocup",
    {"args": str, "dir": str, "memory": int, "threads": int, "start": float, "grace": float, "pause": float},
    arg="the path of an engine",
)
register("level", "fivestone.match.levels:make_level", arg="1 to 10, easy, normal, hard or max", limits=())
_TREE_KEYS: Mapping[str, Kind] = {
    **dict.fromkeys(("select", "root"), str),
    **dict.fromkeys(
        ("c", "fpu", "root_fpu", "draw", "root_vct", "line_vct", "noise", "noise_alpha", "temperature"), float
    ),
    **dict.fromkeys(("gumbel_moves", "leaf_vcf", "root_vcf", "probe_vcf", "temperature_plies", "batch"), int),
    **dict.fromkeys(("near", "threads", "memory_mb"), int),
    **dict.fromkeys(("forced", "solver", "reuse"), flag),
}
register("uct", "fivestone.match.trees:make_uct", {"evaluator": str, "plies": int, **_TREE_KEYS}, arg="visits")
register("puct", "fivestone.match.trees:make_puct", {"net": str, "floats": flag, **_TREE_KEYS}, arg="visits")
register("rim", "fivestone.match.rim:make_rim", {"net": str, "width": int})
register(
    "fool", "fivestone.match.fool:make_fool", {"solve": int, "visits": int, "net": str}, arg="simple", limits=("time",)
)
