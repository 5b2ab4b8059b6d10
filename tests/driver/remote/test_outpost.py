"""An engine of this machine at a referee on another one: real engines, real connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.network import Keys, until
from support.paths import FAKES

from ggtp.catalogue import EngineSpec
from ggtp.driver.remote.outpost import LONGEST_PAUSE, Outpost, Referee, keep_calling
from ggtp.errors import ConnectionLost, KeyFileError, NotAdmitted, TransportError
from ggtp.referee.effects import Bounds
from ggtp.transport.secure.curve import new_key
from ggtp.transport.secure.keys import Keyring

RunTable = Callable[..., list[str]]
BOUNDS = Bounds(1 << 20, 1 << 32, 64, 30.0)


def engine(*arguments: str) -> EngineSpec:
    return EngineSpec("Fake", ("{python}", str(FAKES / "bad_engine.py"), "{endpoint}", *arguments), transport="tcp")


async def listening(table: Any, keys: Keys) -> Referee:
    await table.say("listen 127.0.0.1:0", "set_rule TicTacToe")
    line = await table.screen.until("-> Listening at ")
    return Referee(line.split()[3], bytes.fromhex(line.split()[-1]), keys.pairs["alice"])


@pytest.mark.process
def test_an_engine_of_this_machine_plays_there_and_leaves_when_it_is_dismissed(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        referee = await listening(table, Keys(tmp_path, "alice"))
        log: list[str] = []
        staying = asyncio.ensure_future(Outpost(engine(), referee, BOUNDS, log.append).run(once=True))
        assert await table.say("set_engine Cross remote:alice") == "= Done"
        await table.say("start")
        await table.settled()
        assert (await table.say("get_last_move")).startswith("= Cross ")
        await table.say("set_engine Cross human")
        await asyncio.wait_for(staying, 30)
        assert log == [f"connected to {referee.address}", "the referee has said goodbye"]

    play(script)


@pytest.mark.process
def test_an_engine_that_ends_is_lost_and_a_new_one_is_told_the_play(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        referee = await listening(table, Keys(tmp_path, "alice"))
        log: list[str] = []
        marker = tmp_path / "started"
        once = f'if test -e "{marker}"; then exec "$1" "$2" "$3"; fi; : > "{marker}"; exec "$@"'
        words = ("sh", "-c", once, "sh", *engine("--fault", "exit1").argv)
        spec = EngineSpec("Fake", words, transport="tcp", writes=(str(tmp_path),))
        staying = asyncio.ensure_future(Outpost(spec, referee, BOUNDS, log.append).run())
        await table.say("set_engine Cross remote:alice", "start")
        await table.screen.until("-> Cross plays")
        assert any(line.startswith("Fake failed, exit") for line in log)
        staying.cancel()
        await asyncio.wait((staying,))

    lines = play(script)
    assert "-> Waiting for remote:alice of Cross" in lines


@pytest.mark.process
def test_an_engine_that_does_not_start_is_told_here(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        referee = await listening(table, Keys(tmp_path, "alice"))
        spec = EngineSpec("Fake", (str(tmp_path / "nothing"),), transport="tcp")
        staying = asyncio.ensure_future(Outpost(spec, referee, BOUNDS, lambda _text: None).run(once=True))
        assert (await table.say("set_engine Cross remote:alice")).startswith("? Engine remote:alice failed: ")
        with pytest.raises(Exception, match="did not start"):
            await staying
        assert await table.say("get_engine Cross") == "= human"

    play(script)


@pytest.mark.process
def test_a_wish_that_is_not_granted_is_logged_here(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        referee = await listening(table, Keys(tmp_path, "alice"))
        log: list[str] = []
        spec = replace(engine(), sandbox="off")
        staying = asyncio.ensure_future(Outpost(spec, referee, BOUNDS, log.append).run(once=True))
        assert await table.say("set_engine Cross remote:alice") == "= Done"
        await table.say("set_engine Cross human")
        await asyncio.wait_for(staying, 30)
        assert 'Fake: its description has sandbox = "off", but the option sandbox is standard' in log

    play(script)


def test_a_key_that_is_not_known_ends_it(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        referee = await listening(table, Keys(tmp_path, "alice"))
        stranger = Referee(referee.address, referee.key, new_key())
        with pytest.raises(NotAdmitted, match="not known"):
            await Outpost(engine(), stranger, BOUNDS, lambda _text: None).run()

    play(script)


def test_trying_again_takes_longer_each_time_and_is_told_once() -> None:
    pauses: list[float] = []
    log: list[str] = []
    failures = [ConnectionLost("nobody")] * 7 + [ConnectionLost("a crowd")] * 2

    async def connect() -> str:
        if failures:
            raise failures.pop(0)
        return "connected"

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    assert asyncio.run(keep_calling(connect, log.append, sleep=sleep)) == "connected"
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (0.1, LONGEST_PAUSE)
    assert log == ["nobody; trying again", "a crowd; trying again"]


def test_it_is_cancelled_while_it_waits_for_a_referee(tmp_path: Path) -> None:
    async def main() -> None:
        log: list[str] = []
        nobody = Referee("tcp://127.0.0.1:1", new_key().public, new_key())
        task = asyncio.ensure_future(Outpost(engine(), nobody, BOUNDS, log.append).run())
        await until(lambda: log)
        assert log == ["no referee listens there; trying again"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_a_referee_is_an_address_and_a_key(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "alice")
    ring = Keyring.in_folder(tmp_path / "new")
    key = keys.referee.public
    read = Referee.read("host:9150", key.hex(), keys.path("alice"), ring, 3.0)
    assert read == Referee("tcp://host:9150", key, keys.pairs["alice"], 3.0)
    assert Referee.read("tcp://[::1]:9150", key.hex(), None, ring, 3.0).address == "tcp://[::1]:9150"
    assert ring.own.exists()
    for wrong in ("host", ":9150", "ipc://x:1", "host:port"):
        with pytest.raises(TransportError):
            Referee.read(wrong, key.hex(), None, ring, 3.0)
    with pytest.raises(KeyFileError):
        Referee.read("host:9150", "12", None, ring, 3.0)
