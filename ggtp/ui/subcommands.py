"""THE table of subcommands, each in a module that is loaded only when it is used.

Such a module has `add_arguments(parser)` and the function of the table's row, which is
called with the environment and the parsed arguments and answers the exit status.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from ggtp.ui.arguments import Parser
from ggtp.ui.environment import Environment, ExitStatus


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
        Subcommand("rules", "list the rules that are found, and where", "ggtp.ui.rules_command"),
        Subcommand("engines", "list the engines that are found, and where", "ggtp.ui.engines_command"),
        Subcommand("check", "play a rule at random and see whether it keeps its promises", "ggtp.ui.check_command"),
        Subcommand("match", "let engines play against each other at a rule", "ggtp.ui.match_command"),
        Subcommand("tournament", "play a tournament by its plan, or go on with one", "ggtp.ui.tournament_command"),
        Subcommand("watch", "look at a tournament that runs elsewhere", "ggtp.ui.watch_command"),
        Subcommand("serve", "referee a play of engines and people on other machines", "ggtp.ui.serve_command"),
        Subcommand("engine", "let an engine play at a referee on another machine", "ggtp.ui.engine_command"),
        Subcommand("join", "sit down at a referee on another machine, as a person", "ggtp.ui.join_command"),
        Subcommand("key", "make a key for playing between machines, or show it", "ggtp.ui.key_command"),
        Subcommand("solve", "look for a plan in a one-player rule in GDL", "ggtp.ui.solve_command"),
        Subcommand("features", "learn what wins in a rule in GDL, and tell it in words", "ggtp.ui.features_command"),
        Subcommand("arcade", "play a video game with the arrow keys", "ggtp.ui.arcade_command"),
        Subcommand("bench", "measure how fast things are", "ggtp.ui.bench_command"),
        Subcommand("as-gtp", "let tools that speak the Go Text Protocol play an engine", "ggtp.ui.as_gtp_command"),
        Subcommand("as-uci", "let chess tools play an engine, by UCI", "ggtp.ui.as_uci_command"),
        Subcommand("ggp-player", "be a player for game managers of GGP, over HTTP", "ggtp.ui.ggp_player_command"),
        Subcommand("report", "tell what a tournament's journal says, with statistics", "ggtp.ui.report_command"),
        Subcommand("audit", "see whether engines were told only what they may know", "ggtp.ui.audit_command"),
        Subcommand("help", "explain a command, a topic, or show a page of the manual", "ggtp.ui.help_command"),
    )
}


def summaries(rows: Sequence[Subcommand]) -> list[str]:
    """A line for each row: name and summary."""
    width = max(len(row.name) for row in rows)
    return [f"  {row.name:<{width}}  {row.summary}" for row in rows]
