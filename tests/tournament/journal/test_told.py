"""Seals of what an engine was told."""

from __future__ import annotations

from ggtp.protocol.commands import ENGINE
from ggtp.tournament.journal.told import QUESTIONS, Told, seals


def test_the_same_lines_have_the_same_seal_and_others_another() -> None:
    lines = [b"start", b"made_move Cross A1", b"made_move Circle ?"]
    told = Told()
    for line in lines:
        told.hear(line)
    assert told.seal == seals(lines)[-1]
    assert told.seal.startswith("3:")
    assert len(set(seals(lines))) == 3
    assert seals([b"start", b"made_move Cross A1", b"made_move Circle B2"])[-1] != told.seal
    assert seals([b"start", b"made_move Cross A1made_move", b" Circle ?"])[-1] != told.seal


def test_a_start_begins_anew_and_questions_tell_nothing() -> None:
    told = Told()
    for line in (b"start", b"made_move Cross A1", b"start", b"have_to_play 500", b"get_option last_search"):
        told.hear(line)
    assert told.seal == seals([b"start"])[-1]


def test_whatever_is_no_question_counts() -> None:
    known = {name.encode() for name in ENGINE}
    assert known >= QUESTIONS
    assert known - QUESTIONS == {b"set_option", b"start", b"made_move", b"illegal_move", b"undone_move", b"redone_move"}


def test_what_is_told_with_a_request_is_no_news_of_the_play() -> None:
    lines = [b"start", b"set_option tell_moves A1, B1", b"set_option tell_table ...", b"have_to_play"]
    assert len(set(seals(lines))) == 1
