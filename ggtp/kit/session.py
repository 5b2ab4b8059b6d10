"""An engine's end of the conversation, without any wire: a command of the referee in, its answer out.

Everything of the protocol's Table 2 is answered here at once. `have_to_play` has no answer of
its own: `asked` says what to choose from, and the move is sent when it is found.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ggtp.errors import GgtpError, OptionError, RemoteProtocolError
from ggtp.game import OVER, Move, OpenMoves, Player, Position, Rules, TurnKind
from ggtp.game.names import match_name
from ggtp.game.notation import format_result
from ggtp.game.options import find_option
from ggtp.kit import settings
from ggtp.kit.engine import Budget, CannotChoose, Engine, Game, Lag
from ggtp.kit.following.play import Play
from ggtp.kit.rulebook import UNNAMED, Compile, find_told
from ggtp.kit.settings import NONE, Settings
from ggtp.protocol.codec import decode_command
from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command
from ggtp.protocol.text import BLANKS, join_list, join_lists, join_map, one_line, split_map, split_words

if TYPE_CHECKING:
    from ggtp.catalogue.compile.background import Compilation

HAVE_TO_PLAY = "have_to_play"
IMAGINING = 0.3
"""How much of a move's time may go into a first position that explains what was seen."""
ANSWERING_SECONDS = 1.0
"""How long to look for a table that somebody asks for."""
NEARLY = "explained"
"""What `last_search` says where no table explains all that was seen."""
SETTLING_SECONDS = 2.0
"""How long the answer to a rule may wait for the engine to load it."""
CLOSING_SECONDS = 1.0
"""How long to wait at the end for what was given up."""

INVALID_NAME = Answer(AnswerKind.INVALID_OPTION_NAME)
INVALID_VALUE = Answer(AnswerKind.INVALID_OPTION_VALUE)
INVALID_TABLE = Answer(AnswerKind.INVALID_TABLE_NUMBER)


def reply(text: str) -> Answer:
    """The answer to a question."""
    return Answer(AnswerKind.REPLY, one_line(text))


def read_command(line: bytes) -> Command | None:
    """A line of the referee; None for a blank one.

    Arguments that are missing or too many are no fault here: `set_option rule_options` sets
    an empty value, and what can't be made sense of has an answer in Table 3.

    Raises:
        RemoteProtocolError: it is none of Table 2.
    """
    try:
        return decode_command(line)
    except RemoteProtocolError:
        name, *rest = split_words(line.decode(errors="replace").rstrip("\r\n"), 2) or [""]
        spec = ENGINE.get(name)
        if spec is None:
            if name:
                raise
            return None
        most = len(spec.parameters)
        return Command(name, tuple(split_words(rest[0], most)) if rest and most else ())


class Session:
    """What an engine knows of its conversation: options, and the play so far.

    Order of operations: `answer` takes every command but `have_to_play`, for which `asked`
    gives what `Engine.choose` needs; `selected` is told what it chose.
    """

    def __init__(
        self,
        engine: Engine,
        find_rules: Callable[[str], Rules],
        log: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        compile_rules: Compile | None = None,
    ) -> None:
        """A conversation that has not begun.

        Args:
            engine: who chooses.
            find_rules: finds rules by name or path.
            log: where complaints go.
            clock: tells the time.
            compile_rules: begins to compile rules in the background, for engines that want it.
        """
        self.engine = engine
        self.connected = False
        self.ended = False
        """Whether the referee has said goodbye."""
        self._find_rules = find_rules
        self._log = log
        self._clock = clock
        self._settings = Settings(engine.options, talks=engine.talks)
        self.send_message: Callable[[Answer], None] = lambda _answer: None
        """How a message to a partner is sent; whoever has the wire sets it."""
        self._compile_rules = compile_rules if engine.compiles else None
        self._compilation: Compilation | None = None
        self._rules: Rules | None = None
        self._text = ""
        """A text that was told and belongs to the rule that is named next."""
        self._rule_options: dict[str, str] = {}
        """What was set of the rule's options; the others are at their defaults."""
        self._player: Player = ""
        self._rng = random.Random()
        self._table_rng = random.Random()
        """Apart from the engine's own, so that questions about tables change nothing in how it plays."""
        self._play: Play | None = None
        self._selected = ""
        self._nearly = False
        """Whether the last move was chosen at a table that does not explain all that was seen."""
        self._lag = Lag()
        self._asked: Budget | None = None
        """Of the last request, until it is answered."""
        self._refusal = NONE
        self._handlers: dict[str, Callable[[tuple[str, ...]], Answer]] = {
            "connect_engine": self._connect,
            "disconnect_engine": self._disconnect,
            "list_options": self._list_options,
            "get_option": self._get_option,
            "list_option_choices": self._list_option_choices,
            "set_option": self._set_option,
            "start": self._start,
            "list_possible_moves": self._list_possible_moves,
            "get_result": self._get_result,
            "get_table": self._get_table,
            "made_move": self._made_move,
            "illegal_move": self._illegal_move,
            "undone_move": self._undone_move,
            "redone_move": self._redone_move,
            "told_message": self._told_message,
        }

    def answer(self, command: Command) -> Answer:
        """The answer to any command but `have_to_play`."""
        return self._handlers[command.name](command.args)

    def withdraws(self, command: Command) -> bool:
        """Whether a move that is being chosen is not wanted any more after this command."""
        if command.name == "set_option" and command.args:
            option = self._settings.find(command.args[0])
            return option is not None and option.name in settings.CHANGING
        return ENGINE[command.name].changes or command.name == "disconnect_engine"

    def asked(self, command: Command, note: Callable[[Move], None] | None = None) -> tuple[Game, Budget]:
        """What `Engine.choose` is to choose from after `have_to_play`, and how long it may take.

        `note` is told of the best move so far, by engines that say it.

        Raises:
            CannotChoose: no rule is set, the play has not started, or it cannot be followed.
        """
        delay = milliseconds(command.args[0]) if command.args else None
        # Where the best move so far is noted, somebody else sees to it that it is sent in time.
        lag = self._lag.seconds if note is None else 0.0
        seconds = None if delay is None else delay / 1000
        budget = Budget(None, self._clock) if seconds is None else Budget.for_delay(seconds, self._clock, lag)
        self._asked = budget
        play = self._play
        if play is None:
            raise CannotChoose("asked for a move before a rule was set and the play started")
        player = self._player
        if not player and play.rules.traits.hidden:
            raise CannotChoose("a game with hidden information needs the option player")
        end = budget.deadline if delay is None else budget.started + IMAGINING * delay / 1000
        position = play.table(0, player, to_move=True, should_stop=lambda: end is not None and self._clock() >= end)
        self._nearly = play.rules.traits.hidden and play.keeper.contradicted
        turn = position.turn() if position is not None else OVER
        if position is None or not turn.players:
            raise CannotChoose("asked for a move where there is none to choose")
        if player not in turn.players:
            if player and turn.kind is not TurnKind.SINGLE:
                raise CannotChoose(f"asked for a move of {player} in {position.view(None)}")
            # Whoever has to play in a turn of one player is that player.
            player = turn.players[0]
        talk = play.rules.talk(play.values) if self._settings.values.get(settings.MESSAGES) == "on" else None
        return Game(play, player, position, self._rng, self._settings.values, talk, self._send_message, note), budget

    def ahead(self) -> Sequence[Move]:
        """What could be chosen if a move were asked for now; nothing where that is not known for certain."""
        play = self._play
        position = None if play is None or play.rules.traits.hidden else self._position()
        if position is None:
            return ()
        turn = position.turn()
        player = self._player or (turn.players[0] if turn.kind is TurnKind.SINGLE else "")
        if player not in turn.players:
            return ()
        default = turn.default.get(player)  # in a hurry that is as good as anything that nobody has thought about
        return position.moves(player) if default is None else (default,)

    def selected(self, move: str) -> Answer:
        """The answer that carries a chosen move."""
        self._selected = move
        if self._asked is not None:
            self._lag.notice(self._asked)
            self._asked = None
        return Answer(AnswerKind.SELECT_MOVE, move)

    # Connecting.

    def _connect(self, args: tuple[str, ...]) -> Answer:
        self.connected = True
        return ACKNOWLEDGE

    def _disconnect(self, args: tuple[str, ...]) -> Answer:
        self.connected = False
        self.ended = True
        return ACKNOWLEDGE

    # Options.

    def _list_options(self, args: tuple[str, ...]) -> Answer:
        return reply(join_list(option.name for option in self._settings.options))

    def _last_search(self) -> str:
        """What the engine tells of its search, and whether it had to do with a table that is contradicted."""
        said = self.engine.last_search
        if not self._nearly:
            return said
        return join_map({NEARLY: "most"}) if said == NONE else f"{said}, {join_map({NEARLY: 'most'})}"

    def _get_option(self, args: tuple[str, ...]) -> Answer:
        option = self._settings.find(args[0]) if args else None
        if option is None:
            return INVALID_NAME
        if option.name == settings.LAST_SEARCH:
            return reply(self._last_search())
        if option.name == settings.REFUSAL:
            return reply(self._refusal)
        return reply(self._settings.values[option.name])

    def _list_option_choices(self, args: tuple[str, ...]) -> Answer:
        option = self._settings.find(args[0]) if args else None
        if option is None:
            return INVALID_NAME
        if option.name in settings.TOLD:
            return reply(settings.READ_ONLY)
        if option.name == settings.PLAYER and self._rules is not None:
            return reply(join_list(self._rules.players(self._rules.complete(self._rule_options))))
        return reply(join_list(option.describe_choices()))

    def _set_option(self, args: tuple[str, ...]) -> Answer:
        name, value = (*args, "", "")[:2]
        if self._settings.find(name) is None:
            return INVALID_NAME
        try:
            self.set_option(name, value)
        except GgtpError as error:
            self._log(f"set_option {name}: {error}")
            self._refusal = str(error)
            return INVALID_VALUE
        return ACKNOWLEDGE

    def set_option(self, name: str, value: str) -> None:
        """Set an option and do what follows from it.

        Raises:
            GgtpError: there is no such option, or it does not take the value. Nothing has changed.
        """
        option = find_option(self._settings.options, name)
        match option.name:
            case settings.LAST_SEARCH | settings.REFUSAL:
                raise OptionError(f"{option.name} can only be read.")
            case settings.RULE:
                value = self._set_rule(value)
            case settings.RULE_TEXT:
                self._text = "" if value == NONE else " ".join(value.split())
            case settings.RULE_OPTIONS:
                value = self._set_rule_options(value)
            case settings.PLAYER:
                value = self._set_player(value)
        self._settings.set(option, value)
        self.engine.changed(option.name, self._settings.values[option.name])
        if option.name == settings.SEED:
            self._settings.reseed(self._rng, self._table_rng)
        if option.name in (settings.RULE, settings.MEMORY):
            self._compile()
        if option.name == settings.RULE:
            self._settle()

    def _compile(self) -> None:
        """Compile the rule with the memory that there is now, unless that was done or is being done."""
        rules, old = self._rules, self._compilation
        if rules is None or self._compile_rules is None:
            return
        megabytes = int(self._settings.values[settings.MEMORY])
        if old is not None:
            if old.rules is rules and (old.game is not None or old.megabytes == megabytes):
                return
            old.stop()
        self._compilation = self._compile_rules(rules, megabytes)
        if self._play is not None:
            self._play.compilation = self._compilation

    def _settle(self) -> None:
        """Give the engine a moment to load what it needs for the game: at the first move it would be on the clock."""
        rules, compilation = self._rules, self._compilation
        if rules is None:
            return
        budget = Budget(SETTLING_SECONDS, self._clock)
        if compilation is not None:
            while not compilation.over and not budget.should_stop():
                compilation.wait(budget.remaining() or 0.0)
            if compilation.game is None or budget.should_stop():
                return
        play = Play(rules, rules.complete(self._rule_options), self._table_rng, self._log)
        play.compilation = compilation
        if (position := play.position()) is not None:
            self.engine.settle(Game(play, self._player, position, self._rng, self._settings.values), budget)

    def close(self) -> None:
        """Nothing more will be asked: give up what goes on in the background."""
        if self._compilation is not None:
            self._compilation.close(CLOSING_SECONDS)

    def _set_rule(self, name: str) -> str:
        rules = find_told(name, self._text, self._find_rules)
        # Options that came before any rule were meant for the first one.
        early = self._rule_options if self._rules is None else {}
        self._check(rules, early)
        self._rules, self._rule_options, self._play, self._text = rules, early, None, ""
        self._settings.set(find_option(self._settings.options, settings.RULE_OPTIONS), join_map(early))
        return rules.name

    def _set_rule_options(self, text: str) -> str:
        chosen = split_map(text)
        if self._rules is not None:
            complete = self._check(self._rules, chosen)
            names = [match_name(name, complete) or name for name in chosen]
            chosen = {name: complete[name] for name in names}
        self._rule_options, self._play = chosen, None
        return join_map(chosen)

    def _check(self, rules: Rules, chosen: Mapping[str, str]) -> dict[str, str]:
        values = rules.complete(chosen)
        rules.begin(values)  # a rule may refuse a combination of values
        reason = self.engine.plays(rules, values)
        if reason is not None:
            raise OptionError(reason)
        return values

    def _set_player(self, name: str) -> str:
        if not name or name == NONE:
            self._player = ""
            return NONE
        found: str | None = name
        if self._rules is not None:
            found = match_name(name, self._rules.players(self._rules.complete(self._rule_options)))
            if found is None and self._rules.own_options:
                found = name  # who plays may depend on options that are still to come
        if found is None:
            raise OptionError(f"No player named {name}.")
        self._player = found
        return found

    # The play.

    def _start(self, args: tuple[str, ...]) -> Answer:
        self._selected = ""
        if self._rules is None and self._text:
            self._set_option((settings.RULE, UNNAMED))
        rules = self._rules
        if rules is None:
            self._log("started without a rule: set the option rule, or give --rule on the command line")
            return ACKNOWLEDGE
        values = rules.complete(self._rule_options)
        if self._play is None:
            self._play = Play(rules, values, self._table_rng, self._log)
            self._play.compilation = self._compilation
        else:
            self._play.restart()
        play = self._play
        self._player = match_name(self._player, rules.players(values)) or ""
        self.engine.last_search = NONE
        position = self._position()
        if position is not None:
            budget = Budget(int(self._settings.values[settings.START_CLOCK]) / 1000, self._clock)
            self.engine.new_game(Game(play, self._player, position, self._rng, self._settings.values), budget)
        return ACKNOWLEDGE

    def _made_move(self, args: tuple[str, ...]) -> Answer:
        if self._play is None or len(args) != 2:
            self._log(f"made_move {' '.join(args)} cannot be followed: no play has started")
        else:
            self._play.made(*args)
            self._follow()
        return ACKNOWLEDGE

    def _follow(self) -> None:
        """Let an engine that wants to know it know where the play stands."""
        play = self._play
        if self.engine.follows and play is not None and (position := self._position()) is not None:
            self.engine.follow(Game(play, self._player, position, self._rng, self._settings.values))

    def _illegal_move(self, args: tuple[str, ...]) -> Answer:
        if self._play is not None and args:
            move, reason = self._split_refusal(args[0])
            self._play.refused(move, reason, self._player)
        return ACKNOWLEDGE

    def _split_refusal(self, text: str) -> tuple[str, str]:
        """The refused move and the reason behind it: a move may hold blanks, so what was sent decides."""
        position = self._position()
        known = position.moves(self._player) if position is not None else ()
        for move in (self._selected, *sorted(known, key=len, reverse=True)):
            if move and (text == move or text.startswith(move + " ")):
                return move, text[len(move) :].strip(BLANKS)
        words = split_words(text, 2)
        return words[0], " ".join(words[1:])

    def _undone_move(self, args: tuple[str, ...]) -> Answer:
        if self._play is not None:
            self._play.undone()
            self._follow()
        return ACKNOWLEDGE

    def _redone_move(self, args: tuple[str, ...]) -> Answer:
        if self._play is not None:
            self._play.redone()
            self._follow()
        return ACKNOWLEDGE

    def _told_message(self, args: tuple[str, ...]) -> Answer:
        if self._play is not None and len(args) == 2:
            self._play.told(*args)
            self.engine.told(*args)
        return ACKNOWLEDGE

    def _send_message(self, partner: Player, text: str) -> None:
        self.send_message(Answer(AnswerKind.TELL_MESSAGE, f"{partner} {text}"))

    # Tables.

    def _list_possible_moves(self, args: tuple[str, ...]) -> Answer:
        position = self._table(args)
        if position is None:
            return INVALID_TABLE
        lists = {}
        for player in position.turn().players:
            moves = position.moves(player)
            lists[player] = [*moves, *moves.patterns] if isinstance(moves, OpenMoves) else moves
        return reply(join_lists(lists))

    def _get_result(self, args: tuple[str, ...]) -> Answer:
        position = self._table(args)
        return INVALID_TABLE if position is None else reply(format_result(position.result()))

    def _get_table(self, args: tuple[str, ...]) -> Answer:
        position = self._table(args)
        return INVALID_TABLE if position is None else reply(position.view(None))

    def _table(self, args: tuple[str, ...]) -> Position | None:
        """The table that a question is about; None where there is no table of that number."""
        play = self._play
        text = args[0] if args else ""
        if play is None or not (text.isascii() and text.isdigit() and len(text) < 10):
            return None
        number = int(text)
        if number >= (self.engine.tables_kept(self._settings.values) if play.rules.traits.hidden else 1):
            return None
        return self._position(number)

    def _position(self, number: int = 0) -> Position | None:
        play = self._play
        # With secrets, nothing can be imagined for nobody.
        if play is None or (not self._player and play.rules.traits.hidden):
            return None
        end = self._clock() + ANSWERING_SECONDS
        return play.table(number, self._player, should_stop=lambda: self._clock() >= end)


def milliseconds(text: str) -> float | None:
    """The delay of `have_to_play`; None for what is no number."""
    try:
        delay = float(text)
    except ValueError:
        return None
    return delay if 0 <= delay < float("inf") else None
