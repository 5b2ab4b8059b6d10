"""What the author of an engine writes, and what it is handed.

An engine is a subclass of `Engine` with a `name` and a `choose`. The kit follows the play,
answers every question about it, and calls `choose` when the engine has to move.
"""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import ggtp
from ggtp.errors import GgtpError
from ggtp.game import Move, Observation, Option, Player, Position, Rules, Talk
from ggtp.kit.following.play import Play, PlayNode
from ggtp.protocol.text import join_map, one_line

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame

NO_REPORT = "none"
"""What `last_search` says before there was any search."""

MARGIN_LEAST = 0.03
MARGIN_SHARE = 0.03
"""What is kept back of a delay, for the way to the referee and for a machine that is busy."""
LAGS, LAG_SHARE = 2, 0.8
"""How many times the lateness of answers is kept back beside that, and at most what share of the delay."""
FIRST_LAG = 0.003
"""The lateness in seconds that is expected before any was seen."""
LAG_FADES = 0.97
"""What is left of it after another answer that was in time."""
PATIENCE = 0.02
"""Seconds between two looks whether a search that waits is still wanted."""


class CannotChoose(GgtpError):
    """The engine was asked for a move and does not know what game, or what position, it is in."""


class Budget:
    """How long an engine may think. A search asks `should_stop()` often and returns when it is true."""

    __slots__ = ("_clock", "deadline", "request", "started", "withdrawn")

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """A budget that begins now; None is time without end."""
        self._clock = clock
        self.withdrawn = False
        """Whether nobody wants the move any more."""
        self.request = 0
        """The number of the request, where a front answers in time and counts them; else 0."""
        if seconds is None:
            self.started = 0.0
            self.deadline: float | None = None
            """When, on the clock `time.monotonic`, an answer must be there; None for never."""
        else:
            self.started = clock()
            self.deadline = self.started + seconds

    @classmethod
    def for_delay(cls, seconds: float, clock: Callable[[], float] = time.monotonic, lag: float = 0.0) -> Budget:
        """The time in which an answer arrives before the delay is over, with a margin.

        Args:
            seconds: the delay.
            clock: what to look at.
            lag: by how many seconds answers are late on this machine, which is kept back for the way to us and back.
        """
        margin = min(max(MARGIN_LEAST, MARGIN_SHARE * seconds), seconds / 2)
        return cls(seconds - min(margin + LAGS * lag, max(margin, LAG_SHARE * seconds)), clock)

    def limit(self, seconds: float) -> None:
        """Think no longer than this, counted from now, whatever the delay allows."""
        end = self._clock() + seconds
        self.deadline = end if self.deadline is None else min(self.deadline, end)

    def remaining(self) -> float | None:
        """The seconds left, 0 when time is over; None for time without end."""
        return None if self.deadline is None else max(0.0, self.deadline - self._clock())

    def late(self) -> float:
        """The seconds that have passed since time was over; 0 when it is not."""
        return 0.0 if self.deadline is None else max(0.0, self._clock() - self.deadline)

    def should_stop(self) -> bool:
        """Whether the search is withdrawn or its time is over."""
        return self.withdrawn or (self.deadline is not None and self._clock() >= self.deadline)


class Lag:
    """How late answers were of late, since the machine was busy with something else."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = FIRST_LAG

    def notice(self, budget: Budget) -> None:
        """An answer is on its way."""
        if budget.deadline is not None and not budget.withdrawn:
            self.seconds = max(LAG_FADES * self.seconds, budget.late())


class Game:
    """The play as it stands when the engine has to move. It does not change while the engine thinks."""

    __slots__ = (
        "_node",
        "_note",
        "_play",
        "_send",
        "_sent",
        "player",
        "position",
        "rng",
        "settings",
        "talk",
    )

    def __init__(
        self,
        play: Play,
        player: Player,
        position: Position,
        rng: random.Random,
        settings: Mapping[str, str],
        talk: Talk | None = None,
        send: Callable[[Player, str], None] | None = None,
        note: Callable[[Move], None] | None = None,
    ) -> None:
        self._play = play
        self._node: PlayNode = play.node
        self.player = player
        """For whom to choose; empty in `new_game` when nobody has said it yet."""
        self.position = position
        """Where the play stands. With hidden information: one position that explains all that was seen."""
        self.rng = rng
        """The one source of chance, seeded by the option `seed`."""
        self.settings = settings
        """Every option of the engine with its value."""
        self.talk = talk
        """Which messages may be sent to partners; None for none."""
        self._send = send
        self._sent: list[tuple[Player, str]] = []
        self._note = note

    @property
    def partners(self) -> tuple[Player, ...]:
        """To whom messages may be sent, where the engine `talks` and the rule lets it."""
        return () if self.talk is None else self.talk.partners(self.player)

    @property
    def messages(self) -> list[tuple[Player, str]]:
        """What was said by partners, and by the engine itself, from the start to here: who, and what."""
        nodes = self._node.path()
        first = nodes[0].parent if nodes else self._node
        said = [message for node in (first, *nodes) if node is not None for message in node.messages]
        # What was sent just now is told back only after the move.
        return said + [message for message in self._sent if message not in self._node.messages]

    def tell(self, partner: Player, text: str) -> bool:
        """Send a message to a partner, while choosing a move; False where the rule does not let it.

        It may have to be one line, so long, and one of so many: see `talk`.
        """
        talk, line = self.talk, one_line(text)
        if talk is None or partner not in talk.partners(self.player) or not 0 < len(line) <= talk.length:
            return False
        if sum(player == self.player for player, _ in (*self._node.messages, *self._sent)) >= talk.most:
            return False
        self._sent.append((self.player, line))
        if self._send is not None:
            self._send(partner, line)
        return True

    def suggest(self, move: Move) -> None:
        """Say what is best so far: that is sent if time is over before the engine has chosen, where it is `guarded`."""
        if self._note is not None:
            self._note(move)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._play.rules

    @property
    def rule_options(self) -> Mapping[str, str]:
        """Every option of the rules with its value."""
        return self._play.values

    @property
    def history(self) -> list[tuple[Player, Move]]:
        """The moves from the start to here, as this player was told of them."""
        return [(node.actor, node.text) for node in self._node.path()]

    @property
    def observations(self) -> list[Observation]:
        """All that this player has observed since the start, refusals of its own moves included."""
        return self._node.observations()

    def moves(self) -> Sequence[Move]:
        """What the player may try now, without what was refused already here."""
        moves = self.position.moves(self.player)
        if self._node.refused:
            refused = {refusal.move for refusal in self._node.refused}
            # Where everything was refused, something must be tried again.
            return [move for move in moves if move not in refused] or moves
        return moves

    def compiled(self, budget: Budget | None = None) -> CompiledGame | None:
        """The game compiled to machine code, for rules in the Game Description Language.

        `CompiledGame.state_of(game.position)` is where the play stands there. None for other rules, for engines that
        do not set `compiles`, while it is still being compiled, and where that is not possible. With a budget, it
        waits until the game is there, or never will be, or the budget says stop.
        """
        compilation = self._play.compilation
        if compilation is None:
            return None
        while budget is not None and not compilation.over and not budget.should_stop():
            left = budget.remaining()
            compilation.wait(PATIENCE if left is None else min(left, PATIENCE))
        return compilation.game

    @property
    def compiling(self) -> bool:
        """Whether the game is being compiled just now, so that `compiled` may have it later."""
        compilation = self._play.compilation
        return compilation is not None and not compilation.over

    def imagine(self, tries: int = 100) -> Position | None:
        """Another full position that explains all that was observed; the position itself where nothing is hidden."""
        if not self._play.rules.traits.hidden:
            return self.position
        return self._play.keeper.imagine(self._node, self.player, self.rng, tries)

    def tables(self, count: int, should_stop: Callable[[], bool] = lambda: False) -> Iterator[Position]:
        """The engine's tables from the second one on, as the supervisor may see them, until it is told to stop.

        The first is the position. There is no other where nothing is hidden.
        """
        if not self._play.rules.traits.hidden:
            return
        keeper = self._play.keeper
        for number in range(1, count):
            if should_stop():
                return
            position = keeper.table(self._node, number, self.player, self.rng, should_stop, to_move=True)
            if position is not None and self.player in position.turn().players:
                yield position


class Engine(ABC):
    """An engine. Order of operations: `plays`, then for each game `new_game`, then `choose` for each move."""

    name: str
    """What the referee's people call it."""
    version: ClassVar[str] = ggtp.__version__
    options: tuple[Option, ...] = ()
    """Its own options, beside those that the kit offers for every engine."""
    instant: ClassVar[bool] = False
    """Whether `choose` takes less than a millisecond: then it is called without a thread of its own."""
    compiles: ClassVar[bool] = False
    """Whether rules in the Game Description Language are to be compiled, from the moment on when the engine is told
    its rule: see `Game.compiled`. Then positions, too, are played by the compiled game as soon as it is there."""
    guarded: ClassVar[bool] = False
    """Whether a process of its own sees to it that an answer is sent in time, on systems that can: see `Game.suggest`.
    For engines that compute hard; not for those that are `instant`."""
    spare: ClassVar[bool] = True
    """Whether, where it is guarded, one more process follows the play and knows a legal move while the engine loads.
    That can't help in a game with secrets."""
    talks: ClassVar[bool] = False
    """Whether it sends messages to partners, by `Game.tell`, or wants to be told theirs."""
    tables: ClassVar[int] = 1
    """How many positions to keep, at most, of a game whose true position is hidden."""

    follows: ClassVar[bool] = False
    """Whether `follow` is wanted."""

    helps: bool = False
    """Whether it thinks for another engine, which has its `findings`: then it has no helpers of its own."""

    _report: str = NO_REPORT

    def tables_kept(self, settings: Mapping[str, str]) -> int:
        """How many tables there are with these values of the options; the supervisor can ask for each."""
        return self.tables

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """None where the engine can play these rules with these options, else a sentence that says why not."""
        return None

    def settle(self, game: Game, budget: Budget) -> None:
        """A rule was told: load what the first move needs, before anybody's clock runs.

        That is until `budget` says stop, and no time to think. Rules that can be compiled are compiled by then, for
        engines that set `compiles`; those for which that takes too long begin without this.
        """
        return

    def new_game(self, game: Game, budget: Budget) -> None:
        """A play begins. What is done here, until `budget` says stop, is on the start clock."""
        return

    @abstractmethod
    def choose(self, game: Game, budget: Budget) -> Move:
        """The move to make. Returns soon after `budget.should_stop()` has become true."""

    def follow(self, game: Game) -> None:
        """The play has gone on, or back, for an engine that `follows`. To be done at once: the referee waits."""
        return

    def changed(self, option: str, value: str) -> None:
        """An option was set. This comes at any time, also while the engine chooses, and should only be noted."""
        return

    def close(self) -> None:
        """Nothing more will be asked: let go of whatever is not the engine's alone. May come more than once."""
        return

    def told(self, player: Player, text: str) -> None:
        """A partner has said something, now; or the engine itself has, and it counts.

        It comes in the main thread, also while `choose` is under way in its own. All that was said is in
        `Game.messages` when the engine is asked for its next move.
        """
        return

    def findings(self) -> dict[str, Any]:
        """What is known after `choose`, in values that can be written as JSON: for an engine that this one helps."""
        return {}

    def under_way(self) -> Mapping[str, object]:
        """What is known of a search while it goes on, for an engine that can tell: asked from another thread."""
        return {}

    @property
    def last_search(self) -> str:
        """What is known of the search that is under way, or of the last one."""
        facts = self.under_way()
        if facts:
            self.report(**facts)
        return self._report

    @last_search.setter
    def last_search(self, text: str) -> None:
        self._report = text

    def report(self, **facts: object) -> None:
        """Say something about the search; it is what `get_option last_search` answers."""
        self.last_search = join_map({name: str(fact) for name, fact in facts.items()}) or NO_REPORT
