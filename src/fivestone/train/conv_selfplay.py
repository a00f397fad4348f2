"""Self-play of a net in Python: many games at once, the leaves of all judged together."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fivestone import _core
from fivestone.board import BLACK, Board
from fivestone.match.openings import random_opening
from fivestone.match.player import Player
from fivestone.search import Limit
from fivestone.search.batched import run_together
from fivestone.search.evaluator import Evaluator
from fivestone.train.backend import Shard
from fivestone.train.config import TrainConfig
from fivestone.train.line_backend import per_game
from fivestone.train.rundir import Arrays

__all__ = ["SAMPLE_ARRAYS", "play_games"]

_BATCH = 4  # leaves of one game judged together: few, for the search is blind to what it waits for
# What learning reads of a shard: one row a sample.
SAMPLE_ARRAYS = ("stones", "turn", "last", "policy", "z", "q")


@dataclass
class _Game:
    """A game under way and the samples it will yield."""

    board: Board
    tree: _core.Mcts
    samples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.board.is_over or self.board.is_dead_draw


def play_games(
    config: TrainConfig, evaluator: Evaluator, seed: int, stop: threading.Event, rival: Player | None = None
) -> Shard | None:
    """Starts games until there are enough samples for a shard and plays them all to the end, or returns None when
    stopped before. (To drop those under way would leave the long games out.)

    A rival, where there is one, has the other colour, Black in every second game; its moves yield no samples.
    """
    rng = random.Random(seed)
    games = [_new_game(config, rng) for _ in range(config.games_at_once)]
    played: list[_Game] = list(games)
    if rival is not None:
        for game in games[1::2]:
            _answer(game, rival)
    simulations = 0
    started = time.monotonic()
    while games:
        if stop.is_set():
            return None
        for game in games:
            game.tree.set_noise(rng.getrandbits(60))
        simulations += sum(
            run_together(
                [game.tree for game in games],
                evaluator,
                [max(1, config.simulations - game.tree.root_visits) for game in games],
                batch=_BATCH,
                rule=config.rule,
                win_length=config.win_length,
            )
        )
        for game in games:
            _play_move(config, game, rng)
            if rival is not None and not game.over:
                _answer(game, rival)
        games = [game for game in games if not game.over]
        while (
            len(games) < config.games_at_once and sum(len(game.samples) for game in played) < config.samples_per_shard
        ):
            games.append(_new_game(config, rng))
            played.append(games[-1])
            if rival is not None and len(played) % 2 == 0:
                _answer(games[-1], rival)
    return Shard(_arrays(played), _stats(played, simulations, time.monotonic() - started))


def _new_game(config: TrainConfig, rng: random.Random) -> _Game:
    size = config.sizes[0]
    board = Board(size, config.rule, config.win_length)
    if config.random_plies and rng.random() < config.random_share:
        plies = rng.randint(1, min(config.random_plies, size))
        opening = random_opening(plies, rng, size, config.rule, config.win_length)
        board = Board.from_moves(opening, size, config.rule, config.win_length)
    options = _core.MctsConfig()
    options.tree.c = config.cpuct
    options.forced = False
    options.near = False
    options.noise_share = config.noise_share
    options.noise_alpha = config.noise_alpha
    tree = _core.Mcts(options, rng.getrandbits(60))
    tree.set_root(board)
    return _Game(board, tree)


def _play_move(config: TrainConfig, game: _Game, rng: random.Random) -> None:
    """Records the search and plays a move drawn from its visits."""
    board, roots = game.board, game.tree.root_moves
    moves = [root.move for root in roots]
    best = game.tree.best_move
    if game.tree.root_proof == _core.Proof.WON:
        # The search ended when it saw the win, whatever it had visited until then.
        visits = np.array([move == best for move in moves], np.float64)
    else:
        visits = np.array([root.visits for root in roots], np.float64)
    game.samples.append(
        {
            "stones": np.frombuffer(board.stones, np.uint8),
            "turn": board.turn,
            "last": board.moves[-1] if board.moves else -1,
            "moves": np.array(moves, np.uint16),
            "visits": visits,
            "q": game.tree.root_value,
        }
    )
    temperature = 1.0 if board.stone_count < config.temperature_plies else config.late_temperature
    logs = np.log(np.maximum(visits, 1e-9)) / max(temperature, 1e-3)
    weights = np.exp(logs - logs.max())
    # A proven move may have no visits worth drawing from.
    proven = game.tree.root_proof != _core.Proof.OPEN
    board.push(best if proven else rng.choices(moves, weights.tolist())[0])
    if not board.is_over:
        game.tree.follow(board)


def _answer(game: _Game, rival: Player) -> None:
    """The rival's move. It goes from game to game, so it starts each time afresh."""
    rival.new_game()
    game.board.push(rival.choose(game.board, Limit()).move)
    if not game.board.is_over:
        game.tree.follow(game.board)


def _arrays(games: list[_Game]) -> Arrays:
    rows: dict[str, list[Any]] = {name: [] for name in (*SAMPLE_ARRAYS, "size", "game")}
    for number, game in enumerate(games):
        for sample in game.samples:
            policy = np.zeros(len(sample["stones"]), np.float32)
            policy[sample["moves"]] = sample["visits"] / max(1.0, sample["visits"].sum())
            winner = game.board.winner
            rows["stones"].append(sample["stones"])
            rows["policy"].append(policy)
            rows["z"].append(0 if winner is None else 1 if winner == sample["turn"] else -1)
            rows["size"].append(game.board.size)
            rows["game"].append(number)
            for name in ("turn", "last", "q"):
                rows[name].append(sample[name])
    kinds = {"turn": np.uint8, "last": np.int32, "z": np.int8, "q": np.float32, "size": np.uint8}
    return {name: np.array(values, kinds.get(name)) for name, values in rows.items()}


def _stats(games: list[_Game], simulations: int, seconds: float) -> dict[str, float]:
    return per_game(
        {
            "games": float(len(games)),
            "draws": float(sum(game.board.winner is None for game in games)),
            "black_wins": float(sum(game.board.winner == BLACK for game in games)),
            "plies": float(sum(game.board.stone_count for game in games)),
            "proven": 0.0,
            "resigned": 0.0,
            "simulations": float(simulations),
            "seconds": seconds,
        }
    )
