"""The options that bubblewrap is given."""

from __future__ import annotations

from ggtp.processes.sandbox.bubblewrap import Features, namespaces, options
from ggtp.processes.sandbox.layout import Layout
from ggtp.processes.sandbox.policy import Sandbox

LAYOUT = Layout(("/usr", "/home/me/engine"), ("/logs",), (("usr/bin", "/bin"),), ("/etc/shadow",), (), "/tmp/home")


def test_the_network_is_shared_only_if_it_is_wanted() -> None:
    assert "--unshare-net" in namespaces(Features(), network=False)
    assert "--unshare-net" not in namespaces(Features(), network=True)


def test_older_versions_are_asked_for_less() -> None:
    words = options(LAYOUT, Sandbox(), Features(sized=False, closed=False), ())
    assert "--size" not in words
    assert "--disable-userns" not in words


def test_folders_come_before_what_is_in_them() -> None:
    words = options(LAYOUT, Sandbox(), Features(), ("/tmp/ggtp-wire",))
    assert words.index("/tmp") < words.index("/tmp/ggtp-wire")
    assert words[words.index("/home/me/engine") - 1] == "--ro-bind-try"
    assert words[words.index("/logs") - 1] == "--bind-try"
    assert words[-2:] == ["--chdir", "/tmp/home"]
    assert words[words.index("/etc/shadow") - 2 :][:3] == ["--ro-bind", "/dev/null", "/etc/shadow"]
