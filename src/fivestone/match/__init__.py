"""Players and what they do together: games, matches, tournaments, ratings."""

from fivestone.match.game import GameRecord, play_game
from fivestone.match.player import Forfeit, Player, RandomPlayer, SearcherPlayer
from fivestone.match.specs import make_player, parse_spec, register

__all__ = [
    "Forfeit",
    "GameRecord",
    "Player",
    "RandomPlayer",
    "SearcherPlayer",
    "make_player",
    "parse_spec",
    "play_game",
    "register",
]
