"""An engine of ours behind the Universal Chess Interface: a chess tool's lines in, lines out.

Lines are heard while the engine thinks. A move is there in time whatever the engine does, and at
once when the tool says `stop`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ggtp.driver.tasks import spawn
from ggtp.errors import CommandError, EngineError, GgtpError, MoveError
from ggtp.foreign.allotment import allot, limited
from ggtp.foreign.uci import (
    NO_MOVE,
    Go,
    Place,
    option_line,
    option_value,
    read_go,
    read_option,
    read_position,
)
from ggtp.game import Move
from ggtp.game.names import match_name
from ggtp.protocol.messages import Command
from ggtp.protocol.text import split_list, split_map
from ggtp.servers.play import SoloPlay

FEN = "fen"
HIDDEN_OPTIONS = (
    "rule",
    "rule_text",
    "rule_options",
    "player",
    "start_clock",
    "last_search",
    "time_control",
    "refusal",
    "tell_moves",
    "tell_table",
)
"""Options of engines that are not for the tool to set."""
THEIR_NAMES = {"threads": "Threads", "memory": "Hash"}
"""Options that every chess tool knows by another name."""
MOST_POINTS = 1000
"""Centipawns of a game that is as good as won."""
LONG_MS = 3_600_000
"""The time for a search that ends by its depth or its nodes."""
DEPTH, NODES = "Depth", ("Nodes", "Playouts")
"""Options of engines by which `go depth` and `go nodes` can be obeyed."""


class UciServer:
    """Order of operations: `hear` for each line until `ended`, then `close`. What is to be said goes to `say`."""

    def __init__(self, play: SoloPlay, name: str, move_ms: int, say: Callable[[str], None]) -> None:
        """A server at the start.

        Args:
            play: the engine and its play, not yet begun.
            name: what the engine is called.
            move_ms: the time for a move where the tool tells none.
            say: takes a line for the tool.
        """
        self._play = play
        self._base = play.rules.complete({})
        play.begin(self._base)
        self._name = name
        self._move_ms = move_ms
        self._say = say
        self._stop = asyncio.Event()
        self._hit: asyncio.Event | None = None
        """Set when the move came that was expected while pondering."""
        self._thinking: asyncio.Task[None] | None = None
        self._choices: dict[str, list[str]] = {}
        """By the engine's options: what they take."""
        self._names: dict[str, str] = {}
        """The engine's options by the tool's names, in small letters."""
        self.ended = False

    async def hear(self, line: str) -> None:
        """A line of the tool."""
        words = line.split()
        while words and words[0] not in self._HANDLERS:
            words.pop(0)  # what is unknown is passed over, word by word
        if not words:
            return
        try:
            await self._HANDLERS[words[0]](self, words[1:])
        except GgtpError as error:
            self.complain(str(error))

    def complain(self, text: str) -> None:
        """Tell the tool, in its own way, that something went wrong."""
        self._say(f"info string {' '.join(text.split())}")

    async def close(self) -> None:
        """Think no more, and see the engine to its end."""
        if self._thinking is not None and not self._thinking.done():
            self._thinking.cancel()  # there is nobody to hear the move
            await asyncio.wait([self._thinking])
        await self._play.close()

    # What it is.

    async def _uci(self, words: Sequence[str]) -> None:
        self._say(f"id name {self._name}")
        self._say("id author ggtp")
        try:
            await self._ask_options()
        except (EngineError, CommandError) as error:
            self.complain(str(error))
        self._say("option name Ponder type check default false")
        self._say("uciok")

    async def _ask_options(self) -> None:
        play = self._play
        await play.prepare()
        for name in play.engine.listed:
            if name in HIDDEN_OPTIONS:
                continue
            value = (await play.engine.ask(Command("get_option", (name,)))).text
            choices = split_list((await play.engine.ask(Command("list_option_choices", (name,)))).text)
            self._choices[name] = choices
            theirs = THEIR_NAMES.get(name, name)
            if theirs != name and match_name(theirs, play.engine.listed) not in (None, name):
                theirs = name  # a program behind a bridge may have both
            self._names[theirs.lower()] = name
            self._say(option_line(theirs, value, choices))

    async def _isready(self, words: Sequence[str]) -> None:
        if self._thinking is None or self._thinking.done():
            try:
                await self._play.prepare()
            except (EngineError, CommandError) as error:
                self.complain(str(error))
        self._say("readyok")

    async def _setoption(self, words: Sequence[str]) -> None:
        name, value = read_option(words)
        ours = self._names.get(name.lower(), name)
        if name.lower() == "ponder" or ours.lower() in HIDDEN_OPTIONS:
            return
        await self._quiet()
        value = option_value(value, self._choices.get(ours, ()))
        await self._play.prepare()
        await self._play.engine.set_option(ours, value)
        self._play.settings[ours] = value

    async def _ucinewgame(self, words: Sequence[str]) -> None:
        await self._quiet()
        self._play.begin(self._base)

    async def _quit(self, words: Sequence[str]) -> None:
        self.ended = True

    # Playing.

    async def _position(self, words: Sequence[str]) -> None:
        place = read_position(words)
        if place is None:
            raise CommandError("position is followed by startpos or fen.")
        await self._quiet()
        old = (self._play.values, list(self._play.moves))
        try:
            self._set_up(place)
        except (MoveError, CommandError):
            self._play.begin(old[0])
            for player, move in old[1]:
                self._play.play(player, move)
            raise

    def _set_up(self, place: Place) -> None:
        play = self._play
        values = {**self._base, FEN: place.fen} if place.fen else self._base
        play.begin(values)
        for text in place.moves:
            if not play.to_move:
                raise CommandError(f"the game is over before {text}.")
            play.play(play.to_move, text)

    async def _go(self, words: Sequence[str]) -> None:
        await self._quiet()
        go = read_go(words)
        self._stop = asyncio.Event()
        self._hit = asyncio.Event() if go.ponder else None
        self._thinking = spawn(self._think(go, self._stop, self._hit))

    async def _stop_now(self, words: Sequence[str]) -> None:
        self._stop.set()

    async def _ponderhit(self, words: Sequence[str]) -> None:
        if self._hit is not None:
            self._hit.set()

    async def _ignore(self, words: Sequence[str]) -> None:
        return

    async def _quiet(self) -> None:
        """Have the search that is under way end, with its move."""
        if self._thinking is not None:
            self._stop.set()
            await self._thinking

    async def _think(self, go: Go, stop: asyncio.Event, hit: asyncio.Event | None) -> None:
        play = self._play
        if not play.to_move:
            if go.infinite or go.ponder:
                await stop.wait()
            self._say(f"bestmove {NO_MOVE}")
            return
        limits = await self._limit(go)
        try:
            if hit is not None:
                # Pondering ends with the move that was expected, or with `stop`.
                over = asyncio.Event()
                waiters = [spawn(_pass_on(event, over)) for event in (stop, hit)]
                move = await play.choose(None, over)
                for waiter in waiters:
                    waiter.cancel()
                if hit.is_set() and not stop.is_set():
                    move = await play.choose(self._milliseconds(go, limited=bool(limits)), stop)
            else:
                move = await play.choose(self._milliseconds(go, limited=bool(limits)), stop)
                if go.infinite:
                    await stop.wait()
            expected = await self._report(move)
        finally:
            await self._unlimit(limits)
        self._say(f"bestmove {move} ponder {expected}" if expected else f"bestmove {move}")

    def _milliseconds(self, go: Go, *, limited: bool) -> int | None:
        """How long to think; None for until `stop`."""
        seconds = self._seconds(go)
        if seconds is not None:
            return max(1, int(seconds * 1000))
        if go.infinite:
            return None
        return LONG_MS if limited else self._move_ms

    def _seconds(self, go: Go) -> float | None:
        if go.infinite:
            return None
        if go.movetime is not None:
            return limited(max(0, go.movetime) / 1000)
        white = self._play.to_move == self._play.rules.players(self._play.values)[0]
        left, increment = (go.wtime, go.winc) if white else (go.btime, go.binc)
        if left is None:
            return None
        return allot(max(0, left) / 1000, max(0, increment) / 1000, max(0, go.movestogo))

    async def _limit(self, go: Go) -> dict[str, str]:
        """Bound the search by depth or nodes, where the engine has options for it; the values before."""
        engine = self._play.engine
        wanted = [(DEPTH, go.depth)] if go.depth > 0 else []
        wanted += [(name, go.nodes) for name in NODES if go.nodes > 0]
        before: dict[str, str] = {}
        try:
            await self._play.prepare()
            for option, number in wanted:
                name = match_name(option, engine.listed)
                if name is not None:
                    before[name] = (await engine.ask(Command("get_option", (name,)))).text
                    await engine.set_option(name, str(number))
        except (EngineError, CommandError) as error:
            self.complain(str(error))
        return before

    async def _unlimit(self, before: dict[str, str]) -> None:
        for name, value in before.items():
            try:
                await self._play.engine.set_option(name, value)
            except (EngineError, CommandError) as error:
                self.complain(str(error))

    async def _report(self, move: Move) -> Move | None:
        """Say what the engine has found out, as far as chess tools can show it; the answer that it expects."""
        play = self._play
        if "last_search" not in play.engine.listed:
            return None
        try:
            answer = await play.engine.ask(Command("get_option", ("last_search",)))
            words = info_words(split_map(answer.text), move)
        except (EngineError, ValueError):
            return None
        self._say(" ".join(("info", *words)))
        line = words[words.index("pv") + 1 :]
        after = play.position.play({play.to_move: move}).position
        replies = [reply for other in after.turn().players for reply in after.moves(other)]
        return line[1] if len(line) > 1 and line[1] in replies else None

    _HANDLERS = {
        "uci": _uci,
        "debug": _ignore,
        "isready": _isready,
        "setoption": _setoption,
        "register": _ignore,
        "ucinewgame": _ucinewgame,
        "position": _position,
        "go": _go,
        "stop": _stop_now,
        "ponderhit": _ponderhit,
        "quit": _quit,
    }


def info_words(found: dict[str, str], move: Move) -> list[str]:
    """`last_search` in words of the protocol: depth, nodes, a score in centipawns of a value from 0 to 100."""
    words = []
    for name, theirs in (("depth", "depth"), ("nodes", "nodes"), ("playouts", "nodes")):
        value = found.get(name, "")
        if value.isdigit() and int(value) and theirs not in words:
            words += [theirs, value]
    said = found.get("score", "").split()
    if len(said) == 2 and said[0] in ("cp", "mate") and said[1].removeprefix("-").isdigit():
        words += ["score", *said]  # of a program that speaks this protocol itself
        found = {**found, "value": ""}
    try:
        points = min(max(float(found.get("value", "")), 0.0), 100.0)
        words += ["score", "cp", str(round((points - 50) / 50 * MOST_POINTS))]
    except ValueError:
        pass
    line = found.get("line", "").replace("/", " ").split()
    return [*words, "pv", *(line if line[:1] == [move] else [move])]


async def _pass_on(event: asyncio.Event, to: asyncio.Event) -> None:
    await event.wait()
    to.set()
