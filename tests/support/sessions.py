"""Sessions with engines that are not there: lines that were sent, and a clock that stands still."""

from __future__ import annotations

from ggtp.protocol.commands import ENGINE_COMMANDS, EngineCommand
from ggtp.protocol.messages import Command
from ggtp.protocol.session import EngineSession, State
from ggtp.protocol.utterances import utterance

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
    """A command with an example of each argument."""
    return Command(spec.name, tuple(ARGUMENTS[parameter.name] for parameter in spec.parameters))


SAMPLES = {spec.name: sample(spec) for spec in ENGINE_COMMANDS}


class BareSession(EngineSession):
    """A session whose lines go nowhere."""

    now = 0.0
    answer_time = 1.0

    def __init__(self) -> None:
        super().__init__("Bare")
        self.lines: list[tuple[bytes, bool, bool]] = []
        """What was sent, and whether it asks for a move or may wait."""

    def send(self, line: bytes, *, asks: bool = False, patient: bool = False) -> None:
        """Keep it."""
        self.lines.append((line, asks, patient))

    def speak(self, name: str) -> None:
        """Say the example of a command."""
        if name == "have_to_play":
            self.ask_move(1.0, 1.0)
        else:
            self.say(utterance(SAMPLES[name]))


def playing() -> BareSession:
    """A session with an engine that was told of a game and owes nothing."""
    session = BareSession()
    for name in ("connect_engine", "start"):
        session.speak(name)
        session.hear(b"acknowledge", 0.0)
    return session


def in_state(state: State) -> BareSession:
    """A session in a state, in which no answer is owed."""
    session = BareSession()
    way: dict[State, list[str | bytes]] = {
        "greeted": ["connect_engine"],
        "ready": ["connect_engine", b"acknowledge"],
        "playing": ["connect_engine", b"acknowledge", "start", b"acknowledge"],
        "closing": ["disconnect_engine", b"acknowledge"],
    }
    way["thinking"] = [*way["playing"], "have_to_play"]
    way["chosen"] = [*way["thinking"], b"select_move B2"]
    for step in way.get(state, ()):
        if isinstance(step, bytes):
            session.hear(step, 0.0)
        else:
            session.speak(step)
    if state == "gone":
        session.end()
    assert session.state == state
    return session
