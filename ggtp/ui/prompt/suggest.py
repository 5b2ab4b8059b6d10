"""What can be typed next: a pure function from the text before the cursor and what is known.

Two halves. `place` says what stands at the cursor, by the command table alone; `suggest` picks
what fits there out of a `Knowledge`. So whoever gathers the knowledge need not gather all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from ggtp.game import OpenMoves, Option
from ggtp.game.names import match_name
from ggtp.play.play import HUMAN
from ggtp.protocol.commands import SUPERVISOR, SUPERVISOR_COMMANDS, Kind, SupervisorCommand
from ggtp.protocol.text import BLANKS
from ggtp.referee.helptext import TOPICS

T = TypeVar("T")

MOST = 300
"""How many suggestions are made at most: nobody reads more, and a game may have a million moves."""

_RANGE = re.compile(r"(-?\d+)?\.\.(-?\d+)?")
ANY, READ_ONLY = "any", "read-only"
"""What an option says of its values in words that are no value."""
_TO_HUMANS = frozenset({"play"})
_TO_ENGINES = frozenset({"list_engine_options", "get_engine_option", "list_engine_option_choices", "set_engine_option"})
"""Commands that make no sense for some players."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that can stand in the place of what is being typed."""

    text: str
    """What to insert."""
    meta: str = ""
    """What it is, in a few words."""
    start: int = 0
    """Where it begins, counted back from the cursor: 0 or negative."""
    hint: str = ""
    """What to show in place of the text, where it says what may be typed and is no value itself."""
    more: bool = False
    """Whether another argument follows, so that a blank is wanted behind it."""


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at the cursor."""

    kind: Kind
    fragment: str
    """What of it is typed already."""
    arguments: tuple[str, ...] = ()
    """The arguments before it."""
    command: SupervisorCommand | None = None
    """The command that it is an argument of; None where the command itself is being typed."""
    more: bool = False
    """Whether the command can take another argument after it."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What completion knows of the table. Whatever was not gathered is empty, and offers nothing."""

    rules: Mapping[str, str] = field(default_factory=dict)
    """The names of all rules, each with its title."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Who can play the rule, `human` included, each with its title."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The players, and who plays for each."""
    turn: Sequence[str] = ()
    """Whose turn it is; it may be Chance's."""
    options: Sequence[Option] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    """What the referee's options are set to."""
    rule_options: Sequence[Option] = ()
    rule_values: Mapping[str, str] = field(default_factory=dict)
    engine_options: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The options of each player's engine."""
    engine_choices: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    """What the options of engines can be set to, by player and option, as the engine has said it."""
    engine_values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What they are set to."""
    moves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What each player can play now."""
    nodes: Mapping[str, str] = field(default_factory=dict)
    """Numbers and names of nodes of the play tree, each with the step that leads there."""
    files: Sequence[str] = ()
    """What is in the folder that the fragment of a path points into; folders end in a slash."""


def place(text: str) -> Place | None:
    """What stands at the end of `text`, or None where nothing can be said about it."""
    line = text.lstrip(BLANKS)
    if line.startswith("#"):
        return None
    name, rest = _word(line)
    if rest is None:
        return Place("command", name)
    command = SUPERVISOR.get(name)
    if command is None:
        return Place("command", line)  # no command, but a move may have several words
    parameters = command.parameters
    arguments: list[str] = []
    # The last argument is the rest of the line: a move may contain blanks.
    while len(arguments) < len(parameters) - 1:
        word, later = _word(rest)
        if later is None:
            break
        arguments.append(word)
        rest = later
    if not parameters:
        return None
    parameter = parameters[len(arguments)]
    return Place(parameter.kind, rest, tuple(arguments), command, more=len(arguments) + 1 < len(parameters))


def _word(text: str) -> tuple[str, str | None]:
    """The first word, and what follows the blanks behind it; None where it may go on at the cursor."""
    end = next((index for index, char in enumerate(text) if char in BLANKS), None)
    return (text, None) if end is None else (text[:end], text[end:].lstrip(BLANKS))


def suggest(text: str, known: Knowledge) -> list[Suggestion]:
    """What can be typed at the end of `text`, in the order in which to show it, each in its canonical spelling."""
    at = place(text)
    return [] if at is None else suggest_at(at, known)


def suggest_at(at: Place, known: Knowledge) -> list[Suggestion]:
    """What fits there."""
    return list(islice(_KINDS[at.kind](at, known), MOST))


# One function for each kind of argument.

_Offers = Iterator[Suggestion]


def _commands(at: Place, known: Knowledge) -> _Offers:
    if at.command is None:  # a person's move may be typed alone
        folded = _folded(at.fragment)
        for player, moves in known.moves.items():
            for move in moves:
                if move.casefold().startswith(folded):
                    yield Suggestion(move, f"play {player} {move}", -len(at.fragment))
    for command in _matching(at.fragment, SUPERVISOR_COMMANDS, lambda command: command.name):
        more = at.command is None and bool(command.parameters)
        yield Suggestion(command.name, command.summary, -len(at.fragment), more=more)


def _topics(at: Place, known: Knowledge) -> _Offers:
    yield from _pick(at, {**TOPICS, **{command.name: command.summary for command in SUPERVISOR_COMMANDS}})


def _rules(at: Place, known: Knowledge) -> _Offers:
    yield from _pick(at, known.rules)
    if "/" in at.fragment or at.fragment.startswith((".", "~")):
        yield from _files(at, known)


def _engines(at: Place, known: Knowledge) -> _Offers:
    yield from _pick(at, known.engines)
    if "/" in at.fragment or at.fragment.startswith((".", "~")):
        yield from _files(at, known)


def _players(at: Place, known: Knowledge) -> _Offers:
    name = at.command.name if at.command else ""
    players = dict(known.players)
    if name in _TO_HUMANS:
        players = {player: engine for player, engine in players.items() if engine == HUMAN}
    elif name in _TO_ENGINES:
        players = {player: engine for player, engine in players.items() if engine != HUMAN}
    elif name == "force_play":
        players |= {player: "draws dice, deals and shuffles" for player in known.turn if player not in players}
    # Whoever is to move is meant most often.
    first = {player: f"{meta}, to move" for player, meta in players.items() if player in known.turn}
    yield from _pick(at, {**first, **{player: meta for player, meta in players.items() if player not in first}})


def _options(at: Place, known: Knowledge) -> _Offers:
    yield from _option_names(at, known.options, known.values)


def _rule_options(at: Place, known: Knowledge) -> _Offers:
    yield from _option_names(at, known.rule_options, known.rule_values)


def _option_names(at: Place, options: Sequence[Option], values: Mapping[str, str]) -> _Offers:
    for option in _matching(at.fragment, options, lambda option: option.name):
        value = values.get(option.name, option.default)
        yield Suggestion(option.name, f"{option.summary} (now {value})", -len(at.fragment), more=at.more)


def _values(at: Place, known: Knowledge) -> _Offers:
    yield from _option_values(at, known.options, known.values)


def _rule_values(at: Place, known: Knowledge) -> _Offers:
    yield from _option_values(at, known.rule_options, known.rule_values)


def _option_values(at: Place, options: Sequence[Option], values: Mapping[str, str]) -> _Offers:
    by_name = {option.name: option for option in options}
    found = match_name(at.arguments[0], by_name)
    if found is not None:
        option = by_name[found]
        yield from _choices(at, option.describe_choices(), values.get(found, option.default))


def _engine_options(at: Place, known: Knowledge) -> _Offers:
    player = match_name(at.arguments[0], known.players)
    if player is not None:
        yield from _pick(at, dict.fromkeys(known.engine_options.get(player, ()), ""))


def _engine_values(at: Place, known: Knowledge) -> _Offers:
    player = match_name(at.arguments[0], known.players)
    option = match_name(at.arguments[1], known.engine_options.get(player, ())) if player is not None else None
    if player is not None and option is not None:
        key = (player, option)
        yield from _choices(at, known.engine_choices.get(key, ()), known.engine_values.get(key))


def is_open(choice: str) -> bool:
    """Whether a choice stands for values and is none itself: a range such as `1..64`, or `any`."""
    return choice == ANY or _RANGE.fullmatch(choice) is not None


def _choices(at: Place, choices: Sequence[str], now: str | None) -> _Offers:
    """Values; where they can't be listed, the present one stands for them, to be changed."""
    for choice in choices:
        if is_open(choice):
            meta = "any text" if choice == ANY else f"a whole number, {choice}"
            if now is not None and _fits(at.fragment, now):
                yield Suggestion(now, f"now; {meta}", -len(at.fragment))
        elif choice != READ_ONLY and _fits(at.fragment, choice):
            yield Suggestion(choice, "now" if choice == now else "", -len(at.fragment))


def _moves(at: Place, known: Knowledge) -> _Offers:
    names = {*known.players, *known.turn}
    player = match_name(at.arguments[0], names)
    moves = known.moves.get(player, ()) if player is not None else ()
    folded = _folded(at.fragment)
    for move in moves:
        if move.casefold().startswith(folded):
            yield Suggestion(move, "", -len(at.fragment))
    if isinstance(moves, OpenMoves):
        for pattern in moves.patterns:
            yield Suggestion(at.fragment, "among others", -len(at.fragment), hint=pattern)


def _folded(fragment: str) -> str:
    """What of a move is typed: between its words there may be any number of blanks."""
    text = " ".join(fragment.split()).casefold()
    return f"{text} " if text and fragment[-1:].isspace() else text


def _nodes(at: Place, known: Knowledge) -> _Offers:
    yield from _pick(at, known.nodes)


def _files(at: Place, known: Knowledge) -> _Offers:
    """Names in the folder that is being typed; hidden ones only where a dot is."""
    _, _, tail = at.fragment.rpartition("/")
    for name in known.files:
        if name.startswith(tail) and (tail.startswith(".") or not name.startswith(".")):
            yield Suggestion(name, "folder" if name.endswith("/") else "", -len(tail))


def _tables(at: Place, known: Knowledge) -> _Offers:
    yield from _pick(at, {"0": "the real table"})


def _nothing(at: Place, known: Knowledge) -> _Offers:
    yield from ()


_KINDS: dict[Kind, Callable[[Place, Knowledge], _Offers]] = {
    "command": _commands,
    "engine": _engines,
    "engine_option": _engine_options,
    "engine_value": _engine_values,
    "filename": _files,
    "move": _moves,
    "node": _nodes,
    "option": _options,
    "player": _players,
    "rule": _rules,
    "rule_option": _rule_options,
    "rule_value": _rule_values,
    "table": _tables,
    "text": _nothing,
    "topic": _topics,
    "value": _values,
}


def _pick(at: Place, names: Mapping[str, str]) -> _Offers:
    for name in _matching(at.fragment, names, str):
        yield Suggestion(name, names[name], -len(at.fragment), more=at.more)


def _matching(fragment: str, things: Iterable[T], name: Callable[[T], str]) -> Iterator[T]:
    """Those whose name begins with the fragment; where none does, those of which a later word does."""
    later: list[T] = []
    found = False
    folded = fragment.casefold()
    for thing in things:
        text = name(thing).casefold()
        if text.startswith(folded):
            found = True
            yield thing
        elif f"_{folded}" in text:
            later.append(thing)
    if not found:
        yield from later


def _fits(fragment: str, text: str) -> bool:
    return text.casefold().startswith(fragment.casefold())
