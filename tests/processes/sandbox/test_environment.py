"""Which variables an engine in a sandbox is given."""

from __future__ import annotations

from ggtp.processes.sandbox.environment import scrubbed


def test_programs_have_what_they_need_and_no_secrets() -> None:
    needed = {"PATH": "/usr/bin", "LC_ALL": "C", "TZ": "UTC", "OMP_NUM_THREADS": "1", "PYTHONPATH": "/lib"}
    secret = {"SSH_AUTH_SOCK": "/run/agent", "API_TOKEN": "x", "HOME": "/home/me", "LD_PRELOAD": "/evil.so"}
    assert scrubbed(needed | secret) == needed
