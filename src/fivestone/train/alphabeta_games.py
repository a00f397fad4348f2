"""Games of alpha-beta with a line net against itself: a net learns what a search of its own leaves found out.

A tree search plays moves its policy likes, and the net gets to know the positions after them. Alpha-beta asks it about
others too, so here one move in ten or so is a stray one that the search did not choose. What came of a game says
nothing about the positions before its last stray move: they are worth what the search thought. So are positions from
inside the trees of these searches, if those are asked for: what a bad move leads to, mostly.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivestone import _core
from fivestone.board import BLACK, EMPTY, Board, other
from fivestone.match.openings import random_opening
from fivestone.net.line import LineNet
from fivestone.search.alphabeta import AlphaBeta
from fivestone.search.result import Limit, SearchResult
from fivestone.train.config import TrainConfig
from fivestone.train.rundir import Arrays

__all__ = ["AlphaBetaGames"]

_TABLE_MB = 8
# An opening is played if half the nodes of a move think no more of it than this.
_EVEN = 0.36
_OPENINGS = 100  # looked at; after that any will do
# Nobody wins any more where the search has seen nothing for so many moves and this share of the cells is taken.
_IDLE_VALUE, _IDLE_MOVES, _IDLE_SHARE = 0.1, 12, 0.45
# A policy to learn: that of the net, this much of it the search's move, as visits over the likeliest moves.
_BEST_SHARE, _VISITS, _MOVES = 0.3, 1000, 24


@dataclass
class _Game:
    board: Board
    opening: int  # stones of it
    clean: int  # stones on the board after the last stray move
    nodes: int = 0
    proven: bool = False
    winner: int = EMPTY
    samples: list[dict[str, Any]] = field(default_factory=list)


class _Engine:
    """What a thread plays with, and judges by what was met on the way."""

    def __init__(self, net: LineNet, tree_positions: int) -> None:
        self.asked = _core.Asked(tree_positions)
        self.player = AlphaBeta(hash_mb=_TABLE_MB, net=net, asked=self.asked if tree_positions else None)
        self.judge = AlphaBeta(hash_mb=_TABLE_MB, net=net) if tree_positions else self.player

    def new_game(self) -> None:
        self.player.new_game()
        self.judge.new_game()


class AlphaBetaGames:
    """Plays games by number: each is a function of the net, the config, the seed and its number alone."""

    def __init__(self, net: LineNet, config: TrainConfig) -> None:
        self._net = net
        self._config = config
        self._threads = threading.local()

    def generate(
        self, seed: int, samples: int, threads: int, stop: threading.Event
    ) -> tuple[Arrays, Arrays, dict[str, float]] | None:
        """As many games as have so many samples: samples, games and stats, or None when stopped."""
        started = time.monotonic()
        games: list[_Game] = []
        count = 0
        with ThreadPoolExecutor(threads) as pool:
            done = threading.Event()
            try:
                for game in self._in_order(pool, seed, threads, stop, done):
                    if game is None:
                        return None
                    games.append(game)
                    count += len(game.samples)
                    if count >= samples:
                        break
            finally:
                done.set()
        return _samples(games), _games(games), _stats(games, time.monotonic() - started)

    def _in_order(
        self, pool: ThreadPoolExecutor, seed: int, threads: int, stop: threading.Event, done: threading.Event
    ) -> Iterator[_Game | None]:
        ahead: deque[Future[_Game | None]] = deque()
        number = 0
        while True:
            while len(ahead) < 2 * threads:
                ahead.append(pool.submit(self._play, f"{seed}/{number}", stop, done))
                number += 1
            yield ahead.popleft().result()

    def _engine(self) -> _Engine:
        if not hasattr(self._threads, "engine"):
            self._threads.engine = _Engine(self._net, self._config.tree_positions)
        engine: _Engine = self._threads.engine
        return engine

    def _play(self, seed: str, *stops: threading.Event) -> _Game | None:
        """One game, or None when it was stopped."""
        rng = random.Random(seed)
        config, engine = self._config, self._engine()
        engine.new_game()
        board = self._opening(engine.player, rng)
        # Dice of its own: the game is the same whether or not anyone looks inside its trees.
        inside = random.Random(f"{seed}/inside")
        engine.asked.start(inside.getrandbits(64))
        game = _Game(board, board.stone_count, board.stone_count)
        idle = 0
        while not board.is_over:
            if any(stop.is_set() for stop in stops):
                return None
            found = engine.player.search(board, Limit(nodes=config.nodes))
            game.nodes += found.nodes
            self._record(game, board, found)
            self._look_inside(game, engine, inside)
            if found.proven:
                game.proven = True
                game.winner = board.turn if found.proven > 0 else other(board.turn)
                return game
            idle = idle + 1 if abs(found.value) < _IDLE_VALUE else 0
            if idle >= _IDLE_MOVES and board.stone_count > _IDLE_SHARE * board.size**2:
                return game
            board.push(self._stray(board, found.move, rng) if rng.random() < config.stray_share else found.move)
            if board.moves[-1] != found.move:
                game.clean = board.stone_count
        game.winner = board.winner or EMPTY
        return game

    def _opening(self, engine: AlphaBeta, rng: random.Random) -> Board:
        """Random stones that leave the game open, as far as the net and a short search can tell."""
        config = self._config
        for _ in range(_OPENINGS):
            size = rng.choices(config.sizes, config.size_weights or None)[0]
            boards = [self._random_board(size, rng) for _ in range(config.balance_tries)]
            board = boards[int(np.argmin(np.abs(self._net.evaluate(boards)[1])))]
            found = engine.search(board, Limit(nodes=max(1, config.nodes // 2)))
            if found.proven is None and abs(found.value) <= _EVEN:
                break
        return board

    def _random_board(self, size: int, rng: random.Random) -> Board:
        most = min(max(2, self._config.random_plies), size)
        opening = random_opening(rng.randint(2, most), rng, size, self._config.rule)
        return Board.from_moves(opening, size, self._config.rule)

    def _policy(self, board: Board) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The likeliest legal moves by the net, and how likely each is."""
        policy = self._net.evaluate([board])[0][0].astype(np.float64)
        legal = np.array(board.legal_moves)
        top = legal[np.argsort(-policy[legal], kind="stable")[:_MOVES]]
        return top, policy[top]

    def _stray(self, board: Board, best: int, rng: random.Random) -> int:
        """Another move than the best, one of those that come to mind."""
        moves, shares = self._policy(board)
        others = [(int(move), share) for move, share in zip(moves, shares, strict=True) if move != best]
        if not others:
            return best
        return rng.choices([move for move, _ in others], [share**0.5 + 1e-6 for _, share in others])[0]

    def _look_inside(self, game: _Game, engine: _Engine, rng: random.Random) -> None:
        """Has positions inside the tree of the last search judged by searches of their own."""
        for moves in engine.asked.take():
            board = Board.from_moves(moves, game.board.size, game.board.rule)
            found = engine.judge.search(board, Limit(nodes=self._config.nodes))
            game.nodes += found.nodes
            value = found.proven or found.value
            # No game was played from here: a result that is the value on average.
            result = 0 if rng.random() >= abs(value) else 1 if value > 0 else -1
            self._record(game, board, found, result)

    def _record(self, game: _Game, board: Board, found: SearchResult, result: int | None = None) -> None:
        """A sample for the game; its result is that of the game where none is given."""
        # Where a five or a four that nothing stops is at hand, no net is asked.
        if not _core.features(board).quiet:
            return
        moves, shares = self._policy(board)
        visits = (1 - _BEST_SHARE) * _VISITS * shares / max(float(shares.sum()), 1e-9)
        at = np.flatnonzero(moves == found.move)
        place = int(at[0]) if len(at) else len(moves) - 1
        moves[place] = found.move
        visits[place] += _BEST_SHARE * _VISITS
        known = np.rint(visits).astype(np.uint16) * (found.proven != -1)  # where all moves lose none is to be learned
        game.samples.append(
            {
                "stones": np.frombuffer(board.stones, np.uint8).copy(),
                "turn": board.turn,
                "moves": moves[known > 0].astype(np.uint16),
                "visits": known[known > 0],
                "q": float(found.proven if found.proven else found.value),
                "ply": board.stone_count,
                "result": result,
            }
        )


def _samples(games: list[_Game]) -> Arrays:
    rows = [(number, game, sample) for number, game in enumerate(games) for sample in game.samples]

    def column(name: str, kind: type[np.generic]) -> NDArray[Any]:
        return np.array([sample[name] for _, _, sample in rows], kind)

    def joined(name: str, kind: type[np.generic]) -> NDArray[Any]:
        return np.concatenate([sample[name] for _, _, sample in rows] or [np.zeros(0)]).astype(kind)

    return {
        "size": np.array([game.board.size for _, game, _ in rows], np.uint8),
        "turn": column("turn", np.uint8),
        "stones": joined("stones", np.uint8),
        "policy_count": np.array([len(sample["moves"]) for _, _, sample in rows], np.uint16),
        "policy_moves": joined("moves", np.uint16),
        "policy_visits": joined("visits", np.uint16),
        "z": np.array([_result(game, sample) for _, game, sample in rows], np.int8),
        "q": column("q", np.float32),
        "game": np.array([number for number, _, _ in rows], np.uint32),
        "ply": column("ply", np.uint16),
    }


def _result(game: _Game, sample: dict[str, Any]) -> int:
    """How the game ended for the side to move or, before a stray move, how the search thought it would."""
    if sample["result"] is not None:
        return int(sample["result"])
    if sample["ply"] < game.clean:
        return round(float(sample["q"]))
    return 0 if game.winner == EMPTY else 1 if game.winner == sample["turn"] else -1


def _games(games: list[_Game]) -> Arrays:
    return {
        "size": np.array([game.board.size for game in games], np.uint8),
        "winner": np.array([game.winner for game in games], np.uint8),
        "opening_plies": np.array([game.opening for game in games], np.uint8),
        "resigned": np.zeros(len(games), np.uint8),
        "proven": np.array([game.proven for game in games], np.uint8),
        "move_count": np.array([game.board.stone_count for game in games], np.uint16),
        "moves": np.array([move for game in games for move in game.board.moves], np.uint16),
    }


def _stats(games: list[_Game], seconds: float) -> dict[str, float]:
    """As the core's self-play counts; a node stands for a simulation."""
    return {
        "games": float(len(games)),
        "draws": float(sum(game.winner == EMPTY for game in games)),
        "black_wins": float(sum(game.winner == BLACK for game in games)),
        "plies": float(sum(game.board.stone_count for game in games)),
        "proven": float(sum(game.proven for game in games)),
        "resigned": 0.0,
        "simulations": float(sum(game.nodes for game in games)),
        "seconds": seconds,
    }
