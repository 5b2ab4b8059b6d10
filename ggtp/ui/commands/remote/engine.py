"""`ggtp engine`: put an engine of this machine at the disposal of a referee on another one."""

from __future__ import annotations

import argparse
import asyncio

from ggtp.catalogue import Catalogue
from ggtp.driver.loop import cancel_at, run_loop
from ggtp.driver.remote.outpost import Outpost
from ggtp.referee.settings import Settings
from ggtp.ui.commands.remote.arguments import add_remote_arguments, referee_of
from ggtp.ui.console.arguments import Parser, setting
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain


def add_arguments(parser: Parser) -> None:
    """The arguments of `ggtp engine`."""
    parser.add_argument("engine", metavar="ENGINE", help="the engine, by its name here or the path of its description")
    parser.add_argument("--connect", metavar="ADDRESS", required=True, help="where the referee listens: host:port")
    add_remote_arguments(parser)
    parser.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        type=setting,
        action="append",
        default=[],
        help="an option of the referee's that bounds engines, here: engine_memory, engine_processes, connect_time",
    )
    parser.add_argument("--once", action="store_true", help="leave when the referee says goodbye")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Stay at the referee's disposal until interrupted."""
    spec = Catalogue.from_environment(env.variables).find_engine(args.engine)
    referee = referee_of(env, args.connect, args)
    bounds = Settings.defaults(dict(args.set)).bounds()

    def log(text: str) -> None:
        complain(env.stderr, f"{spec.name}: {text}")
        env.stderr.flush()

    async def main() -> ExitStatus:
        cancel_at()
        try:
            await Outpost(spec, referee, bounds, log).run(once=args.once)
        except asyncio.CancelledError:
            log("interrupted")
            return ExitStatus.INTERRUPTED
        return ExitStatus.DONE

    return run_loop(main())
