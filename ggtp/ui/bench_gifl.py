"""`ggtp bench gifl`: Tables 1 to 4 of "A GGP Feature Learning Algorithm", on our own versions of its games.

Table 1 counts the features learned in two minutes; Table 2 is the score of a search with features against one without
them at a fixed number of random games a move: plain UCT as in the paper, all features followed in every move, and our
MCTS as it is; Table 3 says how much shorter random games become, and how many a search comes to in the same time, as
the paper counts them, and without a search; Table 4 is the score at a fixed time a move, after the trial that MCTS
itself makes in its start clock to switch features off where they do not help. Time is that of our own processor.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compiler import Compiler, Limits, require_libraries
from ggtp.errors import CommandError
from ggtp.gdl.rules import GdlRules
from ggtp.stats.sample import from_blocks
from ggtp.ui.arguments import MOST_SEED, seconds, whole_number
from ggtp.ui.bench_gifl_tables import TABLE, Result, Row, Score, report
from ggtp.ui.environment import Environment, ExitStatus
from ggtp.ui.progress import Progress

if TYPE_CHECKING:
    from ggtp.gdl.compiled import CompiledGame
    from ggtp.gdl.kernel import PlayoutKernel
    from ggtp.search.gifl_guide import Use
    from ggtp.search.gifl_tutor import Fitting
    from ggtp.search.mcts_options import Settings

COMPILING = 300.0
BATCH = 8
"""Leaves that are evaluated together where few random games are to be made much of."""
MEGABYTES = 64
PLAYERS = UCT, MCTS = "uct", "mcts"
MEASURED = 1.0
"""Seconds in which it is measured how fast random games are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument(
        "--game", choices=[row.game for row in TABLE], action="append", help="only this game; may be given again"
    )
    parser.add_argument(
        "--table", type=whole_number(1, 4), action="append", metavar="N", help="only this table; may be given again"
    )
    parser.add_argument(
        "--player", choices=PLAYERS, action="append", help="whose Table 2: UCT as in the paper, our MCTS, or both"
    )
    parser.add_argument("--learn", type=seconds, default=120.0, help="seconds to learn (default 120)")
    parser.add_argument(
        "--simulations", type=whole_number(1, 1 << 30), metavar="N", help="random games a move (default the paper's)"
    )
    parser.add_argument("--games", type=whole_number(2, 1 << 20), metavar="N", help="games (default the paper's)")
    parser.add_argument(
        "--seconds", type=seconds, default=0.5, help="for a move in Table 4 (default 0.5; the paper: 30)"
    )
    parser.add_argument("--trial", type=seconds, default=30.0, help="seconds of the trial before Table 4 (default 30)")
    parser.add_argument(
        "--period", type=whole_number(1, 100), default=1, metavar="N",
        help="look for features in one turn of so many in Table 2 by UCT, and at most as often elsewhere (default 1)",
    )  # fmt: skip
    for name, who in (("own", "the learning player"), ("opponent", "the other player")):
        parser.add_argument(
            f"--{name}", type=whole_number(0, 100), metavar="P",
            help=f"in how many percent of the moves of random games {who} follows features",
        )  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="S", help="other games")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print tables or one line of JSON.

    Raises:
        GgtpError: a game is missing, or can't be compiled.
    """
    require_libraries()
    progress = Progress(env.stderr)
    results = []
    try:
        for row in TABLE:
            if args.game is None or row.game in args.game:
                results.append(_measured(env, row, args, progress.say))
    finally:
        progress.clear()
    if args.json:
        print(json.dumps([asdict(result) for result in results]), file=env.stdout)
    else:
        print("\n".join(report(results)), file=env.stdout)
    return ExitStatus.DONE


def _measured(env: Environment, row: Row, args: argparse.Namespace, say: Callable[[str], None]) -> Result:
    rules = Catalogue.from_environment(env.variables).find_rules(row.rule)
    if not isinstance(rules, GdlRules) or rules.text is None:
        raise CommandError(f"{rules.name} is not in the Game Description Language.")
    tables = set(args.table or (1, 2, 3, 4))
    say(f"{row.game}: learning for {args.learn:g} s")
    game = Compiler.from_environment(env.variables).compile(rules.text, Limits(COMPILING)).game
    # They load libraries that only the compiler needs.
    from ggtp.search.gifl_features import Kind
    from ggtp.search.gifl_guide import guided_kernels
    from ggtp.search.gifl_learn import Learner
    from ggtp.search.gifl_tutor import LONGEST_PERIOD, MEASURING, fitting
    from ggtp.search.gifl_uct import match
    from ggtp.search.gifl_worth import worthwhile
    from ggtp.search.mcts_options import Settings

    learner = Learner(game.state_kernel(), args.seed)
    until = time.process_time() + args.learn
    found = learner.learn(lambda: time.process_time() >= until)
    result = Result(row.game, paper=row._asdict())
    result.features = (len(found), found.number(Kind.OFFENSIVE), found.number(Kind.DEFENSIVE))
    result.walks = found.walks
    use = _use(args)
    measuring = time.process_time() + MEASURING * args.learn
    few = worthwhile(game, learner, use.most, lambda: time.process_time() >= measuring)
    result.followed = len(few)
    plain = game.best()
    always = guided_kernels(game, few, use)
    games, players = args.games or row.games, args.player or PLAYERS
    if 2 in tables:
        result.simulations = args.simulations or row.simulations
    if 2 in tables and UCT in players:
        pairs = max(1, games // 2)
        blocks = match(
            learner.lab, always, plain, pairs, result.simulations, args.seed,
            lambda moves, left: say(f"{row.game}: {left} of {2 * pairs} games after {moves} moves"),
        )  # fmt: skip
        result.fixed_simulations = _score(blocks)
    if tables & {3, 4} or (2 in tables and MCTS in players):
        made = fitting(game, few, plain, use, Settings(), lambda: False, LONGEST_PERIOD)
        result.followed, result.period = len(made.features), made.period
        if 3 in tables:
            say(f"{row.game}: how fast random games are")
            _cost(game, result, made, plain, always)
        if 2 in tables and MCTS in players:
            mcts = Settings(playouts=result.simulations, batch=BATCH, leaf=1)
            result.fixed_simulations_mcts = _match(game, made, plain, games, args.seed, say, mcts, name=row.game)
        if 4 in tables:
            result.seconds = args.seconds
            _timed(game, made, plain, result, args, games, say)
    return result


def _use(args: argparse.Namespace) -> Use:
    """How features are followed: as MCTS does where nobody says otherwise."""
    from ggtp.search.gifl_guide import Use

    use = Use(period=args.period)
    own = use.own if args.own is None else args.own / 100
    return replace(use, own=own, opponent=use.opponent if args.opponent is None else args.opponent / 100)


def _cost(
    game: CompiledGame, result: Result, made: Fitting, plain: PlayoutKernel, always: Mapping[int, PlayoutKernel]
) -> None:  # fmt: skip
    """Table 3, on average over both roles."""
    from ggtp.search.gifl_tutor import speed
    from ggtp.search.mcts_options import Settings

    def alone_by(kernel: PlayoutKernel) -> tuple[float, float]:
        own = kernel.twin()
        own.playouts(own.lanes)
        began = time.process_time()
        stats = own.playouts(should_stop=lambda: time.process_time() - began >= MEASURED)
        return stats.steps / max(1, stats.games), stats.games / max(1e-9, time.process_time() - began)

    length, alone = alone_by(plain)
    searched = speed(game, plain, Settings(), MEASURED)
    lengths, rates = zip(*(alone_by(kernel) for kernel in made.kernels.values()), strict=True)
    search_rates = [speed(game, kernel, Settings(), MEASURED) for kernel in made.kernels.values()]
    result.always = round(2 * alone / sum(alone_by(kernel)[1] for kernel in always.values()), 3)
    result.length = round(sum(lengths) / len(lengths) / length, 3)
    result.playouts = round(sum(search_rates) / len(search_rates) / searched, 3)
    result.overhead = round(1 / result.playouts, 3)
    result.alone = round(alone * len(rates) / sum(rates), 3)


def _timed(
    game: CompiledGame,
    made: Fitting,
    plain: PlayoutKernel,
    result: Result,
    args: argparse.Namespace,
    games: int,
    say: Callable[[str], None],
) -> None:
    """Table 4, with the trial before it."""
    from ggtp.search.gifl_store import Trial
    from ggtp.search.gifl_tutor import trial_playouts, try_out
    from ggtp.search.mcts_options import Settings

    say(f"{result.game}: trial")
    end = time.process_time() + args.trial
    over = lambda: time.process_time() >= end  # noqa: E731
    playouts = trial_playouts(made, plain, args.trial, args.seconds)
    trial = try_out(game, made, plain, Settings(), random.Random(args.seed), Trial(), over, playouts)
    result.trial = round(trial.score, 4)
    result.switched_off = not trial.passed
    if trial.passed:
        result.fixed_time = _match(game, made, plain, games, args.seed, say, Settings(), args.seconds, result.game)


def _match(
    game: CompiledGame,
    made: Fitting,
    plain: PlayoutKernel,
    games: int,
    seed: int,
    say: Callable[[str], None],
    settings: Settings,
    time_each: float | None = None,
    name: str = "",
) -> Score:
    """Pairs of games, one in each role."""
    from ggtp.search.gifl_match import Fighter, fight

    settings = replace(settings, seconds=None, megabytes=MEGABYTES)
    rng = random.Random(seed)
    taught = Fighter(game, settings, rng, made.kernels.__getitem__)
    other = Fighter(game, settings, rng, lambda role: plain)
    blocks: list[list[float]] = []
    for pair in range(max(1, games // 2)):
        say(f"{name}: pair {pair + 1} of {games // 2}")
        scores = []
        for role in (0, 1):
            played = fight(game, (taught, other) if role == 0 else (other, taught), time_each)
            assert played is not None
            points = sum(played.goals)
            scores.append(played.goals[role] / points if points else 0.5)
        blocks.append(scores)
    return _score(blocks)


def _score(blocks: list[list[float]]) -> Score:
    interval = from_blocks(blocks).interval()
    return Score(2 * len(blocks), round(interval.value, 4), round(interval.low, 4), round(interval.high, 4))
