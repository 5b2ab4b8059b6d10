"""`ggtp bench hybrid`: how often the hybrid player wins video games, beside plainer players and without its parts.

A run is a game, a level and a seed. With a number of ticks to simulate for each move the results
are the same on every machine; without one, the clock of a tick counts as in the competition.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ggtp.bench.vgdl import games, text
from ggtp.catalogue.compile.cache import DiskCache, cache_folder
from ggtp.catalogue.vgdl_rules import level_path
from ggtp.errors import CommandError
from ggtp.stats.ranks import Comparison, compare
from ggtp.stats.sample import from_scores
from ggtp.ui.console.arguments import whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

if TYPE_CHECKING:
    from ggtp.vgdl.kernel.model import Model
    from ggtp.vgdl.player.options import HybridSettings

RANDOM = "Random"
TICK, START, RESERVE = 0.04, 1.0, 0.006
"""Seconds of a tick and of the start, and what is kept back of each."""
START_TICKS = 25
"""How many times the ticks of a move are simulated before the first one: as many as moves fit into the start clock."""


@dataclass(frozen=True, slots=True)
class Run:
    """One game, played to its end."""

    player: str
    game: str
    level: int
    seed: int
    won: bool
    score: int
    ticks: int
    advances: int
    """Ticks that were simulated for a move, on the average."""
    late: int
    """How many moves took longer than a tick, by the clock; 0 where no clock counts."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp bench hybrid`."""
    parser.add_argument(
        "games", nargs="*", metavar="RULE|FILE", help="which games (default: all bundled ones); texts may end in .txt"
    )
    parser.add_argument(
        "--levels", type=whole_number(1, 1000), default=2, metavar="N", help="how many levels, from 0 (default 2)"
    )
    parser.add_argument(
        "--seeds", type=whole_number(1, 1000), default=1, metavar="N", help="runs of each level (default 1)"
    )
    parser.add_argument(
        "--advances",
        type=whole_number(0, 10**7),
        default=400,
        metavar="N",
        help="ticks to simulate for a move; 0: as many as fit into 40 ms (default 400)",
    )
    parser.add_argument(
        "--players",
        metavar="LIST",
        help="which, separated by commas: Hybrid, MCTS, Best-first, Random, and the names of --ablations (default: the "
        "first four)",
    )
    parser.add_argument("--ablations", action="store_true", help="the player without each of its parts, instead")
    parser.add_argument("--runs", action="store_true", help="a line for each run, too")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure.

    Raises:
        CommandError: there is no compiler, or no such game or player.
        RulesError: a game can't be read.
    """
    try:
        from ggtp.vgdl.player.hybrid import compile_well, warm_up
    except ImportError as error:
        raise CommandError(f"There is no compiler for the kernel: {error}. Install llvmlite.") from error
    players = _players(args)
    compile_well(DiskCache(cache_folder(env.variables)))
    warm_up()
    runs: list[Run] = []
    for name, path in list(games(env, args.games)):
        for level in range(args.levels):
            model = _model(path, level)
            for seed in range(args.seeds):
                for player, settings in players.items():
                    runs.append(play(model, player, settings, name, level, seed, args.advances or None))
                    if args.runs and not args.json:
                        print(_run_line(runs[-1]), file=env.stdout, flush=True)
        if not args.json:
            for player in players:
                print(_row_line(summary(player, name, runs)), file=env.stdout, flush=True)
    comparison = ranking(runs)
    if args.json:
        names = list(dict.fromkeys(one.game for one in runs))
        found = {
            "advances": args.advances,
            "rows": [summary(player, game, runs) for game in (*names, "") for player in players],
            "runs": [asdict(one) for one in runs] if args.runs else [],
            "ranks": None if comparison is None else _ranks(comparison),
        }
        print(json.dumps(found), file=env.stdout)
        return ExitStatus.DONE
    print(file=env.stdout)
    for player in players:
        print(_row_line(summary(player, "", runs)), file=env.stdout)
    if comparison is not None:
        print("\n" + "\n".join(_rank_lines(comparison)), file=env.stdout)
    return ExitStatus.DONE


def _players(args: argparse.Namespace) -> dict[str, HybridSettings | None]:
    """Names and settings; None for who plays at random."""
    from ggtp.game.options import complete
    from ggtp.vgdl.player.options import ABLATIONS, OPTIONS, RIVALS, read

    known = {**RIVALS, **ABLATIONS}
    names = [*RIVALS, RANDOM]
    if args.ablations:
        names = list(ABLATIONS)
    if args.players:
        names = [name.strip() for name in args.players.split(",")]
    for name in names:
        if name not in known and name != RANDOM:
            raise CommandError(f"No player named {name}. There are: {', '.join((*RIVALS, RANDOM, *ABLATIONS))}.")
    return {name: None if name == RANDOM else read(complete(OPTIONS, dict(known[name]))) for name in names}


def _model(path: Any, level: int) -> Model:
    from ggtp.vgdl.kernel.model import Model
    from ggtp.vgdl.language.level import parse_level
    from ggtp.vgdl.language.parse import parse

    game = parse(text(path), str(path))
    place = level_path(path, str(level))
    return Model(game, parse_level(text(place), game, str(place)))


def play(
    model: Model, player: str, settings: HybridSettings | None, game: str, level: int, seed: int, advances: int | None
) -> Run:
    """One game to its end; without a number of ticks to simulate, by the clock."""
    from ggtp.vgdl.player.hybrid import HybridPlayer
    from ggtp.vgdl.world.chance import spread
    from ggtp.vgdl.world.world import WON

    rng = random.Random(f"{seed} {player}")
    state = model.start(spread(seed))
    hybrid = None if settings is None else HybridPlayer(model, settings, rng)
    if hybrid is not None:
        hybrid.prepare(state.copy(rng.getrandbits(40)), _timer(START, advances), advances and advances * START_TICKS)
    simulated = moves = late = 0
    while not state.ended:
        began = time.monotonic()
        if hybrid is None:
            action = rng.choice([*state.actions(), 0])
        else:
            # Its look ahead has a chance of its own: what the game will draw nobody knows.
            action = hybrid.act(state.copy(rng.getrandbits(40)), _timer(TICK, advances), advances)
            simulated += hybrid.advances
        late += advances is None and time.monotonic() - began > TICK
        moves += 1
        state.advance(action)
    won = state.winner == WON
    score = max(1, state.score) if won else state.score
    return Run(player, game, level, seed, won, score, state.tick + 1, round(simulated / max(1, moves)), late)


def _timer(seconds: float, advances: int | None) -> Callable[[], bool]:
    if advances is not None:
        return lambda: False
    end = time.monotonic() + seconds - RESERVE
    return lambda: time.monotonic() >= end


def summary(player: str, game: str, runs: Sequence[Run]) -> dict[str, Any]:
    """What a player has done in a game, or in all of them, with Wilson's interval of its wins."""
    mine = [one for one in runs if one.player == player and game in ("", one.game)]
    wins = from_scores([float(one.won) for one in mine]).interval()
    return {
        "game": game or "all",
        "player": player,
        "runs": len(mine),
        "wins": sum(one.won for one in mine),
        "rate": round(wins.value, 4),
        "low": round(wins.low, 4),
        "high": round(wins.high, 4),
        "score": round(sum(one.score for one in mine) / len(mine), 2),
        "ticks": round(sum(one.ticks for one in mine) / len(mine), 1),
        "advances": round(sum(one.advances for one in mine) / len(mine)),
        "late": sum(one.late for one in mine),
    }


def ranking(runs: Sequence[Run]) -> Comparison | None:
    """Players over games: by wins, then by score, then by fewer ticks, as the competition ranks them."""
    players = list(dict.fromkeys(one.player for one in runs))
    table: dict[str, dict[str, float]] = {}
    for game in dict.fromkeys(one.game for one in runs):
        rows = {player: summary(player, game, runs) for player in players}
        keys = {player: (row["wins"], row["score"], -row["ticks"]) for player, row in rows.items()}
        order = sorted(set(keys.values()))
        table[game] = {player: float(order.index(key)) for player, key in keys.items()}
    return compare(table)


def _ranks(found: Comparison) -> dict[str, Any]:
    return {
        "players": list(found.players),
        "ranks": [round(rank, 3) for rank in found.ranks],
        "games": found.rules,
        "p": found.p_value,
        "critical_distance": round(found.critical_distance, 3),
        "equal": [list(found.players[first : last + 1]) for first, last in found.cliques()],
    }


def _run_line(one: Run) -> str:
    result = "won" if one.won else "lost"
    return f"  {one.game} {one.level} seed {one.seed} {one.player}: {result} {one.score} in {one.ticks} ticks"


def _row_line(row: dict[str, Any]) -> str:
    wins = f"{row['wins']}/{row['runs']}"
    share = f"{100 * row['rate']:.0f} % ({100 * row['low']:.0f} to {100 * row['high']:.0f})"
    late = f", {row['late']} late" if row["late"] else ""
    return (
        f"{row['game']:<16} {row['player']:<22} won {wins:>7} {share:<18} score {row['score']:>8} "
        f"ticks {row['ticks']:>7} advances {row['advances']:>6}{late}"
    )


def _rank_lines(found: Comparison) -> list[str]:
    lines = [
        f"mean ranks over {found.rules} games, Friedman p = {found.p_value:.2g}, "
        f"critical distance {found.critical_distance:.2f} (Nemenyi)"
    ]
    lines += [f"  {rank:5.2f}  {player}" for player, rank in zip(found.players, found.ranks, strict=True)]
    for first, last in found.cliques():
        lines.append(f"  not different: {', '.join(found.players[first : last + 1])}")
    return lines
