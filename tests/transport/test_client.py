"""The engine's end, against the referee's end of every transport."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import pytest

from ggtp.errors import ConnectionLost
from ggtp.transport.client import Channel, StreamChannel, connect
from ggtp.transport.lines import LineFraming

every_transport = pytest.mark.parametrize("transport", ["zmq", "tcp", "stdio"])


@asynccontextmanager
async def opened(tools: Any, transport: str) -> AsyncIterator[tuple[Any, Any, Channel]]:
    ear = tools.Ear()
    module = import_module(f"ggtp.transport.{transport}")
    wire = await module.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1 << 20)
    if transport == "stdio":
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        wire.attach(ours_in, ours_out)
        channel: Channel = StreamChannel(theirs_in, theirs_out, LineFraming(1 << 20))
    else:
        channel = await asyncio.to_thread(connect, wire.endpoint)
    await ear.until(lambda: ear.ready)
    try:
        yield wire, ear, channel
    finally:
        wire.close()
        channel.close()


@every_transport
def test_lines_in_both_directions(tools: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport) as (wire, ear, channel):
            wire.send([b"one", b"", b"x" * 300_000])
            assert [await asyncio.to_thread(channel.receive, 5) for _ in range(3)] == [b"one", b"", b"x" * 300_000]
            for line in (b"two", b"", b"y" * 300_000):
                await asyncio.to_thread(channel.send, line)
            await ear.until(lambda: len(ear.lines) == 3)
            assert ear.lines == [b"two", b"", b"y" * 300_000]

    asyncio.run(talk())


@every_transport
def test_nothing_comes(tools: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport) as (wire, _, channel):
            with pytest.raises(TimeoutError):
                channel.receive(0)
            with pytest.raises(TimeoutError):
                channel.receive(0.01)
            wire.send([b"late"])
            assert await asyncio.to_thread(channel.receive) == b"late"

    asyncio.run(talk())


@every_transport
def test_the_referee_hangs_up(tools: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport) as (wire, _, channel):
            wire.send([b"last"])
            wire.close()
            assert channel.receive(5) == b"last"
            assert channel.receive(5) is None
            assert channel.receive() is None
            with contextlib.suppress(ConnectionLost):
                channel.send(b"anybody there?")  # the kernel may still take it
            with pytest.raises(ConnectionLost):
                channel.send(b"anybody there?")

    asyncio.run(talk())


@every_transport
def test_closing_ends_a_receive_in_another_thread(tools: Any, descriptors: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport):
            pass
        before = descriptors()
        async with opened(tools, transport) as (_, ear, channel):
            waiting = asyncio.ensure_future(asyncio.to_thread(channel.receive))
            done, _ = await asyncio.wait([waiting], timeout=0.05)
            assert not done
            channel.close()
            assert await waiting is None
            channel.close()
            assert channel.receive() is None
            with pytest.raises(ConnectionLost):
                channel.send(b"hello")
            await ear.until(lambda: ear.lost)
        assert descriptors() == before

    asyncio.run(talk())


@every_transport
def test_any_thread_may_send(tools: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport) as (wire, ear, channel):

            def say(name: int) -> None:
                for number in range(500):
                    channel.send(b"%d:%d:%s" % (name, number, b"x" * (number * 37 % 5000)))

            def obey() -> None:
                while (line := channel.receive(10)) != b"end":
                    channel.send(b"heard %s" % (line or b"nothing"))

            threads = [asyncio.to_thread(say, name) for name in range(4)]
            listener = asyncio.ensure_future(asyncio.to_thread(obey))
            talkers = asyncio.gather(*threads)
            wire.send([b"%d" % number for number in range(500)])
            await ear.until(lambda: len(ear.lines) == 5 * 500)
            wire.send([b"end"])
            await asyncio.gather(listener, talkers)
            for name in range(4):
                mine = [line for line in ear.lines if line.startswith(b"%d:" % name)]
                assert mine == [b"%d:%d:%s" % (name, n, b"x" * (n * 37 % 5000)) for n in range(500)]
            heard = [line for line in ear.lines if line.startswith(b"heard")]
            assert heard == [b"heard %d" % number for number in range(500)]

    asyncio.run(talk())


@every_transport
def test_sending_waits_for_a_referee_that_does_not_read(tools: Any, transport: str) -> None:
    async def talk() -> None:
        async with opened(tools, transport) as (wire, ear, channel):
            wire.reading(False)

            def say() -> None:
                for _ in range(100):
                    channel.send(b"x" * 100_000)

            talker = asyncio.ensure_future(asyncio.to_thread(say))
            done, _ = await asyncio.wait([talker], timeout=0.1)
            assert not done
            wire.reading(True)
            await talker
            await ear.until(lambda: len(ear.lines) == 100)

    asyncio.run(talk())


def test_nobody_is_there(tmp_path: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for endpoint in (f"ipc://{tmp_path}/nothing", f"tcp://127.0.0.1:{port}", f"127.0.0.1:{port}"):
        with pytest.raises(ConnectionLost, match="no referee at"):
            connect(endpoint)


def test_somebody_else_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                connection.recv(1000)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ConnectionLost, match="referee"):
            connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize("endpoint", ["", "nowhere", "host:port", "udp://127.0.0.1:1", "tcp://127.0.0.1", "ipc://"])
def test_no_endpoint(endpoint: str) -> None:
    with pytest.raises(ValueError, match="no endpoint"):
        connect(endpoint)


def test_a_name_for_a_host() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect(f"localhost:{server.getsockname()[1]}").close()


def run(program: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", program], input=said, capture_output=True, timeout=20, check=False)


@pytest.mark.process
def test_standard_input_and_output_are_kept_clean() -> None:
    program = """
import os, sys
from ggtp.transport.client import connect
channel = connect("-")
print("a stray print", flush=True)
os.write(1, b"a stray write\\n")
assert sys.stdin.read() == ""
while (line := channel.receive()) is not None:
    channel.send(b"heard " + line)
"""
    done = run(program, b"one\ntwo\r\nhalf")
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"heard one\nheard two\n"
    assert done.stderr == b"a stray print\na stray write\n"


@pytest.mark.process
def test_an_engine_pays_only_for_what_it_uses() -> None:
    program = """
import sys
import ggtp.transport.client
print([name for name in ("asyncio", "socket", "subprocess", "zmq", "ggtp.transport.zmtp") if name in sys.modules])
"""
    assert run(program).stdout == b"[]\n"
