"""`ggtp help`: all there is about a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ggtp.protocol.commands import SUPERVISOR
from ggtp.referee.helptext import TOPICS
from ggtp.ui.commands import help
from ggtp.ui.manual import pages as manual
from ggtp.ui.subcommands import SUBCOMMANDS

PAGE = "GGTP-X(7)  GGTP-X(7)\n\nNAME\n     ggtp-{topic} - about {topic}\n\nDESCRIPTION\n     The page on {topic}.\n"


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Sources and texts of a manual, whatever is installed; the sources."""
    sources, texts = {}, {}
    for topic in ("rules", "play", "protocol"):
        sources[topic] = tmp_path / f"ggtp-{topic}.7"
        texts[topic] = tmp_path / f"ggtp-{topic}.7.txt"
        texts[topic].write_text(PAGE.format(topic=topic))
    monkeypatch.setattr(manual, "find_pages", lambda package: sources)
    monkeypatch.setattr(manual, "find_texts", lambda: texts)
    return sources


def test_without_a_topic_everything_is_named(run: Any, pages: dict[str, Path]) -> None:
    ran = run("help")
    assert (ran.status, ran.err) == (0, "")
    for name in (*SUBCOMMANDS, *TOPICS, *pages):
        assert f"  {name} " in ran.out
    assert "about protocol" in ran.out


@pytest.mark.parametrize("name", [*SUPERVISOR, *TOPICS, *SUBCOMMANDS])
def test_there_is_help_on_everything(run: Any, name: str) -> None:
    ran = run("help", name)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.strip()


def test_a_page_of_the_manual(run: Any, pages: dict[str, Path]) -> None:
    for topic in ("protocol", "ggtp-protocol", "Protocol"):
        ran = run("help", topic)
        assert ran.status == 0
        assert ran.out == PAGE.format(topic="protocol")


def test_a_word_with_several_meanings_has_them_all(run: Any, pages: dict[str, Path]) -> None:
    out = run("help", "play").out
    assert out.index(SUPERVISOR["play"].summary) < out.index("The page on play.")
    out = run("help", "rules").out
    assert out.index("usage: ggtp rules") < out.index("The page on rules.")


def test_at_a_terminal_man_shows_the_page(
    run: Any, pages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Replaced(Exception):
        pass

    def execv(program: Path, words: list[str]) -> None:
        raise Replaced(program, words)

    man = tmp_path / "man"
    man.touch()
    man.chmod(0o755)
    monkeypatch.setattr(help.os, "execv", execv)
    run.variables |= {"PATH": str(tmp_path), "TERM": "xterm"}
    ran = run("help", "protocol", "--debug", terminal=True)
    assert f"Replaced: (PosixPath('{man}'), ['man', '{pages['protocol']}'])" in ran.err
    assert "The page on protocol." in run("help", "protocol").out
    run.variables["PATH"] = ""
    assert "The page on protocol." in run("help", "protocol", terminal=True).out


def test_no_help(run: Any) -> None:
    ran = run("help", "set_enginee")
    assert (ran.status, ran.out, ran.err) == (1, "", "ggtp: No help on set_enginee. Did you mean set_engine?\n")
    assert "names what there is" in run("help", "xyzzy").err
