"""One engine from its start to its end: what is heard of it, and that nothing is heard twice or too late."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

from ggtp.catalogue import EngineSpec
from ggtp.driver.link import EngineLink, _status_words
from ggtp.errors import EngineFailedToStart
from ggtp.processes.sandbox.available import available
from ggtp.referee.effects import Bounds

BAD = str(FAKES / "bad_engine.py")
SECONDS = 20.0


class Heard:
    """What a link tells."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.failures: list[tuple[str, str, str]] = []
        self._changed = asyncio.Event()

    def on_line(self, line: bytes, at: float) -> None:
        self.lines.append(line)
        self._changed.set()

    def on_failed(self, fault: str, what: str, last_words: str) -> None:
        self.failures.append((fault, what, last_words))
        self._changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(SECONDS):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


def run(
    script: Callable[[EngineLink, Heard], Awaitable[None]],
    *arguments: str,
    transport: str = "tcp",
    argv: tuple[str, ...] = (),
    connect: float = 10.0,
    line_bytes: int = 1 << 16,
    folder: str = "",
) -> Heard:
    """Play a script with a link that is stopped in the end."""
    command = argv or ("{python}", BAD, "{endpoint}", *arguments)
    spec = EngineSpec("Bad", command, transport=transport)  # type: ignore[arg-type]
    spec = replace(spec, cwd=Path(folder)) if folder else spec

    async def main() -> Heard:
        heard = Heard()
        link = EngineLink(spec, Bounds(line_bytes, 1 << 30, 64, connect), heard.on_line, heard.on_failed)
        try:
            await asyncio.wait_for(script(link, heard), SECONDS)
        finally:
            await asyncio.wait_for(link.stop(kindly=False), SECONDS)
        return heard

    return asyncio.run(main())


@pytest.mark.process
@pytest.mark.parametrize("transport", ["zmq", "tcp", "stdio"])
def test_a_conversation(transport: str) -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        await link.start()
        link.send([b"connect_engine", b"start"])
        await heard.until(lambda: len(heard.lines) == 2)
        link.send([b"have_to_play"])
        await heard.until(lambda: len(heard.lines) == 3)
        link.send([b"disconnect_engine"])
        await link.stop(kindly=True)

    heard = run(script, transport=transport)
    assert heard.lines[:3] == [b"acknowledge", b"acknowledge", b"select_move A1"]
    assert heard.failures == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "fault", "what"),
    [
        (("--fault", "exit0"), "exit", "it ended with exit status 0."),
        (("--fault", "exit1"), "exit", "it ended with exit status 1."),
        (("--fault", "crash"), "exit", "it ended by signal SIGSEGV."),
        (("--fault", "long-line"), "flood", "it sent a line of more than 65536 bytes."),
    ],
)
def test_a_failure_is_heard_once(arguments: tuple[str, ...], fault: str, what: str) -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        await link.start()
        link.send([b"connect_engine", b"have_to_play"])
        await heard.until(lambda: heard.failures)
        link.send([b"start"])  # nobody is there any more, and nobody is told again
        await asyncio.sleep(0)

    heard = run(script, *arguments)
    assert [failure[:2] for failure in heard.failures] == [(fault, what)]
    if "exit1" in arguments:
        assert "giving up" in heard.failures[0][2]


@pytest.mark.process
@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("/nowhere/engine",), "Engine Bad did not start: "),
        (
            (sys.executable, "-c", "import sys; sys.exit('no book')"),
            "it ended with exit status 1. Its last words: no book",
        ),
        ((sys.executable, "-c", "pass"), "it ended with exit status 0."),
    ],
)
def test_an_engine_that_does_not_start(argv: tuple[str, ...], why: str) -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        with pytest.raises(EngineFailedToStart) as caught:
            await link.start()
        assert why in str(caught.value)

    assert run(script, argv=argv).failures == []


@pytest.mark.process
def test_an_engine_that_does_not_connect() -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        with pytest.raises(EngineFailedToStart, match=r"did not connect within 0\.3 s"):
            await link.start()

    assert run(script, "--fault", "never-connects", connect=0.3).failures == []


@pytest.mark.process
def test_nothing_is_heard_after_the_end() -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        await link.start()
        link.send([b"connect_engine"])
        await heard.until(lambda: heard.lines)
        link.mute()
        await link.stop(kindly=False)
        link.send([b"start"])

    assert run(script).failures == []


@pytest.mark.process
def test_an_engine_can_be_killed_without_a_loop() -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        await link.start()
        link.kill()

    assert run(script).failures == []


def test_stopping_what_was_never_started() -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        link.send([b"start"])
        assert link.last_words() == ""
        await link.stop(kindly=True)

    assert run(script).failures == []


@pytest.mark.parametrize(
    ("status", "words"),
    [(0, "with exit status 0"), (3, "with exit status 3"), (-9, "by signal SIGKILL"), (-200, "by signal 200")],
)
def test_how_a_program_ended(status: int, words: str) -> None:
    assert _status_words(status) == words


@pytest.mark.process
@pytest.mark.parametrize("transport", ["stdio", "tcp", "zmq"])
@pytest.mark.parametrize(
    ("argv", "folder", "why"),
    [
        (("{folder}/nowhere",), "", "There is no program"),
        ((sys.executable, "-c", "pass"), "{folder}/nowhere", "which is no directory"),
    ],
)
def test_a_program_or_a_folder_that_does_not_exist_leaves_nothing_unsaid(
    transport: str, argv: tuple[str, ...], folder: str, why: str, tmp_path: Path
) -> None:
    """An exception that nobody has asked for would be logged when it is collected."""
    logged: list[dict[str, Any]] = []

    async def script(link: EngineLink, _heard: Heard) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: logged.append(context))
        with pytest.raises(EngineFailedToStart, match=why):
            await link.start()
        link.mute()

    there = str(tmp_path)
    words = tuple(word.replace("{folder}", there) for word in argv)
    run(script, transport=transport, argv=words, folder=folder.replace("{folder}", there))
    gc.collect()
    assert logged == []


@pytest.mark.process
def test_an_engine_that_misses_a_file_in_its_sandbox_is_told_the_remedy(tmp_path: Path) -> None:
    async def script(link: EngineLink, heard: Heard) -> None:
        with pytest.raises(EngineFailedToStart, match="in a sandbox that shows it little; see the keys reads, writes"):
            await link.start()

    if available().bubblewrap is None and available().landlock is None:
        pytest.skip("there is no sandbox here")
    assert run(script, argv=("sh", "-c", f"cat {tmp_path}/book/of/openings")).failures == []
