"""A game at the table: the board, who plays which colour, and a search that runs in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from fivestone.analysis.hints import Hint, hint
from fivestone.apps.strength import strength_text
from fivestone.board import BLACK, Board
from fivestone.errors import FivestoneError
from fivestone.match.player import Player
from fivestone.match.specs import make_player
from fivestone.search import Limit, SearchResult

__all__ = ["Choice", "Table", "title_of"]

_LIMIT = Limit(time=5.0)  # for an opponent whose spec sets no limit of its own
_HINT_LIMIT = Limit(time=1.0)


@dataclass(frozen=True)
class Choice:
    """What was chosen in the menu. Without an opponent two people share the board."""

    size: int = 15
    rule: str = "freestyle"
    opponent: str | None = "level:5"
    color: int = BLACK  # the person's colour


class Table:
    """What the window shows of a game. Only the window's thread calls it; `poll` collects what a search found."""

    def __init__(self, choice: Choice, *, seed: int = 0, players: Callable[..., Player] = make_player) -> None:
        self.choice = choice
        self.board = Board(choice.size, choice.rule)
        self.hint: int | None = None
        self.message = ""
        self.advice = ""  # why the hint is good
        self._players = players
        self._seed = seed
        self._opponent = players(choice.opponent, seed=seed) if choice.opponent else None
        self._adviser: Player | None = None
        self._thread: threading.Thread | None = None
        self._found: SearchResult | Hint | FivestoneError | None = None
        self._wanted = ""  # what the running search is for: "move", "hint", or nothing any more
        if self._opponent is not None:
            self._opponent.new_game()
        self._ask_opponent()

    @property
    def thinking(self) -> bool:
        return self._wanted == "move"

    @property
    def can_play(self) -> bool:
        """Whether a person is to move."""
        return not self.board.is_over and (self._opponent is None or self.board.turn == self.choice.color)

    def play(self, move: int) -> bool:
        """A person's move; False when it is not allowed now."""
        if not self.can_play or not self.board.is_legal(move):
            return False
        self._cancel()
        self.board.push(move)
        self.hint, self.message, self.advice = None, "", ""
        self._ask_opponent()
        return True

    def undo(self) -> None:
        """Takes back the last move, and against the computer also the answer to it."""
        self._cancel()
        self.hint, self.message, self.advice = None, "", ""
        if self._opponent is None:
            if self.board.moves:
                self.board.pop()
            return
        own = 0 if self.choice.color == BLACK else 1
        plies = [ply for ply in range(len(self.board.moves)) if ply % 2 == own]
        while plies and len(self.board.moves) > plies[-1]:
            self.board.pop()
        self._ask_opponent()

    def ask_hint(self) -> None:
        if not self.can_play or self._wanted:
            return
        if self._adviser is None:
            self._adviser = self._players("level:max", seed=self._seed)
        self.message = "Looking for a good move ..."
        self._start("hint", self._adviser, _HINT_LIMIT)

    def poll(self) -> bool:
        """Takes what a finished search found; True when something changed."""
        if self._thread is None or self._thread.is_alive():
            return False
        self._thread.join()
        found, wanted = self._found, self._wanted
        self._thread, self._found, self._wanted = None, None, ""
        if isinstance(found, FivestoneError):
            self.message = str(found).splitlines()[0]
        elif isinstance(found, SearchResult) and wanted == "move":
            self.board.push(found.move)
        elif isinstance(found, Hint) and wanted == "hint":
            self.hint = found.move
            chance = round(50 * (1 + found.value))
            self.message = f"Try {self.board.name_of(found.move)}: {chance}% for you"
            self.advice = f"{found.reason.text}."
        return True

    def close(self) -> None:
        self._cancel()
        for player in (self._opponent, self._adviser):
            if player is not None:
                player.close()

    def _ask_opponent(self) -> None:
        if self._opponent is not None and not self.board.is_over and self.board.turn != self.choice.color:
            self._start("move", self._opponent, _LIMIT)

    def _start(self, wanted: str, player: Player, limit: Limit) -> None:
        board = self.board.copy()

        def search() -> None:
            try:
                self._found = hint(board, player, limit) if wanted == "hint" else player.choose(board, limit)
            except FivestoneError as error:
                self._found = error

        self._wanted = wanted
        self._thread = threading.Thread(target=search, daemon=True)
        self._thread.start()

    def _cancel(self) -> None:
        """Stops a running search and forgets it."""
        if self._thread is not None:
            for player in (self._opponent, self._adviser):
                if player is not None:
                    player.stop()
            self._thread.join()
        self._thread, self._found, self._wanted = None, None, ""

    def name_of(self, color: int) -> str:
        """Who plays a colour."""
        if self._opponent is None:
            return "Black" if color == BLACK else "White"
        return "You" if color == self.choice.color else title_of(self._opponent.name)

    def strength_of(self, color: int) -> str:
        """What is known of the strength of who plays a colour."""
        if self._opponent is None or color == self.choice.color:
            return ""
        return strength_text(self._opponent.name, self.board.size, self.board.rule)

    def result(self) -> str:
        """How the game ended, for the person in front of the window."""
        winner = self.board.winner
        if winner is None:
            return "A draw"
        if self._opponent is None:
            return "Black wins" if winner == BLACK else "White wins"
        return "You win!" if winner == self.choice.color else "The computer wins"

    def status(self) -> str:
        if self.board.is_over:
            return self.result()
        if self.message:
            return self.message
        if self.thinking:
            return "The computer is thinking ..."
        name = "Black" if self.board.turn == BLACK else "White"
        return f"{name} to move" if self._opponent is None else f"Your move ({name})"


def title_of(spec: str) -> str:
    """A player's spec as people say it."""
    name, _, arg = spec.partition(":")
    return f"{name} {arg}".strip().capitalize()
