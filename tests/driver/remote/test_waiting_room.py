"""The door to other machines, from the referee's side; people who come in are in the tests of visits."""

from __future__ import annotations

import asyncio

import pytest

from ggtp.driver.remote.waiting_room import Porch, remote_engine
from ggtp.errors import CommandError


def test_without_a_door_there_is_nobody() -> None:
    porch = Porch(lambda _event: None, lambda _text: None)
    assert porch.connections == porch.engines() == []
    porch.whisper(1, ("hello",))  # to nobody
    asyncio.run(porch.close())
    for work in (porch.list_connections, porch.stop_listening):
        with pytest.raises(CommandError):
            asyncio.run(work())


def test_engines_elsewhere_are_named_by_their_keys() -> None:
    assert remote_engine("remote:alice").reference == "remote:alice"
    with pytest.raises(CommandError, match="names nobody"):
        remote_engine("remote:")
