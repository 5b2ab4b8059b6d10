"""The facts of each move, and how engines are asked for them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from support.playbook import Actor, Playbook

from ggtp.referee.notes import MOST_FORGIVEN, MOST_LETTERS, MOST_READ, MOST_SLOW, _Telling, facts_of

QUESTION = "get_option last_search"
TOLD = 'reply value=61.5, depth=7, nodes=812, line="A1, B2", moves="A1 5x"'


class Teller(Actor):
    """An engine that tells of its searches, each time the next of these answers, and the last one ever after."""

    def __init__(self, moves: Iterable[str], *answers: str) -> None:
        super().__init__(moves, ("rule", "player", "last_search"))
        self._answers = list(answers)

    def hear(self, line: str) -> list[str]:
        if line == QUESTION:
            self.heard.append(line)
            return [self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]]
        return super().hear(line)


def played(engine: Actor, *, wanted: bool = True, moves: str = "C3 B3 A3", bank: str = "0") -> Playbook:
    """A game of TicTacToe in which a person plays these moves against an engine."""
    book = Playbook(engines={"Teller": lambda: engine}, defaults={"time_bank": bank})
    if wanted:
        book.referee.keep_notes()
    book.lay("set_rule TicTacToe", "set_engine Circle Teller", "set_option genmove on", "start")
    for move in moves.split():
        book.say(f"play Cross {move}")
    return book


def test_an_engine_is_asked_behind_the_news_of_its_own_move() -> None:
    engine = Teller(("A1", "B1"), TOLD)
    book = played(engine, moves="C3")
    assert engine.heard[-3:] == ["have_to_play", "made_move Circle A1", QUESTION]
    first, second = book.referee.view.notes
    assert (first.player, first.seconds, first.search) == ("Cross", None, {})
    assert (second.player, second.seconds) == ("Circle", 0.0)
    assert second.search == {"value": "61.5", "depth": "7", "nodes": "812", "line": "A1, B2"}


def test_what_is_left_in_the_bank_is_noted() -> None:
    book = played(Teller(("A1",), TOLD), moves="C3", bank="5000")
    assert [note.left for note in book.referee.view.notes] == [None, 5.0]


def test_nobody_is_asked_where_no_notes_are_wanted_or_an_engine_has_no_such_option() -> None:
    quiet = Teller(("A1", "B1"), TOLD)
    assert played(quiet, wanted=False).referee.view.notes == []
    assert QUESTION not in quiet.heard
    unable = Actor(("A1", "B1"))
    assert len(played(unable).referee.view.notes) == 5
    assert QUESTION not in unable.heard


def test_an_engine_that_tells_nothing_is_asked_ever_more_seldom() -> None:
    engine = Teller(("A1", "B1", "B2", "C2"), "reply none")
    played(engine, moves="C3 B3 A2 C1")
    news = [line for line in engine.heard if line.startswith("made_move Circle") or line == QUESTION]
    asked = [index for index, line in enumerate(news) if line == QUESTION]
    assert asked == [1, 4]  # after its first move, and after its third


def test_an_engine_that_has_told_something_is_always_asked() -> None:
    engine = Teller(("A1", "B1", "B2", "C2"), TOLD, "reply none")
    played(engine, moves="C3 B3 A2 C1")
    assert engine.heard.count(QUESTION) == 4


def test_another_game_has_notes_of_its_own() -> None:
    book = played(Teller(("A1", "B1"), TOLD))
    book.say("start")
    assert book.referee.view.notes == []


def test_an_answer_that_is_still_to_come_is_known() -> None:
    engine = Teller(("A1",), "")
    engine.hear = lambda line: [] if line == QUESTION else Actor.hear(engine, line)
    book = played(engine, moves="C3")
    (link,) = book.cast
    assert book.referee.view.awaits_search(link)
    assert not book.referee.view.awaits_search(link + 1)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("none", {}),
        ("move=A1", {}),
        ("value=Cross 61.5 Circle 38.5, depth=3", {"value": "Cross 61.5 Circle 38.5", "depth": "3"}),
        ('line="a, b=\\"c\\"", nodes=5', {"line": 'a, b="c"', "nodes": "5"}),
        ("playouts=1, explained=most", {"playouts": "1"}),
        ("line", {}),
        ("=, =,,", {}),
    ],
)
def test_facts_are_read(text: str, facts: dict[str, str]) -> None:
    assert facts_of(text) == facts


def test_what_is_kept_and_what_is_read_is_bounded() -> None:
    assert len(facts_of(f"line={'a ' * 1000}")["line"]) == MOST_LETTERS
    assert facts_of(f"moves={'a' * MOST_READ}, depth=3") == {}


def test_an_answer_is_not_charged_to_the_clock_of_the_next_move() -> None:
    engine = Slow(("A1", "B1"))
    book = played(engine, moves="C3")
    (link,) = book.cast
    book.say("play Cross B3")  # the engine is asked before it has answered
    book.run(
        f"""
        +0.001
        {link}> {TOLD}
        {link}> acknowledge
        +0.5
        {link}> select_move B1
        -> Circle plays B1
        """
    )
    assert [note.seconds for note in book.referee.view.notes][-1] == pytest.approx(0.5)


def test_a_late_answer_is_charged() -> None:
    engine = Slow(("A1", "B1"))
    book = played(engine, moves="C3")
    (link,) = book.cast
    book.say("play Cross B3")
    book.run(
        f"""
        +0.4
        {link}> {TOLD}
        {link}> acknowledge
        +0.5
        {link}> select_move B1
        -> Circle plays B1
        """
    )
    assert [note.seconds for note in book.referee.view.notes][-1] == pytest.approx(0.9 - MOST_FORGIVEN)


def test_an_engine_that_is_slow_to_answer_is_soon_not_asked_again() -> None:
    telling = _Telling()
    for seconds in (0.2, 0.2, 0.0, 0.2, 0.2):
        telling.answered({"depth": "1"}, seconds)
        assert telling.slow < MOST_SLOW
    telling.answered({"depth": "1"}, 0.2)
    assert telling.slow == MOST_SLOW


class Slow(Actor):
    """An engine that answers nothing by itself once it was asked about its search."""

    def __init__(self, moves: Iterable[str]) -> None:
        super().__init__(moves, ("rule", "player", "last_search"))
        self._silent = False

    def hear(self, line: str) -> list[str]:
        self.heard.append(line)
        self._silent = self._silent or line == QUESTION
        return [] if self._silent else super().hear(line)
