"""A search in a process of its own keeps its machine code where it is told."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

from support.puzzles import SWITCHES, built

from ggtp.asp.solve_child import main
from ggtp.catalogue.solve.child import opened
from ggtp.gdl.ground.wire import encode_built


def test_code_is_kept_and_used(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    request = {
        "method": "explore",
        "network": base64.b64encode(encode_built(built(SWITCHES))).decode(),
        "cache": str(folder),
        "name": "switches",
    }
    files = []
    for _ in range(2):
        target = io.BytesIO()
        assert main(io.BytesIO(json.dumps(request).encode()), target, opened) == 0
        last = json.loads(target.getvalue().splitlines()[-1])
        assert (last["kind"], last["goal"], len(last["moves"])) == ("plan", 100, 3)
        files.append({path.name: path.stat().st_size for path in folder.iterdir()})
    assert files[0]
    assert files[0] == files[1]
