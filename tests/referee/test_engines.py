"""What engines are told and what they owe."""

from __future__ import annotations

from support.games import Grab, Hunt
from support.playbook import Actor, FakeEngine, Playbook

from ggtp.protocol.messages import Command
from ggtp.referee.effects import Tell


def seated(**defaults: str) -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off", **defaults})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "set_engine Circle Mute", "start")
    return book


def test_news_may_wait_for_company_and_requests_may_not() -> None:
    book = seated()
    begin = len(book.effects)
    book.lay("force_play Cross A1", "genmove")
    told = [(effect.link, effect.line, effect.asks, effect.patient) for effect in book.effects[begin:]
            if isinstance(effect, Tell)]  # fmt: skip
    assert told == [
        (1, b"made_move Cross A1", False, True),
        (2, b"made_move Cross A1", False, True),
        (2, b"have_to_play", True, False),
    ]


def test_every_engine_has_a_seed_of_its_own_and_keeps_it() -> None:
    def seeds(seed: str) -> list[str]:
        book = Playbook(engines={"Mute": lambda: Actor(options=("seed",))}, defaults={"seed": seed})
        book.lay("set_rule TicTacToe", "set_engine Cross Mute", "set_engine Circle Mute")
        return [book.cast[link].heard[-1] for link in (1, 2)]

    assert seeds("1") == seeds("1")
    assert len({*seeds("1"), *seeds("2")}) == 4


def test_the_text_of_a_rule_is_told_on_one_line() -> None:
    rule = Grab()
    rule.text = "(role Ann)\n  (role\tBob)\n"
    book = Playbook(engines={"Mute": lambda: Actor(options=("rule", "rule_text"))}, rules={"Grab": rule})
    book.lay("set_rule Grab", "set_engine Ann Mute")
    assert book.cast[1].heard[-2:] == ["set_option rule_text (role Ann) (role Bob)", "set_option rule Grab"]


def test_every_engine_is_stopped_once() -> None:
    book = seated()
    book.cast.clear()
    book.lay("set_engine Cross human", "set_rule Nim", "quit")
    assert book.since(0, "1 stop") == ["1 stop kindly"]
    assert book.since(0, "2 stop") == ["2 stop kindly"]


def test_deadlines_follow_the_oldest_answer() -> None:
    book = seated(answer_time="1000")
    book.cast.clear()
    assert book.referee.next_due() is None
    book.say("force_play Cross A1")
    book.now += 0.6
    book.say("force_play Circle B1")
    assert book.referee.next_due() == book.now + 0.4
    book.engine(1, "acknowledge")
    book.engine(2, "acknowledge")
    assert book.referee.next_due() == book.now + 1.0
    book.engine(1, "acknowledge")
    book.engine(2, "acknowledge")
    assert book.referee.next_due() is None


def test_an_answer_in_time_is_no_fault() -> None:
    book = seated(answer_time="1000")
    book.cast.clear()
    for _ in range(5):
        book.say("undo" if book.referee.view.play.record.cursor.number else "force_play Cross A1")
        book.wait(0.9)
        book.engine(1, "acknowledge")
        book.engine(2, "acknowledge")
    assert not book.referee.view.faults


def test_a_quiet_question_changes_nothing_and_disturbs_nobody() -> None:
    book = seated()
    book.cast.clear()
    replies: list[str | None] = []
    effects = book.referee.ask_engine("Cross", Command("list_options"), book.now, replies.append)
    assert effects == [Tell(1, b"list_options")]
    book.referee.ask_engine("Cross", Command("list_options"), book.now, replies.append)
    assert replies == [None], "it owes an answer already"
    book.engine(1, "reply Depth")
    assert replies == [None, "Depth"]
    book.lay("genmove")
    book.referee.ask_engine("Cross", Command("list_options"), book.now, replies.append)
    book.referee.ask_engine("Nobody", Command("list_options"), book.now, replies.append)
    assert replies == [None, "Depth", None, None]


def test_an_engine_that_never_lists_a_rule_is_trusted() -> None:
    book = Playbook(engines={"Old": lambda: Actor(options=())}, descriptions=[FakeEngine("Old")])
    book.lay("set_rule TicTacToe", "set_engine Cross Old")
    assert book.cast[1].heard == ["connect_engine", "list_options"]


def test_the_umpires_words_reach_engines_behind_the_moves_they_see() -> None:
    """Announcements have no line of their own in the protocol."""
    book = Playbook(engines={"Mute": lambda: Actor()}, rules={"Hunt": Hunt()}, defaults={"genmove": "off"})
    book.lay("set_rule Hunt", "set_engine Ann Mute", "set_engine Bob Mute", "start")
    begin = len(book.log)
    book.lay("force_play Ann two", "force_play Bob one")
    assert book.cast[1].heard[-2:] == ["made_move Ann two", "made_move Bob one near"]
    assert book.cast[2].heard[-2:] == ["made_move Ann ?", "made_move Bob one near"]
    assert "-> Umpire: near" in book.log[begin:]
