"""Memory that is in files."""

from __future__ import annotations

import os

import pytest

from ggtp.processes.storage import kept_bytes

MEBIBYTE = 1 << 20


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="there are no such files")
def test_a_file_without_a_name_counts_once() -> None:
    before = kept_bytes({os.getpid()})
    handle = os.memfd_create("test")
    twice = os.dup(handle)
    try:
        os.write(handle, bytes(MEBIBYTE))
        assert kept_bytes({os.getpid()}) - before == MEBIBYTE
    finally:
        os.close(handle)
        os.close(twice)
    assert kept_bytes({os.getpid()}) == before


def test_a_process_that_is_gone_keeps_nothing() -> None:
    assert kept_bytes({1 << 29}, 1 << 29, ("/tmp",)) == 0
