"""A cache that is filled for an engine that may not write to it."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from ggtp.catalogue.compile.cache import DiskCache
from ggtp.kit.stock import fill, main, moment, used_since


def test_files_that_were_written_or_read_since_then_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    began = moment(folder)
    for name, when in (("old", began - 10), ("new", began), (".made-x", began)):
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (when, when))
    assert used_since(folder, began) == ["new"]


def test_an_engine_that_compiles_nothing_needs_nothing(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    assert fill({"module": "ggtp.engines.random_mover", "options": {}, "seconds": 1, "key": "k"}, cache) == 0
    assert cache.get("k") == b""


def test_what_goes_wrong_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    answer = io.StringIO()
    request = {"module": "ggtp.kit.settings", "options": {}, "seconds": 1, "key": "k"}
    main(io.StringIO(json.dumps(request)), answer)
    assert json.loads(answer.getvalue()) == {"failed": "ggtp.kit.settings has no engine."}
