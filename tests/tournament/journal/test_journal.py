"""The journal's lines: cut at any byte they hold, changed anywhere they do not."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any

import pytest

from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.journal.journal import (
    Fold,
    JournalError,
    LineReader,
    LineWriter,
    looks_like_journal,
    read_journal,
    result_data,
    result_from,
)
from ggtp.tournament.plan.plan import Plan, plan_from
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Happened, Job

SEATS = ("Cross", "Circle")


def a_plan() -> Plan:
    return plan_from(
        {
            "name": "evening",
            "seed": 7,
            "blocks": 3,
            "player": [{"engine": "Minimax", "options": {"depth": 3}}, {"name": "Dice", "engine": "Random"}],
            "rule": [{"rule": "TicTacToe", "seats": list(SEATS), "start": [{"name": "corner", "moves": ["Cross A1"]}]}],
        }
    )


def a_game(block: int, index: int) -> GamePlan:
    players = ("Minimax", "Dice") if index == 0 else ("Dice", "Minimax")
    return GamePlan(block, index, 1, 0, 0, 99, dict(zip(SEATS, players, strict=True)))


def a_result(block: int, index: int, **changes: object) -> Game:
    values: dict[str, object] = {
        "scores": {"Cross": 1.0, "Circle": 0.0},
        "standings": {"Cross": "win", "Circle": "loss"},
        "points": {"Cross": "100", "Circle": "0"},
        "moves": ("Cross A1", "Circle B2", "Cross C3"),
        "reason": "three in a row, «schön»",
        "seconds": 0.5,
        "thinking": {"Cross": 0.25},
        **changes,
    }
    return Game(a_game(block, index), **values)  # type: ignore[arg-type]  # the values above have their types


def journal() -> list[bytes]:
    """Two games of the first block, one after a void attempt; one game still running."""
    fault = FaultSeen("Dice", "Circle", "exit", "it ended by signal SIGKILL.", "void", 2, "ouch")
    write = LineWriter()
    return [
        write.header(a_plan(), version="ggtp 0", created="2026-01-01T00:00:00+00:00"),
        write.started(Job(a_game(1, 0))),
        write.started(Job(a_game(1, 1))),
        write.moves(Job(a_game(1, 1)), 0, ["Cross A1", "Circle B1"]),
        write.result(a_result(1, 0)),
        write.moves(Job(a_game(1, 1)), 2, ["Cross C3"]),
        write.result(a_result(1, 1, end="void", scores={}, standings={}, faults=(fault,))),
        write.happened(Happened("pause", "2026-01-01T00:00:01+00:00", "supper")),
        write.happened(Happened("resume", "2026-01-01T00:00:02+00:00")),
        write.started(Job(a_game(1, 1), 2)),
        write.result(a_result(1, 1, attempt=2)),
        write.started(Job(a_game(2, 0))),
        write.moves(Job(a_game(2, 0)), 0, ["Cross A1"]),
    ]


def test_results_say_what_the_lines_said() -> None:
    results = read_journal(b"".join(journal()))
    assert results.plan == a_plan()
    assert [game.id for game in results.games] == ["1.0", "1.1"]
    assert results.games[0] == a_result(1, 0)
    assert [(game.id, game.faults[0].fault) for game in results.void] == [("1.1", "exit")]
    assert [(job.id, job.moves) for job in results.running] == [("2.0", ("Cross A1",))]
    assert [(block.number, block.complete, block.scores()) for block in results.blocks] == [
        (1, True, {"Minimax": 0.5, "Dice": 0.5})
    ]
    assert [event.kind for event in results.happened] == ["pause", "resume"]
    assert not results.ended
    assert len(results.faults) == 1
    assert [game.id for game in results.without_faults().games] == ["1.0", "1.1"]


def test_cut_at_any_byte_it_holds_up_to_the_last_whole_line() -> None:
    lines = journal()
    data = b"".join(lines)
    ends = [len(b"".join(lines[:count])) for count in range(len(lines) + 1)]
    for cut in range(len(data) + 1):
        whole = sum(end <= cut for end in ends) - 1
        reader = LineReader()
        assert len(reader.read(data[:cut])) == whole
        assert reader.good == ends[whole]


def test_a_reader_goes_on_where_it_was() -> None:
    data = b"".join(journal())
    reader = LineReader()
    found = []
    while reader.good < len(data):
        begin = reader.good
        found += reader.read(data[begin : begin + 700])
        if reader.good == begin:
            found += reader.read(data[begin : begin + 4000])
    assert [line.number for line in found] == list(range(1, len(journal()) + 1))


def test_a_writer_goes_on_behind_a_torn_line() -> None:
    data = b"".join(journal())[:-10]
    reader = LineReader()
    lines = reader.read(data)
    write = LineWriter(reader.seq, reader.crc)
    mended = data[: reader.good] + write.result(a_result(2, 0))
    assert [game.id for game in read_journal(mended).games] == ["1.0", "1.1", "2.0"]
    assert len(lines) == len(journal()) - 1


@pytest.mark.parametrize("number", range(1, 12))
def test_a_changed_byte_is_found_with_its_line(number: int) -> None:
    lines = journal()
    line = bytearray(lines[number - 1])
    for place in range(0, len(line) - 1, 7):
        changed = bytearray(line)
        changed[place] ^= 1
        with pytest.raises(JournalError) as caught:
            read_journal(b"".join([*lines[: number - 1], bytes(changed), *lines[number:]]), "evening.journal")
        assert caught.value.path == "evening.journal"
        assert caught.value.line == number


@pytest.mark.parametrize("change", ["lost", "doubled", "swapped"])
def test_lines_out_of_order_are_found(change: str) -> None:
    lines = journal()
    wrong = {
        "lost": [*lines[:4], *lines[5:]],
        "doubled": [*lines[:5], *lines[4:]],
        "swapped": [*lines[:4], lines[5], lines[4], *lines[6:]],
    }[change]
    with pytest.raises(JournalError):
        read_journal(b"".join(wrong))


def test_a_second_result_makes_no_sense() -> None:
    write = LineWriter()
    lines = [write.header(a_plan(), version="", created=""), write.result(a_result(1, 0)), write.result(a_result(1, 0))]
    with pytest.raises(JournalError, match=r"3: .*game 1\.0 has a second result"):
        read_journal(b"".join(lines), "evening.journal")


@pytest.mark.parametrize(
    ("kind", "members", "what"),
    [
        ("moves", {"game": {}, "attempt": 1, "from": 0, "moves": []}, "`block` - at `.*game`"),
        ("header", {}, "has one only"),
        ("result", {"game": 3}, "makes no sense"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(kind: str, members: dict[str, object], what: str) -> None:
    write = LineWriter()
    data = write.header(a_plan(), version="", created="") + write.line(kind, members) + write.line("note", {})
    with pytest.raises(JournalError, match=what) as caught:
        read_journal(data)
    assert caught.value.line == 2


def test_another_file_is_no_journal() -> None:
    for data in (b"", b"hello", b"hello\nworld\n", b"{}\n{}\n"):
        with pytest.raises(JournalError):
            read_journal(data)


def test_moves_that_leave_a_gap_are_refused() -> None:
    write = LineWriter()
    fold = Fold()
    reader = LineReader()
    data = write.header(a_plan(), version="", created="") + write.started(Job(a_game(1, 0)))
    for line in reader.read(data):
        fold.add(line)
    (line,) = reader.read(write.moves(Job(a_game(1, 0)), 3, ["Cross A1"]))
    with pytest.raises(JournalError, match="missing"):
        fold.add(line)


def test_a_result_survives_json() -> None:
    fault = FaultSeen("Dice", "Circle", "late", "12 ms", "loss", 4, "", 12, 1, 3)
    game = a_result(
        3, 1, faults=(fault,), end="forfeit", case="3.1-1.play", lag_ms=1.5, idle={"Cross": (1.5, 0.25, 0.125)}
    )
    assert result_from(json.loads(json.dumps(result_data(game)))) == game


def test_what_looks_like_a_journal() -> None:
    assert looks_like_journal(journal()[0])
    assert not looks_like_journal(b"# GGTP play file\n")
    assert not looks_like_journal(b'[[player]]\nengine = "Random"\n')


def test_a_line_that_is_nested_too_deep_does_not_hold() -> None:
    writer = LineWriter()
    line = writer.header(a_plan(), version="1", created="now")
    body = b'{"seq":2,"kind":"note","at":' + b"[" * 100_000 + b"]" * 100_000
    deep = body + b',"crc":"%08x"}\n' % zlib.crc32(body, writer.crc)
    with pytest.raises(JournalError, match="recursion"):
        LineReader().read(line + deep + b"{}\n")


OTHERS = {"Cross": "Minimax", "Circle": "Nobody"}


@pytest.mark.parametrize(
    "change", [{"rule": 7}, {"rule": -1}, {"start": 3}, {"seats": {"Cross": "Minimax"}}, {"seats": OTHERS}]
)
@pytest.mark.parametrize("kind", ["started", "result"])
def test_a_game_that_is_none_of_the_plan_is_refused(kind: str, change: dict[str, Any]) -> None:
    """Checksums hold in a journal that somebody has made up."""
    writer = LineWriter()
    lines = writer.header(a_plan(), version="1", created="now")
    forged = replace(a_game(1, 0), **change)
    lines += writer.started(Job(forged)) if kind == "started" else writer.result(Game(forged))
    with pytest.raises(JournalError, match="the plan has no"):
        read_journal(lines + b"{}\n")
    writer = LineWriter()
    read_journal(writer.header(a_plan(), version="1", created="now") + writer.started(Job(a_game(1, 0))))


@pytest.mark.parametrize("scores", [{"Cross": 1.5}, {"Cross": -1.0}, {"Cross": float("nan")}, {"Square": 1.0}])
def test_scores_that_are_none_are_refused(scores: dict[str, float]) -> None:
    writer = LineWriter()
    lines = writer.header(a_plan(), version="1", created="now")
    with pytest.raises(JournalError, match=r"score|no finite number"):
        read_journal(lines + writer.result(Game(a_game(1, 0), scores=scores)) + b"{}\n")


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_numbers_are_finite(number: str) -> None:
    writer = LineWriter()
    line = writer.header(a_plan(), version="1", created="now")
    body = b'{"seq":2,"kind":"note","at":' + number.encode() + b',"text":""'
    line += body + b',"crc":"%08x"}\n' % zlib.crc32(body, writer.crc)
    with pytest.raises(JournalError, match="is no finite number"):
        LineReader().read(line + b"{}\n")


def test_facts_of_a_running_game_are_kept() -> None:
    job, write = Job(a_game(1, 0)), LineWriter()
    first, second = (MoveFacts(0.5, depth=3), MoveFacts()), (MoveFacts(0.25),)
    lines = [
        write.header(a_plan(), version="ggtp 0", created="2026-01-01T00:00:00+00:00"),
        write.started(job),
        write.moves(job, 0, ["Cross A1", "Circle B1"], facts=first),
        write.moves(job, 2, ["Cross C3"], facts=second),
    ]
    (running,) = read_journal(b"".join(lines)).running
    assert running.facts == (*first, *second)
