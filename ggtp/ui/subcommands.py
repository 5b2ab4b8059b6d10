"""THE table of subcommands, each in a module that is loaded only when it is used.

Such a module has `add_arguments(parser)` and the function of the table's row, which is
called with the environment and the parsed arguments and answers the exit status.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from ggtp.ui.console.arguments import Parser
from ggtp.ui.console.environment import Environment, ExitStatus


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A row of the table."""

    name: str
    summary: str
    """What it does, as a phrase."""
    module: str
    function: str = "run"

    def parser(self, env: Environment, prog: str = "ggtp") -> Parser:
        """Its parser, with its own arguments."""
        parser = Parser(env, f"{prog} {self.name}", description=f"{self.summary[0].upper()}{self.summary[1:]}.")
        import_module(self.module).add_arguments(parser)
        return parser

    def run(self, env: Environment, words: Sequence[str]) -> ExitStatus:
        """Do it, with these words of the command line."""
        return self.call(env, self.parser(env), words)

    def call(self, env: Environment, parser: Parser, words: Sequence[str]) -> ExitStatus:
        """Do it, with a parser that was made before."""
        status: ExitStatus = getattr(import_module(self.module), self.function)(env, parser.parse_args(words))
        return status


SUBCOMMANDS: dict[str, Subcommand] = {
    row.name: row
    for row in (
        Subcommand("rules", "list the rules that are found, and where", "ggtp.ui.commands.rules"),
        Subcommand("engines", "list the engines that are found, and where", "ggtp.ui.commands.engines"),
        Subcommand("check", "play a rule at random and see whether it keeps its promises", "ggtp.ui.commands.check"),
        Subcommand("check-engine", "see whether an engine keeps the protocol", "ggtp.ui.commands.check_engine"),
        Subcommand("match", "let engines play against each other at a rule", "ggtp.ui.commands.match"),
        Subcommand("tournament", "play a tournament by its plan, or go on with one", "ggtp.ui.commands.tournament"),
        Subcommand("watch", "look at a tournament that runs elsewhere", "ggtp.ui.commands.watch"),
        Subcommand("serve", "referee a play of engines and people on other machines", "ggtp.ui.commands.remote.serve"),
        Subcommand("engine", "let an engine play at a referee on another machine", "ggtp.ui.commands.remote.engine"),
        Subcommand("join", "sit down at a referee on another machine, as a person", "ggtp.ui.commands.remote.join"),
        Subcommand("key", "make a key for playing between machines, or show it", "ggtp.ui.commands.remote.key"),
        Subcommand("solve", "look for a plan in a one-player rule in GDL", "ggtp.ui.commands.solve"),
        Subcommand("features", "learn what wins in a rule in GDL, and tell it in words", "ggtp.ui.commands.features"),
        Subcommand("arcade", "play a video game with the arrow keys", "ggtp.ui.commands.arcade"),
        Subcommand("bench", "measure how fast things are", "ggtp.ui.commands.bench"),
        Subcommand("as-gtp", "let tools that speak the Go Text Protocol play an engine", "ggtp.ui.commands.as_gtp"),
        Subcommand("as-uci", "let chess tools play an engine, by UCI", "ggtp.ui.commands.as_uci"),
        Subcommand("ggp-player", "be a player for game managers of GGP, over HTTP", "ggtp.ui.commands.ggp_player"),
        Subcommand("report", "tell what a tournament's journal says, with statistics", "ggtp.ui.commands.report"),
        Subcommand("export", "write a journal's games as PGN, SGF or JSON Lines", "ggtp.ui.commands.journals.export"),
        Subcommand("merge", "make one journal of several of the same plan", "ggtp.ui.commands.journals.merge"),
        Subcommand("repair", "cut off what does not hold of a damaged journal", "ggtp.ui.commands.journals.repair"),
        Subcommand("audit", "see whether engines were told only what they may know", "ggtp.ui.commands.audit"),
        Subcommand("doctor", "tell what is installed and what is missing", "ggtp.ui.commands.doctor"),
        Subcommand("help", "explain a command, a topic, or show a page of the manual", "ggtp.ui.commands.help"),
    )
}


def summaries(rows: Sequence[Subcommand]) -> list[str]:
    """A line for each row: name and summary."""
    width = max(len(row.name) for row in rows)
    return [f"  {row.name:<{width}}  {row.summary}" for row in rows]
