"""SECURITY.md names tests for each threat; they exist, and everybody who may attack is in the table."""

from __future__ import annotations

import re

from support.paths import ROOT

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
ATTACKERS = {"engine", "rule file", "play file", "journal", "network peer", "browser"}


def rows() -> list[list[str]]:
    """The threats: who, what, the defence, its tests."""
    table = PAGE.partition("## Threats")[2]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_test_that_is_named_exists() -> None:
    for who, what, defence, tests in rows():
        named = re.findall(r"`([^`]+)`", tests)
        assert named, f"no test of {who}: {what}"
        assert defence
        for path in named:
            assert "def test_" in (ROOT / path).read_text("utf-8"), path


def test_everybody_who_may_attack_is_there() -> None:
    assert {row[0] for row in rows()} >= ATTACKERS


def test_the_page_is_found() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "SECURITY.md" in (ROOT / "man" / "ggtp-faults.7").read_text("utf-8")


def test_a_report_is_private_and_invents_no_address() -> None:
    assert "Report a vulnerability" in PAGE
    assert "@" not in PAGE
