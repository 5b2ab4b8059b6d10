"""Bytes go through, in order, both ways, and few of them are held."""

from __future__ import annotations

import asyncio
import socket

import pytest
from support.network import until

from ggtp.transport.secure.relay import CHUNK, Relay


def pair() -> tuple[socket.socket, socket.socket]:
    ends = socket.socketpair()
    for end in ends:
        end.setblocking(False)
    return ends


async def read(end: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = b""
    async with asyncio.timeout(30):
        while len(data) < size:
            data += await loop.sock_recv(end, size - len(data))
    return data


def test_bytes_go_both_ways_and_the_first_of_one_end_are_left_out() -> None:
    async def main() -> None:
        caller, front = pair()
        back, server = pair()
        counted: list[int] = []
        relay = Relay(front, back, b"first ", 3, lambda data: counted.append(len(data)), lambda: None)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(caller, b"second")
        await loop.sock_sendall(server, b"12")
        await loop.sock_sendall(server, b"345")
        assert await read(server, 12) == b"first second"
        assert await read(caller, 2) == b"45"
        assert sum(counted) == 6
        relay.close()
        for end in (caller, front, server):
            end.close()

    asyncio.run(main())


def test_whoever_does_not_read_makes_the_other_end_wait() -> None:
    async def main() -> None:
        caller, front = pair()
        back, server = pair()
        counted: list[int] = []
        relay = Relay(front, back, b"", 0, lambda data: counted.append(len(data)), lambda: None)
        data = bytes(range(256)) * (1 << 14)  # 4 MiB
        sending = asyncio.ensure_future(asyncio.get_running_loop().sock_sendall(caller, data))
        await until(lambda: sum(counted) >= CHUNK)
        for _ in range(100):
            await asyncio.sleep(0)
        assert sum(counted) < len(data) // 2
        assert await read(server, len(data)) == data
        await sending
        relay.close()
        for end in (caller, front, server):
            end.close()

    asyncio.run(main())


@pytest.mark.slow
def test_the_end_of_one_is_the_end_of_both() -> None:
    async def main() -> None:
        for gone in range(2):
            caller, front = pair()
            back, server = pair()
            ended: list[bool] = []
            Relay(front, back, b"", 0, lambda _data: None, lambda: ended.append(True))  # noqa: B023 - at once
            (caller, server)[gone].close()
            await until(lambda: ended)  # noqa: B023 - at once
            assert back.fileno() == -1
            for end in (caller, front, server):
                end.close()

    asyncio.run(main())
