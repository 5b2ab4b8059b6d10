from __future__ import annotations

import stat
from pathlib import Path

import pytest
from prompt_toolkit.history import InMemoryHistory

from ggtp.ui.prompt import history
from ggtp.ui.prompt.history import KeptHistory, open_history


def lines(folder: Path) -> list[str]:
    return list(open_history(folder).load_history_strings())


def test_it_survives_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "ggtp"
    kept = open_history(folder)
    kept.store_string("set_rule Nim")
    kept.store_string("start")
    assert lines(folder) == ["start", "set_rule Nim"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "history").stat().st_mode) == 0o600


def test_without_a_place_it_is_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert isinstance(open_history(tmp_path / "file"), InMemoryHistory)
    (tmp_path / "history").mkdir()
    assert isinstance(open_history(tmp_path), InMemoryHistory)


def test_one_that_breaks_later_is_no_error(tmp_path: Path) -> None:
    kept = open_history(tmp_path)
    assert isinstance(kept, KeptHistory)
    (tmp_path / "history").unlink()
    (tmp_path / "history").mkdir()
    kept.store_string("start")
    assert list(kept.load_history_strings()) == []


def test_bytes_that_are_no_text_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "history").write_bytes(b"\n# then\n+undo \xff\n")
    assert len(lines(tmp_path)) == 1


def test_a_long_one_is_shortened_to_its_latest_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 2000)
    kept = open_history(tmp_path)
    for number in range(100):
        kept.store_string(f"goto_node {number}")
    assert (tmp_path / "history").stat().st_size > 2000
    shortened = lines(tmp_path)
    assert (tmp_path / "history").stat().st_size <= 1000
    assert shortened[0] == "goto_node 99"
    assert all(line.startswith("goto_node ") for line in shortened)
    assert stat.S_IMODE((tmp_path / "history").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["history"]
