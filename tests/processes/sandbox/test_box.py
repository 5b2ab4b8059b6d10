"""An engine's command in its sandbox, and what is said if there is none."""

from __future__ import annotations

import marshal
import os
import socket
from dataclasses import replace

import pytest

from ggtp.errors import EngineFailedToStart
from ggtp.processes.sandbox.available import Available, Bubblewrap
from ggtp.processes.sandbox.box import Box, Confinement, boxed
from ggtp.processes.sandbox.bubblewrap import Features
from ggtp.processes.sandbox.layout import Referee
from ggtp.processes.sandbox.policy import Level, Protection, Sandbox

NOTHING = Available(None, "bubblewrap is not installed")
SOMETHING = Available(Bubblewrap("/usr/bin/bwrap", Features()), "")


def confinement(level: Level) -> Confinement:
    return Confinement(Sandbox(level), Referee("/home/me", "/work"))


def test_without_a_sandbox_the_command_is_as_it_was() -> None:
    box = boxed(["/bin/true"], {"A": "1"}, "/", confinement("off"), {"T": "2"}, SOMETHING)
    assert box.argv == ["/bin/true"]
    assert box.env == {"A": "1", "T": "2"}
    assert box.protection.kind == "none"
    assert box.protection.lacks == ()
    assert box.status(130) == 130


def test_a_strict_sandbox_that_cannot_be_had_is_an_error_with_the_remedy() -> None:
    with pytest.raises(EngineFailedToStart, match="strict sandbox needs bubblewrap, and bubblewrap is not installed"):
        boxed(["/bin/true"], {}, None, confinement("strict"), {}, NOTHING)


def test_a_sandbox_that_cannot_be_had_is_missed_in_words() -> None:
    box = boxed(["/bin/true"], {}, None, confinement("standard"), {}, NOTHING)
    assert box.protection.kind == "none"
    assert box.protection.lacks == (
        "Engines run without a sandbox, with the user's rights: bubblewrap is not installed.",
    )
    assert box.env["HOME"] == box.env["TMPDIR"] == box.scratch, "a home of its own"
    box.remove()
    assert not os.path.exists(box.env["HOME"])


def test_the_engines_variables_are_not_those_of_bubblewrap() -> None:
    box = boxed(["/bin/true"], {"LD_PRELOAD": "/evil.so"}, None, confinement("standard"), {"T": "2"}, SOMETHING)
    try:
        assert box.env == {"T": "2"}
        words = os.pread(box.handles[0], 1 << 20, 0).split(b"\0")
        at = words.index(b"LD_PRELOAD")
        assert words[at - 1 : at + 2] == [b"--setenv", b"LD_PRELOAD", b"/evil.so"]
        assert box.argv[-2:] == ["--", "/bin/true"]
        assert box.protection.sentence().startswith("bubblewrap, no network")
    finally:
        box.close()


def test_a_signal_that_has_ended_the_engine_is_told_as_a_signal() -> None:
    box = boxed(["/bin/true"], {}, None, confinement("standard"), {}, SOMETHING)
    box.close()
    assert [box.status(status) for status in (0, 3, 137, 139)] == [0, 3, -9, -11]


def test_the_engines_variables_are_not_those_of_what_listens_for_it() -> None:
    inside = replace(confinement("standard"), port=4000)
    box = boxed(["/bin/true"], {"LD_PRELOAD": "/evil.so"}, None, inside, {"T": "2"}, SOMETHING)
    try:
        assert b"LD_PRELOAD" not in os.pread(box.handles[0], 1 << 20, 0).split(b"\0")
        variables = box.argv[box.argv.index("listen") + 3]
        assert marshal.loads(os.pread(int(variables), 1 << 20, 0))["LD_PRELOAD"] == "/evil.so"
    finally:
        box.close()


def test_what_is_handed_out_and_is_no_socket_is_closed() -> None:
    ours, theirs = socket.socketpair()
    read, write = os.pipe()
    box = Box([], {}, None, Protection("none", "off", network=True), door=ours.detach())
    with theirs, open(write, "wb"):
        socket.send_fds(theirs, [b"!"], [read])
        os.close(read)
        assert box.listener() is None
        with pytest.raises(BrokenPipeError):
            os.write(write, b"!")
