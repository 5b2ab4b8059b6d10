"""A disk in memory is filled, emptied and made read-only."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggtp.bench.attack import small_disk as module
from ggtp.bench.attack.parts import Skipped
from ggtp.bench.attack.small_disk import small_disk


@pytest.mark.process
def test_it_is_full_and_has_room_again(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", 64 * 1024) as disk:
            disk.fill(0)
            with pytest.raises(OSError, match="No space left"):
                (disk.folder / "more").write_bytes(bytes(8192))
            disk.empty()
            (disk.folder / "more").write_bytes(bytes(8192))
            disk.read_only()
            with pytest.raises(OSError, match="Read-only"):
                (disk.folder / "again").write_bytes(b"x")
    except Skipped as why:
        pytest.skip(str(why))
    assert list((tmp_path / "disk").iterdir()) == []


def test_where_nothing_can_be_mounted_it_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_do", lambda *words: 1)
    with pytest.raises(Skipped, match="takes the superuser"), small_disk(tmp_path / "disk", 1024):
        pass
