"""`ggtp engine` and `ggtp serve` as processes of their own; see also tests/process/test_network.py."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.network import SECONDS, Keys


@pytest.mark.process
def test_it_tries_until_it_is_interrupted(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "alice")
    words = ["--connect", "127.0.0.1:1", "--server-key", keys.referee.public.hex(), "--key", str(keys.path("alice"))]
    process = subprocess.Popen(
        [sys.executable, "-m", "ggtp", "engine", "Random", *words], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        assert process.stderr.readline() == "ggtp: Random: no referee listens there; trying again\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 3
        assert process.stderr.read() == "ggtp: Random: interrupted\n"
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_an_engine_that_is_not_there_is_told(run: Any) -> None:
    done = run("engine", "Randum", "--connect", "host:1", "--server-key", "00" * 32)
    assert (done.status, done.err) == (1, "ggtp: No engine named Randum. Did you mean Random?\n")
