"""SGF, the Smart Game Format: FF[4], GM[4] (Gomoku and Renju).

Points are two letters, column and row, with row a at the top; "h8" is read too. Properties of our own: INAROW (win
length when it is not five) and ET (seconds a move took). V is the value in Black's eyes, as the format says.
"""

from __future__ import annotations

import codecs
import math
import re

from fivestone import notation
from fivestone.board import BLACK, EMPTY, RULES, WHITE
from fivestone.errors import BadFile, BadInput
from fivestone.records.game import MAX_NODES, Game, Node, Setup

__all__ = ["format_sgf", "parse_sgf", "rule_named"]

Properties = dict[str, list[str]]

_START = re.compile(r"\(\s*;")
_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
_SPACE = re.compile(r"\s*")
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.-]{1,24})\s*\]")
_CHARSETS = ("utf-8", "ascii", "iso8859", "latin", "cp12", "gb", "big5", "euc", "shift", "koi8", "iso2022")
_MOVES_A_LINE = 10
_HEADERS = {"PB": "black", "PW": "white", "RE": "result", "DT": "date", "EV": "event", "PC": "place"}
_DROPPED = ("GM", "FF", "CA", "AP", "SZ", "RU", "INAROW")  # written anew


# Reading


def decode(data: bytes) -> str:
    """The text of a file in the character set it names; UTF-8 otherwise, Latin-1 if it is not that either."""
    named = _CHARSET.search(data)
    for name in ([named[1].decode()] if named else []) + ["utf-8-sig"]:
        try:
            codec = codecs.lookup(name).name
            if codec.startswith(_CHARSETS):
                return data.decode("utf-8-sig" if codec == "utf-8" else codec)
        except (LookupError, UnicodeError):
            continue
    return data.decode("latin-1")


def parse_sgf(data: bytes | str) -> Game:
    """The first game of a collection."""
    text = decode(data) if isinstance(data, bytes) else data
    root, games = _parse_tree(text)
    game = _game_of(root.properties)
    if games > 1:
        game.warnings.append(f"the file holds {games} games: this is the first")
    game.root = root
    for node in game.nodes():
        _interpret(node, game.size)
    if root.color != EMPTY:  # a move in the root is bad style; keep the root free of moves
        first = Node(root.move, root.color, seconds=root.seconds, value=root.value, children=root.children)
        root.move, root.color, root.seconds, root.value, root.children = None, EMPTY, None, None, [first]
    game.warnings += game.check()
    return game


def _parse_tree(text: str) -> tuple[Node, int]:
    """The raw tree of the first game, with all properties as they stand, and how many games there are."""
    begin = _START.search(text)
    if not begin:
        raise BadFile("not an SGF file: it has no game, which begins with '(;'")
    at, games, nodes = begin.start(), 0, 0
    first: Node | None = None
    branches: list[Node | None] = []  # the node each open parenthesis goes back to
    node: Node | None = None
    while at < len(text):
        symbol = text[at]
        if symbol == "(":
            games += not branches
            branches.append(node)
            at += 1
        elif symbol == ")":
            if not branches:
                raise BadFile("the SGF has a ')' too many")
            node = branches.pop()
            at += 1
        elif symbol == ";":
            if not branches:
                break  # text after the games
            nodes += 1
            if nodes > MAX_NODES:
                raise BadFile(f"the SGF has more than {MAX_NODES} nodes")
            parent, node = node, Node()
            at = _parse_properties(text, at + 1, node.properties)
            if parent is not None:
                parent.children.append(node)
            elif first is None:
                first = node
            elif games == 1:
                raise BadFile("the SGF has two roots in one game")
        elif symbol.isspace():
            at += 1
        elif not branches:
            break  # text after the games
        else:
            raise BadFile(f"cannot read the SGF at {text[at : at + 12]!r}")
    if branches:
        raise BadFile("the SGF ends in the middle of a game")
    if first is None:
        raise BadFile("the SGF has no game in it")
    return first, games


def _parse_properties(text: str, at: int, into: Properties) -> int:
    """Reads the properties of a node and returns where they end."""
    at = _skip_space(text, at)
    while name := _NAME.match(text, at):
        at = _skip_space(text, name.end())
        # FF[3] allowed lower-case letters in between: "White" is W.
        values = into.setdefault("".join(c for c in name[0] if c.isupper()) or name[0].upper(), [])
        value = _VALUE.match(text, at)
        if not value:
            raise BadFile(f"the SGF property {name[0][:12]!r} has no value")
        while value:
            values.append(value[1])
            at = _skip_space(text, value.end())
            value = _VALUE.match(text, at)
    return at


def _skip_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _game_of(properties: Properties) -> Game:
    """The headers of a root; they are taken out of its properties."""
    kind = _plain(properties, "GM")
    if kind not in ("", "4"):
        raise BadFile(f"the SGF is of game type {kind[:12]!r}, not of type 4 (Gomoku)")
    game = Game(size=_size(_plain(properties, "SZ")))
    rule = _plain(properties, "RU")
    known = rule_named(rule)
    if known is None:
        game.warnings.append(f"the rule {rule[:40]!r} is unknown: read as freestyle")
    game.rule = known or "freestyle"
    row = _plain(properties, "INAROW") or "5"
    game.win_length = int(row) if row.isascii() and row.isdecimal() and len(row) < 3 else 0
    for name, attribute in _HEADERS.items():
        setattr(game, attribute, _plain(properties, name).replace("\n", " "))
    for name in (*_HEADERS, *_DROPPED):
        properties.pop(name, None)
    try:
        game.start()
    except BadInput as error:
        raise BadFile(f"the SGF's board cannot be played on: {error}") from None
    return game


def _plain(properties: Properties, name: str) -> str:
    return unescape(properties[name][0]).strip() if name in properties else ""


def _size(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,3})(?:\s*:\s*([0-9]{1,3}))?", text or "15")
    if not match or (match[2] and match[1] != match[2]):
        raise BadFile(f"the SGF's board size {text[:12]!r} is not that of a square board")
    return int(match[1])


def rule_named(text: str) -> str | None:
    """The rule other programs mean by a name; freestyle for none at all, None if it is unknown."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower()).split()
    joined = "".join(words)
    if "caro" in joined:
        return "caro-exact" if "exact" in joined or "9" in words else "caro"
    if "renju" in joined or "rif" in words:
        return "renju"
    if "standard" in words or "exact" in joined:
        return "standard"
    if not words or joined in ("freestyle", "free", "gomoku", "fiveinarow", "gomokufreestyle", "freestylegomoku"):
        return "freestyle"
    return None


def _interpret(node: Node, size: int) -> None:
    """Moves what is understood from the properties of a node to its fields."""
    properties = node.properties
    if "B" in properties and "W" in properties:
        raise BadFile("a node of the SGF has a move for either side")
    for name, color in (("B", BLACK), ("W", WHITE)):
        if name in properties:
            node.color, node.move = color, _point(properties.pop(name)[0], size, may_pass=True)
    if "C" in properties:
        node.comment = unescape("\n".join(properties.pop("C")))
    points = {name: _points(properties.pop(name, []), size) for name in ("AB", "AW", "AE")}
    player = properties.pop("PL", [""])[0].strip().upper()[:1]
    turn = {"B": BLACK, "1": BLACK, "W": WHITE, "2": WHITE}.get(player)
    if any(points.values()) or turn is not None:
        node.setup = Setup(points["AB"], points["AW"], points["AE"], turn)
    seconds, value = _number(properties.get("ET")), _number(properties.get("V"))
    if seconds is not None and seconds >= 0:
        node.seconds = seconds
        del properties["ET"]
    if value is not None and abs(value) <= 1:
        node.value = -value if node.color == WHITE else value
        del properties["V"]


def _number(values: list[str] | None) -> float | None:
    if values is None or len(values) != 1:
        return None
    try:
        number = float(values[0])
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _point(text: str, size: int, *, may_pass: bool = False) -> int | None:
    text = text.strip()
    if may_pass and (text == "" or (text == "tt" and size < 20)):
        return None
    if len(text) == 2 and text.isascii() and text.isalpha():
        column, row = (ord(letter) - ord("a") for letter in text.lower())
        if column < size and row < size:
            return (size - 1 - row) * size + column
        raise BadFile(f"the point {text} is off the {size}x{size} board")
    try:
        return notation.parse_move(text, size)
    except BadInput:
        raise BadFile(f"{text[:12]!r} is not a point of a {size}x{size} board") from None


def _points(values: list[str], size: int) -> tuple[int, ...]:
    """A list of points, in which "aa:cc" is a rectangle."""
    moves: dict[int, None] = {}
    for value in values:
        first, _, last = value.partition(":")
        corners = [_point(corner, size) for corner in ([first, last] if last else [first])]
        rows = sorted(c // size for c in corners if c is not None)
        columns = sorted(c % size for c in corners if c is not None)
        for row in range(rows[0], rows[-1] + 1):
            moves.update(dict.fromkeys(row * size + column for column in range(columns[0], columns[-1] + 1)))
    return tuple(moves)


def unescape(text: str) -> str:
    text = re.sub(r"\r\n|\n\r|\r", "\n", text)
    return re.sub(r"\\(.)", lambda match: "" if match[1] == "\n" else match[1], text, flags=re.DOTALL)


# Writing


def escape(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text).replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def format_sgf(game: Game) -> str:
    """The game with everything in it, root properties on a line of their own."""
    assert game.rule in RULES
    headers = {"GM": "4", "FF": "4", "CA": "UTF-8", "AP": "Fivestone", "SZ": str(game.size), "RU": game.rule}
    if game.win_length != 5:
        headers["INAROW"] = str(game.win_length)
    for name, attribute in _HEADERS.items():
        if text := str(getattr(game, attribute)).strip():
            headers[name] = re.sub(r"[\r\n]+", " ", text)
    parts = ["(;", *(f"{name}[{escape(value)}]" for name, value in headers.items())]
    parts += [_format_node(game.root, game.size), "\n"]
    waiting: list[Node | str] = [")\n", *_continuations(game.root)]
    on_line = 0
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            on_line = 0
            continue
        if on_line == _MOVES_A_LINE:
            parts.append("\n")
            on_line = 0
        parts.append(";" + _format_node(item, game.size))
        on_line += 1
        waiting += _continuations(item)
    return "".join(parts)


def _continuations(node: Node) -> list[Node | str]:
    """What follows a node, last first: one child goes on, more than one are each a branch of their own."""
    if len(node.children) == 1:
        return [node.children[0]]
    return [part for child in reversed(node.children) for part in (")", child, "\n(")]


def _format_node(node: Node, size: int) -> str:
    parts = []
    if node.color != EMPTY:
        parts.append(f"{'B' if node.color == BLACK else 'W'}[{_format_point(node.move, size)}]")
    if node.setup is not None:
        for name, moves in (("AB", node.setup.black), ("AW", node.setup.white), ("AE", node.setup.empty)):
            if moves:
                parts.append(name + "".join(f"[{_format_point(move, size)}]" for move in moves))
        if node.setup.turn is not None:
            parts.append(f"PL[{'B' if node.setup.turn == BLACK else 'W'}]")
    if node.seconds is not None:
        parts.append(f"ET[{node.seconds!r}]")
    if node.value is not None:
        parts.append(f"V[{-node.value if node.color == WHITE else node.value!r}]")
    if node.comment:
        parts.append(f"C[{escape(node.comment)}]")
    for name, values in node.properties.items():
        parts.append(name + "".join(f"[{value}]" for value in values))
    return "".join(parts)


def _format_point(move: int | None, size: int) -> str:
    if move is None:
        return ""
    return chr(ord("a") + move % size) + chr(ord("a") + size - 1 - move // size)
