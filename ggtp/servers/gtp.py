"""An engine of ours behind the Go Text Protocol: a controller's lines in, answers out.

Games of placing stones, Go first of all. The protocol lets anybody play at any time; where our
rules have turns, the other side passes in between, if it can.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from ggtp import __version__
from ggtp.errors import CommandError, GgtpError, MoveError, OptionError
from ggtp.foreign.allotment import GoClock
from ggtp.foreign.gtp import (
    BLACK,
    PASS,
    PROTOCOL_VERSION,
    WHITE,
    GtpError,
    failure,
    read_colour,
    read_command,
    success,
)
from ggtp.foreign.gtp_board import (
    GO,
    HANDICAP,
    KOMI,
    GtpBoard,
    gtp_board,
    handicap_stones,
    score_text,
    with_size,
)
from ggtp.foreign.sgf import SgfError, read_sgf
from ggtp.game import Player
from ggtp.game.options import find_option
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import split_list
from ggtp.servers.play import SoloPlay

PARAMETERS = "ggtp-param"
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
"""Options of engines that are not for the controller to set."""

Handler = Callable[[tuple[str, ...]], Awaitable[str]]


class GtpServer:
    """Order of operations: `start`, then `answer` for each line until `ended`; `interrupt` at any time."""

    def __init__(
        self,
        play: SoloPlay,
        values: Mapping[str, str],
        name: str,
        move_ms: int,
        read_file: Callable[[str], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A server at an empty board.

        Args:
            play: the engine and its play, not yet begun.
            values: options of the rules.
            name: what the engine is called.
            move_ms: the time for a move where the controller tells none.
            read_file: reads a game record.
            clock: tells the time.

        Raises:
            CommandError: the rules are none that the protocol can speak of, or do not take the options.
        """
        self._play = play
        self._base = play.rules.complete(values)
        self._name = name
        self._move_ms = move_ms
        self._read_file = read_file
        self._now = clock
        self._steps: list[int] = []
        """Of how many moves each play of the controller's was made."""
        self._clocks = {BLACK: GoClock(), WHITE: GoClock()}
        self._stop = asyncio.Event()
        self.ended = False
        self._handlers: dict[str, Handler] = {
            name: handler for name, handler in self._commands().items() if self._speaks_of(name)
        }
        self._board = self._begin(self._base)

    def _commands(self) -> dict[str, Handler]:
        return {
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "final_score": self._final_score,
            "fixed_handicap": self._fixed_handicap,
            "genmove": self._genmove,
            "gogui-analyze_commands": self._analyze_commands,
            "gogui-interrupt": self._interruptible,
            PARAMETERS: self._parameters,
            "known_command": self._known_command,
            "komi": self._komi,
            "list_commands": self._list_commands,
            "list_games": self._list_games,
            "loadsgf": self._loadsgf,
            "name": self._get_name,
            "place_free_handicap": self._fixed_handicap,
            "play": self._make,
            "protocol_version": self._protocol_version,
            "quit": self._quit,
            "reg_genmove": self._reg_genmove,
            "set_free_handicap": self._set_free_handicap,
            "set_game": self._set_game,
            "showboard": self._showboard,
            "time_left": self._time_left,
            "time_settings": self._time_settings,
            "undo": self._undo,
            "version": self._version,
        }

    def _speaks_of(self, name: str) -> bool:
        """Komi is for everybody: controllers send it without looking."""
        return self._play.rules.name == GO or ("handicap" not in name and name != "loadsgf")

    async def start(self) -> None:
        """See whether the engine plays this.

        Raises:
            EngineError, CommandError: it does not.
        """
        await self._play.prepare()

    async def answer(self, line: str) -> str | None:
        """The answer to a line, its end included; None where there is none."""
        command = read_command(line)
        if command is None:
            return None
        handler = self._handlers.get(command.name)
        if handler is None:
            return failure(command, "unknown command")
        try:
            return success(command, await handler(command.args))
        except GtpError as error:
            return failure(command, str(error))
        except GgtpError as error:
            return failure(command, " ".join(str(error).split()))

    def interrupt(self) -> None:
        """The controller wants the move that is being thought about now."""
        self._stop.set()

    # What it is.

    async def _protocol_version(self, args: tuple[str, ...]) -> str:
        return PROTOCOL_VERSION

    async def _get_name(self, args: tuple[str, ...]) -> str:
        return self._name

    async def _version(self, args: tuple[str, ...]) -> str:
        return __version__

    async def _known_command(self, args: tuple[str, ...]) -> str:
        return "true" if _word(args) in self._handlers else "false"

    async def _list_commands(self, args: tuple[str, ...]) -> str:
        return "\n".join(sorted(self._handlers))

    async def _list_games(self, args: tuple[str, ...]) -> str:
        return self._play.rules.name

    async def _set_game(self, args: tuple[str, ...]) -> str:
        if _word(args).casefold() != self._play.rules.name.casefold():
            raise GtpError("unsupported game")
        return ""

    async def _interruptible(self, args: tuple[str, ...]) -> str:
        return ""

    async def _quit(self, args: tuple[str, ...]) -> str:
        self.ended = True
        return ""

    # Setting up.

    def _begin(self, values: Mapping[str, str]) -> GtpBoard:
        board = gtp_board(self._play.rules, self._play.rules.complete(values))
        if board is None:
            raise OptionError(f"{self._play.rules.name} can't be spoken of in the Go Text Protocol.")
        self._play.begin(values)
        self._steps = []
        self._board = board
        return board

    async def _boardsize(self, args: tuple[str, ...]) -> str:
        size = _whole(_word(args), "boardsize not an integer")
        values = with_size(
            self._play.rules, {**self._base, HANDICAP: "0"} if HANDICAP in self._base else self._base, size
        )
        self._base = values
        self._begin(values)
        return ""

    async def _clear_board(self, args: tuple[str, ...]) -> str:
        if HANDICAP in self._base:
            self._base = {**self._base, HANDICAP: "0"}
        self._begin(self._base)
        for clock in self._clocks.values():
            clock.restart()
        return ""

    async def _komi(self, args: tuple[str, ...]) -> str:
        number = _number(_word(args), "komi not a float")
        if KOMI not in self._base:
            return ""  # a game without one: controllers send it to everybody
        text = f"{number:.1f}"
        if float(text) != number:
            raise GtpError("unacceptable komi")
        self._change({KOMI: text})
        return ""

    def _change(self, values: Mapping[str, str]) -> None:
        """Other options of the rules for the same play."""
        play, steps = self._play, self._steps
        changed = play.rules.complete({**self._base, **values})
        moves = list(play.moves)
        self._begin(changed)
        for player, move in moves:
            play.play(player, move)
        self._base, self._steps = changed, steps

    async def _fixed_handicap(self, args: tuple[str, ...]) -> str:
        count = _word(args)
        if self._play.moves or self._base[HANDICAP] != "0":
            raise GtpError("board not empty")
        if not count.isdigit():
            raise GtpError("handicap not an integer")
        try:
            values = self._play.rules.complete({**self._base, HANDICAP: count})
            find_option(self._play.rules.options(values), HANDICAP).canonical(count)
        except OptionError:
            raise GtpError("invalid number of stones") from None
        if count in ("0", "1"):
            raise GtpError("invalid number of stones")
        self._base = values
        board = self._begin(values)
        return " ".join(map(board.vertex, handicap_stones(self._play.rules, values)))

    async def _set_free_handicap(self, args: tuple[str, ...]) -> str:
        if self._play.moves or self._base[HANDICAP] != "0":
            raise GtpError("board not empty")
        stones = [self._board.move(vertex) for vertex in args]
        if len(stones) < 2 or len(set(stones)) < len(stones) or PASS in stones:
            raise GtpError("bad vertex list")
        try:
            for stone in stones:
                self._do(BLACK, stone)
        except GtpError:
            self._begin(self._base)
            raise GtpError("bad vertex list") from None
        self._steps = []  # they are no moves that could be taken back
        return ""

    async def _loadsgf(self, args: tuple[str, ...]) -> str:
        if not args:
            raise GtpError("missing filename")
        most = _whole(args[1], "move number not an integer") if len(args) > 1 else 0
        old = (self._base, self._play.values, list(self._play.moves), self._steps)
        try:
            game = read_sgf(self._read_file(args[0]), most - 1 if most else None)
            values = with_size(self._play.rules, {**self._base, HANDICAP: "0"}, game.size)
            if game.komi is not None:
                values = self._play.rules.complete({**values, KOMI: game.komi})
            self._begin(values)
            for colour, vertex in game.stones + game.moves:
                self._do(colour, self._board.move(vertex))
            self._base = values
        except (OSError, ValueError, SgfError, GtpError, OptionError) as error:
            self._base, values, moves, steps = old
            self._begin(values)
            for player, move in moves:
                self._play.play(player, move)
            self._steps = steps
            raise GtpError(f"cannot load file: {' '.join(str(error).split())}") from None
        return ""

    # Playing.

    async def _make(self, args: tuple[str, ...]) -> str:
        if len(args) != 2:
            raise GtpError("invalid color or coordinate")
        self._do(read_colour(args[0]), self._board.move(args[1]))
        return ""

    def _do(self, colour: str, move: str) -> None:
        """Make a move; where it is the other's turn, the other passes first."""
        player = self._board.player(colour)
        before = len(self._play.moves)
        try:
            self._give_way(player)
            self._play.play(player, move)
        except MoveError:
            self._play.undo(len(self._play.moves) - before)
            raise GtpError("illegal move") from None
        self._steps.append(len(self._play.moves) - before)

    def _give_way(self, player: Player) -> None:
        other = self._play.to_move
        if other and other != player:
            self._play.play(other, PASS)

    async def _undo(self, args: tuple[str, ...]) -> str:
        if not self._steps:
            raise GtpError("cannot undo")
        self._play.undo(self._steps.pop())
        return ""

    async def _genmove(self, args: tuple[str, ...]) -> str:
        return await self._generate(read_colour(_word(args)), keep=True)

    async def _reg_genmove(self, args: tuple[str, ...]) -> str:
        return await self._generate(read_colour(_word(args)), keep=False)

    async def _generate(self, colour: str, *, keep: bool) -> str:
        play, board = self._play, self._board
        if not play.to_move:
            return PASS.upper()  # it is over; whoever wants to go on takes something back
        begun, before = self._now(), len(play.moves)
        try:
            self._give_way(board.player(colour))
        except MoveError:
            raise GtpError("not the turn of this color") from None
        if not play.to_move:
            play.undo(len(play.moves) - before)
            return PASS.upper()
        self._stop.clear()
        seconds = self._clocks[colour].move_seconds()
        milliseconds = self._move_ms if seconds is None else int(1000 * seconds)
        try:
            move = await play.choose(max(1, milliseconds), self._stop)
            play.play(board.player(colour), move)
        finally:
            self._clocks[colour].used(self._now() - begun)
        made = len(play.moves) - before
        if keep:
            self._steps.append(made)
        else:
            play.undo(made)
        vertex = board.vertex(move)
        return vertex if vertex.lower().startswith("swap") else vertex.upper()

    # Time.

    async def _time_settings(self, args: tuple[str, ...]) -> str:
        if len(args) != 3:
            raise GtpError("not three integers")
        main, overtime, stones = (_number(word, "not three integers") for word in args)
        for clock in self._clocks.values():
            clock.set(main, overtime, int(stones))
        return ""

    async def _time_left(self, args: tuple[str, ...]) -> str:
        if len(args) != 3:
            raise GtpError("not a color and two integers")
        seconds, stones = (_number(word, "not a color and two integers") for word in args[1:])
        self._clocks[read_colour(args[0])].left(seconds, int(stones))
        return ""

    # Looking.

    async def _showboard(self, args: tuple[str, ...]) -> str:
        return "\n" + "\n".join(self._play.position.picture(None).plain(ascii_only=True))

    async def _final_score(self, args: tuple[str, ...]) -> str:
        text = score_text(self._play.position, self._board)
        if text is None:
            raise GtpError("cannot score")
        return text

    # The engine's options.

    async def _analyze_commands(self, args: tuple[str, ...]) -> str:
        return f"param/Engine Options/{PARAMETERS}"

    async def _parameters(self, args: tuple[str, ...]) -> str:
        """Without arguments what can be set, as GoGui reads it; with a name and a value, set it."""
        engine = self._play.engine
        await self._play.prepare()
        if args:
            name, value = args[0], " ".join(args[1:])
            if name.casefold() in HIDDEN_OPTIONS:
                raise GtpError("unknown parameter")
            if await self._kind(name) == "[bool]":
                value = {"1": "on", "0": "off"}.get(value, value)
            await engine.set_option(name, value)
            self._play.settings[name] = value
            return ""
        rows = []
        for name in engine.listed:
            if name not in HIDDEN_OPTIONS:
                value = (await engine.ask(Command("get_option", (name,)))).text
                kind = await self._kind(name)
                rows.append(f"{kind} {name} {int(value == 'on') if kind == '[bool]' else value}")
        return "\n".join(rows)

    async def _kind(self, name: str) -> str:
        answer = await self._play.engine.ask(Command("list_option_choices", (name,)))
        if answer.kind is not AnswerKind.REPLY:
            raise CommandError(f"unknown parameter {name}")
        choices = split_list(answer.text)
        if set(choices) == {"on", "off"}:
            return "[bool]"
        plain = len(choices) > 1 and all("/" not in choice and " " not in choice for choice in choices)
        return f"[list/{'/'.join(choices)}]" if plain else "[string]"


def _word(args: tuple[str, ...]) -> str:
    if not args:
        raise GtpError("missing argument")
    return args[0]


def _whole(text: str, otherwise: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise GtpError(otherwise)


def _number(text: str, otherwise: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise GtpError(otherwise) from None
    if not abs(number) < 1e9:
        raise GtpError(otherwise)
    return number
