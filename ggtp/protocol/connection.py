"""The state of a conversation: who may say what now. No sockets; bytes of lines in, events out.

The referee's end of it is `EngineConversation`. Answers come in order, so what is waited for
is a queue. `have_to_play` stays in it until a move comes or a later command overtakes it:

> A `select_move` that arrives before the engine's acknowledge of a later `undone_move`,
> `redone_move`, `made_move` or `start` is stale and is dropped.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ggtp.errors import LocalProtocolError, RemoteProtocolError
from ggtp.protocol.codec import decode_answer, encode_command, shown
from ggtp.protocol.commands import ENGINE, EngineCommand
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.text import split_words


@dataclass(slots=True)  # made for every line: frozen would cost three times as much
class Answered:
    """An engine has answered the oldest command that still wanted an answer."""

    command: Command
    answer: Answer


@dataclass(slots=True)
class Selected:
    """An engine has selected a move. A stale one is to be dropped."""

    move: str
    stale: bool = False


@dataclass(slots=True)
class Told:
    """An engine has a message for a partner. A stale one is to be dropped."""

    receiver: str
    text: str
    stale: bool = False


ConversationEvent: TypeAlias = Answered | Selected | Told


class Utterance(NamedTuple):
    """A command with its row of Table 2 and its line: what is said to several engines, or again, is made once."""

    spec: EngineCommand
    command: Command
    line: bytes


def utterance(command: Command) -> Utterance:
    """The command as it can be said to any engine.

    Raises:
        LocalProtocolError: it is no command of Table 2, or not one line.
    """
    spec = ENGINE.get(command.name)
    if spec is None:
        raise LocalProtocolError(f"not a command of Table 2: {command}")
    line = encode_command(command)
    if b"\n" in line or b"\r" in line:
        raise LocalProtocolError(f"a line's end inside {command.name}")
    return Utterance(spec, command, line)


LONGEST_KEPT = 64
"""How long a move may be that is remembered for the next time: whatever comes, it does not add up to much."""


def made_move(actor: str, move: str) -> Utterance:
    """The news of a move: what is said most often, to several engines, and in many games again and again."""
    return _made_move(actor, move) if len(move) <= LONGEST_KEPT else utterance(Command("made_move", (actor, move)))


@lru_cache(maxsize=1024)
def _made_move(actor: str, move: str) -> Utterance:
    return utterance(Command("made_move", (actor, move)))


_ACKNOWLEDGED = frozenset(name for name, spec in ENGINE.items() if AnswerKind.ACKNOWLEDGE in spec.answers)


class EngineConversation:
    """The referee's end of the conversation with one engine.

    Order of operations: `send` gives the bytes of a line for the wire and remembers what will
    answer it; `receive` takes a line from the wire and says what it means.
    """

    __slots__ = ("_closing", "_waiting", "talks")

    def __init__(self) -> None:
        self.talks = False
        """Whether the engine may send messages to partners."""
        self._waiting: deque[Utterance] = deque()
        self._closing = False

    def send(self, command: Command) -> bytes:
        """The line to put on the wire.

        Raises:
            LocalProtocolError: it is no command of Table 2, or the conversation is closing.
        """
        return self.say(utterance(command))

    def say(self, said: Utterance) -> bytes:
        """The line of what was made ready before.

        Raises:
            LocalProtocolError: the conversation is closing.
        """
        if self._closing:
            raise LocalProtocolError(f"{said.command.name} after disconnect_engine")
        if said.command.name == "disconnect_engine":
            self._closing = True
        self._waiting.append(said)
        return said.line

    def receive(self, line: bytes) -> ConversationEvent:
        """What the line means.

        Raises:
            RemoteProtocolError: the line is none of Table 3, or nobody asked for it.
        """
        answer = decode_answer(line)
        if answer.kind is AnswerKind.SELECT_MOVE:
            return self._selected(answer.text)
        if answer.kind is AnswerKind.TELL_MESSAGE:
            return self._told(answer.text)
        waiting = self._waiting
        place = 0
        while place < len(waiting) and not waiting[place].spec.answers:
            place += 1
        if place == len(waiting):
            raise RemoteProtocolError("an answer nobody asked for", shown(answer.kind.value))
        spec, command, _ = waiting[place]
        if answer.kind not in spec.answers:
            raise RemoteProtocolError(f"{answer.kind.value} does not answer {spec.name}", shown(str(command)))
        del waiting[place]
        if spec.changes:
            # A request for a move that is older than what was acknowledged now is dead.
            for _ in range(place):
                waiting.popleft()
        return Answered(command, answer)

    def acknowledge(self) -> bool:
        """Take the line `acknowledge`, by far the most frequent, if the very oldest command waits for it.

        Where it does not, nothing has happened, and `receive` tells what the line means.
        """
        waiting = self._waiting
        if not waiting or waiting[0].command.name not in _ACKNOWLEDGED:
            return False
        waiting.popleft()
        return True

    def _selected(self, move: str) -> Selected:
        waiting = self._waiting
        if len(waiting) == 1 and not waiting[0].spec.answers:  # nearly always
            waiting.popleft()
            return Selected(move)
        place = next((index for index, said in enumerate(waiting) if not said.spec.answers), None)
        if place is None:
            raise RemoteProtocolError("a move nobody asked for", shown(f"select_move {move}"))
        before = any(waiting[index].spec.changes for index in range(place))
        if before:
            raise RemoteProtocolError("a move before the acknowledge of an older command", shown(f"select_move {move}"))
        stale = any(waiting[index].spec.changes for index in range(place + 1, len(waiting)))
        del waiting[place]
        return Selected(move, stale)

    def _told(self, text: str) -> Told:
        words = split_words(text, 2)
        if not self.talks:
            raise RemoteProtocolError("not an answer of Table 3", shown(f"tell_message {text}"))
        if len(words) != 2:
            raise RemoteProtocolError("tell_message without a player or a text", shown(f"tell_message {text}"))
        stale = any(said.spec.changes for said in self._waiting)
        return Told(words[0], words[1], stale)

    def oldest(self) -> Command | None:
        """The oldest command that still wants an immediate answer."""
        return next((said.command for said in self._waiting if said.spec.answers), None)

    def thinking(self) -> bool:
        """Whether the engine was asked for a move that nothing has overtaken."""
        for said in reversed(self._waiting):
            if said.spec.changes:
                return False
            if not said.spec.answers:
                return True
        return False
