"""The event loop of everything that drives a referee."""

from __future__ import annotations

import ast
import asyncio
import os
import socket
import sys
import threading
from contextlib import suppress

import pytest
from support.paths import ROOT

from ggtp.driver.loop import new_loop, run_loop


def test_what_was_run_is_returned_or_raised() -> None:
    async def work(answer: str) -> str:
        await asyncio.sleep(0)
        if not answer:
            raise ValueError("no answer")
        return answer

    assert run_loop(work("yes")) == "yes"
    with pytest.raises(ValueError, match="no answer"):
        run_loop(work(""))


def test_timers_readers_and_threads_reach_it() -> None:
    async def work() -> list[str]:
        loop = asyncio.get_running_loop()
        told: list[str] = []
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            loop.call_later(0.001, told.append, "timer")
            loop.call_later(0.002, theirs.send, b"reader")
            told.append((await loop.sock_recv(ours, 16)).decode())
            told.append(await asyncio.to_thread(lambda: "thread"))
        return told

    assert run_loop(work()) == ["timer", "reader", "thread"]


def test_a_conversation_that_never_pauses_is_carried() -> None:
    """So many short answers that the loop looks for the next ones."""

    async def work() -> int:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            for end in (ours, theirs):
                end.setblocking(False)

            async def echo() -> None:
                while data := await loop.sock_recv(theirs, 16):
                    await loop.sock_sendall(theirs, data)

            task = loop.create_task(echo())
            answers = 0
            for number in range(300):
                await loop.sock_sendall(ours, str(number).encode())
                answers += await loop.sock_recv(ours, 16) == str(number).encode()
            ours.shutdown(socket.SHUT_WR)
            await task
        return answers

    assert run_loop(work()) == 300


def test_nothing_waits_in_a_way_that_loses_a_cancellation() -> None:
    """`asyncio.wait_for` of Python 3.11 drops one that comes when what it waits for has just ended."""
    found = [
        f"{path}:{node.lineno}"
        for folder in ("ggtp", "engines", "rules")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "wait_for" and ast.unparse(node.value) == "asyncio"
    ]
    assert found == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is the usual loop")
def test_where_only_one_process_can_run_nobody_stays_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = []
    for processors in ({0, 1}, {1}):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid, found=processors: found)
        loop = new_loop()
        kinds.append(type(loop._selector).__name__)  # type: ignore[attr-defined]
        loop.close()
    assert kinds == ["WakefulSelector", "EpollSelector"]


def test_where_no_thread_can_be_started_the_loop_still_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def main() -> str:
        with suppress(RuntimeError):
            await asyncio.get_running_loop().run_in_executor(None, len, "abc")
        return "done"

    monkeypatch.setattr(threading.Thread, "start", start)
    assert run_loop(main()) == "done"
