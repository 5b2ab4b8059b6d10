"""`ggtp ggp-player`: a program that listens, plays, and ends when it is told."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from typing import Any

import pytest
from support.ggp_wire import say

from ggtp.catalogue import Catalogue
from ggtp.foreign.expressions import read_all
from ggtp.foreign.ggp import Info, Play, Start

pytestmark = pytest.mark.process

SECONDS = 60


def test_it_listens_plays_and_ends() -> None:
    argv = [sys.executable, "-m", "ggtp", "ggp-player", "--engine", "random", "--port", "0", "--name", "Somebody"]
    program = subprocess.Popen(
        [*argv, "--option", "seed=3", "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = program.stdout.readline()
        port = int(re.fullmatch(r"Somebody listens at http://127\.0\.0\.1:(\d+)\n", line)[1])
        assert say(port, str(Info())) == "( ( name Somebody ) ( status available ) )"
        rules = read_all(Catalogue.from_environment({}).find_rules("gdl/tictactoe").text)
        assert say(port, str(Start("m.1", "cross", rules, 60, 60))) == "ready"
        assert re.fullmatch(r"\( mark \d \d \)", say(port, str(Play("m.1"))))
        program.send_signal(signal.SIGTERM)
        assert program.wait(SECONDS) == 0
        log = program.stderr.read()
        assert "START m.1: ready" in log
        assert "Traceback" not in log
    finally:
        program.kill()
        program.communicate()


def test_what_can_not_be_had_is_told(run: Any) -> None:
    ran = run("ggp-player", "--engine", "nobody")
    assert (ran.status, ran.out) == (1, "")
    assert "No engine named nobody" in ran.err
    ran = run("ggp-player", "--engine", "random", "--port", "70000")
    assert ran.status == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run("ggp-player", "--engine", "random", "--port", str(taken.getsockname()[1]))
    assert ran.status == 1
    assert "address already in use" in ran.err
    assert "Traceback" not in ran.err
