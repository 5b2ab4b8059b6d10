"""The cache on the disk: what was put there comes back, and nothing else does."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from ggtp.catalogue.compile.cache import DiskCache, cache_folder, usual_cache


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "deep" / "folder")
    assert cache.get("a") is None
    cache.put("a", b"one")
    cache.put("b/../c\0", b"")
    assert (cache.get("a"), cache.get("b/../c\0")) == (b"one", b"")
    cache.put("a", b"two")
    assert DiskCache(tmp_path / "deep" / "folder").get("a") == b"two"
    assert (tmp_path / "deep" / "folder").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"\x80\x04" + data,
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_damaged_file_is_missing_and_is_replaced(tmp_path: Path, damage: object) -> None:
    cache = DiskCache(tmp_path)
    cache.put("key", b"some bytes")
    path = only_file(tmp_path)
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.get("key") is None
    cache.put("key", b"other bytes")
    assert cache.get("key") == b"other bytes"


def test_reading_takes_no_more_memory_than_there_is_to_read(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put("key", b"small")
    tracemalloc.start()
    try:
        assert cache.get("key") == b"small"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_of_another_name_is_not_believed(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put("one", b"1")
    one = only_file(tmp_path)
    cache.put("two", b"2")
    (two,) = set(tmp_path.iterdir()) - {one}
    two.write_bytes(one.read_bytes())
    assert cache.get("two") is None


def test_a_file_that_others_may_write_is_not_believed(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put("key", b"code")
    only_file(tmp_path).chmod(0o622)
    assert cache.get("key") is None


def test_a_link_or_a_pipe_is_not_followed(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "cache")
    cache.put("key", b"code")
    path = only_file(tmp_path / "cache")
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.get("key") is None
    path.unlink()
    os.mkfifo(path)
    assert cache.get("key") is None


def test_it_stays_within_its_bound(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, most_bytes=10_000)
    for number in range(40):
        cache.put(str(number), bytes(1000))
        # The times of files made at once may be equal: the order is what matters.
        for path in tmp_path.iterdir():
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 10))
        cache.get("0")
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000
    assert cache.get("39") == bytes(1000)
    assert cache.get("0") == bytes(1000), "what is used stays"
    assert cache.get("1") is None
    cache.put("huge", bytes(20_000))
    assert cache.get("huge") is None


def test_a_folder_that_cannot_be_used_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = DiskCache(tmp_path / "file" / "folder")
    cache.put("key", b"data")
    assert cache.get("key") is None


def test_where_it_is(tmp_path: Path) -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/c", "HOME": "/h"}) == Path("/c/ggtp/gdl")
    assert cache_folder({"XDG_CACHE_HOME": "relative", "HOME": "/h"}) == Path("/h/.cache/ggtp/gdl")


def test_a_claim_is_waited_for_until_it_ends(tmp_path: Path) -> None:
    one, other = DiskCache(tmp_path), DiskCache(tmp_path)
    asked: list[int] = []

    def give_up() -> bool:
        asked.append(1)
        return len(asked) > 1

    with one.claim("a", lambda: True, 9) as waited:
        assert not waited
        with other.claim("b", lambda: True, 9) as waited:
            assert not waited
        with other.claim("a", give_up, 9) as waited:
            assert waited
        with other.claim("a", lambda: False, 0) as waited:
            assert waited
    assert len(asked) == 2
    with other.claim("a", lambda: True, 9) as waited:
        assert not waited
    assert not list(tmp_path.iterdir())


def test_a_claim_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with DiskCache(tmp_path / "file" / "below").claim("a", lambda: True, 9) as waited:
        assert not waited


def test_another_cache_is_read_and_never_written(tmp_path: Path) -> None:
    users, own = DiskCache(tmp_path / "users"), DiskCache(tmp_path / "own", shared=tmp_path / "users")
    users.put("a", b"1")
    assert own.get("a") == b"1"
    own.put("a", b"2")
    own.put("b", b"3")
    assert (own.get("a"), users.get("a"), users.get("b")) == (b"2", b"1", None)


def test_what_is_just_made_for_the_other_cache_is_waited_for(tmp_path: Path) -> None:
    users, own = DiskCache(tmp_path / "users"), DiskCache(tmp_path / "own", shared=tmp_path / "users")
    looks = 0

    def end_at_the_third_look() -> bool:
        nonlocal looks
        looks += 1
        return looks > 2

    with users.claim("a", lambda: True, 9), own.claim("a", end_at_the_third_look, 9) as waited:
        assert waited
    with own.claim("a", lambda: False, 9) as waited:
        assert not waited


def test_the_users_cache_stands_behind_an_engines_own() -> None:
    assert usual_cache({"XDG_CACHE_HOME": "/c"}).shared is None
    found = usual_cache({"XDG_CACHE_HOME": "/c", "GGTP_SHARED_CACHE": "/users"})
    assert (str(found.folder), str(found.shared)) == ("/c/ggtp/gdl", "/users")
