"""A game in the terminal: a coloured board, typed moves and a few words. In a pipe it speaks plain text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from fivestone.apps.strength import strength_text
from fivestone.board import BLACK, WHITE, Board, color_name
from fivestone.errors import BadInput, FivestoneError
from fivestone.match.player import Player
from fivestone.match.specs import make_player
from fivestone.notation import parse_count
from fivestone.search import Limit

__all__ = ["HELP", "TerminalGame"]

HELP = """\
h8          play there (column letter, row number)
undo        take back your last move and the answer to it
hint        ask for a good move
level 7     change the opponent's level: 1 to 10, easy, normal, hard, max, or fool
board 9     start again on another size
new         start again; "new black", "new white" choose your colour
save FILE   save the game (.sgf, .psq or .txt)
show        draw the board again
help        this list
quit        leave"""

_THINKING = Limit(time=5.0)  # for an opponent whose spec sets no limit of its own


class TerminalGame:
    """Reads commands a line at a time until "quit" or the end of the input."""

    def __init__(
        self,
        *,
        size: int = 15,
        rule: str = "freestyle",
        opponent: str = "level:normal",
        color: int = BLACK,
        seed: int = 0,
        output: TextIO = sys.stdout,
        colors: bool = False,
        players: Callable[..., Player] = make_player,
    ) -> None:
        self.board = Board(size, rule)
        self.color = color
        self._players = players
        self._seed = seed
        self._output = output
        self._colors = colors
        self._opponent = self._make(opponent)

    def run(self, source: TextIO) -> None:
        """Plays until the input ends. A mistake is answered with one line and changes nothing."""
        self._say('Five in a row wins. Type a move such as "h8", or "help".')
        self._begin()
        try:
            while (line := self._read(source)) is not None:
                try:
                    if not self._obey(line.strip()):
                        return
                except FivestoneError as error:
                    self._say(str(error).splitlines()[0])
        finally:
            self._opponent.close()

    def _read(self, source: TextIO) -> str | None:
        if self._colors:
            self._output.write("> ")
            self._output.flush()
        return source.readline() or None

    def _obey(self, line: str) -> bool:
        """Carries out one command; False ends the program."""
        word, _, argument = line.partition(" ")
        argument = argument.strip()
        commands: dict[str, Callable[[str], None]] = {
            "undo": lambda _: self._undo(),
            "hint": lambda _: self._hint(),
            "level": self._change_level,
            "board": self._change_board,
            "new": self._new,
            "save": self._save,
            "show": lambda _: self._draw(),
            "help": lambda _: self._say(HELP),
        }
        if word.lower() in ("quit", "exit", "q"):
            return False
        if word.lower() in commands:
            commands[word.lower()](argument)
        elif line:
            self._play(line)
        return True

    def _play(self, text: str) -> None:
        if self.board.is_over:
            raise BadInput('the game is over: type "new" for another one')
        if self.board.turn != self.color:  # the opponent failed to begin: it is asked again
            self._answer()
        self.board.push(text)
        try:
            self._answer()
        except FivestoneError as error:
            # Otherwise the next move typed would be placed as the opponent's.
            self.board.pop()
            raise FivestoneError(f"your move is taken back: {error}") from None

    def _answer(self) -> None:
        """The opponent's move, if it is its turn, and the board."""
        if not self.board.is_over and self.board.turn != self.color:
            result = self._opponent.choose(self.board.copy(), _THINKING)
            self.board.push(result.move)
            self._draw()
            self._say(f"{self._name} plays {self.board.name_of(result.move)}")
        else:
            self._draw()
        if self.board.is_over:
            self._say(self._verdict())

    def _verdict(self) -> str:
        if self.board.winner is None:
            return "A draw."
        line = " ".join(self.board.name_of(move) for move in self.board.winning_line)
        who = "You win" if self.board.winner == self.color else f"{color_name(self.board.winner)} wins"
        return f"{who}: {line}"

    def _begin(self) -> None:
        self._opponent.new_game()
        self._say(f"You are {color_name(self.color)} against {self._name}.{self._note()}")
        self._answer()

    def _new(self, argument: str) -> None:
        colors = {"": self.color, "black": BLACK, "first": BLACK, "white": WHITE, "second": WHITE}
        if argument.lower() not in colors:
            raise BadInput(f"'new {argument}': say new, new black or new white")
        self.color = colors[argument.lower()]
        self.board = Board(self.board.size, self.board.rule)
        self._begin()

    def _change_board(self, argument: str) -> None:
        size = parse_count(argument)
        if size is None or not 5 <= size <= 20:
            raise BadInput("board: give a size from 5 to 20, such as board 9")
        self.board = Board(size, self.board.rule)
        self._begin()

    def _change_level(self, argument: str) -> None:
        if not argument:
            raise BadInput("level: give 1 to 10, easy, normal, hard, max, or fool")
        spec = argument if argument == "fool" else f"level:{argument}"
        opponent = self._make(spec)
        self._opponent.close()
        self._opponent = opponent
        self._say(f"Now against {self._name}.{self._note()}")

    @property
    def _name(self) -> str:
        """The opponent as people say it."""
        return self._opponent.name.replace("level:", "level ")

    def _note(self) -> str:
        """What a person should know of the opponent."""
        if self._opponent.name == "fool":
            return " It wants you to win: losing to it is the puzzle."
        strength = strength_text(self._opponent.name, self.board.size, self.board.rule)
        return f" {strength}." if strength else ""

    def _undo(self) -> None:
        """Back to the last position in which the player was to move, before his move."""
        own = [ply for ply, _move in enumerate(self.board.moves) if (ply % 2 == 0) == (self.color == BLACK)]
        if not own:
            raise BadInput("there is nothing of yours to take back")
        while len(self.board.moves) > own[-1]:
            self.board.pop()
        self._draw()

    def _hint(self) -> None:
        from fivestone.analysis.hints import hint

        adviser = self._make("level:max")
        try:
            found = hint(self.board.copy(), adviser, Limit(time=1.0))
        finally:
            adviser.close()
        chance = round(50 * (1 + found.value))
        follow = " ".join(self.board.name_of(move) for move in found.pv[1:6])
        text = f"Try {self.board.name_of(found.move)} ({chance}% for you): {found.reason.text}"
        self._say(text + (f", expecting {follow}" if follow and not found.reason.line else ""))

    def _save(self, argument: str) -> None:
        from fivestone.records import Game, write

        if not argument:
            raise BadInput("save: give a file name, such as save game.sgf")
        names = (self._opponent.name, "you") if self.color == WHITE else ("you", self._opponent.name)
        write(Game.from_board(self.board, black=names[0], white=names[1]), Path(argument))
        self._say(f"saved as {argument}")

    def _make(self, spec: str) -> Player:
        return self._players(spec, seed=self._seed)

    def _draw(self) -> None:
        if not self._colors:
            self._say(self.board.diagram())
            return
        from rich.console import Console

        from fivestone.apps.drawing import print_board

        print_board(self.board, Console(file=self._output, force_terminal=True))

    def _say(self, text: str) -> None:
        self._output.write(text + "\n")
        self._output.flush()
