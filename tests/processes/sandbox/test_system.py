"""What every engine sees of the machine."""

from __future__ import annotations

import os
import stat
import sys

from ggtp.processes.sandbox.system import outermost, system, within


def test_a_path_lies_within_itself_and_the_folders_above() -> None:
    assert within("/a/b", "/a")
    assert within("/a", "/a")
    assert within("/a", "/")
    assert not within("/ab", "/a")


def test_of_nested_paths_the_outermost_are_kept() -> None:
    assert outermost(["/a/b", "/a", "/ab/", "/c/d", "/c/d/e"]) == ("/a", "/ab", "/c/d")


def test_python_and_the_project_are_there() -> None:
    found = system()
    assert sys.prefix in found.installations
    assert any(path.endswith("ggtp") or within(path, sys.prefix) for path in found.modules)


def test_settings_that_others_may_not_read_are_hidden() -> None:
    masked = system().masked
    for path in ("/etc/shadow", "/etc/gshadow"):
        if os.access(path, os.R_OK) and not os.stat(path).st_mode & stat.S_IROTH:
            assert path in masked
