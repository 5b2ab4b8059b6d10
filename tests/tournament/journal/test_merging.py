"""Journals of the same plan put together: every game once, and what was decided about it with it."""

from __future__ import annotations

from typing import Any

import pytest

from ggtp.tournament.journal.journal import JournalError, LineReader, LineWriter, read_journal
from ggtp.tournament.journal.merging import merge, read_source
from ggtp.tournament.journal.recollection import need, recollect
from ggtp.tournament.plan.plan import Plan, plan_from
from ggtp.tournament.results import FaultSeen, Game, Job, Results, Ruling
from ggtp.tournament.schedule.schedule import Part
from ggtp.tournament.standings.ledger import Ledger

FAULT = FaultSeen("A", "Cross", "exit", "it ended.", "void")


def plan(**changes: Any) -> Plan:
    players = [{"name": name, "engine": "Random"} for name in changes.pop("names", "AB")]
    rule = {"rule": "TicTacToe", "seats": ["Cross", "Circle"]}
    return plan_from({"seed": 0, "player": players, "rule": [rule], "blocks": 4, **changes})


class Machine:
    """One that plays a part, or all; whoever sits at Cross wins."""

    def __init__(self, the_plan: Plan, part: Part | None = None, created: str = "2026-01-02") -> None:
        self.writer = LineWriter()
        self.data = self.writer.header(the_plan, version="test", created=created)
        self.ledger = Ledger(the_plan)
        self.ledger.part = part

    def play(self, most: int = 10**6, **changes: Any) -> Machine:
        for _ in range(most):
            due = self.ledger.next()
            if not isinstance(due, Job):
                break
            self.note(Game(due.game, {"Cross": 1.0, "Circle": 0.0}, attempt=due.attempt, **changes))
        return self

    def note(self, game: Game) -> None:
        self.data += self.writer.result(game)
        self.ledger.record(game)

    def rule(self, act: str, subject: str, **scores: float) -> None:
        self.data += self.writer.ruling(Ruling(self.writer.seq + 1, act, subject, "now", "by me", scores))


def merged(*machines: Machine) -> Results:
    sources = [read_source(machine.data, str(number)) for number, machine in enumerate(machines, 1)]
    return read_journal(merge(sources, "now").data)


def test_parts_make_a_whole() -> None:
    found = merged(*(Machine(plan(), Part(number, 3)).play() for number in (1, 2, 3)))
    assert [game.id for game in found.games] == [f"{block}.{index}" for block in range(1, 5) for index in (0, 1)]
    assert not found.ended
    whole = Machine(plan()).play()
    assert found.games == read_journal(whole.data).games


def test_what_is_merged_goes_on_and_plays_what_is_missing() -> None:
    data = merge([read_source(Machine(plan(), Part(1, 4)).play().data, "1")], "now").data
    found = need(recollect(lambda: LineReader().read(data), ""), "")
    due = found.ledger.next()
    assert isinstance(due, Job)
    assert due.id == "2.0"


def test_nothing_counts_twice() -> None:
    one, two = Machine(plan()).play(3), Machine(plan(), created="2026-01-01").play(5, reason="other")
    sources = [read_source(one.data, "one"), read_source(two.data, "two")]
    found = merge(sources, "now")
    assert (found.counts, found.twice) == ({"one": 3, "two": 2}, 3)
    results = read_journal(found.data)
    assert [game.reason for game in results.games] == ["", "", "", "other", "other"]
    assert results.created == "2026-01-01"
    assert [event.text for event in results.happened] == ["3 games from one", "2 games from two"]


def test_a_game_that_counts_somewhere_is_taken_from_there() -> None:
    one, two = Machine(plan()), Machine(plan()).play(1)
    one.play(1, end="void", faults=(FAULT,), case="1.0-1.ggtp")
    sources = [read_source(one.data, "one"), read_source(two.data, "two")]
    found = merge(sources, "now")
    results = read_journal(found.data)
    assert (len(results.games), len(results.void), found.cases) == (1, 0, {})
    assert merge(sources[:1], "now").cases == {"one": ["1.0-1.ggtp"]}


def test_rulings_go_with_their_games_under_their_new_numbers() -> None:
    one, two = Machine(plan(), Part(1, 2)).play(), Machine(plan(), Part(2, 2)).play()
    two.rule("adjudicate", "2.0", Cross=0.0, Circle=1.0)
    two.rule("adjudicate", "2.1", Cross=0.0, Circle=1.0)
    two.rule("undo", str(two.writer.seq))
    found = merged(one, two)
    scores = {game.id: game.scores["Cross"] for game in found.games}
    assert (scores["2.0"], scores["2.1"]) == (0.0, 1.0)
    # A ruling about a game that was taken from elsewhere, and what undoes it, are left out.
    two = Machine(plan()).play(2)
    two.rule("adjudicate", "1.0", Cross=0.0, Circle=1.0)
    two.rule("undo", str(two.writer.seq))
    assert not merged(Machine(plan()).play(2), two).rulings


def test_games_that_were_running_go_on() -> None:
    one, two = Machine(plan(), Part(1, 2)).play(2), Machine(plan(), Part(2, 2))
    for machine, moves in ((one, ("Cross A1",)), (two, ("Cross B1", "Circle A1"))):
        due = machine.ledger.next()
        assert isinstance(due, Job)
        machine.data += machine.writer.started(due) + machine.writer.moves(due, 0, moves)
    assert [(job.id, job.moves) for job in merged(one, two).running] == [
        ("3.0", ("Cross A1",)),
        ("2.0", ("Cross B1", "Circle A1")),
    ]


def test_plans_may_have_grown_in_one_of_them() -> None:
    old, new = plan(), plan(blocks=6)
    one, two = Machine(old).play(), Machine(old)
    two.data += two.writer.grown(new, at="now", text="blocks")
    found = merged(one, two)
    assert (found.plan, len(found.games)) == (new, 8)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"seed": 1}, "seed is 1 here and 0 in one"),
        ({"blocks": 9}, "blocks is 9 here and 4 in one"),
        ({"names": "AC"}, "player 2.name is 'C' here and 'B' in one"),
    ],
)
def test_other_plans_are_refused(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(JournalError, match=what) as caught:
        merge([read_source(Machine(plan()).data, "one"), read_source(Machine(plan(**changes)).data, "two")], "now")
    assert caught.value.path == "two"


def test_a_damaged_journal_is_not_merged() -> None:
    data = Machine(plan()).play().data
    with pytest.raises(JournalError, match="checksum"):
        read_source(data.replace(b'"Cross":1.0', b'"Cross":0.5', 1), "one")
    with pytest.raises(JournalError, match="It is no journal"):
        read_source(b"[[player]]\n", "one")
