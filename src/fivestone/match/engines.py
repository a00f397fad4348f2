"""A folder of Gomocup engines as players."""

from __future__ import annotations

import os
from pathlib import Path

from fivestone.board import Board
from fivestone.errors import BadInput
from fivestone.match.game import prepare
from fivestone.match.player import Forfeit
from fivestone.match.specs import Spec, format_spec, make_player, parse_spec

__all__ = ["check_engine", "engines_in"]


def engines_in(folder: Path) -> list[str]:
    """Specs of the engines in a folder: its executable files, and those named pbrain-* in folders inside it."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file()]
    for inside in sorted(path for path in folder.iterdir() if path.is_dir()):
        files += sorted(path for path in inside.iterdir() if path.is_file() and path.name.startswith("pbrain"))
    engines = [path for path in files if path.suffix == ".exe" or (os.name != "nt" and os.access(path, os.X_OK))]
    if not engines:
        raise BadInput(f"{folder} holds no engine: no executable file in it or named pbrain-* in a folder inside")
    return [format_spec(Spec("gomocup", str(path), {"name": path.stem.removeprefix("pbrain-")})) for path in engines]


def check_engine(engine: str, board: Board) -> None:
    """Starts the engine once: what is no engine would lose every game, and its opponents seem strong."""
    player = make_player(engine)
    try:
        prepare(player, board)
    except Forfeit as failure:
        raise BadInput(f"{parse_spec(engine).arg} is no engine that plays ({failure}): take it away") from None
    finally:
        player.close()
