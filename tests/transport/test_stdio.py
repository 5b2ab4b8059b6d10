"""What pipes have of their own: they are attached."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from ggtp.errors import ConnectionLost
from ggtp.transport import stdio


def test_ready_comes_from_the_loop_after_attaching(tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await stdio.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=100)
        assert (wire.endpoint, wire.host, wire.port) == ("-", "", 0)
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        wire.attach(ours_in, ours_out)
        assert ear.calls == []
        await ear.until(lambda: ear.ready)
        wire.send([b"hello"])
        assert os.read(theirs_in, 100) == b"hello\n"
        os.write(theirs_out, b"good day\r\n")
        await ear.until(lambda: ear.lines)
        assert ear.lines == [b"good day"]
        # An engine that closes its input cannot be told anything, though it may still speak.
        os.close(theirs_in)
        with pytest.raises(ConnectionLost):
            wire.send([b"hello"])
        os.write(theirs_out, b"bye\n")
        os.close(theirs_out)
        await ear.until(lambda: ear.lost)
        assert ear.lines == [b"good day", b"bye"]

    asyncio.run(talk())


@pytest.mark.parametrize("early", [True, False])
def test_closed_around_attaching(tools: Any, descriptors: Any, early: bool) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        before = descriptors()
        wire = await stdio.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=100)
        if early:
            wire.close()
        wire.attach(*os.pipe())
        wire.close()
        await asyncio.sleep(0)
        assert ear.calls == []
        assert descriptors() == before

    asyncio.run(talk())
