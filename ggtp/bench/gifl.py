"""`ggtp bench gifl`: Tables 1 to 4 of "A GGP Feature Learning Algorithm", on our own versions of its games.

Table 1 counts the features learned in two minutes; Table 2 is the score of a search with features against one without
them at a fixed number of random games a move: plain UCT as in the paper, all features followed in every move, and our
MCTS as it is; Table 3 says how much shorter random games become, and how many a search comes to in the same time, as
the paper counts them, and without a search, and what as many features cost as there may be; Table 4 is the score at a
fixed time a move, after the trial that MCTS itself makes in its start clock to switch features off where they do not
help. Time is that of our own processor.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from ggtp.bench.gifl_tables import COLUMNS, TABLE, Most, Result, Row, Score, report
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, Limits, require_libraries
from ggtp.errors import CommandError
from ggtp.gdl.play.rules import GdlRules
from ggtp.stats.sample import from_blocks
from ggtp.ui.console.arguments import MOST_SEED, seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

if TYPE_CHECKING:
    from ggtp.gdl.kernel.playouts import PlayoutKernel
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.search.features.features import FeatureSet
    from ggtp.search.features.guide import Use
    from ggtp.search.features.tutor import Fitting
    from ggtp.search.mcts.options import Settings

COMPILING = 300.0
BATCH = 8
"""Leaves that are evaluated together where few random games are to be made much of."""
MEGABYTES = 64
PLAYERS = UCT, MCTS = "uct", "mcts"
MEASURED = 1.0
"""Seconds in which it is measured how fast random games are."""

HOW_LONG = """\
how long it takes:
  3 to 3.5 hours for all of it, or 1 to 1.5 hours if the trial switches features
  off in the games of which 100 are played: connect4, pentago, quarto and
  checkersbarrelnokings. Table 1 alone takes --learn seconds a game. --games and
  --seconds shorten the matches, --learn and --trial what comes before them;
  --game, --table and --player leave things out. Ctrl-C prints what is known."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument(
        "--game", choices=[row.game for row in TABLE], action="append", help="only this game; may be given again"
    )
    parser.add_argument(
        "--table", type=whole_number(1, 4), action="append", metavar="N",
        help="only this table, besides 1; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--player", choices=PLAYERS, action="append", help="whose Table 2: UCT as in the paper, our MCTS, or both"
    )
    parser.add_argument(
        "--learn", type=seconds, default=120.0, metavar="SECONDS", help="how long to learn (default 120)"
    )
    parser.add_argument(
        "--simulations", type=whole_number(1, 1 << 30), metavar="N", help="random games a move (default the paper's)"
    )
    parser.add_argument(
        "--games", type=whole_number(1, 1 << 20), metavar="N",
        help="games of a match; they are played in pairs, so that an odd number becomes the next one (default the "
        "paper's, 20 or 100)",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", type=seconds, default=0.5, help="for a move in Table 4 (default 0.5; the paper: 30)"
    )
    parser.add_argument(
        "--trial", type=seconds, default=30.0, metavar="SECONDS", help="of the trial before Table 4 (default 30)"
    )
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
    parser.epilog = f"{COLUMNS}\n\n{HOW_LONG}"


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print tables or one line of JSON: of what is done, if somebody or something interrupts it.

    Raises:
        GgtpError: a game is missing, or can't be compiled.
    """
    require_libraries()
    if args.games is not None and args.games % 2:
        args.games += 1
        print(f"Games are played in pairs, one in each role: {args.games} of them.", file=env.stderr)
    progress = Progress(env.stderr)
    results: list[Result] = []
    try:
        for row in TABLE:
            if args.game is None or row.game in args.game:
                results.append(Result(row.game, paper=row._asdict()))
                _measure(env, row, args, results[-1], progress)
                results[-1].finished = True
    finally:
        progress.clear()
        known = [result for result in results if result.features is not None]
        if known and args.json:
            print(json.dumps([asdict(result) for result in known]), file=env.stdout)
        elif known:
            print("\n".join(report(known)), file=env.stdout)
    return ExitStatus.DONE


def _measure(
    env: Environment, row: Row, args: argparse.Namespace, result: Result, progress: Progress
) -> None:  # fmt: skip
    """All that is wanted of a game; what is known is in the result at once."""

    def say(text: str) -> None:
        progress.say(f"{row.game}: {text}")

    rules = Catalogue.from_environment(env.variables).find_rules(row.rule)
    if not isinstance(rules, GdlRules) or rules.text is None:
        raise CommandError(f"{rules.name} is not in the Game Description Language.")
    say(f"learning for {args.learn:g} s")
    game = Compiler.from_environment(env.variables).compile(rules.text, Limits(COMPILING)).game
    # They load libraries that only the compiler needs.
    from ggtp.search.features.features import Kind
    from ggtp.search.features.guide import guided_kernels
    from ggtp.search.features.learn import Learner
    from ggtp.search.features.tutor import LONGEST_PERIOD, MEASURING, fitting
    from ggtp.search.features.uct import match
    from ggtp.search.features.worth import worthwhile
    from ggtp.search.mcts.options import Settings

    learner = Learner(game.state_kernel(), args.seed)
    until = time.process_time() + args.learn
    found = learner.learn(lambda: time.process_time() >= until)
    result.walks = found.walks
    result.features = (len(found), found.number(Kind.OFFENSIVE), found.number(Kind.DEFENSIVE))
    tables, players = set(args.table or (1, 2, 3, 4)), args.player or PLAYERS
    by_uct, by_mcts = 2 in tables and UCT in players, 2 in tables and MCTS in players
    if not (by_uct or by_mcts or tables & {3, 4}):
        return
    say("what features are worth")
    use, measuring = _use(args), time.process_time() + MEASURING * args.learn
    few = worthwhile(game, learner, use.most, lambda: time.process_time() >= measuring)
    result.followed = len(few)
    plain = game.best()
    always = guided_kernels(game, few, use) if by_uct or 3 in tables else {}
    games = args.games or row.games
    if 2 in tables:
        result.simulations = args.simulations or row.simulations
    if by_uct:
        blocks = match(
            learner.lab, always, plain, games // 2, result.simulations, args.seed,
            lambda moves, left: say(f"{left} of {games} games after {moves} moves"),
        )  # fmt: skip
        result.fixed_simulations = _score(blocks)
    if not (by_mcts or tables & {3, 4}):
        return
    made = fitting(game, few, plain, use, Settings(), lambda: False, LONGEST_PERIOD)
    result.followed, result.period = len(made.features), made.period
    if 3 in tables:
        say("how fast random games are")
        _cost(game, result, made, plain, always)
        result.most = _cost_of_most(game, _as_many(found, use.most), plain, use)
    if by_mcts:
        mcts = Settings(playouts=result.simulations, batch=BATCH, leaf=1)
        result.fixed_simulations_mcts = _match(game, made, plain, games, args.seed, say, mcts)
    if 4 in tables:
        result.seconds = args.seconds
        _timed(game, made, plain, result, args, games, say)


def _use(args: argparse.Namespace) -> Use:
    """How features are followed: as MCTS does where nobody says otherwise."""
    from ggtp.search.features.guide import Use

    use = Use(period=args.period)
    own = use.own if args.own is None else args.own / 100
    return replace(use, own=own, opponent=use.opponent if args.opponent is None else args.opponent / 100)


def _cost(
    game: CompiledGame, result: Result, made: Fitting, plain: PlayoutKernel, always: Mapping[int, PlayoutKernel]
) -> None:  # fmt: skip
    """Table 3, on average over both roles."""
    from ggtp.search.features.tutor import speed
    from ggtp.search.mcts.options import Settings

    length, alone = _alone([plain])
    searched = speed(game, plain, Settings(), MEASURED)
    guided, rate = _alone(made.kernels.values())
    search_rates = [speed(game, kernel, Settings(), MEASURED) for kernel in made.kernels.values()]
    result.always = round(alone / _alone(always.values())[1], 3)
    result.length = round(guided / length, 3)
    result.playouts = round(sum(search_rates) / len(search_rates) / searched, 3)
    result.overhead = round(1 / result.playouts, 3)
    result.alone = round(alone / rate, 3)


def _as_many(found: FeatureSet, most: int) -> FeatureSet:
    """As many as there may be, the most frequent ones: the number counts here, so that those are in it, too, which
    were learned so seldom that nobody would follow them."""
    from ggtp.search.features.features import FeatureSet

    return FeatureSet(found).pruned(most)


def _cost_of_most(game: CompiledGame, many: FeatureSet, plain: PlayoutKernel, use: Use) -> Most:
    """What as many features cost as there may be, whatever they are worth."""
    from ggtp.search.features.guide import guided_kernels
    from ggtp.search.features.tutor import LONGEST_PERIOD, fitting
    from ggtp.search.mcts.options import Settings

    made = fitting(game, many, plain, use, Settings(), lambda: False, LONGEST_PERIOD)
    always = guided_kernels(game, many, replace(use, period=1))
    rate = _alone([plain])[1]
    slower, all_turns = (rate / _alone(kernels.values())[1] for kernels in (made.kernels, always))
    return Most(len(many), len(made.features), made.period, round(slower, 3), round(all_turns, 3))


def _alone(kernels: Iterable[PlayoutKernel]) -> tuple[float, float]:
    """How long random games are, and how many there are in a second, without a search: the mean of kernels."""

    def each(kernel: PlayoutKernel) -> tuple[float, float]:
        own = kernel.twin()
        own.playouts(own.lanes)
        began = time.process_time()
        stats = own.playouts(should_stop=lambda: time.process_time() - began >= MEASURED)
        return stats.steps / max(1, stats.games), stats.games / max(1e-9, time.process_time() - began)

    lengths, rates = zip(*map(each, kernels), strict=True)
    return sum(lengths) / len(lengths), sum(rates) / len(rates)


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
    from ggtp.search.features.store import Trial
    from ggtp.search.features.tutor import trial_playouts, try_out
    from ggtp.search.mcts.options import Settings

    say("trial")
    end = time.process_time() + args.trial
    over = lambda: time.process_time() >= end  # noqa: E731
    playouts = trial_playouts(made, plain, args.trial, args.seconds)
    trial = try_out(game, made, plain, Settings(), random.Random(args.seed), Trial(), over, playouts)
    result.trial = round(trial.score, 4)
    result.switched_off = not trial.passed
    if trial.passed:
        result.fixed_time = _match(game, made, plain, games, args.seed, say, Settings(), args.seconds)


def _match(
    game: CompiledGame,
    made: Fitting,
    plain: PlayoutKernel,
    games: int,
    seed: int,
    say: Callable[[str], None],
    settings: Settings,
    time_each: float | None = None,
) -> Score:
    """Pairs of games, one in each role."""
    from ggtp.search.features.match import Fighter, fight

    settings = replace(settings, seconds=None, megabytes=MEGABYTES)
    rng = random.Random(seed)
    taught = Fighter(game, settings, rng, made.kernels.__getitem__)
    other = Fighter(game, settings, rng, lambda role: plain)
    blocks: list[list[float]] = []
    for pair in range(games // 2):
        say(f"pair {pair + 1} of {games // 2}")
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
