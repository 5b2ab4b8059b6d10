"""How an engine learns its game: which options it is told, in which order, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from ggtp.errors import CommandError
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.session import EngineSession
from ggtp.protocol.text import join_list, join_map, one_line, split_list
from ggtp.protocol.utterances import CONNECT, LIST_OPTIONS
from ggtp.protocol.waiting import Conversation

RESERVED = ("rule_text", "rule", "rule_options", "player")
"""Options that tell an engine which game it plays; only the referee sets them."""
REFUSAL = "refusal"
"""The option by which some engines tell why they have refused a value."""
MESSAGES = "messages"
"""The option of engines that can talk to partners."""
TELL_MOVES, TELL_TABLE = "tell_moves", "tell_table"
"""The options of engines that want to be told, before each request for a move, the moves that their player may try and
what it knows of the table: such an engine needs no rules of its own."""
MOST_WHY = 300
"""How many characters of a refusal are quoted."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """What an engine is told of the game that it is to play. What is empty is not told."""

    name: str
    """What people call the rule."""
    rule: str
    """What finds the rule: its name, or the path of its file."""
    text: str
    """The text of rules that are data."""
    rule_options: Mapping[str, str]
    player: str
    seed: str
    threads: int
    memory: int
    """Mebibytes."""
    start_clock: str = ""
    """Milliseconds before the game."""
    time_control: str = ""

    def options(self) -> dict[str, str]:
        """The options that tell it, in order."""
        # Text first: an engine that has it need not find the rule by its name.
        return {
            "rule_text": " ".join(self.text.split()),
            "rule": self.rule,
            "rule_options": join_map(self.rule_options),
            "player": self.player,
            "seed": self.seed,
            "threads": str(self.threads),
            "memory": str(self.memory or ""),
            "start_clock": self.start_clock,
            "time_control": self.time_control,
        }


def turn_news(listed: Collection[str], moves: Callable[[], Iterable[str]], table: Callable[[], str]) -> dict[str, str]:
    """Return what an engine with these options is told before it is asked for a move; nothing as a rule.

    Args:
        listed: its options.
        moves: returns the moves that its player may try.
        table: returns what its player knows.
    """
    news = {}
    if TELL_TABLE in listed:
        news[TELL_TABLE] = one_line(table())
    if TELL_MOVES in listed:
        news[TELL_MOVES] = join_list(moves())
    return news


def greet(session: EngineSession, seconds: float) -> Conversation[None]:
    """Connect, which may take so many seconds, and ask for the options that it has."""
    # Over pipes a program is connected before it has begun: its start-up time ends with this answer.
    yield from session.ask(CONNECT, max(0.0, seconds - session.answer_time))
    answer = yield from session.ask(LIST_OPTIONS)
    session.listed = tuple(split_list(answer.text))


def introduce(session: EngineSession, game: GameNews) -> Conversation[None]:
    """Tell it its game.

    Raises:
        CommandError: it can't play it.
    """
    session.informed.clear()
    yield from inform(session, game.name, game.options())


def inform(session: EngineSession, rule: str, known: Mapping[str, str]) -> Conversation[None]:
    """Tell it those of the options that it has and that are not as it was told last.

    Raises:
        CommandError: it can't play its game with them.
    """
    for name, value in known.items():
        if name in session.listed and value != session.informed.get(name, ""):
            answer = yield from session.ask(Command("set_option", (name, value)))
            if answer.kind is not AnswerKind.ACKNOWLEDGE and name in RESERVED:
                yield from _cannot_play(session, rule)
            session.informed[name] = value


def set_option(session: EngineSession, name: str, value: str) -> Conversation[None]:
    """Set one of its own options.

    Raises:
        CommandError: it has none of that name, or does not take the value.
    """
    answer = yield from session.ask(Command("set_option", (name, value)))
    if answer.kind is AnswerKind.INVALID_OPTION_NAME:
        raise no_option(session, name)
    if answer.kind is AnswerKind.INVALID_OPTION_VALUE:
        raise CommandError(f"No value {value} for option {name} of engine {session.name}.")


def no_option(session: EngineSession, name: str) -> CommandError:
    """What to say where an engine has no option of that name."""
    return CommandError(f"No option named {name} for engine {session.name}.")


def forbid_reserved(name: str) -> None:
    """Keep the supervisor from telling an engine that it plays another game.

    Raises:
        CommandError: only the referee sets this option.
    """
    if name.casefold() in RESERVED:  # engines may take it in any case
        raise CommandError(f"Option {name} is set by the referee.")


def _cannot_play(session: EngineSession, rule: str) -> Conversation[NoReturn]:
    """It has refused its game: say so, with its reason where it tells one."""
    why = "with these options."
    if REFUSAL in session.listed:
        answer = yield from session.ask(Command("get_option", (REFUSAL,)))
        if answer.kind is AnswerKind.REPLY and answer.text not in ("", "none"):
            why = f"with these options. {one_line(answer.text)[:MOST_WHY]}"
    raise CommandError(f"Engine {session.name} can't play {rule} {why}")
