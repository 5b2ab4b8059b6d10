"""Scripts: a file of commands, or a pipe. Prints the transcript; waits where a command needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from ggtp.driver.driver import Driver
from ggtp.driver.journal import MOST_BYTES, read_text, text_of
from ggtp.driver.loop import cancel_at, run_loop
from ggtp.driver.remote.admission import Keyring
from ggtp.driver.rule_watch import RuleWatch
from ggtp.errors import MessageTooLong
from ggtp.protocol.codec import is_comment
from ggtp.protocol.text import split_words
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.lines import LineReader
from ggtp.ui.console.new_driver import new_driver
from ggtp.ui.console.plain import PlainScreen

COMMENTS = 10_000
"""After how many lines without a command the loop looks for signals."""
NextLine = Callable[[], Awaitable[str | None]]


def read_script(path: str) -> str:
    """The text of a script. A pipe is read to its end, since a shell gives one for the output of a command.

    Raises:
        OSError: it can't be read, or is a device or a folder.
        ValueError: it is too large, or not UTF-8; the text says so.
    """
    if Path(path).is_fifo():
        with open(path, "rb") as pipe:
            return whole_text(pipe)
    return read_text(path)


def whole_text(stream: BinaryIO) -> str:
    """The text of a stream, which may have no end.

    Raises:
        ValueError: it is too large, or not UTF-8; the text says so.
    """
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES} bytes")
    return text_of(data)


def read_stream(stream: TextIO) -> str:
    """The text of a script that comes from the standard input.

    Raises:
        ValueError: it is too large; the text says so.
    """
    text = stream.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES} characters")
    return text


def run_script(env: Environment, text: str, *, seed: int | None = None) -> ExitStatus:
    """Carry out the commands of a script, each echoed before its answer."""
    lines = iter(text.split("\n"))

    async def next_line() -> str | None:
        return next(lines, None)

    return run_loop(_session(env, lambda: next_line, echo=True, seed=seed))


def run_pipe(
    env: Environment, *, load: str = "", seed: int | None = None, keyring: Keyring | None = None, serve: str = ""
) -> ExitStatus:
    """Carry out the commands of the standard input.

    Args:
        env: the surroundings.
        load: a play file to begin with.
        seed: where chance begins.
        keyring: the keys for the door to other machines, where they are not the user's own.
        serve: the command that opens that door. It comes first; if it is refused, nothing follows. With it, the end of
            the input is not the end.
    """
    session = _session(
        env, lambda: _lines(env), echo=env.input_is_file, load=load, seed=seed, keyring=keyring, serve=serve
    )
    return run_loop(session)


def _lines(env: Environment) -> NextLine:
    """The lines of the standard input, from its descriptor where it has one."""
    try:
        return LineReader(env.stdin.fileno()).next
    except (OSError, ValueError):  # text in memory
        lines = iter(env.stdin)

        async def next_line() -> str | None:
            line = next(lines, None)
            return None if line is None else line.rstrip("\r\n")

        return next_line


async def _session(
    env: Environment,
    source: Callable[[], NextLine],
    *,
    echo: bool,
    load: str = "",
    seed: int | None = None,
    keyring: Keyring | None = None,
    serve: str = "",
) -> ExitStatus:
    screen = PlainScreen(env.stdout, ascii_only=env.ascii_only)
    driver = new_driver(env, screen, seed=seed, defaults={"wait": "on"}, keyring=keyring)
    with RuleWatch(screen.inform) as watch:
        cancel_at(watch=watch)
        try:
            if serve and (await driver.command(serve)).startswith("?"):
                return ExitStatus.REFUSED
            if load:
                await driver.command(f"load_file {load}")
            await _run(driver, screen, source(), watch, echo=echo)
            if serve and not driver.left:
                await asyncio.Event().wait()  # until a signal says so
            driver.dismiss()
        except asyncio.CancelledError:
            screen.inform("Interrupted")
            return ExitStatus.INTERRUPTED
        except BrokenPipeError:
            return ExitStatus.DONE
        finally:
            with suppress(BrokenPipeError):
                await driver.close()
    return ExitStatus.REFUSED if screen.refused else ExitStatus.DONE


async def _run(driver: Driver, screen: PlainScreen, next_line: NextLine, watch: RuleWatch, *, echo: bool) -> None:
    passed_over = 0
    while not driver.left:
        try:
            line = await next_line()
        except MessageTooLong as error:
            screen.respond(f"? This is {error}.")
            continue
        if line is None:
            break
        if is_comment(line):
            if echo and line.strip():
                screen.echo(line)
            passed_over += 1
            if passed_over % COMMENTS == 0:
                await asyncio.sleep(0)  # a signal may have come
            continue
        await driver.settled_for(split_words(line, 2)[0])
        if echo:
            screen.echo(line)
        await driver.command(line)
        if watch.gave_up():
            await asyncio.Event().wait()  # until the signal's own callback cancels us
    if not driver.left and driver.view.on("wait"):
        await driver.settled(timers=True)
