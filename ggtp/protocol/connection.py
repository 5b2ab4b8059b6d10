"""The state of a conversation: who may say what now. No sockets; bytes of lines in, events out.

The referee's end of it is `EngineConversation`. Answers come in order, so what is waited for
is a queue. `have_to_play` stays in it until a move comes or a later command overtakes it:

> A `select_move` that arrives before the engine's acknowledge of a later `undone_move`,
> `redone_move`, `made_move` or `start` is stale and is dropped.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from ggtp.errors import LocalProtocolError, RemoteProtocolError
from ggtp.protocol.codec import decode_answer, encode_command, shown
from ggtp.protocol.commands import ENGINE, EngineCommand
from ggtp.protocol.messages import Answer, AnswerKind, Command


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


ConversationEvent: TypeAlias = Answered | Selected


class EngineConversation:
    """The referee's end of the conversation with one engine.

    Order of operations: `send` gives the bytes of a line for the wire and remembers what will
    answer it; `receive` takes a line from the wire and says what it means.
    """

    __slots__ = ("_closing", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[tuple[EngineCommand, Command]] = deque()
        self._closing = False

    def send(self, command: Command) -> bytes:
        """The line to put on the wire.

        Raises:
            LocalProtocolError: it is no command of Table 2, or the conversation is closing.
        """
        spec = ENGINE.get(command.name)
        if spec is None:
            raise LocalProtocolError(f"not a command of Table 2: {command}")
        if self._closing:
            raise LocalProtocolError(f"{command.name} after disconnect_engine")
        line = encode_command(command)
        if b"\n" in line or b"\r" in line:
            raise LocalProtocolError(f"a line's end inside {command.name}")
        self._closing = command.name == "disconnect_engine"
        self._waiting.append((spec, command))
        return line

    def receive(self, line: bytes) -> ConversationEvent:
        """What the line means.

        Raises:
            RemoteProtocolError: the line is none of Table 3, or nobody asked for it.
        """
        answer = decode_answer(line)
        if answer.kind is AnswerKind.SELECT_MOVE:
            return self._selected(answer.text)
        waiting = self._waiting
        place = 0
        while place < len(waiting) and not waiting[place][0].answers:
            place += 1
        if place == len(waiting):
            raise RemoteProtocolError("an answer nobody asked for", shown(answer.kind.value))
        spec, command = waiting[place]
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
        if not waiting or AnswerKind.ACKNOWLEDGE not in waiting[0][0].answers:
            return False
        waiting.popleft()
        return True

    def _selected(self, move: str) -> Selected:
        waiting = self._waiting
        if len(waiting) == 1 and not waiting[0][0].answers:  # nearly always
            waiting.popleft()
            return Selected(move)
        place = next((index for index, (spec, _) in enumerate(waiting) if not spec.answers), None)
        if place is None:
            raise RemoteProtocolError("a move nobody asked for", shown(f"select_move {move}"))
        before = any(waiting[index][0].changes for index in range(place))
        if before:
            raise RemoteProtocolError("a move before the acknowledge of an older command", shown(f"select_move {move}"))
        stale = any(waiting[index][0].changes for index in range(place + 1, len(waiting)))
        del waiting[place]
        return Selected(move, stale)

    def oldest(self) -> Command | None:
        """The oldest command that still wants an immediate answer."""
        return next((command for spec, command in self._waiting if spec.answers), None)

    def thinking(self) -> bool:
        """Whether the engine was asked for a move that nothing has overtaken."""
        for spec, _ in reversed(self._waiting):
            if spec.changes:
                return False
            if not spec.answers:
                return True
        return False
