"""`ggtp as-uci`: an engine of ours for chess tools, on standard input and output."""

from __future__ import annotations

import argparse
from functools import partial

from ggtp import __version__
from ggtp.driver.loop import run_loop
from ggtp.driver.rule_watch import RuleWatch
from ggtp.errors import MessageTooLong
from ggtp.servers.uci import UciServer
from ggtp.ui.commands.as_gtp import add_engine_arguments, new_play
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.lines import LineReader
from ggtp.ui.console.output import say

RULE = "Chess"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp as-uci`."""
    add_engine_arguments(parser)


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Answer until the tool leaves."""

    async def serve() -> ExitStatus:
        play = new_play(env, args, RULE)
        server = UciServer(play, f"{play.engine.spec.name} (ggtp {__version__})", args.time, partial(say, env.stdout))
        try:
            await play.prepare()
            reader = LineReader(env.stdin.fileno())
            while not server.ended:
                try:
                    line = await reader.next()
                except MessageTooLong:
                    continue
                if line is None:
                    break
                await server.hear(line)
        finally:
            await server.close()
        return ExitStatus.DONE

    with RuleWatch(partial(say, env.stderr)):
        return run_loop(serve())
