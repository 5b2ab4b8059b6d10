"""The referee's end of a conversation: which answer belongs to what, and which moves are stale."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.errors import LocalProtocolError, RemoteProtocolError
from ggtp.protocol.codec import encode_answer
from ggtp.protocol.commands import ENGINE_COMMANDS, EngineCommand
from ggtp.protocol.connection import Answered, ConversationEvent, EngineConversation, Selected, Told
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command

ARGUMENTS = {
    "option": "Depth",
    "value": "8",
    "table": "0",
    "delay": "1000",
    "player": "Cross",
    "move": "A1",
    "move and reason": "A1 taken",
    "text": "hello there",
}


def sample(spec: EngineCommand) -> Command:
    return Command(spec.name, tuple(ARGUMENTS[parameter.name] for parameter in spec.parameters))


SAMPLES = {spec.name: sample(spec) for spec in ENGINE_COMMANDS}
CHANGES = [spec.name for spec in ENGINE_COMMANDS if spec.changes]


def talk(*said: str) -> EngineConversation:
    """A conversation in which these commands were sent."""
    conversation = EngineConversation()
    for name in said:
        conversation.send(SAMPLES[name])
    return conversation


def fault(conversation: EngineConversation, line: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        conversation.receive(line)
    return str(caught.value)


def test_a_message_for_a_partner_answers_nothing() -> None:
    conversation = talk("connect_engine", "have_to_play")
    assert fault(conversation, b"tell_message South hello") == "not an answer of Table 3"
    conversation.talks = True
    assert conversation.receive(b"tell_message South  hello there") == Told("South", "hello there")
    assert fault(conversation, b"tell_message South") == "tell_message without a player or a text"
    assert conversation.receive(b"acknowledge") == Answered(SAMPLES["connect_engine"], ACKNOWLEDGE)
    assert conversation.thinking()


@pytest.mark.parametrize("name", CHANGES)
def test_a_message_that_a_later_command_overtakes_is_stale(name: str) -> None:
    conversation = talk("have_to_play", name)
    conversation.talks = True
    assert conversation.receive(b"tell_message South hello") == Told("South", "hello", stale=True)
    conversation.receive(b"acknowledge")
    assert conversation.receive(b"tell_message South hello") == Told("South", "hello")


@pytest.mark.parametrize(("spec", "kind"), list(product(ENGINE_COMMANDS, AnswerKind)))
def test_every_command_with_every_answer(spec: EngineCommand, kind: AnswerKind) -> None:
    conversation = talk(spec.name)
    answer = Answer(kind, "B2" if kind is AnswerKind.SELECT_MOVE else "")
    if kind in spec.answers:
        assert conversation.receive(encode_answer(answer)) == Answered(SAMPLES[spec.name], answer)
        assert fault(conversation, b"acknowledge") == "an answer nobody asked for"
    elif kind is AnswerKind.TELL_MESSAGE:
        assert fault(conversation, b"tell_message South hello") == "not an answer of Table 3"
    elif kind is AnswerKind.SELECT_MOVE:
        if spec.name == "have_to_play":
            assert conversation.receive(b"select_move B2") == Selected("B2")
        assert fault(conversation, b"select_move B2") == "a move nobody asked for"
    elif spec.answers:
        assert fault(conversation, encode_answer(answer)) == f"{kind.value} does not answer {spec.name}"
    else:
        assert fault(conversation, encode_answer(answer)) == "an answer nobody asked for"


def test_what_is_sent_is_the_line() -> None:
    conversation = EngineConversation()
    assert conversation.send(Command("connect_engine")) == b"connect_engine"
    assert conversation.send(Command("made_move", ("Left", "take 2 from B"))) == b"made_move Left take 2 from B"
    assert conversation.send(Command("have_to_play", ("1500",))) == b"have_to_play 1500"


def test_answers_come_in_order() -> None:
    conversation = talk("connect_engine", "list_options", "set_option", "get_table")
    assert conversation.oldest() == Command("connect_engine")
    answers = [b"acknowledge", b"reply a, b", b"invalid_option_value", b"reply . . ."]
    events = [conversation.receive(line) for line in answers]
    assert [event.command.name for event in events if isinstance(event, Answered)] == [
        "connect_engine",
        "list_options",
        "set_option",
        "get_table",
    ]
    assert conversation.oldest() is None


def test_queries_are_answered_while_the_engine_thinks() -> None:
    conversation = talk("have_to_play", "get_table")
    assert conversation.thinking()
    assert isinstance(conversation.receive(b"reply x"), Answered)
    assert conversation.receive(b"select_move B2") == Selected("B2")
    assert not conversation.thinking()


def test_a_query_and_the_move_may_be_answered_in_either_order() -> None:
    conversation = talk("have_to_play", "get_table")
    assert conversation.receive(b"select_move B2") == Selected("B2")
    assert isinstance(conversation.receive(b"reply x"), Answered)


@pytest.mark.parametrize("name", CHANGES)
def test_a_move_that_was_overtaken_is_stale(name: str) -> None:
    conversation = talk("have_to_play", name)
    assert not conversation.thinking()
    assert conversation.receive(b"select_move B2") == Selected("B2", stale=True)
    assert isinstance(conversation.receive(b"acknowledge"), Answered)
    assert fault(conversation, b"select_move B2") == "a move nobody asked for"


@pytest.mark.parametrize("name", CHANGES)
def test_after_the_acknowledge_nobody_asks_for_the_move_any_more(name: str) -> None:
    conversation = talk("have_to_play", name)
    assert isinstance(conversation.receive(b"acknowledge"), Answered)
    assert fault(conversation, b"select_move B2") == "a move nobody asked for"


@pytest.mark.parametrize("name", [spec.name for spec in ENGINE_COMMANDS if spec.answers and not spec.changes])
def test_a_query_overtakes_nothing(name: str) -> None:
    assert talk("have_to_play", name).receive(b"select_move B2") == Selected("B2", stale=False)


@pytest.mark.parametrize("name", CHANGES)
def test_a_move_before_the_acknowledge_of_what_came_before_its_request(name: str) -> None:
    conversation = talk(name, "have_to_play")
    assert fault(conversation, b"select_move B2") == "a move before the acknowledge of an older command"
    assert isinstance(conversation.receive(b"acknowledge"), Answered)
    assert conversation.receive(b"select_move B2") == Selected("B2")


@pytest.mark.parametrize("names", list(product(CHANGES, repeat=2)), ids="-".join)
def test_a_stale_move_does_not_answer_the_next_request(names: tuple[str, str]) -> None:
    """The engine's move was on its way when the referee undid, redid and asked again."""
    conversation = talk("have_to_play", *names, "have_to_play")
    assert conversation.thinking()
    assert conversation.receive(b"select_move B2") == Selected("B2", stale=True)
    for name in names:
        event = conversation.receive(b"acknowledge")
        assert event == Answered(SAMPLES[name], ACKNOWLEDGE)
    assert conversation.receive(b"select_move C3") == Selected("C3")


@pytest.mark.parametrize("names", list(product(CHANGES, repeat=2)), ids="-".join)
def test_an_engine_may_drop_what_was_overtaken(names: tuple[str, str]) -> None:
    conversation = talk("have_to_play", *names, "have_to_play")
    for _ in names:
        conversation.receive(b"acknowledge")
    assert conversation.receive(b"select_move C3") == Selected("C3")
    assert fault(conversation, b"select_move C3") == "a move nobody asked for"


def test_a_wrong_answer_changes_nothing() -> None:
    conversation = talk("have_to_play", "get_table")
    for line in (b"acknowledge", b"rubbish", b"invalid_option_name"):
        fault(conversation, line)
    assert conversation.oldest() == Command("get_table", ("0",))
    assert isinstance(conversation.receive(b"reply x"), Answered)
    assert conversation.receive(b"select_move B2") == Selected("B2")


# What we must not say.


def test_only_table_2_can_be_said() -> None:
    with pytest.raises(LocalProtocolError, match="not a command of Table 2: play Cross A1"):
        EngineConversation().send(Command("play", ("Cross", "A1")))


def test_nothing_can_be_said_after_the_end() -> None:
    conversation = talk("disconnect_engine")
    with pytest.raises(LocalProtocolError, match="start after disconnect_engine"):
        conversation.send(Command("start"))
    assert isinstance(conversation.receive(b"acknowledge"), Answered)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_is_one_line(end: str) -> None:
    conversation = EngineConversation()
    with pytest.raises(LocalProtocolError, match="a line's end inside made_move"):
        conversation.send(Command("made_move", ("Cross", f"A1{end}made_move Cross B1")))
    assert conversation.oldest() is None


# Random conversations, against the spec's own sentences.


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

    def receive(self, answer: Answer) -> ConversationEvent | None:
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


SPEAKABLE = [spec for spec in ENGINE_COMMANDS if spec.name != "disconnect_engine"]
STEPS = st.one_of(
    st.sampled_from(SPEAKABLE),
    st.sampled_from([spec for spec in SPEAKABLE if spec.changes or not spec.answers]),
    st.sampled_from([Answer(kind, "A1" if kind is AnswerKind.SELECT_MOVE else "") for kind in AnswerKind]),
    st.sampled_from([ACKNOWLEDGE, Answer(AnswerKind.SELECT_MOVE, "B2")]),
)


@settings(max_examples=300)
@given(st.lists(STEPS, max_size=25))
def test_any_interleaving_is_what_the_spec_says(steps: list[EngineCommand | Answer]) -> None:
    conversation, model = EngineConversation(), Model()
    for step in steps:
        if isinstance(step, EngineCommand):
            conversation.send(SAMPLES[step.name])
            model.sent.append((step, SAMPLES[step.name]))
        else:
            expected = model.receive(step)
            try:
                event: ConversationEvent | None = conversation.receive(encode_answer(step))
            except RemoteProtocolError:
                event = None
            assert event == expected
        queries = model.open_queries()
        assert conversation.oldest() == (model.sent[queries[0]][1] if queries else None)
        assert conversation.thinking() == model.thinking()
