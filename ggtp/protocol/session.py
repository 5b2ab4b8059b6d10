"""The talk with one engine, at the referee's end: a state machine without a wire and without a clock.

Whoever stands at that end derives from `EngineSession` and says how a line is sent, what time it is, and how long an
answer may take: a referee, or a server that lets one engine play. What may be said in which state is in `STATES`.

Answers come in order, so what is owed is one queue, in which each command stands with the promise of whoever waits for
its answer. `have_to_play` stays in it until a move comes or a later command overtakes it:

> A `select_move` that arrives before the engine's acknowledge of a later `undone_move`,
> `redone_move`, `made_move` or `start` is stale and is dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ggtp.errors import GgtpError, LocalProtocolError, RemoteProtocolError
from ggtp.protocol.codec import decode_answer, shown
from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.text import split_words
from ggtp.protocol.utterances import DISCONNECT, REDONE, START, UNDONE, Utterance, have_to_play, utterance
from ggtp.protocol.waiting import Promise, Withdrawn

State: TypeAlias = Literal["connecting", "greeted", "ready", "playing", "thinking", "chosen", "closing", "gone"]
"""Nothing was said; it was greeted; it can be set up; a game was started; a move is waited for; a move has come and was
not taken up yet; it was told to disconnect; it is of no use any more."""


class Row(NamedTuple):
    """What may be said in a state, and how the talk goes on."""

    said: Mapping[str, State]
    """The state after each command that may be said; no other may be."""
    answered: Mapping[str, State] = {}
    """The state after the answer to a command, where that makes another state of it."""


def _to(state: State, names: Iterable[str]) -> dict[str, State]:
    return dict.fromkeys(names, state)


_CLOSE = _to("closing", ("disconnect_engine",))
_SETUP = (
    "list_options", "get_option", "list_option_choices", "set_option", "list_possible_moves", "get_result", "get_table"
)  # fmt: skip
"""What may be asked at any time: it changes no game."""
_CHANGES = _to("playing", ("start", "made_move", "illegal_move", "undone_move", "redone_move"))
_STEPS = {"made_move": 1, "undone_move": -1, "redone_move": 1}
"""By how many moves the game is longer after a command."""

STATES: dict[State, Row] = {
    "connecting": Row(_to("greeted", ("connect_engine",)) | _CLOSE),
    "greeted": Row(_CLOSE, _to("ready", ("connect_engine",))),
    "ready": Row(_to("ready", _SETUP) | _to("playing", ("start",)) | _CLOSE),
    "playing": Row(_to("playing", (*_SETUP, "told_message")) | _CHANGES | _to("thinking", ("have_to_play",)) | _CLOSE),
    "thinking": Row(_to("thinking", (*_SETUP, "told_message")) | _CHANGES | _CLOSE, _to("chosen", ("have_to_play",))),
    "chosen": Row(_to("chosen", (*_SETUP, "told_message")) | _CHANGES | _CLOSE),
    "closing": Row({}),
    "gone": Row({}),
}
"""THE table of the talk with an engine."""


_ACKNOWLEDGED = frozenset(name for name, spec in ENGINE.items() if AnswerKind.ACKNOWLEDGE in spec.answers) - {
    "connect_engine"
}
"""What the short way for `acknowledge` takes: those after whose answer the state is as it was."""


@dataclass(slots=True)  # made for every line: frozen would cost three times as much
class Answered:
    """An engine has answered the oldest command that still wanted an answer; its promise is kept."""

    command: Command
    answer: Answer


@dataclass(slots=True)
class Selected:
    """An engine has selected a move. A stale one is to be dropped; `take` says whether it is still wanted."""

    move: str
    stale: bool = False
    seconds: float = 0.0
    """How long it took."""


@dataclass(slots=True)
class Told:
    """An engine has a message for a partner. A stale one is to be dropped."""

    receiver: str
    text: str
    stale: bool = False


SessionEvent: TypeAlias = Answered | Selected | Told


class Overdue(NamedTuple):
    """The time for something is over."""

    fault: Literal["silence", "late"]
    what: str
    """One sentence."""


Owed: TypeAlias = tuple[Utterance, Promise[Answer] | None, float]
"""What was said, who waits for its answer, and the seconds that the answer may take beyond those of every answer. A
tuple, since one is made for every line."""


class EngineSession(ABC):
    """The referee's end of the talk with one engine, from its start to its end.

    Order of operations: `say`, `ask` and `ask_move` as the state allows it; `hear` for every line that comes; `overdue`
    when the time of `next_due` has come; at last `close` and `end`.
    """

    __slots__ = (
        "_chosen", "_move_seconds", "_owed", "_said", "asked_at", "due", "failure", "informed", "limit", "listed",
        "move_due", "name", "state", "talks", "told", "waited",
    )  # fmt: skip

    def __init__(self, name: str) -> None:
        """A talk in which nothing was said yet, with an engine of that name."""
        self.name = name
        self.state: State = "connecting"
        self._said = STATES["connecting"].said
        self._owed: deque[Owed] = deque()
        self.due: float | None = None
        """When the oldest answer is due."""
        self.listed: tuple[str, ...] = ()
        """The options that it has."""
        self.informed: dict[str, str] = {}
        """What it was told last of its game and its clocks, by option."""
        self.told = 0
        """How many moves it was told and not told to take back."""
        self.talks = False
        """Whether it may send messages to partners."""
        self.asked_at: float | None = None
        """When it was asked for a move that was not taken up yet."""
        self.limit: float | None = None
        """The seconds it was given for that move."""
        self.move_due: float | None = None
        """When the move is due."""
        self.waited = 0.0
        """How many of the seconds of that move it is known to have waited for a processor."""
        self._move_seconds = 0.0
        self._chosen: Selected | None = None
        self.failure: GgtpError | None = None
        """Why it is gone, where that was its own fault."""

    # What whoever stands at this end provides.

    @abstractmethod
    def send(self, line: bytes, *, asks: bool = False, patient: bool = False) -> None:
        """Put a line on the wire: one that asks for a move, or one that may wait a moment for the next."""

    @property
    @abstractmethod
    def now(self) -> float:
        """The time, on the clock of `hear` and `overdue`."""

    @property
    @abstractmethod
    def answer_time(self) -> float:
        """The seconds that an answer may take."""

    # Saying.

    def say(
        self, said: Utterance, promise: Promise[Answer] | None = None, extra: float = 0.0, *, patient: bool = False
    ) -> None:
        """Say something that has to be answered at once.

        Args:
            said: what.
            promise: is kept with the answer; None where nobody waits for it.
            extra: the seconds that the answer may take beyond those of every answer.
            patient: whether the line may wait a moment for the next one.

        Raises:
            LocalProtocolError: it may not be said in this state.
        """
        spec = said.spec
        name = spec.name
        if self._said.get(name) is not self.state:
            self._enter(name)
        if spec.changes:
            self.told = 0 if name == "start" else self.told + _STEPS.get(name, 0)
            self.asked_at = self.move_due = self._chosen = None  # whatever it was thinking about has been overtaken
        if self.due is None:
            self.due = self.now + self.answer_time + extra
        self._owed.append((said, promise, extra))
        self.send(said.line, patient=patient)

    def _enter(self, name: str) -> None:
        after = self._said.get(name)
        if after is None:
            raise LocalProtocolError(f"{name} may not be said to an engine that is {self.state}")
        self._become(after)

    def _become(self, state: State) -> None:
        self.state = state
        self._said = STATES[state].said

    def ask(self, command: Command | Utterance, extra: float = 0.0, *, patient: bool = False) -> Promise[Answer]:
        """Say something and promise its answer; with `patient` the line may wait a moment for the next one."""
        promise: Promise[Answer] = Promise()
        if self.state == "gone":
            promise.fail(self.why_gone())
        else:
            self.say(command if isinstance(command, Utterance) else utterance(command), promise, extra, patient=patient)
        return promise

    def ask_move(self, limit: float | None, seconds: float) -> None:
        """Ask for a move: within `limit` if there is one, and it is overdue after `seconds`."""
        said = have_to_play(limit)
        self._enter(said.spec.name)
        self._owed.append((said, None, 0.0))
        self.limit, self._move_seconds = limit, seconds
        self.asked(self.now)
        self.send(said.line, asks=True)

    def asked(self, at: float) -> None:
        """The request for a move left at that time: its time runs from then on."""
        if self.state == "thinking":
            self.asked_at, self.move_due, self.waited = at, at + self._move_seconds, 0.0

    def is_late(self, at: float) -> bool:
        """Return whether a move that came at that time would be overdue, delays left aside."""
        return self.asked_at is not None and self.limit is not None and at >= self.asked_at + self._move_seconds

    def kept_waiting(self, seconds: float, most: float) -> None:
        """Note how long the engine has waited for a processor since it was asked, and put its move off by that.

        Args:
            seconds: the whole time since the request.
            most: the seconds by which the move is put off at most: a busy machine must not hold the game for ever.
        """
        if self.move_due is not None:
            self.move_due += min(seconds, most) - min(self.waited, most)
        self.waited = seconds

    def take(self, selected: Selected) -> bool:
        """Take up a move that was heard before; False if nobody wants it any more."""
        if self._chosen is not selected:
            return False
        self._chosen = self.asked_at = None
        self._become("playing")
        return True

    def has_chosen(self, selected: Selected) -> bool:
        """Return whether a move that was heard before is still wanted; see `take`."""
        return self._chosen is selected

    @property
    def thinking(self) -> bool:
        """Whether a move of it is waited for, or has come and was not taken up yet."""
        return self.asked_at is not None

    @property
    def owes(self) -> bool:
        """Whether it has to answer anything at once."""
        return self.due is not None

    def start(self, extra: float = 0.0) -> Promise[Answer]:
        """Tell it that a game begins; it may take its start clock longer to acknowledge that."""
        return self.ask(START, extra)

    def withdraw(self, extra: float = 0.0) -> None:
        """Make it forget that it was asked for a move: a step back and forward, or a new start.

        The protocol has no command for it; these leave the position as it is and make a late select_move stale.
        """
        if self.told:
            self.say(UNDONE)
            self.say(REDONE)
        else:
            self.say(START, None, extra)

    def close(self) -> None:
        """Tell it to disconnect."""
        self.say(DISCONNECT)

    def end(self, why: GgtpError | None = None) -> None:
        """It is of no use any more, by its own fault if there is one: nothing that it owes will come."""
        self.failure = self.failure or why
        self._become("gone")
        self.asked_at = self.move_due = self.due = self._chosen = None
        promises = [promise for _, promise, _ in self._owed if promise is not None]
        self._owed.clear()
        for promise in promises:
            promise.fail(self.why_gone())

    def why_gone(self) -> GgtpError:
        """What to raise where it is needed and not there any more."""
        return self.failure or Withdrawn(f"Engine {self.name} was stopped.")

    # Hearing.

    def hear(self, line: bytes, at: float) -> SessionEvent:
        """What a line means. An answer keeps the promise of whoever waits for it.

        Raises:
            RemoteProtocolError: the line is none of Table 3, or nobody asked for it. Nothing has changed.
        """
        answer = decode_answer(line)
        if answer.kind is AnswerKind.SELECT_MOVE:
            return self._selected(answer.text, at)
        if answer.kind is AnswerKind.TELL_MESSAGE:
            return self._told(answer.text)
        owed = self._owed
        place = self._oldest()
        if place is None:
            raise RemoteProtocolError("an answer nobody asked for", shown(answer.kind.value))
        (spec, command, _), promise, _ = owed[place]
        if answer.kind not in spec.answers:
            raise RemoteProtocolError(f"{answer.kind.value} does not answer {spec.name}", shown(str(command)))
        del owed[place]
        if spec.changes:
            # A request for a move that is older than what was acknowledged now is dead.
            for _ in range(place):
                owed.popleft()
        self._next_due(at)
        after = STATES[self.state].answered.get(spec.name)
        if after is not None:
            self._become(after)
        if promise is not None:
            promise.keep(answer)
        return Answered(command, answer)

    def acknowledge(self, at: float) -> bool:
        """The short way for the line that comes most often: `acknowledge`, due now, and nobody waits for it.

        False where it is not so; nothing has happened then, and `hear` says what the line means.
        """
        owed = self._owed
        if not owed:
            return False
        said, promise, _ = owed[0]
        if promise is not None or said.spec.name not in _ACKNOWLEDGED:
            return False
        owed.popleft()
        self.due = None
        if owed:
            self._next_due(at)
        return True

    def _oldest(self) -> int | None:
        """The place in the queue of the oldest command that is to be answered at once."""
        for place, (said, _, _) in enumerate(self._owed):
            if said.spec.answers:
                return place
        return None

    def oldest(self) -> Command | None:
        """The oldest command that is to be answered at once."""
        place = self._oldest()
        return None if place is None else self._owed[place][0].command

    def _next_due(self, at: float) -> None:
        """The oldest answer came: the next one is waited for from now on."""
        place = self._oldest()
        self.due = None if place is None else at + self.answer_time + self._owed[place][2]

    def _selected(self, move: str, at: float) -> Selected:
        owed = self._owed
        place = 0
        while place < len(owed) and owed[place][0].spec.answers:
            place += 1
        if place == len(owed):
            raise RemoteProtocolError("a move nobody asked for", shown(f"select_move {move}"))
        if place and any(owed[index][0].spec.changes for index in range(place)):
            raise RemoteProtocolError("a move before the acknowledge of an older command", shown(f"select_move {move}"))
        if len(owed) > 1 and any(owed[index][0].spec.changes for index in range(place + 1, len(owed))):
            del owed[place]
            return Selected(move, stale=True)
        del owed[place]
        selected = Selected(move)
        after = STATES[self.state].answered.get("have_to_play")
        if after is not None and self.asked_at is not None:
            self._become(after)
            selected.seconds = max(0.0, at - self.asked_at)
            self._chosen, self.move_due = selected, None
        return selected

    def _told(self, text: str) -> Told:
        words = split_words(text, 2)
        if not self.talks:
            raise RemoteProtocolError("not an answer of Table 3", shown(f"tell_message {text}"))
        if len(words) != 2:
            raise RemoteProtocolError("tell_message without a player or a text", shown(f"tell_message {text}"))
        stale = any(said.spec.changes for said, _, _ in self._owed)
        return Told(words[0], words[1], stale)

    # Deadlines.

    def delay(self, seconds: float, *, charged: bool) -> None:
        """Put off what is due: we were busy ourselves, and could neither send nor hear.

        Args:
            seconds: for how long.
            charged: whether a move that the engine is thinking about still takes as long as it takes.
        """
        if self.due is not None:
            self.due += seconds
        if self.move_due is not None:
            self.move_due += seconds
        if self.asked_at is not None and not charged:
            self.asked_at += seconds

    def next_due(self) -> float | None:
        """When something may be overdue."""
        due, move_due = self.due, self.move_due
        return due if move_due is None or (due is not None and due < move_due) else move_due

    def overdue(self, now: float) -> Overdue | None:
        """What is overdue, if anything is."""
        if self.due is not None and now >= self.due:
            oldest = self.oldest()
            return Overdue("silence", f"no answer to {oldest.name if oldest else 'the referee'} in time.")
        if self.move_due is None or now < self.move_due:
            return None
        if self.limit is None:
            return Overdue("silence", "no move, and no end of it in sight.")
        return Overdue("late", f"no move within {int(self.limit * 1000)} ms.")
