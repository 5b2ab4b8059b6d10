"""The prompt: reads lines, has them carried out, and stays alive meanwhile."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from functools import partial

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.patch_stdout import patch_stdout

from ggtp import __version__
from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.driver.loop import run_loop
from ggtp.driver.remote.admission import Keyring
from ggtp.driver.rule_watch import RuleWatch
from ggtp.driver.tasks import spawn
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.text import one_line, split_words
from ggtp.referee.notes import LAST_SEARCH
from ggtp.referee.views import Status
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.new_driver import new_driver
from ggtp.ui.drawing.render import new_screen
from ggtp.ui.prompt.blocked import BlockedScreen
from ggtp.ui.prompt.completer import CommandCompleter
from ggtp.ui.prompt.history import open_history
from ggtp.ui.prompt.keys import key_bindings
from ggtp.ui.prompt.knowledge import Source
from ggtp.ui.prompt.live import FASTER, LiveScreen, PromptScreen
from ggtp.ui.prompt.style import STYLE
from ggtp.ui.prompt.toolbar import search_text, toolbar

GRACE_SECONDS = 0.15
"""How long the next prompt waits for an answer: most come at once, and belong above it."""
TICK_SECONDS = 0.25
"""How often the clocks are drawn while an engine thinks."""
DEFAULTS = {"show_table": "on", "show_between": "off", "forced_moves": "on"}
"""The referee's options that a person at a terminal wants otherwise."""
MENU_ROWS = 7
FOOT_ROWS = 2
"""The line that is typed, and the one below it."""
PLAYING = frozenset({"start", "play", "force_play", "genmove"})
"""Commands of which nothing is printed while the table is redrawn in place."""
IDLE = "ggtp"

WELCOME = f"ggtp {__version__}. Tab completes, F1 helps, Ctrl-D leaves."
HOW_TO_LEAVE = "Nothing is going on. Ctrl-D or quit leaves; F1 helps."
WITHDRAWN = "The engine's move is not waited for any more. genmove asks for it again."


def run_prompt(
    env: Environment, *, load: str = "", seed: int | None = None, keyring: Keyring | None = None, first: str = ""
) -> ExitStatus:
    """Referee at a terminal until the supervisor leaves; with `load`, that play file is loaded first.

    A command may come before it, and the door to other machines may be opened with other keys than the user's own.
    """
    return run_loop(_session(env, load, seed, keyring, first))


async def _session(env: Environment, load: str, seed: int | None, keyring: Keyring | None, first: str) -> ExitStatus:
    with patch_stdout(raw=True):
        prompt = Prompt(env, new_screen(env), seed=seed, keyring=keyring)
        ended = await prompt.run(load, first)
    await asyncio.sleep(0)  # what was written last is shown by the loop
    return ended


class Prompt:
    """A supervisor's seat. Order of operations: make it, then `run` once; every engine is gone afterwards."""

    def __init__(
        self, env: Environment, screen: PromptScreen, *, seed: int | None = None, keyring: Keyring | None = None
    ) -> None:
        self._screen = LiveScreen(screen, self._lively, ascii_only=env.ascii_only)
        listeners = Listeners(changed=self._changed)
        self.driver: Driver = new_driver(
            env, self._screen, seed=seed, defaults=DEFAULTS, listeners=listeners, keyring=keyring
        )
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        """What was typed and not yet carried out."""
        self._at_hand = ""
        """The command that is being carried out."""
        self._ended: ExitStatus | None = None
        self._status = Status()
        self._found = ""
        """What the engine that thinks has told of its search."""
        self._peeking = False
        self._ticker: asyncio.TimerHandle | None = None
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            history=open_history(env.state_folder),
            completer=CommandCompleter(Source(self.driver, env.variables)),
            complete_while_typing=Condition(self._typing),
            auto_suggest=AutoSuggestFromHistory(),
            bottom_toolbar=self._toolbar,
            key_bindings=key_bindings(self),
            style=STYLE,
            reserve_space_for_menu=MENU_ROWS,
            enable_suspend=True,
            search_ignore_case=True,
        )

    async def run(self, load: str = "", first: str = "") -> ExitStatus:
        """Prompt until the supervisor leaves, or a signal says so."""
        self._screen.note(WELCOME)
        for line in (first, f"load_file {load}" if load else ""):
            self._lines.put_nowait(line)
        loop = asyncio.get_running_loop()
        blocked = BlockedScreen(self._session.app)
        resume = partial(loop.call_soon_threadsafe, blocked.resume)
        with RuleWatch(blocked.notice, resume, hint=" Ctrl-C gives it up.") as watch:
            self._heed_signals(watch)
            worker = spawn(self._work())
            reader = spawn(self._read())
            try:
                await asyncio.wait((worker, reader), return_when=asyncio.FIRST_COMPLETED)
            finally:
                if self._ticker is not None:
                    self._ticker.cancel()
                for task in (worker, reader):
                    task.cancel()
                outcomes = await asyncio.gather(worker, reader, return_exceptions=True)
                await self.driver.close()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        return ExitStatus.DONE if self._ended is None else self._ended

    def _heed_signals(self, watch: RuleWatch) -> None:
        def interrupt() -> None:
            if not watch.gave_up():
                self.interrupt()

        def end() -> None:
            self._end(ExitStatus.INTERRUPTED)

        with suppress(RuntimeError, ValueError):  # not the main thread, as in tests
            # Ctrl-C is a signal between two prompts, and while a rule computes; else it is a key.
            watch.heed({signal.SIGINT: interrupt, signal.SIGTERM: end, signal.SIGHUP: end})

    # Reading.

    async def _read(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    await self._lines.join()
            if self._ended is not None:
                return
            try:
                line = await self._session.prompt_async(handle_sigint=False)
            except EOFError:
                await self._leave()
                return
            except OSError:  # the terminal is gone
                self._end(ExitStatus.INTERRUPTED)
                return
            for part in line.splitlines():  # what was pasted may be several commands
                self._lines.put_nowait(part)

    async def _leave(self) -> None:
        """Leave as `quit` does, unless a command at hand would have to be waited for."""
        if self._ended is None and not self._at_hand and not self.driver.left:
            await self.driver.command("quit")

    def _end(self, how: ExitStatus) -> None:
        if self._ended is None:
            self._ended = how
        app = self._session.app
        if app.is_running and not app.is_done:
            app.exit(exception=EOFError)

    # Carrying out.

    async def _work(self) -> None:
        """Say the lines to the referee, one after the other."""
        driver = self.driver
        while not driver.left:
            line = await self._lines.get()
            if not is_comment(line):
                self._at_hand = split_words(line, 2)[0]
                await driver.settled_for(self._at_hand if self._at_hand in SUPERVISOR else "play")
                await driver.command(line, typed=True)
                self._at_hand = ""
                self._changed()
            self._lines.task_done()
        self._end(ExitStatus.DONE)

    # What is shown.

    def _changed(self) -> None:
        """Something may have changed that is shown; while an engine thinks, its time goes on."""
        self._status = self._look()
        if not self._at_hand:
            self._screen.settle()
        if self._session.app.is_running:
            self._session.app.invalidate()
        if self._status.thinking and self._ticker is None:
            self._ticker = asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._ticker = None
        self._changed()
        thinking = [seat.player for seat in self._status.seats if seat.thinking is not None]
        if thinking and not self._peeking:
            self._peeking = True
            spawn(self._peek(thinking[0]))
        elif not thinking:
            self._found = ""

    async def _peek(self, player: str) -> None:
        """Find out how far a search is."""
        try:
            told = await self.driver.ask_engine(player, "get_option", LAST_SEARCH, thinking=True)
        finally:
            self._peeking = False
        self._found = search_text(told) if told else ""

    def _look(self) -> Status:
        try:
            return self.driver.view.status(time.monotonic())
        except Exception:  # noqa: BLE001  # a rule may raise anything; the referee reports it where it matters
            return Status()

    def _lively(self) -> bool:
        """Whether turns end by themselves so soon that the table is redrawn in place."""
        if self._at_hand in SUPERVISOR and self._at_hand not in PLAYING:
            return False  # what was asked for is printed
        try:
            seconds = self.driver.view.pace()
        except Exception:  # noqa: BLE001  # a rule may raise anything; the referee reports it where it matters
            return False
        return seconds is not None and seconds <= FASTER

    def _message(self) -> StyleAndTextTuples:
        names = one_line(", ".join(self._status.turn))
        typed = ("class:prompt", f"{names}> ") if names else ("class:prompt.idle", f"{IDLE}> ")
        size = self._session.app.output.get_size()
        frame = self._screen.frame(size.columns, size.rows - MENU_ROWS - FOOT_ROWS)
        # What was typed below a table that stays in place goes with it.
        self._session.app.erase_when_done = bool(frame)
        return [*to_formatted_text(ANSI(frame)), typed] if frame else [typed]

    def _toolbar(self) -> StyleAndTextTuples:
        columns = self._session.app.output.get_size().columns
        return [
            *toolbar(
                self._status, columns, busy=one_line(self._at_hand), machine=self.driver.machine, found=self._found
            )
        ]

    def _typing(self) -> bool:
        return bool(self._session.default_buffer.text)

    # What keys ask for.

    def interrupt(self) -> None:
        """Stop what is going on: an engine's thinking, or a command that waits for something."""
        if self.driver.view.busy:
            self.driver.interrupt()
        elif self._look().thinking:
            spawn(self._withdraw())
        else:
            self._screen.note(HOW_TO_LEAVE)

    async def _withdraw(self) -> None:
        if (await self.driver.command("withdraw")).startswith("="):
            self._screen.note(WITHDRAWN)

    def help(self, line: str) -> None:
        """Explain the command on the line, or how a play goes."""
        word = (split_words(line, 2) or [""])[0]
        spawn(self._command(f"help {word if word in SUPERVISOR else 'playing'}"))

    def leave(self) -> None:
        """End the line that is being typed, and with it the program."""
        self._session.app.exit(exception=EOFError)

    async def _command(self, line: str) -> None:
        await self.driver.command(line)
