"""`ggtp ggp-player`: an engine that game managers of general game playing can invite, over HTTP."""

from __future__ import annotations

import argparse
import asyncio
import signal

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.driver.loop import run_loop
from ggtp.driver.rule_watch import RuleWatch
from ggtp.game.chance import Chance
from ggtp.servers.ggp import GgpPlayer
from ggtp.servers.http import HttpServer
from ggtp.servers.session import Soloist
from ggtp.ui.console.arguments import MOST_KEY, chosen_key, setting, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say

PORT = 9147
"""Where players of general game playing commonly are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp ggp-player`."""
    parser.add_argument("--engine", required=True, metavar="ENGINE", help="who plays, by name or by the path of a file")
    parser.add_argument(
        "--option", type=setting, action="append", default=[], metavar="NAME=VALUE", help="an option of the engine"
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (127.0.0.1); 0.0.0.0 is all")
    parser.add_argument(
        "--port", type=whole_number(0, 65_535), default=PORT, metavar="N", help=f"the port ({PORT}); 0 is any free one"
    )
    parser.add_argument("--name", default="", help="what the player calls itself (the name of the engine)")
    parser.add_argument("--seed", type=whole_number(0, MOST_KEY), metavar="N", help="begin the draws of chance from N")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Answer game managers until somebody ends it."""
    spec = Catalogue.from_environment(env.variables).find_engine(args.engine)
    rng = Chance(chosen_key(args.seed))

    def log(text: str) -> None:
        complain(env.stderr, text)

    async def serve() -> ExitStatus:
        engine = Soloist(spec, on_note=log)
        compiler = Compiler.from_environment(env.variables)
        player = GgpPlayer(args.name or spec.name, engine, rng, log, dict(args.option), compiler)
        server = HttpServer(player.answer, log=log)
        over = asyncio.Event()
        with RuleWatch(log) as watch:
            watch.heed({signal.SIGINT: over.set, signal.SIGTERM: over.set})
            try:
                await engine.start()
                await server.start(args.host, args.port)
                where = f"http://{args.host}:{server.port}"
                say(env.stdout, f"{args.name or spec.name} listens at {where}")
                await over.wait()
            finally:
                await server.close()
                await player.close()
        return ExitStatus.DONE

    return run_loop(serve())
