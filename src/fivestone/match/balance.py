"""Balanced openings: proposed by chance, chosen by search, and tried out in games of a player against itself."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fivestone.board import BLACK, Board
from fivestone.errors import BadFile, BadInput
from fivestone.files import append_line, write_atomically
from fivestone.match.game import GameRecord
from fivestone.match.openings import Opening, canonical, format_offsets, parse_opening
from fivestone.match.player import Player
from fivestone.match.pool import play_all
from fivestone.match.schedule import GameTask
from fivestone.match.specs import LIMIT_KEYS, Spec, format_spec, make_player, parse_spec, read_option
from fivestone.search import Limit

__all__ = ["Recipe", "Trial", "generate", "propose", "read_trials", "write_openings"]

_WINDOW = 7  # stones of an opening lie within a square of this side, anywhere on the board
_LAST_STONES = 6  # cells compared for the stone that settles the balance
_FIRST_GAMES = 6  # what clearly favours one side after these is given up
_BATCH = 4
_REPEATS = 200  # proposals in a row that were seen before; what there is has then been seen, or nearly so

Play = Callable[[Sequence[GameTask], int], Iterator[tuple[GameTask, GameRecord]]]


@dataclass(frozen=True)
class Recipe:
    """How openings are made. Proposal number i depends on the recipe and i alone."""

    player: str
    limit: Limit
    size: int = 15
    rule: str = "freestyle"
    stones: int = 5
    games: int = 20
    low: float = 0.35
    high: float = 0.65
    largest_value: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.stones <= 12:
            raise BadInput(f"--stones {self.stones}: an opening has 1 to 12")
        if self.games < 1:
            raise BadInput(f"--games {self.games}: an opening is tried in at least one game")

    @classmethod
    def of(cls, player: str, limit: Limit, **settings: Any) -> Recipe:
        """Takes a limit out of the spec: it is varied from game to game so that no two are the same."""
        spec = parse_spec(player)
        limits = {key: value for key, value in spec.options.items() if key in LIMIT_KEYS}
        own = {key: read_option(player, LIMIT_KEYS[key], key, value) for key, value in limits.items()}
        rest = {key: value for key, value in spec.options.items() if key not in LIMIT_KEYS}
        return cls(format_spec(Spec(spec.name, spec.arg, rest)), Limit(**own).or_else(limit), **settings)


@dataclass(frozen=True)
class Trial:
    """What became of a proposal: Black's points over the games it was tried in."""

    number: int
    opening: Opening
    value: float
    games: int = 0
    points: float = 0.0
    accepted: bool = False

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5


def propose(recipe: Recipe, number: int, player: Player) -> Trial:
    """Stones by chance, the last of them the one that the search finds most balanced."""
    rng = random.Random(f"{recipe.seed}/{number}")
    size = recipe.size
    side = min(_WINDOW, size)
    left, bottom = rng.randint(0, size - side), rng.randint(0, size - side)
    cells = [(bottom + row) * size + left + column for row in range(side) for column in range(side)]
    board = Board(size, recipe.rule)
    while len(board.moves) < recipe.stones - 1:
        _push_quietly(board, rng.choice(cells))
    best: tuple[float, Opening] | None = None
    for _ in range(_LAST_STONES):
        while not _push_quietly(board, rng.choice(cells)):
            pass
        result = player.choose(board, recipe.limit)
        value = abs(result.proven) if result.proven else abs(result.value)
        if best is None or value < best[0]:
            best = (value, tuple(board.moves))
        board.pop()
    assert best is not None
    return Trial(number, best[1], best[0])


def _push_quietly(board: Board, move: int) -> bool:
    """Plays a move if it is legal and does not end the game."""
    if not board.is_legal(move):
        return False
    board.push(move)
    if board.is_over:
        board.pop()
        return False
    return True


def generate(
    recipe: Recipe,
    count: int,
    journal: Path,
    *,
    concurrency: int = 1,
    on_trial: Callable[[Trial], None] | None = None,
    play: Play = play_all,
) -> list[Trial]:
    """Goes on until `count` openings are accepted, or fewer if no new ones turn up any more.

    Every verdict is in the journal before the next is sought.
    """
    trials = read_trials(journal, recipe)
    player = make_player(recipe.player, seed=recipe.seed)
    try:
        while sum(trial.accepted for trial in trials) < count:
            proposals = _next_proposals(recipe, trials, player)
            if not proposals:
                break
            for trial in _settle(recipe, proposals, concurrency, play):
                append_line(journal, json.dumps(_trial_json(trial, recipe.size)))
                trials.append(trial)
                if on_trial is not None:
                    on_trial(trial)
    finally:
        player.close()
    return [trial for trial in trials if trial.accepted][:count]


def _next_proposals(recipe: Recipe, trials: Sequence[Trial], player: Player) -> list[Trial]:
    """The next few proposals, skipping none: one that is not new or not balanced is settled at once.

    None at all once there is nothing new to propose.
    """
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    repeats = 0
    for trial in trials:
        key = canonical(trial.opening, recipe.size)
        repeats = repeats + 1 if key in seen else 0
        seen.add(key)
    number = len(trials)
    proposals: list[Trial] = []
    while sum(_is_candidate(recipe, trial) for trial in proposals) < _BATCH and repeats < _REPEATS:
        trial = propose(recipe, number, player)
        key = canonical(trial.opening, recipe.size)
        repeats = repeats + 1 if key in seen else 0
        if repeats:
            trial = Trial(number, trial.opening, 1.0)
        seen.add(key)
        proposals.append(trial)
        number += 1
    return proposals


def _is_candidate(recipe: Recipe, trial: Trial) -> bool:
    return trial.value <= recipe.largest_value


def _settle(recipe: Recipe, proposals: Sequence[Trial], concurrency: int, play: Play) -> list[Trial]:
    """Tries the candidates in a few games and those that hold in all of them."""
    tried = {trial.number: trial for trial in proposals}
    first = min(_FIRST_GAMES, recipe.games)
    alive = [trial.number for trial in proposals if _is_candidate(recipe, trial)]
    for start, end in ((0, first), (first, recipe.games)):
        tasks = [_task(recipe, tried[number], game) for number in alive for game in range(start, end)]
        points = dict.fromkeys(alive, 0.0)
        for task, record in play(tasks, concurrency):
            points[int(task.key.split("-")[0])] += record.points(BLACK)
        for number in alive:
            before = tried[number]
            total = before.points + points[number]
            done = end == recipe.games
            accepted = done and recipe.low <= total / end <= recipe.high
            tried[number] = Trial(number, before.opening, before.value, end, total, accepted)
        if first == recipe.games:
            break
        alive = [number for number in alive if 1 <= tried[number].points <= end - 1]
    return list(tried.values())


def _task(recipe: Recipe, trial: Trial, game: int) -> GameTask:
    """A game from the opening with a limit of its own, from 60% to 140%, so that games differ."""
    rng = random.Random(f"{recipe.seed}/{trial.number}/{game}")
    factor = rng.uniform(0.6, 1.4)
    limit = recipe.limit
    varied = Limit(
        time=None if limit.time is None else limit.time * factor,
        visits=None if limit.visits is None else max(1, round(limit.visits * factor)),
        nodes=None if limit.nodes is None else max(1, round(limit.nodes * factor)),
        depth=limit.depth,
    )
    return GameTask(
        key=f"{trial.number}-{game}",
        black=recipe.player,
        white=recipe.player,
        opening=trial.opening,
        size=recipe.size,
        rule=recipe.rule,
        win_length=5,
        limit=varied,
        grace=60.0,  # nobody's clock matters here
        seed=rng.getrandbits(40),
    )


def _trial_json(trial: Trial, size: int) -> dict[str, Any]:
    return {**asdict(trial), "opening": format_offsets(trial.opening, size)}


def read_trials(journal: Path, recipe: Recipe) -> list[Trial]:
    """The verdicts so far; the first line says what they are verdicts on, and must agree."""
    header = {**asdict(recipe), "limit": asdict(recipe.limit)}
    if not journal.exists():
        append_line(journal, json.dumps({"recipe": header}))
        return []
    trials: dict[int, Trial] = {}
    for line in journal.read_bytes().split(b"\n"):
        try:
            data = json.loads(line)
        except ValueError:
            continue  # torn by a kill
        if "recipe" in data:
            if data["recipe"] != header:
                raise BadFile(f"{journal} was made another way ({json.dumps(data['recipe'])}): choose another --out")
            continue
        data["opening"] = parse_opening(data["opening"], recipe.size, recipe.rule)
        trials[data["number"]] = Trial(**data)
    complete = itertools.takewhile(trials.__contains__, itertools.count())  # a torn verdict is sought again
    return [trials[number] for number in complete]


def write_openings(path: Path, recipe: Recipe, trials: Sequence[Trial]) -> None:
    """The file that matches read: one opening a line, Black's share as a comment."""
    limit = ", ".join(f"{name}={value:g}" for name, value in asdict(recipe.limit).items() if value is not None)
    lines = [
        f"# {recipe.size}x{recipe.size} {recipe.rule}: {len(trials)} openings of {recipe.stones} stones,",
        f"# each {recipe.low:.0%} to {recipe.high:.0%} for Black over {recipe.games} games of",
        f"# {recipe.player} against itself ({limit}, varied by 40%).",
        "# Centre offsets dx,dy from size//2, black first.",
    ]
    lines += [f"{format_offsets(trial.opening, recipe.size)}  # {trial.share:.0%}" for trial in trials]
    write_atomically(path, "\n".join(lines) + "\n")
