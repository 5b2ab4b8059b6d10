"""The bridge `ggp:`: players of general game playing, somewhere on the network, to whom we are the game manager.

A player hears every step of a match, also those in which it has no choice, and can't take back
anything. So a thread of ours tells it each step as soon as it is known. Where the play goes
another way, or is far ahead, a new match begins, whose rules begin from where the play stands.
"""

from __future__ import annotations

import os
import queue
import random
import socket
import sys
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit

from ggtp.errors import EngineError, MessageTooLong, MoveError, RemoteProtocolError
from ggtp.foreign.expressions import Expression, move_name, read, read_all
from ggtp.foreign.ggp import BUSY, Abort, Info, Message, Play, Preview, Start, Stop, read_info
from ggtp.foreign.http import MessageReader, request_bytes
from ggtp.foreign.joint import GdlPosition, Line, gdl_start
from ggtp.foreign.renaming import Renaming, scrambled
from ggtp.game import Move, Option, Rules, TurnKind, duration, switch
from ggtp.kit import Budget, Engine, Game
from ggtp.kit.bridge.bridge import TIME_CONTROL
from ggtp.kit.program import FAILED, USAGE, logger, run
from ggtp.protocol.text import split_map

PORT = 9147
CONNECT_SECONDS = 5.0
INFO_SECONDS = 5.0
FAREWELL_SECONDS = 1.0
ANSWER_BYTES = 1 << 16
"""An answer is a word or a move."""
LOOK_SECONDS = 0.02
FOR_EVER = 86_400.0
MOST_BEHIND = 2
"""How many steps a player is told one after the other; of more, a new match makes one."""
UNTIMED_SECONDS = 10
SHARE = 0.95
"""How much of the time for a move is told to the player; the rest is for the way there and back."""
BANK_MOVES = 60
"""For so many moves a bank is thought to last."""

STOP_SECONDS = 10.0
BUSY_SECONDS = 2.0
"""How long a player may be busy with another match before ours."""
BUSY_PAUSE = 0.1
MOST_LEFT = 20
"""How many matches of a seat are looked for that may have been left behind."""
Joint: TypeAlias = tuple[Expression, ...]
"""The moves of every role in a step."""

PLAY_CLOCK, NOOP_TIME, SCRAMBLE, PREVIEW = "play_clock", "noop_time", "scramble", "preview"
RECEIVER, MATCH = "receiver", "match"
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a player is."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Address:
        """`http://host:port`, or without the `http://`.

        Raises:
            EngineError: it is none.
        """
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            if parts.scheme != "http" or not parts.hostname:
                raise ValueError
            return cls(parts.hostname, PORT if parts.port is None else parts.port)
        except ValueError:
            raise EngineError(f"{text} is no address of a player: write http://HOST:PORT.") from None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Exchange:
    """One message to a player and its answer, over a connection of its own. It can be given up from elsewhere."""

    def __init__(self, address: Address, message: Message, receiver: str) -> None:
        self._address = address
        self._data = request_bytes(str(message), address.host, receiver)
        self._name = type(message).__name__.upper()
        self._socket: socket.socket | None = None
        self._given_up = False

    def run(self, seconds: float) -> str:
        """The answer.

        Raises:
            EngineError: nobody is there, or what is there gives none within that time.
        """
        deadline = time.monotonic() + seconds
        try:
            self._socket = socket.create_connection(
                (self._address.host, self._address.port), min(CONNECT_SECONDS, seconds)
            )
            with self._socket as connection:
                if self._given_up:
                    raise TimeoutError
                connection.settimeout(max(0.001, deadline - time.monotonic()))
                connection.sendall(self._data)
                return self._receive(connection, deadline)
        except TimeoutError:
            raise EngineError(f"The player at {self._address} has not answered {self._name} in time.") from None
        except (OSError, MessageTooLong, RemoteProtocolError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise EngineError(f"The player at {self._address} can't be reached for {self._name}: {why}.") from None

    def _receive(self, connection: socket.socket, deadline: float) -> str:
        reader = MessageReader(ANSWER_BYTES, answer=True)
        while True:
            connection.settimeout(max(0.001, deadline - time.monotonic()))
            data = connection.recv(65_536)
            if not data:
                reader.end()
                return reader.text
            if reader.feed(data):
                return reader.text

    def give_up(self) -> None:
        """Wait no longer; from any thread."""
        self._given_up = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


@dataclass(eq=False)
class Asked:
    """A message that is to be said, and what comes of it."""

    message: Message
    seconds: float
    own: bool = False
    """Whether it asks for a move that the referee waits for, and not for what goes without saying."""
    answered: threading.Event = field(default_factory=threading.Event)
    answer: str = ""
    error: EngineError | None = None
    exchange: Exchange | None = None


class Manager:
    """Says messages to a player, one after the other, in a thread of its own."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.receiver = ""
        self._queue: queue.SimpleQueue[Asked] = queue.SimpleQueue()
        self._open: list[Asked] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._work, name="game manager", daemon=True).start()

    def say(self, message: Message, seconds: float, *, own: bool = False) -> Asked:
        """Say something when everything before it is answered."""
        asked = Asked(message, seconds, own)
        with self._lock:
            self._open.append(asked)
        self._queue.put(asked)
        return asked

    def behind(self) -> int:
        """How many messages are not answered yet."""
        return len(self._open)

    def drop(self, some: Sequence[Asked] | None = None) -> None:
        """Give up some of what is not answered, or all of it."""
        with self._lock:
            dropped = [asked for asked in self._open if some is None or asked in some]
            for asked in dropped:
                asked.error = asked.error or EngineError("it was given up.")
                asked.answered.set()
                if asked.exchange is not None:
                    asked.exchange.give_up()
                self._open.remove(asked)

    def _insist(self, asked: Asked, start: Start) -> str:
        """The answer of a player that was busy: another match of ours may be about to end, or was left behind."""
        deadline = time.monotonic() + BUSY_SECONDS
        answer = BUSY
        while _busy(answer) and not asked.answered.wait(BUSY_PAUSE) and time.monotonic() < deadline:
            answer = Exchange(self.address, start, self.receiver).run(asked.seconds)
        if _busy(answer) and not asked.answered.is_set():
            self._clear(start.match)
            answer = Exchange(self.address, start, self.receiver).run(asked.seconds)
        return answer

    def _clear(self, match: str) -> None:
        """End a match of this seat that the player is still busy with, because whoever led it was killed."""
        seat = match.rpartition(".")[0] or match
        for count in range(1, MOST_LEFT + 1):
            if not _busy(Exchange(self.address, Abort(f"{seat}.{count}"), self.receiver).run(FAREWELL_SECONDS)):
                return

    def _work(self) -> None:
        while True:
            asked = self._queue.get()
            with self._lock:
                if asked.error is not None:
                    continue
                asked.exchange = Exchange(self.address, asked.message, self.receiver)
            try:
                asked.answer = asked.exchange.run(asked.seconds)
                if isinstance(asked.message, Start) and _busy(asked.answer):
                    asked.answer = self._insist(asked, asked.message)
            except EngineError as error:
                asked.error = asked.error or error
            with self._lock:
                if asked in self._open:
                    self._open.remove(asked)
            asked.answered.set()


class Ggp(Engine):
    """A player behind an address."""

    name = "ggp"
    own_options = (
        duration(PLAY_CLOCK, 0, 0, 86_400, "the play clock in seconds; 0: what the referee's clocks allow", "s"),
        switch(NOOP_TIME, True, "whether a player may use its clock where it has no choice; then it is told half"),
        switch(SCRAMBLE, False, "whether the words of the rules are replaced by made-up ones"),
        duration(PREVIEW, 0, 0, 86_400, "seconds for a preview of the rules before the match; 0: none", "s"),
        Option(RECEIVER, "", "the name of the player in our messages"),
        Option(MATCH, AUTO, "the name of the match"),
    )
    options = (*own_options, Option(TIME_CONTROL, "", "the referee's clocks in milliseconds"))
    follows = True

    def __init__(self, address: str) -> None:
        """A manager for the player at that address, who was not asked yet."""
        self.address = Address.read(address)
        self.name = f"ggp:{address}"
        self._manager = Manager(self.address)
        self._match = ""
        """The match that is on, by its name; empty where there is none."""
        self._count = 0
        self._renaming = Renaming({})
        self._begun = Asked(Info(), 0.0)
        """The START of the match."""
        self._before: list[Joint] = []
        """What was played before the match began."""
        self._told: list[Joint] = []
        """What the player was told since."""
        self._base = 0
        """How many steps the play had had when the match began."""
        self._asked: list[Asked] = []
        """For each step of the match: the PLAY that asks for its move."""
        self._over = False
        self._play_clock = UNTIMED_SECONDS
        self._line: Line | None = None
        self._lock = threading.RLock()
        """Held while any of these are changed: moves are told while another thread waits for one."""

    # What it is.

    def open(self) -> None:
        """See whether there is a player.

        Raises:
            EngineError: there is none.
        """
        answer = Exchange(self.address, Info(), "").run(INFO_SECONDS)
        with suppress(RemoteProtocolError):
            found = read_info(answer)
            self.report(**{name: found[name] for name in ("name", "status") if name in found})
            self._manager.receiver = found.get("name", "")

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """Rules that can be sent, and in which nothing is hidden."""
        if rules.text is None or gdl_start(rules) is None:
            return "A player of general game playing plays open games in the Game Description Language."
        return None

    # The match.

    def new_game(self, game: Game, budget: Budget) -> None:
        """Begin a match, and wait for the player as long as the start clock allows."""
        start = gdl_start(game.rules)
        if not game.player or start is None:
            return
        with self._lock:
            self._leave()
            self._line = Line(start)
            self._start(game, [])
            if game.player not in start.turn().players:
                self._tell([], 1)
            begun = self._begun
        while not begun.answered.is_set() and not budget.should_stop():
            begun.answered.wait(LOOK_SECONDS)
        if begun.answered.is_set():
            self._check(begun)

    def _start(self, game: Game, before: Sequence[Joint]) -> None:
        """Begin a match from where the play stands, after what was played before."""
        values, rules = game.settings, game.rules
        sheet = read_all(rules.text or "")
        position = game.position
        assert isinstance(position, GdlPosition)
        if before:
            sheet = from_here(sheet, position)
        rng = random.Random(f"{values['seed']} {rules.name}")
        self._renaming = scrambled(sheet, rng) if values[SCRAMBLE] == "on" else Renaming({})
        told = tuple(map(self._renaming.apply, sheet))
        self._manager.receiver = values[RECEIVER] or self._manager.receiver
        self._count += 1
        self._match = match_name(values[MATCH], game.player, self._count)
        self._before, self._base = list(before), len(before)
        self._told, self._asked, self._over = [], [], False
        play_clock = self._play_clock = play_seconds(values, turns=not rules.traits.joint)
        start_clock = (
            max(1, int(int(values["start_clock"]) / 1000 * SHARE)) if int(values["start_clock"]) else play_clock
        )
        if int(values[PREVIEW]) and not before:
            seconds = int(values[PREVIEW])
            self._manager.say(Preview(told, seconds), seconds)
        role = str(self._renaming.apply(game.player))
        self._begun = self._manager.say(Start(self._match, role, told, start_clock, play_clock), FOR_EVER)

    def _leave(self) -> None:
        """End the match that is on."""
        if not self._match:
            return
        if not self._over:
            self._manager.drop()
            self._manager.say(Abort(self._match), FAREWELL_SECONDS)
        self._match = ""

    def close(self) -> None:
        """End the match, and wait a moment until the player knows it."""
        with self._lock:
            match, self._match = self._match, ""
            if not match:
                return
            if not self._over:
                self._manager.drop()
            last = self._asked[-1] if self._over else self._manager.say(Abort(match), FAREWELL_SECONDS)
        last.answered.wait(FAREWELL_SECONDS)

    # The play.

    def follow(self, game: Game) -> None:
        """Tell the player of each step as soon as it is known, and that the match is over."""
        with self._lock, suppress(MoveError):  # what can't be followed, the kit complains about
            joints, position = self._joints(game)
            if not self._match or self._over or not self._fits(joints):
                return  # where it goes another way, the next move begins a new match
            turn = position.turn()
            done = len(joints) - self._base
            # What it has not said in time nobody waits for any more.
            self._manager.drop([asked for asked in self._asked[: max(0, done)] if asked.own])
            if turn.kind is TurnKind.OVER:
                self._tell(joints, done)
                self._over = True
                last = tuple(map(self._renaming.apply, joints[-1])) if done > 0 else None
                self._asked.append(self._manager.say(Stop(self._match, last), STOP_SECONDS))
                return
            # Its own move is asked for in `choose`.
            self._tell(joints, done if game.player in turn.players else done + 1)

    def choose(self, game: Game, budget: Budget) -> Move:
        """What the player answers."""
        with self._lock:
            joints, _ = self._joints(game)
            done = len(joints) - self._base
            behind = done - len(self._asked)
            # A step that was asked about can't be asked about again, and to tell many takes too long.
            if (
                not self._match
                or self._over
                or behind < 0
                or behind + self._manager.behind() > MOST_BEHIND
                or not self._fits(joints)
            ):
                self._leave()
                self._start(game, joints)
                done = 0
            self._tell(joints, done)
            self._tell(joints, done + 1, own=True)
            asked, begun = self._asked[-1], self._begun
        while not asked.answered.wait(LOOK_SECONDS) and not budget.withdrawn:
            if begun.answered.is_set():
                self._check(begun)
        if budget.withdrawn:
            return game.moves()[0]  # which nobody hears
        self._check(begun)
        if asked.error is not None:
            raise asked.error
        self.report(answer=asked.answer[:200])
        return self._understood(asked.answer, game)

    def _joints(self, game: Game) -> tuple[list[Joint], GdlPosition]:
        """All joint moves of the play, and where they lead."""
        start = gdl_start(game.rules)
        assert start is not None, "it was asked whether it plays this"
        if self._line is None:
            self._line = Line(start)
        found = self._line.follow(game.history)
        return [step.moves for step in found], found[-1].position if found else start

    def _fits(self, joints: Sequence[Joint]) -> bool:
        """Whether the play goes on from what the player was told."""
        told = [*self._before, *self._told]
        return list(joints[: len(told)]) == told

    def _tell(self, joints: Sequence[Joint], count: int, *, own: bool = False) -> None:
        """Say what was played: so many PLAYs, of which each tells the last moves and asks for the next one.

        For its own move a player has as long as the referee gives it, for others as long as managers do.
        """
        seconds = FOR_EVER if own else self._play_clock + 1.0
        while len(self._asked) < count:
            step = len(self._asked)
            joint = joints[self._base + step - 1] if step else None
            if joint is not None:
                self._told.append(joint)
            moves = None if joint is None else tuple(map(self._renaming.apply, joint))
            self._asked.append(self._manager.say(Play(self._match, moves), seconds, own=own))

    def _check(self, begun: Asked) -> None:
        """Whether the match has begun.

        Raises:
            EngineError: it has not.
        """
        if begun.error is not None:
            raise begun.error
        if _busy(begun.answer):
            raise EngineError(f"The player at {self.address} is busy.")

    def _understood(self, answer: str, game: Game) -> Move:
        """The player's move in our words; what can't be understood is handed on as it is."""
        try:
            return game.position.parse(game.player, move_name(self._renaming.undo(read(answer))))
        except (RemoteProtocolError, MoveError):
            return " ".join(answer.split())[:200] or "nothing"


def _busy(answer: str) -> bool:
    return answer.strip().lower() == BUSY


def from_here(sheet: Sequence[Expression], position: GdlPosition) -> tuple[Expression, ...]:
    """The same rules, beginning from another position."""

    def initial(rule: Expression) -> bool:
        head = rule[1] if isinstance(rule, tuple) and len(rule) > 1 and rule[0] == "<=" else rule
        return isinstance(head, tuple) and bool(head) and head[0] == "init"

    facts = sorted(str(fact) for fact in position.game.machine.facts(position.state))
    kept = [rule for rule in sheet if not initial(rule)]
    cut = next((place for place, rule in enumerate(sheet) if initial(rule)), len(kept))
    return (*kept[:cut], *(("init", read(fact)) for fact in facts), *kept[cut:])


def match_name(chosen: str, player: str, count: int) -> str:
    """What a match is called: by the seat and the number of the match, so that one left behind can be ended."""
    if chosen != AUTO:
        return chosen if count == 1 else f"{chosen}.{count}"
    return f"ggtp.{os.getppid()}.{zlib.crc32(player.encode())}.{count}"


def play_seconds(values: Mapping[str, str], *, turns: bool) -> int:
    """The play clock that is told: whole seconds, within the time that the referee gives for a move."""
    if int(values[PLAY_CLOCK]):
        return int(values[PLAY_CLOCK])
    control = {name: int(text) / 1000 for name, text in split_map(values[TIME_CONTROL]).items() if text.isdigit()}
    move, bank = control.get("move", 0.0), control.get("bank", 0.0)
    seconds = move or bank / BANK_MOVES + control.get("increment", 0.0) or UNTIMED_SECONDS
    if move and bank:
        seconds = min(move, max(1.0, bank / BANK_MOVES))
    return max(1, int(SHARE * seconds / (2 if turns and values[NOOP_TIME] == "on" else 1)))


def main(argv: Sequence[str]) -> int:
    """Be the bridge: `PROGRAM [options of every engine] -- ADDRESS`; the exit status."""
    words = list(argv)
    cut = words.index("--") if "--" in words else len(words)
    if len(words) != cut + 2:
        logger("ggp")("name the player behind --, as in: ENDPOINT -- http://localhost:9147")
        return USAGE
    log = logger(f"ggp:{words[-1]}")
    try:
        engine = Ggp(words[-1])
        engine.open()
    except EngineError as error:
        log(str(error))
        return FAILED
    return run(engine, words[:cut])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
