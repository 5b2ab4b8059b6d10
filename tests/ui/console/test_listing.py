"""Lists of guests: states, remarks, and text that cannot harm a terminal."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue import RuleEntry
from ggtp.ui.console import listing
from ggtp.ui.console.environment import Environment

FINE = RuleEntry("Hex", "connect two sides", "bundled", Path("/b/hex.py"))
SHADOWED = RuleEntry("Hex", "an older one", "bundled", Path("/c/hex.py"), shadowed_by="/b/hex.py")
BROKEN = RuleEntry("Go", "", "a package", None, problem="a.py:1: it\nfails")
BOTH = RuleEntry("Go", "", "a package", None, shadowed_by="/b/go.py", problem="fails")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def shown(entries: list[RuleEntry], *words: str, terminal: bool = False, **variables: str) -> tuple[str, str]:
    parser = argparse.ArgumentParser()
    listing.add_arguments(parser, "rules")
    out: Any = Terminal() if terminal else io.StringIO()
    env = Environment(io.StringIO(), out, io.StringIO(), {"TERM": "xterm", **variables})
    columns = {"name": lambda entry: entry.name, "title": lambda entry: entry.title}
    listing.show(env, parser.parse_args(words), "rules", entries, columns, lambda entry: {"more": 1})
    return out.getvalue(), env.stderr.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("entry", "state", "remark"),
    [
        (FINE, "ok", "connect two sides"),
        (SHADOWED, "shadowed", "found instead: /b/hex.py"),
        (BROKEN, "broken", "a.py:1: it\nfails"),
        (BOTH, "broken", "fails; found instead: /b/go.py"),
    ],
)
def test_states_and_remarks(entry: RuleEntry, state: str, remark: str) -> None:
    assert (listing.state(entry), listing.remark(entry)) == (state, remark)


def test_usable_guests_stand_in_columns_and_broken_ones_are_told() -> None:
    out, err = shown([FINE, SHADOWED, BROKEN])
    assert out == "NAME  TITLE\nHex   connect two sides\n"
    assert err == "ggtp: can't be used: Go; ggtp rules --all tells why\n"


def test_of_many_broken_guests_some_are_named() -> None:
    broken = [RuleEntry(f"r{number}", "", "a folder", None, problem="fails") for number in range(12)]
    _, err = shown([FINE, *broken])
    assert err == "ggtp: can't be used: r0, r1, r2, r3, r4, r5, r6, r7 and 4 more; ggtp rules --all tells why\n"


def test_all_tells_everything_a_line_each() -> None:
    out, err = shown([FINE, SHADOWED, BROKEN], "--all")
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["NAME", "STATE"],
        ["Hex", "ok"],
        ["Hex", "shadowed"],
        ["Go", "broken"],
    ]
    assert "a.py:1: it\\x0afails" in out
    assert err == ""


def test_json_is_one_line() -> None:
    out, err = shown([FINE, BROKEN], "--json")
    assert out.count("\n") == 1
    assert json.loads(out) == [
        {
            "name": "Hex",
            "title": "connect two sides",
            "state": "ok",
            "source": "bundled",
            "path": "/b/hex.py",
            "shadowed_by": None,
            "problem": None,
            "more": 1,
        }
    ]
    assert err == ""
    assert len(json.loads(shown([FINE, BROKEN], "--json", "--all")[0])) == 2


def test_nothing_at_all_is_told() -> None:
    assert shown([]) == ("", "ggtp: no rules were found\n")


def test_a_terminal_gets_a_table() -> None:
    out, _ = shown([FINE, BROKEN], "--all", terminal=True)
    assert "\x1b[31m" in out
    assert "Hex" in out
    assert "\x1b[31m" not in shown([FINE, BROKEN], "--all", terminal=True, NO_COLOR="1")[0]
    assert "\x1b" not in shown([FINE, BROKEN], "--all", terminal=True, TERM="dumb")[0]


def test_guests_cannot_paint_the_terminal() -> None:
    evil = RuleEntry("Evil", "[red]\x1b[2J\x07", "bundled", None)
    for terminal in (False, True):
        out, _ = shown([evil], terminal=terminal)
        assert "\x1b[2J" not in out
        assert "[red]\\x1b[2J\\x07" in out
