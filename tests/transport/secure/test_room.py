"""The library is not begun with where it would end the process."""

from __future__ import annotations

import os
import resource

import pytest

from ggtp.transport.secure.room import need_room


def test_there_is_room() -> None:
    before = len(os.listdir("/proc/self/fd"))
    need_room()
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_descriptors_there_is_none() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = len(os.listdir("/proc/self/fd"))
    highest = max(map(int, os.listdir("/proc/self/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 5, hard))
    try:
        with pytest.raises(OSError, match="Too few files"):
            need_room(descriptors=highest + 6)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_memory_there_is_none() -> None:
    with pytest.raises(OSError, match="too little memory"):
        need_room(megabytes=1 << 40)
