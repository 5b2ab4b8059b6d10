"""Seeker talks to its partner: in real processes, through the referee."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from ggtp.engines.seeker import Seeker, clue_of, fits
from support.playbook import catalogue

from ggtp.game import CHANCE
from ggtp.kit import Budget, Game
from ggtp.kit.following.play import Play

RULES = catalogue().find_rules("TreasureHunt")


def game(player: str, *history: tuple[str, str], talks: bool = True) -> tuple[Game, list[tuple[str, str]]]:
    """The play as a player was told of it, and what it sends."""
    values = RULES.complete({})
    play = Play(RULES, values, random.Random(0), lambda _text: None)
    for actor, text in history:
        if actor == "says":
            play.told(*text.split(":"))
        else:
            play.made(actor, text)
    position = play.table(0, player)
    assert position is not None
    sent: list[tuple[str, str]] = []
    talk = RULES.talk(values) if talks else None
    send = lambda partner, text: sent.append((partner, text))  # noqa: E731 - for this call only
    return Game(play, player, position, random.Random(0), {}, talk, send), sent


def test_it_says_what_it_knows_once() -> None:
    told, sent = game("North", (CHANCE, "B?"), (CHANCE, "?"))
    assert Seeker().choose(told, Budget())[0] == "B"
    assert sent == [("South", "column B")]
    again, sent = game(
        "North", (CHANCE, "B?"), (CHANCE, "?"), ("says", "North:column B"), ("North", "B2"), ("East", "A1"),
        ("South", "A1"), ("West", "A2"),
    )  # fmt: skip
    Seeker().choose(again, Budget())
    assert sent == []


def test_it_digs_where_both_know_it_to_be() -> None:
    told, sent = game(
        "South", (CHANCE, "?1"), (CHANCE, "?"), ("says", "North:column B"), ("North", "B2"), ("East", "A1")
    )
    assert Seeker().choose(told, Budget()) == "B1"
    assert sent == [("North", "row 1")]


def test_without_messages_it_plays_by_what_it_knows_itself() -> None:
    told, sent = game("South", (CHANCE, "?1"), (CHANCE, "?"), ("North", "B2"), ("East", "A1"), talks=False)
    assert Seeker().choose(told, Budget())[1:] == "1"
    assert sent == []
    assert told.partners == ()
    assert not told.tell("North", "row 1")


def test_nonsense_of_a_partner_is_not_believed() -> None:
    told, _ = game(
        "South", (CHANCE, "?1"), (CHANCE, "?"), ("says", "North:dig for gold"), ("North", "B2"), ("East", "A1")
    )
    assert Seeker().choose(told, Budget())[1:] == "1"
    assert fits("B2", "dig for gold")
    assert clue_of(told) == "row 1"


def test_more_than_the_rule_lets_is_not_sent() -> None:
    told, sent = game("North", (CHANCE, "B?"), (CHANCE, "?"))
    assert [told.tell("South", str(number)) for number in range(5)] == [True] * 3 + [False] * 2
    assert not told.tell("East", "hello")
    assert not told.tell("South", "x" * 81)
    assert not told.tell("South", "")
    assert len(sent) == 3
    assert told.messages == [("North", "0"), ("North", "1"), ("North", "2")]


@pytest.mark.process
@pytest.mark.parametrize("talk", ["private", "public", "off"])
def test_partners_in_real_processes(tmp_path: Path, talk: str) -> None:
    script = f"""
        set_option seed 7
        set_rule TreasureHunt
        set_rule_option size 9
        set_rule_option talk {talk}
        set_engine North Seeker
        set_engine South Seeker
        set_engine East Random
        set_engine West Random
        save_file game.ggtp
        start
        get_result
        list_messages
        list_faults
    """
    done = subprocess.run(
        [sys.executable, "-m", "ggtp", "-"], input=script.replace("  ", ""), capture_output=True, text=True,
        timeout=100, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    result, messages, faults = [line for line in done.stdout.splitlines() if line.startswith("= ")][-3:]
    assert faults == "= 0"
    told = [line for line in (tmp_path / "game.ggtp").read_text().splitlines() if line.startswith("tell ")]
    if talk == "off":
        assert messages == "= 0"
        assert told == []
        return
    # South, who was told the column by North, digs up the treasure with the first dig of all; it may not be alone.
    assert result.startswith(("= North=win 100", "= North=draw 50"))
    assert [line.split()[:3] for line in told] == [["tell", "North", "South"], ["tell", "South", "North"]]
    assert messages == "= 2"
