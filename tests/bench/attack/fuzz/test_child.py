"""The child says what it begins with and what came of it; what a reader prints is no answer."""

from __future__ import annotations

import pytest

from ggtp.bench.attack.fuzz.child import MODULE
from ggtp.processes.child import End, Line, run_child


@pytest.mark.process
def test_outcomes_are_told() -> None:
    told: list[Line] = []
    request = {"subject": "descriptions", "texts": ['name = "a"\nargv = ["b"]', "a = " + "[" * 9999], "megabytes": 2048}
    ended = run_child(MODULE, request, seconds=60, on_line=told.append)
    assert (ended.end, ended.status) == (End.BY_ITSELF, 0)
    assert [sorted(line)[0] for line in told] == ["begin", "end", "begin", "end"]
    assert told[1]["shown"] == "done zmq True False 1"
    assert told[3]["kind"] is None
