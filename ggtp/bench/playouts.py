"""`ggtp bench playouts`: how many random games of a rulesheet each kernel plays in a second, on one core.

Rates are per second of our own processor time, so that other programs on a busy machine take
nothing from them; times to ground, build and compile are those of a clock on the wall.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ggtp.bench.peers import PEERS, NoSuchGame, measure_peer
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiled, Compiler, Limits
from ggtp.catalogue.compile.first import First, first_games
from ggtp.errors import CommandError, NotCompiled
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.play.rules import GdlRules
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame

PLAYOUTS = ("one_function", "chunks", "table")
KERNELS = (*PLAYOUTS, "single", "interpreter")
"""From the fastest to the slowest: many games at once, one state at a time in machine code, rule by rule."""
MAX_STEPS = 10_000
"""A game longer than that is given up."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What a kernel does in a second."""

    playouts: float
    states: float
    compile_s: float = 0.0


@dataclass(slots=True)
class Result:
    """What was measured; the fields are those of the JSON."""

    rule: str
    seconds: float
    playouts_per_s: dict[str, float] = field(default_factory=dict)
    states_per_s: dict[str, float] = field(default_factory=dict)
    compile_s_each: dict[str, float] = field(default_factory=dict)
    mean_length: float | None = None
    """Moves in a game, on average."""
    ground_s: float | None = None
    build_s: float | None = None
    program_s: float | None = None
    """To make the step program of the network, which all playout kernels need."""
    compile_s: float | None = None
    """For the kernel that is best for the size, or else for the first that was measured."""
    best: str | None = None
    gates: int | None = None
    ops: int | None = None
    memory_mib: int = 0
    first: First | None = None
    """From the text to the first game, where that was asked for."""
    peers: dict[str, float | None] = field(default_factory=dict)
    """Playouts a second of other programs; None where they have no such game."""

    def add(self, name: str, speed: Speed) -> None:
        """Note what a kernel did."""
        self.playouts_per_s[name] = _rounded(speed.playouts)
        self.states_per_s[name] = _rounded(speed.states)
        self.compile_s_each[name] = round(speed.compile_s, 3)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("rule", metavar="RULE|FILE", help="a rule in GDL, by name or by the path of its file")
    parser.add_argument("--seconds", type=seconds, default=3.0, help="how long each kernel plays (default 3)")
    parser.add_argument(
        "--kernel",
        choices=(*KERNELS, "all"),
        action="append",
        help="only this kernel; may be given again (default all that serve the size)",
    )
    parser.add_argument("--peer", choices=PEERS, action="append", default=[], help="measure another program too")
    parser.add_argument(
        "--first", action="store_true", help="measure the time from the text to the first game, fresh and kept, too"
    )
    parser.add_argument(
        "--time", type=seconds, default=300.0, metavar="SECONDS", help="what compiling may take (default 300)"
    )
    parser.add_argument(
        "--memory", type=whole_number(64, 1 << 20), default=8192, metavar="MIB", help="and how much memory"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure, and print a table or one line of JSON.

    Raises:
        GgtpError: there are no such rules, they are not in GDL, or a kernel or peer can't be had.
    """
    rules = Catalogue.from_environment(env.variables).find_rules(args.rule)
    if not isinstance(rules, GdlRules):
        raise CommandError(f"{rules.name} is not in the Game Description Language; only such rules have kernels.")
    progress = Progress(env.stderr)
    result = Result(rules.name, args.seconds)
    try:
        _measure(rules, args, result, Compiler.from_environment(env.variables), progress.say)
        if args.first:
            progress.say("measuring the way from the text to the first game")
            result.first = first_games(rules.text or "", Limits(args.time, args.memory))
        for peer in args.peer:
            progress.say(f"measuring {peer}")
            try:
                result.peers[peer] = _rounded(measure_peer(peer, rules.name, args.seconds))
            except NoSuchGame as error:
                result.peers[peer] = None
                progress.clear()
                print(f"ggtp: {error}", file=env.stderr)
    finally:
        progress.clear()
    if result.mean_length is not None:
        result.mean_length = round(result.mean_length, 2)
    result.memory_mib = max(result.memory_mib, round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
    if args.json:
        print(json.dumps(asdict(result)), file=env.stdout)
    else:
        print("\n".join(report(result)), file=env.stdout)
    return ExitStatus.DONE


def _measure(
    rules: GdlRules, args: argparse.Namespace, result: Result, compiler: Compiler, say: Callable[[str], None]
) -> None:
    wanted = args.kernel or ["all"]
    everything = "all" in wanted
    if everything or set(wanted) != {"interpreter"}:
        try:
            compiled = compiler.compile(
                rules.text or "", Limits(args.time, args.memory), progress=say, keep_code=False
            )  # fmt: skip
        except NotCompiled:
            if not everything:
                raise
            say("it can't be compiled")
        else:
            _measure_compiled(compiled, wanted, everything, args.seconds, result, say)
    if everything or "interpreter" in wanted:
        say("measuring interpreter")
        result.add("interpreter", machine_speed(Interpreter(rules.sheet), args.seconds, result.mean_length))
    best = result.best if result.best in result.compile_s_each else next(iter(result.compile_s_each))
    result.compile_s = result.compile_s_each[best] if result.gates is not None else None


def _measure_compiled(
    compiled: Compiled, wanted: list[str], everything: bool, how_long: float, result: Result, say: Callable[[str], None]
) -> None:
    game = compiled.game
    result.ground_s, result.build_s = compiled.ground_s, compiled.build_s
    result.memory_mib = round(compiled.memory_mib)
    result.gates = game.statistics.gates
    say("making the step program")
    began = time.perf_counter()
    result.ops = game.step.operations
    result.program_s = round(time.perf_counter() - began, 3)
    result.best = game.best_name
    for name in game.serving() if everything else [name for name in PLAYOUTS if name in wanted]:
        say(f"compiling {name}")
        speed, length = playout_speed(game, name, how_long)
        result.add(name, speed)
        result.mean_length = length or result.mean_length
    if everything or "single" in wanted:
        say("compiling single")
        result.add("single", single_speed(game, how_long, result.mean_length))


def playout_speed(game: CompiledGame, name: Any, how_long: float) -> tuple[Speed, float | None]:
    """What a playout kernel does, and how long its games are; None where none ended."""
    began = time.perf_counter()
    kernel = game.best() if name == game.best_name else game.playouts(name)
    compile_s = time.perf_counter() - began
    kernel.seed(1)
    kernel.playouts(kernel.lanes, max_steps=MAX_STEPS)
    # By the wall, since a kernel asks at every step, and the thread's own clock is a call into the system. On a busy
    # machine no game may have ended by then.
    while True:
        began, until = time.thread_time(), time.perf_counter() + how_long
        stats = kernel.playouts(should_stop=_after(until), max_steps=MAX_STEPS)
        elapsed = time.thread_time() - began
        if stats.games or stats.unfinished:
            break
        how_long *= 2
    length = stats.steps / stats.games if stats.games and not stats.unfinished else None
    return Speed(stats.games / elapsed, stats.steps / elapsed, compile_s), length


def _after(until: float) -> Callable[[], bool]:
    return lambda: time.perf_counter() >= until


def single_speed(game: CompiledGame, how_long: float, length: float | None) -> Speed:
    """What the kernel for single states does, called from Python for every state."""
    from ggtp.gdl.kernel.single import pack

    began = time.perf_counter()
    kernel = game.state_kernel()
    compile_s = time.perf_counter() - began
    start = pack(game.network, game.network.initial)
    rng = random.Random(1)

    def step(state: bytes) -> bytes | None:
        look = kernel.look(state)
        if look.terminal or not all(look.legal):
            return None
        return kernel.next(state, [rng.choice(moves) for moves in look.legal])

    return _speed(start, step, how_long, length, compile_s)


def machine_speed(machine: Interpreter, how_long: float, length: float | None) -> Speed:
    """What the interpreter does."""
    rng = random.Random(1)

    def step(state: Any) -> Any | None:
        if machine.terminal(state):
            return None
        legal = {role: machine.legal(state, role) for role in machine.roles}
        if not all(legal.values()):
            return None
        return machine.next(state, {role: rng.choice(moves) for role, moves in legal.items()})

    return _speed(machine.initial(), step, how_long, length, 0.0)


def _speed(
    start: Any, step: Callable[[Any], Any | None], how_long: float, length: float | None, compile_s: float
) -> Speed:
    """Plays games one after the other. With a known length, a game that is cut off counts for its part."""
    games = states = here = 0
    state = start
    began, until = time.thread_time(), time.perf_counter() + how_long
    while not states or time.perf_counter() < until:
        state = step(state) if here < MAX_STEPS else None
        if state is None:
            games += 1
            state, here = start, 0
        else:
            states += 1
            here += 1
    elapsed = max(time.thread_time() - began, 1e-9)
    return Speed(states / length / elapsed if length else games / elapsed, states / elapsed, compile_s)


def report(result: Result) -> list[str]:
    """The result for people."""
    lines = [result.rule]
    if result.gates is not None:
        lines.append(
            f"grounded in {result.ground_s:g} s, built in {result.build_s:g} s, {result.gates:,} gates; "
            f"step program in {result.program_s:g} s, {result.ops:,} operations; at most {result.memory_mib:,} MiB"
        )
    if result.first is not None:
        first = result.first
        lines.append(
            f"from the text to the first game {first.fresh_s:.2f} s ({first.fresh_cpu_s:.2f} s of the processor), "
            f"when kept {first.kept_s:.2f} s ({first.kept_cpu_s:.2f} s)"
        )
    if result.mean_length is not None:
        lines.append(f"a game has {result.mean_length:.1f} moves on average")
    rows = [("", "playouts/s", "states/s", "compiled in", "")]
    for name, playouts in result.playouts_per_s.items():
        took, star = f"{result.compile_s_each[name]:.2f} s", "*" if name == result.best else ""
        rows.append((name, _count(playouts), _count(result.states_per_s[name]), took, star))
    for name, rate in result.peers.items():
        rows.append((name, "no such game" if rate is None else _count(rate), "", "", ""))
    return lines + columns(rows)


def _count(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _rounded(value: float) -> float:
    """Five digits: more are noise."""
    return float(f"{value:.5g}")
