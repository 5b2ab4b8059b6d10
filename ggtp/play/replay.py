"""What a play file means: its lines are carried out one after the other, without engines and without chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from types import GeneratorType
from typing import Generic, Protocol, TypeAlias, TypeVar

from ggtp.errors import CommandError, GgtpError, PlayFileError
from ggtp.game import Rules
from ggtp.game.record import Node
from ggtp.play.play import HUMAN, Play, SeatPlan, person_seat
from ggtp.play.writing import HEADER
from ggtp.protocol.codec import parse_supervisor
from ggtp.protocol.commands import PLAY_FILE
from ggtp.protocol.messages import Command

MOST_COMMANDS = 1_000_000
SLICE = 32
"""The number of commands between two pauses. A pause takes as long as a few commands of a simple game; where commands
take longer, fewer would be better."""
_COMMAND_LINE = re.compile(r"^[ \t\r]*+[^ \t\r\n#][^\n]*", re.MULTILINE)

Say: TypeAlias = Callable[[str], None]
Wait = TypeVar("Wait")
Wait_co = TypeVar("Wait_co", covariant=True)
"""What a reader yields while it waits."""


class Reader(Protocol[Wait_co]):
    """Whoever has a file replayed: finds what it names, and sees to the lines that do not concern the game."""

    def find_rules(self, name: str) -> Generator[Wait_co, None, tuple[Rules, str]]:
        """The rules of that name, and the reference that finds them again."""

    def find_engine(self, play: Play, name: str) -> Generator[Wait_co, None, SeatPlan]:
        """The seat of an engine of that name, for the game being played."""

    def set_option(self, name: str, value: str) -> tuple[str, str]:
        """Set an option of the referee; answers both canonically."""

    def check_engine_option(self, name: str) -> None:
        """Refuse an option that a file may not set for an engine."""

    def pause(self, line: int, lines: int) -> Generator[Wait_co, None, None]:
        """Called between the commands of a long file, before the line of that number, of that many lines."""

    def said(self, command: Command) -> None:
        """A command that is about to be carried out."""

    def asked(self, command: Command) -> None:
        """A command that asks and changes nothing."""


class Replay(Generic[Wait]):
    """A game that follows the lines of a play file.

    An engine is no more than a name in its seat: nobody is asked to move, and what chance has drawn is in the file.
    """

    def __init__(self, reader: Reader[Wait], play: Play | None = None) -> None:
        self.play = play or Play()
        self.options: dict[str, str] = {}
        """The referee's options that the lines have set, in order."""
        self.torn = ""
        """The last line, where it was cut off and left out."""
        self._reader = reader
        self._commands: Mapping[str, Callable[..., object]] = {
            "set_option": self._set_option,
            "set_rule": self._set_rule,
            "set_rule_option": self.play.set_option,
            "set_engine": self._set_engine,
            "set_engine_option": self._set_engine_option,
            "start": self._start,
            "play": self._play,
            "force_play": self._force_play,
            "tell": self._tell,
            "forfeit": self._forfeit,
            "undo": self.play.undo,
            "redo": self.play.redo,
            "goto_node": self.play.goto,
            "name_node": self.play.name_node,
            "comment_node": self.play.comment_node,
        }

    def follow(self, text: str, path: str = "") -> Generator[Wait, None, None]:
        """Carry out all lines of a file's text.

        Raises:
            PlayFileError: a line is refused; the error names it.
        """
        whole, self.torn = without_torn(text)
        lines = whole.count("\n")
        for count, (number, line) in enumerate(command_lines(whole), 1):
            if count % SLICE == 0:
                yield from self._reader.pause(number, lines)
            try:
                if count > MOST_COMMANDS:
                    raise CommandError(f"A play file may have {MOST_COMMANDS} commands.")
                yield from self._run(line)
            except GgtpError as error:
                raise PlayFileError(str(error), path=path, line=number, source=line) from error

    def _run(self, line: str) -> Generator[Wait, None, None]:
        command = parse_supervisor(line)
        if command is None:
            return
        if command.name not in PLAY_FILE:
            raise CommandError(f"{command.name} can't be used in a play file.")
        self._reader.said(command)
        method = self._commands.get(command.name)
        if method is None:
            self._reader.asked(command)
            return
        answer = method(*command.args)
        if isinstance(answer, GeneratorType):
            yield from answer

    # What is chosen.

    def _set_option(self, name: str, value: str) -> None:
        name, value = self._reader.set_option(name, value)
        self.options[name] = value

    def _set_rule(self, name: str) -> Generator[Wait, None, None]:
        rules, reference = yield from self._reader.find_rules(name)
        rules.start()  # a rule whose defaults can't be played is refused at its own line
        self.play.choose(rules, reference)

    def _set_engine(self, player: str, engine: str) -> Generator[Wait, None, None]:
        play = self.play
        player = play.find_player(player)
        seat = person_seat(engine)
        if seat is None:
            seat = SeatPlan() if engine.casefold() == HUMAN else (yield from self._reader.find_engine(play, engine))
        play.seats[player] = seat
        play.note(f"set_engine {player} {seat.reference}")

    def _set_engine_option(self, player: str, option: str, value: str) -> None:
        play = self.play
        player = play.find_player(player)
        seat = play.seats[player]
        if not seat.is_engine:
            raise CommandError(f"{player} is played by a human.")
        self._reader.check_engine_option(option)
        seat.settings[option] = value
        play.note(f"set_engine_option {player} {option} {value}")

    # What is played.

    def _start(self) -> None:
        # A file means the same wherever it is loaded: the plays in it are kept, unless it says otherwise.
        self.play.begin(keep=self.options.get("keep_plays", "on").casefold() != "off")

    def _play(self, player: str, move: str) -> None:
        self._make(self.play.find_human(player), move)

    def _force_play(self, player: str, move: str) -> None:
        self._make(self.play.find_player(player, chance=True), move)

    def _make(self, player: str, move: str) -> None:
        self.play.need_record()
        self.play.commit(player, self.play.parse(player, move))

    def _tell(self, player: str, partner: str, text: str) -> None:
        self.play.tell(self.play.find_player(player), partner, text)

    def _forfeit(self, player: str, reason: str = "") -> None:
        self.play.forfeit(self.play.find_player(player), reason)


def without_torn(text: str) -> tuple[str, str]:
    """A play file without its last line if that was cut off, and that line.

    Files of ours end with a line's end; without it the last line was cut off, and may look like another move.
    """
    torn = ""
    if text.startswith(HEADER) and not text.endswith("\n"):
        text, _, torn = text.rpartition("\n")
    return text, torn


def command_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line that is neither blank nor a comment, with its number: a file may have millions of the others."""
    number, counted = 1, 0
    for found in _COMMAND_LINE.finditer(text):
        number += text.count("\n", counted, found.start())
        counted = found.start()
        yield number, found[0]


def torn_warning(path: str, torn: str) -> str:
    """The sentence for people about a line that was cut off."""
    return f"{path} ends in the middle of a line, which is left out: {torn}"


# Without anybody to wait for.


def silent(text: str) -> None:
    """Take what is said where nobody wants to know how far it is."""


def progress_words(path: str, line: int, lines: int) -> str:
    """The sentence for people about how far a long file is."""
    return f"{path}: line {line} of {lines} is replayed"


class RulesOnly:
    """A reader that looks up rules, and takes engines and options by their names."""

    def __init__(self, find: Callable[[str], Rules], say: Say = silent, path: str = "") -> None:
        self._find = find
        self._say = say
        self._path = path

    def pause(self, line: int, lines: int) -> Generator[None, None, None]:
        yield from ()
        self._say(progress_words(self._path, line, lines))

    def find_rules(self, name: str) -> Generator[None, None, tuple[Rules, str]]:
        yield from ()
        return self._find(name), name

    def find_engine(self, play: Play, name: str) -> Generator[None, None, SeatPlan]:
        yield from ()
        return SeatPlan(name, name)

    def set_option(self, name: str, value: str) -> tuple[str, str]:
        return name.casefold(), value

    def check_engine_option(self, name: str) -> None:
        pass

    def said(self, command: Command) -> None:
        pass

    def asked(self, command: Command) -> None:
        pass


def replay(text: str, find: Callable[[str], Rules], path: str = "", say: Say = silent) -> Replay[None]:
    """Replay a play file, for whoever wants its game and no engines.

    What the file sets for the referee and for engines is kept as it stands there, and what it asks is passed over.

    Args:
        text: the file's text.
        find: finds rules by their names.
        path: the file's path, for errors.
        say: is told now and then how far it is, and may raise a `GgtpError` to give it up.

    Raises:
        PlayFileError: a line is refused; the error names it.
    """
    found = Replay(RulesOnly(find, say, path))
    for _ in found.follow(text, path):
        raise AssertionError("nobody has to be waited for")
    return found


def begun(rules: Rules, reference: str, options: Mapping[str, str]) -> Play:
    """A game of these rules and options, of which nothing is played yet.

    Raises:
        GgtpError: the rules refuse an option.
    """
    play = Play()
    play.choose(rules, reference)
    for name, value in options.items():
        play.set_option(name, value)
    play.begin(keep=False)
    return play


def make(play: Play, move: str) -> Node | None:
    """Make a move that is written as `PLAYER MOVE`; answers the new node, or None while a joint turn waits for others.

    Raises:
        GgtpError: there is no such player, or the rules refuse the move.
    """
    player, _, text = move.partition(" ")
    found = play.find_player(player, chance=True)
    return play.commit(found, play.parse(found, text))


def make_all(play: Play, moves: Iterable[str]) -> None:
    """Make moves, each written as `PLAYER MOVE`. If one is refused, the game is left where it is.

    Raises:
        GgtpError: there is no such player, or the rules refuse a move.
    """
    for move in moves:
        make(play, move)
