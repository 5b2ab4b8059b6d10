"""`ggtp join`: sit down at a referee on another machine, as a person."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress

from ggtp.driver.loop import cancel_at, run_loop
from ggtp.driver.remote.outpost import Referee
from ggtp.driver.remote.visit import Visit
from ggtp.driver.tasks import spawn
from ggtp.errors import GgtpError
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import SEAT_COMMANDS
from ggtp.protocol.text import one_line, split_list
from ggtp.ui.commands.remote.arguments import add_remote_arguments, referee_of
from ggtp.ui.console.arguments import Parser
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.lines import LineReader
from ggtp.ui.console.output import say

WELCOME = "Tab completes, help lists what can be said, Ctrl-D leaves."


def add_arguments(parser: Parser) -> None:
    """The arguments of `ggtp join`."""
    parser.add_argument("address", metavar="ADDRESS", help="where the referee listens: host:port")
    add_remote_arguments(parser)
    parser.add_argument("--player", default="", metavar="NAME", help="the player to be, where there is a choice")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play until the person leaves."""
    return run_loop(Guest(env, referee_of(env, args.address, args), args.player).run())


class Guest:
    """The person's end: what is typed goes there, what comes is shown."""

    def __init__(self, env: Environment, referee: Referee, wanted: str) -> None:
        self._env = env
        self._visit = Visit(referee, one_line(wanted), self._hear, self._note)
        self.moves: tuple[str, ...] = ()
        """The moves that were last listed, for completion."""
        self._prompting = False
        self._quiet = 0
        """Answers that are for completion and not shown."""

    async def run(self) -> ExitStatus:
        """Until the person, the input, or a signal ends it."""
        visiting = spawn(self._visit.run())
        reading = spawn(self._prompt() if self._env.interactive else self._pipe())
        cancel_at((signal.SIGTERM,) if self._env.interactive else (signal.SIGINT, signal.SIGTERM))
        try:
            await asyncio.wait((visiting, reading), return_when=asyncio.FIRST_COMPLETED)
            self._visit.leave()
            if reading.done():
                await asyncio.wait((visiting,), timeout=1.0)
        except asyncio.CancelledError:
            self._note("interrupted")
            return ExitStatus.INTERRUPTED
        finally:
            for one in (visiting, reading):
                one.cancel()
            outcomes = await asyncio.gather(visiting, reading, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, GgtpError):
                raise outcome
        return ExitStatus.DONE

    # Showing.

    def _hear(self, line: str) -> None:
        if self._quiet and line.startswith(("= ", "? ")):
            self._quiet -= 1
            self.moves = tuple(split_list(line[2:])) if line.startswith("= ") and line != "= none" else ()
            return
        self._write(line)
        if self._env.interactive and line == "-> It is your turn." and self._visit.say("list_possible_moves"):
            self._quiet += 1

    def _note(self, text: str) -> None:
        self._quiet = 0
        self._write(f"# {text}")

    def _write(self, line: str) -> None:
        # While there is a prompt, what is printed goes above it: through the stream that stands for the terminal.
        stream = sys.stdout if self._prompting else self._env.stdout
        encoding = self._env.stdout.encoding or "utf-8"
        with suppress(BrokenPipeError):
            say(stream, line.encode(encoding, "backslashreplace").decode(encoding))

    # Reading.

    async def _pipe(self) -> None:
        reader = LineReader(self._env.stdin.fileno())
        while (line := await reader.next()) is not None:
            if is_comment(line):
                continue
            await self._visit.connected()
            if not self._visit.say(line):
                self._write("? Nobody is there now.")
            await self._visit.answered()

    async def _prompt(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.patch_stdout import patch_stdout

        from ggtp.ui.prompt.history import open_history

        session: PromptSession[str] = PromptSession(
            "ggtp join> ", completer=_completer(self), history=open_history(self._env.state_folder)
        )
        self._write(WELCOME)
        with patch_stdout(raw=True):
            self._prompting = True
            while True:
                try:
                    line = await session.prompt_async()
                except (EOFError, KeyboardInterrupt):
                    return
                if not is_comment(line) and not self._visit.say(line):
                    self._write("? Nobody is there now.")

    def offers(self, words: list[str], fragment: str) -> Iterable[tuple[str, str]]:
        """What may be typed next, and what it is: a command, or behind `play` a move."""
        if not words:
            return [(row.name, row.summary) for row in SEAT_COMMANDS if row.name.startswith(fragment)]
        if words[0] == "play":
            return [(move, "") for move in self.moves if move.casefold().startswith(fragment.casefold())]
        if words[0] == "help":
            return [(row.name, row.summary) for row in SEAT_COMMANDS if row.name.startswith(fragment)]
        return []


def _completer(guest: Guest):  # type: ignore[no-untyped-def]  # its class is loaded when there is a terminal
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class SeatCompleter(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            text = document.text_before_cursor.lstrip()
            first, blank, rest = text.partition(" ")
            words, fragment = ([first], rest.lstrip()) if blank else ([], first)
            for offer, meta in guest.offers(words, fragment):
                yield Completion(offer, start_position=-len(fragment), display_meta=meta)

    return SeatCompleter()
