"""`ggtp as-gtp`: an engine of ours for tools that speak the Go Text Protocol, on standard input and output."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial

from ggtp.catalogue import Catalogue
from ggtp.driver.journal import read_text
from ggtp.driver.loop import run_loop
from ggtp.driver.rule_watch import RuleWatch
from ggtp.errors import MessageTooLong
from ggtp.foreign.gtp_board import GO
from ggtp.game.chance import Chance
from ggtp.servers.gtp import GtpServer
from ggtp.servers.play import SoloPlay
from ggtp.servers.session import Soloist
from ggtp.ui.console.arguments import MOST_KEY, chosen_key, milliseconds, setting, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.lines import LineReader
from ggtp.ui.console.output import complain, say

MOST_MS = 86_400_000
INTERRUPT = "# interrupt"
"""What GoGui says, as a comment, when a move is wanted now."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp as-gtp`."""
    add_engine_arguments(parser)
    parser.add_argument("--rule", default=GO, help=f"the game ({GO}); Othello, Hex and Gomoku are spoken of too")
    parser.add_argument(
        "--rule-option", type=setting, action="append", default=[], metavar="NAME=VALUE", help="an option of the rule"
    )


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    """What is needed to have an engine play for a foreign tool."""
    parser.add_argument("--engine", required=True, metavar="ENGINE", help="who plays, by name or by the path of a file")
    parser.add_argument(
        "--option", type=setting, action="append", default=[], metavar="NAME=VALUE", help="an option of the engine"
    )
    parser.add_argument(
        "--time",
        type=milliseconds(1, MOST_MS),
        default=5000,
        metavar="MS",
        help="milliseconds for a move where the tool sets no limit (5000)",
    )
    parser.add_argument("--seed", type=whole_number(0, MOST_KEY), metavar="N", help="begin the draws of chance from N")


def new_play(env: Environment, args: argparse.Namespace, rule: str) -> SoloPlay:
    """The engine and the rule that the arguments name, put together.

    Raises:
        GgtpError: there is none of that name.
    """
    catalogue = Catalogue.from_environment(env.variables)
    rules, spec = catalogue.guarded_rules(rule), catalogue.find_engine(args.engine)

    def log(text: str) -> None:
        complain(env.stderr, text)

    return SoloPlay(Soloist(spec, on_note=log), rules, rule, log, dict(args.option), Chance(chosen_key(args.seed)))


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Answer until the controller leaves."""

    async def serve() -> ExitStatus:
        play = new_play(env, args, args.rule)
        try:
            name = f"{play.engine.spec.name} (ggtp)"
            server = GtpServer(play, dict(args.rule_option), name, args.time, read_text)
            await server.start()
            await _converse(env, server)
        finally:
            await play.close()
        return ExitStatus.DONE

    with RuleWatch(partial(say, env.stderr)):
        return run_loop(serve())


async def _converse(env: Environment, server: GtpServer) -> None:
    reader = LineReader(env.stdin.fileno())
    waiting: asyncio.Queue[str | None] = asyncio.Queue()

    async def listen() -> None:
        while True:
            try:
                line = await reader.next()
            except MessageTooLong:
                line = "too-long"
            if line is not None and line.strip() == INTERRUPT:
                server.interrupt()
                continue
            await waiting.put(line)
            if line is None:
                return

    listening = asyncio.ensure_future(listen())
    try:
        while not server.ended:
            line = await waiting.get()
            if line is None:
                break
            answer = await server.answer(line)
            if answer is not None:
                say(env.stdout, *answer.removesuffix("\n").split("\n"))
    finally:
        listening.cancel()
