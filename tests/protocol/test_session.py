"""The referee's end of a session: which answer belongs to what, and which moves are stale."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sessions import SAMPLES, BareSession, in_state, playing

from ggtp.errors import CommandError, LocalProtocolError, RemoteProtocolError
from ggtp.protocol.codec import encode_answer
from ggtp.protocol.commands import ENGINE, ENGINE_COMMANDS, EngineCommand
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command
from ggtp.protocol.session import STATES, Answered, EngineSession, Selected, SessionEvent, State, Told
from ggtp.protocol.utterances import CONNECT, UNDONE, made_move, utterance
from ggtp.protocol.waiting import Promise, Withdrawn

CHANGES = [spec.name for spec in ENGINE_COMMANDS if spec.changes]


def talk(*said: str) -> BareSession:
    """A session in a game, in which these commands were said then."""
    session = playing()
    for name in said:
        session.speak(name)
    return session


def fault(session: EngineSession, line: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        session.hear(line, 0.0)
    return str(caught.value)


# The table of states.


def test_the_table_has_every_state_and_only_commands_of_table_2() -> None:
    assert STATES.keys() == set(get_args(State))
    for row in STATES.values():
        assert row.said.keys() | row.answered.keys() <= ENGINE.keys()
        assert {*row.said.values(), *row.answered.values()} <= STATES.keys()


@pytest.mark.parametrize(("state", "name"), list(product(STATES, ENGINE)))
def test_only_what_the_table_allows_is_said(state: State, name: str) -> None:
    spec = ENGINE[name]
    session = in_state(state)
    after = STATES[state].said.get(spec.name)
    before = len(session.lines)
    if after is None:
        with pytest.raises(LocalProtocolError, match=f"{spec.name} may not be said to an engine that is {state}"):
            session.speak(spec.name)
        assert (session.state, len(session.lines)) == (state, before)
    else:
        session.speak(spec.name)
        assert (session.state, len(session.lines)) == (after, before + 1)


def test_a_talk_from_its_beginning_to_its_end() -> None:
    session = BareSession()
    states = [session.state]

    def then(name: str, line: bytes = b"") -> None:
        session.speak(name)
        states.append(session.state)
        if line:
            session.hear(line, 0.0)
            states.append(session.state)

    then("connect_engine", b"acknowledge")
    then("list_options", b"reply a")
    then("start", b"acknowledge")
    then("have_to_play")
    selected = session.hear(b"select_move B2", 0.0)
    states.append(session.state)
    assert isinstance(selected, Selected)
    assert session.take(selected)
    then("made_move", b"acknowledge")
    then("disconnect_engine", b"acknowledge")
    session.end()
    assert [*states, session.state] == [
        "connecting", "greeted", "ready", "ready", "ready", "playing", "playing", "thinking", "chosen", "playing",
        "playing", "closing", "closing", "gone",
    ]  # fmt: skip


# What is heard.


def test_a_message_for_a_partner_answers_nothing() -> None:
    session = talk("get_table", "have_to_play")
    assert fault(session, b"tell_message South hello") == "not an answer of Table 3"
    session.talks = True
    assert session.hear(b"tell_message South  hello there", 0.0) == Told("South", "hello there")
    assert fault(session, b"tell_message South") == "tell_message without a player or a text"
    assert isinstance(session.hear(b"reply x", 0.0), Answered)
    assert session.thinking


@pytest.mark.parametrize("name", CHANGES)
def test_a_message_that_a_later_command_overtakes_is_stale(name: str) -> None:
    session = talk("have_to_play", name)
    session.talks = True
    assert session.hear(b"tell_message South hello", 0.0) == Told("South", "hello", stale=True)
    session.hear(b"acknowledge", 0.0)
    assert session.hear(b"tell_message South hello", 0.0) == Told("South", "hello")


@pytest.mark.parametrize(("spec", "kind"), list(product(ENGINE_COMMANDS, AnswerKind)))
def test_every_command_with_every_answer(spec: EngineCommand, kind: AnswerKind) -> None:
    session = BareSession() if spec is CONNECT.spec else playing()
    session.speak(spec.name)
    answer = Answer(kind, "B2" if kind is AnswerKind.SELECT_MOVE else "")
    if kind in spec.answers:
        assert session.hear(encode_answer(answer), 0.0) == Answered(SAMPLES[spec.name], answer)
        assert fault(session, b"acknowledge") == "an answer nobody asked for"
    elif kind is AnswerKind.TELL_MESSAGE:
        assert fault(session, b"tell_message South hello") == "not an answer of Table 3"
    elif kind is AnswerKind.SELECT_MOVE:
        if spec.name == "have_to_play":
            assert session.hear(b"select_move B2", 0.0) == Selected("B2")
        assert fault(session, b"select_move B2") == "a move nobody asked for"
    elif spec.answers:
        assert fault(session, encode_answer(answer)) == f"{kind.value} does not answer {spec.name}"
    else:
        assert fault(session, encode_answer(answer)) == "an answer nobody asked for"


def test_what_is_sent_is_the_line() -> None:
    session = playing()
    session.lines.clear()
    session.say(made_move("Left", "take 2 from B"), patient=True)
    session.ask_move(1.5, 2.0)
    assert session.lines == [(b"made_move Left take 2 from B", False, True), (b"have_to_play 1500", True, False)]


def test_answers_come_in_order() -> None:
    session = talk("made_move", "list_options", "set_option", "get_table")
    assert session.oldest() == SAMPLES["made_move"]
    answers = [b"acknowledge", b"reply a, b", b"invalid_option_value", b"reply . . ."]
    events = [session.hear(line, 0.0) for line in answers]
    assert [event.command.name for event in events if isinstance(event, Answered)] == [
        "made_move",
        "list_options",
        "set_option",
        "get_table",
    ]
    assert session.oldest() is None


def test_queries_are_answered_while_the_engine_thinks() -> None:
    session = talk("have_to_play", "get_table")
    assert session.thinking
    assert isinstance(session.hear(b"reply x", 0.0), Answered)
    assert session.hear(b"select_move B2", 0.0) == Selected("B2")
    assert session.state == "chosen"


def test_a_query_and_the_move_may_be_answered_in_either_order() -> None:
    session = talk("have_to_play", "get_table")
    assert session.hear(b"select_move B2", 0.0) == Selected("B2")
    assert isinstance(session.hear(b"reply x", 0.0), Answered)


@pytest.mark.parametrize("name", CHANGES)
def test_a_move_that_was_overtaken_is_stale(name: str) -> None:
    session = talk("have_to_play", name)
    assert not session.thinking
    assert session.hear(b"select_move B2", 0.0) == Selected("B2", stale=True)
    assert isinstance(session.hear(b"acknowledge", 0.0), Answered)
    assert fault(session, b"select_move B2") == "a move nobody asked for"


@pytest.mark.parametrize("name", CHANGES)
def test_after_the_acknowledge_nobody_asks_for_the_move_any_more(name: str) -> None:
    session = talk("have_to_play", name)
    assert isinstance(session.hear(b"acknowledge", 0.0), Answered)
    assert fault(session, b"select_move B2") == "a move nobody asked for"


@pytest.mark.parametrize("name", [name for name in STATES["thinking"].said if not ENGINE[name].changes])
def test_a_query_overtakes_nothing(name: str) -> None:
    assert talk("have_to_play", name).hear(b"select_move B2", 0.0) == Selected("B2", stale=False)


@pytest.mark.parametrize("name", CHANGES)
def test_a_move_before_the_acknowledge_of_what_came_before_its_request(name: str) -> None:
    session = talk(name, "have_to_play")
    assert fault(session, b"select_move B2") == "a move before the acknowledge of an older command"
    assert isinstance(session.hear(b"acknowledge", 0.0), Answered)
    assert session.hear(b"select_move B2", 0.0) == Selected("B2")


@pytest.mark.parametrize("names", list(product(CHANGES, repeat=2)), ids="-".join)
def test_a_stale_move_does_not_answer_the_next_request(names: tuple[str, str]) -> None:
    """The engine's move was on its way when the referee undid, redid and asked again."""
    session = talk("have_to_play", *names, "have_to_play")
    assert session.thinking
    assert session.hear(b"select_move B2", 0.0) == Selected("B2", stale=True)
    for name in names:
        event = session.hear(b"acknowledge", 0.0)
        assert event == Answered(SAMPLES[name], ACKNOWLEDGE)
    assert session.hear(b"select_move C3", 0.0) == Selected("C3")


@pytest.mark.parametrize("names", list(product(CHANGES, repeat=2)), ids="-".join)
def test_an_engine_may_drop_what_was_overtaken(names: tuple[str, str]) -> None:
    session = talk("have_to_play", *names, "have_to_play")
    for _ in names:
        session.hear(b"acknowledge", 0.0)
    assert session.hear(b"select_move C3", 0.0) == Selected("C3")
    assert fault(session, b"select_move C3") == "a move nobody asked for"


def test_a_wrong_answer_changes_nothing() -> None:
    session = talk("have_to_play", "get_table")
    for line in (b"acknowledge", b"rubbish", b"invalid_option_name"):
        fault(session, line)
    assert session.oldest() == Command("get_table", ("0",))
    assert isinstance(session.hear(b"reply x", 0.0), Answered)
    assert session.hear(b"select_move B2", 0.0) == Selected("B2")


# What we must not say.


def test_only_table_2_can_be_said() -> None:
    with pytest.raises(LocalProtocolError, match="not a command of Table 2: play Cross A1"):
        playing().ask(Command("play", ("Cross", "A1")))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_is_one_line(end: str) -> None:
    session = playing()
    with pytest.raises(LocalProtocolError, match="a line's end inside made_move"):
        session.ask(Command("made_move", ("Cross", f"A1{end}made_move Cross B1")))
    assert session.oldest() is None


# Promises.


def test_an_answer_keeps_the_promise_of_whoever_asked() -> None:
    session = playing()
    options, table = session.ask(Command("list_options")), session.ask(Command("get_table", ("0",)))
    session.hear(b"reply Depth", 0.0)
    assert (options.done, table.done) == (True, False)
    assert value(options).text == "Depth"


def value(promise: Promise[Answer]) -> Answer:
    """What a kept promise holds."""
    session = iter(promise)
    with pytest.raises(StopIteration) as stop:
        next(session)
    answer = stop.value.value
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize("why", [None, CommandError("it died")])
def test_the_end_breaks_every_promise(why: CommandError | None) -> None:
    session = playing()
    owed = session.ask(Command("list_options"))
    session.ask_move(None, 1.0)
    session.end(why)
    for promise in (owed, session.ask(Command("list_options"))):
        with pytest.raises(CommandError) as caught:
            next(iter(promise))
        assert caught.value is why or isinstance(caught.value, Withdrawn)
    assert (session.thinking, session.owes, session.next_due()) == (False, False, None)


# Moves.


def test_a_move_is_taken_up_once_and_only_where_nothing_has_overtaken_it() -> None:
    session = talk("have_to_play")
    first = session.hear(b"select_move B2", 0.0)
    assert isinstance(first, Selected)
    assert session.thinking
    session.say(UNDONE)
    assert not session.thinking
    session.ask_move(None, 1.0)
    session.hear(b"acknowledge", 0.0)
    second = session.hear(b"select_move B2", 0.0)
    assert isinstance(second, Selected)
    assert [session.take(first), session.take(second), session.take(second)] == [False, True, False]


def test_the_time_of_a_move_runs_from_when_its_request_left() -> None:
    session = playing()
    session.now = 10.0
    session.ask_move(2.0, 2.5)
    assert (session.limit, session.asked_at, session.next_due()) == (2.0, 10.0, 12.5)
    session.asked(11.0)
    assert (session.asked_at, session.next_due()) == (11.0, 13.5)
    selected = session.hear(b"select_move B2", 12.25)
    assert isinstance(selected, Selected)
    assert selected.seconds == 1.25


def test_nobody_wants_the_move_of_an_engine_that_was_told_to_leave() -> None:
    session = talk("have_to_play", "disconnect_engine")
    selected = session.hear(b"select_move B2", 0.0)
    assert isinstance(selected, Selected)
    assert not session.take(selected)
    assert session.state == "closing"


@pytest.mark.parametrize("moves", range(3))
def test_a_withdrawn_request_leaves_the_game_as_it_is(moves: int) -> None:
    session = playing()
    for _ in range(moves):
        session.speak("made_move")
    session.ask_move(None, 1.0)
    begin = len(session.lines)
    session.withdraw()
    said = [line for line, _, _ in session.lines[begin:]]
    assert said == ([b"undone_move", b"redone_move"] if moves else [b"start"])
    assert (session.told, session.thinking) == (moves, False)


# Deadlines.


def test_the_oldest_answer_is_due_and_each_later_one_when_it_is_the_oldest() -> None:
    session = playing()
    session.answer_time = 5.0
    session.now = 10.0
    session.say(UNDONE, None, 3.0)
    session.now = 11.0
    session.say(UNDONE, None, 1.0)
    assert session.next_due() == 18.0
    assert session.overdue(17.9) is None
    assert session.overdue(18.0) == ("silence", "no answer to undone_move in time.")
    assert session.acknowledge(12.0)
    assert session.next_due() == 18.0
    assert session.acknowledge(12.5)
    assert session.next_due() is None


@pytest.mark.parametrize(
    ("limit", "overdue"),
    [(None, ("silence", "no move, and no end of it in sight.")), (2.0, ("late", "no move within 2000 ms."))],
)
def test_a_move_is_overdue(limit: float | None, overdue: tuple[str, str]) -> None:
    session = playing()
    session.ask_move(limit, 2.5)
    assert session.overdue(2.4) is None
    assert session.overdue(2.5) == overdue


def test_an_acknowledge_that_somebody_waits_for_does_not_take_the_short_way() -> None:
    session = playing()
    session.ask(UNDONE)
    assert not session.acknowledge(0.0)
    assert isinstance(session.hear(b"acknowledge", 0.0), Answered)
    assert not session.acknowledge(0.0), "nothing is owed"
    session.say(utterance(Command("list_options")))
    assert not session.acknowledge(0.0), "that is no answer to it"
    greeted = BareSession()
    greeted.say(CONNECT)
    assert not greeted.acknowledge(0.0), "the state changes with it"


# Random sessions, against the spec's own sentences.


@dataclass
class Model:
    """What the spec says, in the plainest way: everything that was ever sent, and what became of it."""

    sent: list[tuple[EngineCommand, Command]] = field(default_factory=list)
    closed: set[int] = field(default_factory=set)
    """The numbers of those that are answered, or that nobody waits for any more."""

    def open_queries(self) -> list[int]:
        return [i for i, (spec, _) in enumerate(self.sent) if spec.answers and i not in self.closed]

    def open_requests(self) -> list[int]:
        return [i for i, (spec, _) in enumerate(self.sent) if not spec.answers and i not in self.closed]

    def receive(self, answer: Answer) -> SessionEvent | None:
        """None where it is a fault."""
        queries, requests = self.open_queries(), self.open_requests()
        if answer.kind is AnswerKind.SELECT_MOVE:
            if not requests or any(i < requests[0] and self.sent[i][0].changes for i in queries):
                return None
            self.closed.add(requests[0])
            return Selected(answer.text, any(i > requests[0] and self.sent[i][0].changes for i in queries))
        if not queries or answer.kind not in self.sent[queries[0]][0].answers:
            return None
        self.closed.add(queries[0])
        if self.sent[queries[0]][0].changes:
            self.closed.update(i for i in requests if i < queries[0])
        return Answered(self.sent[queries[0]][1], answer)

    def thinking(self) -> bool:
        requests = self.open_requests()
        return bool(requests) and not any(i > requests[-1] and self.sent[i][0].changes for i in self.open_queries())


SPEAKABLE = [spec for spec in ENGINE_COMMANDS if spec.name not in ("connect_engine", "disconnect_engine")]
STEPS = st.one_of(
    st.sampled_from(SPEAKABLE),
    st.sampled_from([spec for spec in SPEAKABLE if spec.changes or not spec.answers]),
    st.sampled_from([Answer(kind, "A1" if kind is AnswerKind.SELECT_MOVE else "") for kind in AnswerKind]),
    st.sampled_from([ACKNOWLEDGE, Answer(AnswerKind.SELECT_MOVE, "B2")]),
)


@settings(max_examples=300)
@given(st.lists(STEPS, max_size=25))
def test_any_interleaving_is_what_the_spec_says(steps: list[EngineCommand | Answer]) -> None:
    session, model = playing(), Model()
    for step in steps:
        if isinstance(step, EngineCommand):
            if not step.answers and model.thinking():
                with pytest.raises(LocalProtocolError):
                    session.speak(step.name)  # it is asked for one move at a time
                continue
            session.speak(step.name)
            model.sent.append((step, SAMPLES[step.name]))
        else:
            expected = model.receive(step)
            try:
                event: SessionEvent | None = session.hear(encode_answer(step), 0.0)
            except RemoteProtocolError:
                event = None
            assert event == expected
            if isinstance(event, Selected):
                assert session.take(event) is not event.stale
        queries = model.open_queries()
        assert session.oldest() == (model.sent[queries[0]][1] if queries else None)
        assert session.owes == bool(queries)
        assert session.thinking == model.thinking()


@pytest.mark.parametrize("charged", [False, True])
def test_time_in_which_we_were_busy_ourselves_is_not_charged(charged: bool) -> None:
    session = talk("have_to_play")
    asked, due = session.asked_at, session.move_due
    assert asked is not None
    assert due is not None
    session.delay(10.0, charged=charged)
    assert session.overdue(due + 9.0) is None
    assert session.overdue(due + 10.0) is not None
    assert session.asked_at == (asked if charged else asked + 10.0)


def test_a_move_is_put_off_by_the_time_that_the_engine_waited_for_a_processor() -> None:
    session = talk()
    session.ask_move(1.0, 1.5)
    asked, due = session.asked_at, session.move_due
    assert asked is not None
    assert due == asked + 1.5
    assert not session.is_late(asked + 1.4)
    assert session.is_late(due)
    session.kept_waiting(0.5, 60.0)
    session.kept_waiting(0.75, 60.0)  # the whole time, not more of it
    assert session.move_due == due + 0.75
    assert session.overdue(due) is None
    assert session.is_late(due)
    session.kept_waiting(100.0, 60.0)
    assert (session.move_due, session.waited) == (due + 60.0, 100.0)
    session.asked(asked + 1.0)
    assert (session.move_due, session.waited) == (due + 1.0, 0.0)


def test_a_move_without_a_limit_is_never_late() -> None:
    session = talk()
    session.ask_move(None, 1.5)
    assert session.asked_at is not None
    assert not session.is_late(session.asked_at + 100.0)
    assert not talk().is_late(100.0)


def test_an_answer_is_due_later_by_the_time_in_which_we_were_busy() -> None:
    session = talk("made_move")
    due = session.next_due()
    assert due is not None
    session.delay(10.0, charged=True)
    assert session.overdue(due + 9.0) is None
    assert session.overdue(due + 10.0) is not None
