"""A journal with rulings means the same however often it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ggtp.tournament.journal.journal import JournalError, Line, LineReader, LineWriter, read_journal
from ggtp.tournament.journal.recollection import Recollection, need, recollect
from ggtp.tournament.plan.plan import Plan, plan_from
from ggtp.tournament.results import FaultSeen, Game, Job, Ruling
from ggtp.tournament.standings.ledger import Ledger


def plan(**changes: Any) -> Plan:
    players = [{"name": name, "engine": "Random"} for name in changes.pop("names", "AB")]
    rule = {"rule": "TicTacToe", "seats": ["Cross", "Circle"]}
    return plan_from({"seed": 0, "player": players, "rule": [rule], "blocks": 2, **changes})


class Paper:
    """A journal in memory; the first letter wins."""

    def __init__(self, the_plan: Plan) -> None:
        self.writer = LineWriter()
        self.data = self.writer.header(the_plan, version="test", created="now")
        self.ledger = Ledger(the_plan)

    def play(self, most: int = 10**6, **changes: Any) -> None:
        for _ in range(most):
            due = self.ledger.next()
            if isinstance(due, Game):
                self._note(due)
            elif isinstance(due, Job):
                best = min(due.game.seats.values())
                scores = {seat: float(player == best) for seat, player in due.game.seats.items()}
                self._note(Game(due.game, scores, attempt=due.attempt, **changes))
            else:
                return

    def _note(self, game: Game) -> None:
        self.data += self.writer.result(game)
        self.ledger.record(game)

    def ruling(self, act: str, subject: str, **scores: float) -> Ruling:
        return Ruling(self.writer.seq + 1, act, subject, "now", "by X", scores)

    def rule(self, act: str, subject: str, **scores: float) -> None:
        ruling = self.ruling(act, subject, **scores)
        self.data += self.writer.ruling(ruling)
        self.ledger = self.found().ledger

    def found(self, *further: Ruling) -> Recollection:
        return need(recollect(self.lines, "", further=further), "")

    def lines(self) -> Iterator[Line]:
        return iter(LineReader().read(self.data))

    def points(self) -> list[float]:
        return [row.points for row in self.found().ledger.standings.rows.values()]

    def counted(self) -> Sequence[str]:
        return [game.id for game in read_journal(self.data).games]


def test_a_score_is_another_one_and_then_not_any_more() -> None:
    paper = Paper(plan())
    paper.play()
    assert paper.points() == [4, 0]
    paper.rule("adjudicate", "1.0", Cross=0.0, Circle=1.0)
    assert paper.points() == [3, 1]
    (game, *_) = read_journal(paper.data).games
    assert (game.id, game.end, game.player_scores()) == ("1.0", "ruled", {"A": 0.0, "B": 1.0})
    paper.rule("adjudicate", "1.0", Cross=0.5, Circle=0.5)
    assert paper.points() == [3.5, 0.5]
    paper.rule("undo", str(paper.writer.seq))
    assert paper.points() == [3, 1]
    paper.rule("undo", str(paper.writer.seq - 2))
    assert paper.points() == [4, 0]
    assert len(read_journal(paper.data).rulings) == 4


def test_a_game_is_played_again_and_what_was_said_of_it_before_counts_no_more() -> None:
    paper = Paper(plan())
    paper.play()
    paper.rule("adjudicate", "2.1", Cross=1.0, Circle=0.0)
    paper.rule("replay", "2.1")
    assert paper.points() == [3, 0]
    assert paper.counted() == ["1.0", "1.1", "2.0"]
    paper.play()
    assert paper.points() == [4, 0]
    assert paper.counted() == ["1.0", "1.1", "2.0", "2.1"]
    assert read_journal(paper.data).games[-1].attempt == 2
    assert paper.found().ledger.standings.complete_blocks() == 2


def test_a_wish_to_play_again_does_not_count_as_a_replay() -> None:
    paper = Paper(plan(replays=0))
    paper.play()
    paper.rule("replay", "1.0")
    paper.play()
    assert paper.counted() == ["1.0", "1.1", "2.0", "2.1"]


def test_quarantine_and_pardon() -> None:
    paper = Paper(plan(blocks=4, strikes=1))
    paper.play(1, faults=(FaultSeen("B", "Circle", "late", "slow", "loss"),))
    assert paper.ledger.quarantined == {"B"}
    paper.rule("admit", "B")
    assert paper.ledger.quarantined == set()
    paper.play(1)
    paper.rule("quarantine", "A")
    assert paper.ledger.quarantined == {"A"}
    paper.play(2)
    paper.rule("undo", str(paper.writer.seq - 2))
    assert paper.ledger.quarantined == set()
    paper.play()
    assert paper.counted() == ["1.0", "1.1", "3.0", "3.1", "4.0", "4.1"]
    assert all("the supervisor" in game.reason for game in read_journal(paper.data).void)


def test_games_that_are_running_are_not_due() -> None:
    paper = Paper(plan())
    paper.play(1)
    running = paper.ledger.next()
    assert isinstance(running, Job)
    paper.data += paper.writer.started(running)
    found = paper.found(paper.ruling("replay", "1.0"))
    assert found.ledger.catch_up({running.game.id})
    again = found.ledger.next()
    assert isinstance(again, Job)
    assert (again.game.id, again.attempt) == ("1.0", 2)
    ids = []
    while isinstance(due := found.ledger.next(), Job):
        ids.append(due.game.id)
    assert ids == ["2.0", "2.1"]


def test_later_rounds_may_depend_on_it() -> None:
    paper = Paper(plan(names="ABCD", format="swiss", rounds=2, blocks=1))
    paper.play()
    # A and C have won in the first round, and met in the second.
    first = paper.found(paper.ruling("adjudicate", "1.0", Cross=0.0, Circle=1.0)).ledger
    assert first.catch_up(set())  # one game of two: A is still first
    paper.rule("adjudicate", "1.0", Cross=0.0, Circle=1.0)
    second = paper.found(paper.ruling("adjudicate", "1.1", Cross=1.0, Circle=0.0)).ledger
    assert not second.catch_up(set())
    last = paper.found(paper.ruling("adjudicate", "3.0", Cross=0.0, Circle=1.0)).ledger
    assert last.catch_up(set())


def test_nothing_is_no_journal() -> None:
    assert recollect(lambda: [], "x") is None
    with pytest.raises(JournalError, match="no header"):
        need(None, "x")


def test_a_plan_that_has_grown_is_known_from_the_first_line_on() -> None:
    old, new = plan(), plan(names="ABC", format="round-robin", blocks=3)
    paper = Paper(old)
    paper.play()
    paper.data += paper.writer.grown(new, at="now", text="player C")
    found = need(recollect(lambda: LineReader().read(paper.data), ""), "")
    assert found.ledger.plan == new
    assert found.fold.earlier == [old]
    assert not found.ended
    due = found.ledger.next()
    assert isinstance(due, Job)
    assert due.id == "3.0"
    results = read_journal(paper.data)
    assert (results.plan, len(results.games)) == (new, 4)
    assert results.happened[-1].text == "player C"


def test_a_plan_that_has_not_grown_makes_no_sense() -> None:
    paper = Paper(plan())
    paper.data += paper.writer.grown(plan(blocks=1), at="now", text="")
    with pytest.raises(JournalError, match="it can only grow"):
        read_journal(paper.data)
