"""Engines that fail: what is said about it, and what the policy for faults makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ggtp.errors import CommandError, GgtpError, RuleFailed, with_last_words
from ggtp.faults import ASK, FAULTS, LOSS, RANDOM, RESTART, Cost, with_restarts
from ggtp.game import Player, TurnKind
from ggtp.game.clock import MoveTime
from ggtp.play.play import REMOTE
from ggtp.protocol.messages import Command
from ggtp.protocol.utterances import utterance
from ggtp.protocol.waiting import Conversation, Task, Withdrawn
from ggtp.referee.absences import Absences
from ggtp.referee.desk import Desk
from ggtp.referee.effects import FindEngine
from ggtp.referee.engines import Engines, Link
from ggtp.referee.faults import Fault

if TYPE_CHECKING:
    from ggtp.referee.flow import Flow

LAST_WORDS_LINES = 8


class Failures:
    """Deals with faults of engines, and stands in for engines that are gone."""

    def __init__(self, desk: Desk, engines: Engines, flow: Flow) -> None:
        """Nothing has gone wrong yet. The flow makes the moves that are made instead, and goes on afterwards."""
        self._desk = desk
        self._engines = engines
        self._flow = flow
        self.absences = Absences(desk)
        self.restarting: set[Player] = set()
        """The players whose engine is being started again."""
        self.undecided: set[Player] = set()
        """The players whose engine is gone, and nothing has been decided about it yet."""
        self._restarts: dict[Player, int] = {}
        """How often in a row each player's engine was started again."""
        self._at_random: set[Player] = set()
        """The players whose engine is gone and for whom random moves are made."""
        self._tries: dict[Player, int] = {}
        """The times in a row that each player's engine was asked again after an illegal move."""

    def begun(self) -> None:
        """A game was started: old troubles are forgotten."""
        self._restarts.clear()
        self._at_random.clear()
        self._tries.clear()
        self.absences.clear()

    def forget(self, player: Player) -> None:
        """A player has a new engine: what the old one did is forgotten."""
        self._restarts.pop(player, None)
        self._at_random.discard(player)
        self._tries.pop(player, None)
        self.absences.forget(player)

    def moved(self, player: Player) -> None:
        """A player's engine has made a move: its row of restarts, or of tries, is over."""
        self._restarts.pop(player, None)
        self._tries.pop(player, None)

    def stand_in(self, player: Player, ask: bool) -> bool:
        """Stand in for an engine that is gone and whose move it is: whether a move was made at random.

        If not, the engine is being started again, and is asked then; with `ask`, whatever the options say.
        """
        if player in self._at_random:
            self._random_move(player)
            return True
        if player not in self.restarting:
            self._restart(player, ask)
        return False

    def fault(
        self, link: Link, fault: str, what: str, last_words: str = "", move: str = "", time: MoveTime | None = None
    ) -> None:
        """An engine did something wrong: say so, and do what the policy says."""
        desk = self._desk
        seated = self._engines.seated.get(link.player) is link
        record = desk.play.record
        if fault == "lost" and seated and record is not None:
            self.absences.note(link, record.cursor)
        if not FAULTS[fault].living:
            last_words = last_words or desk.last_words(link.number)
        node = record.cursor.number if record else 0
        event = Fault(link.player, link.engine.name, fault, what, last_words, node, time)
        shown = event.seen_by(desk.viewer())
        if not FAULTS[fault].living:
            # It becomes the reply to whatever it was asked. Before a game it knows no secret.
            known = event if record is None else shown
            why = with_last_words(known.what, known.last_words)
            link.failure = CommandError(f"Engine {link.engine.name} failed: {why}")
            if seated:
                self.undecided.add(link.player)
            self._engines.stop(link, kindly=False)
        if not seated:
            return  # it was being started: whoever started it reports
        desk.faults.append(event)
        desk.inform(shown.sentence())
        for line in shown.last_words.splitlines()[-LAST_WORDS_LINES:]:
            desk.inform(f"{link.engine.name} said: {line}")
        if fault == "illegal":
            link.say(utterance(Command("illegal_move", (move,))))
        elif fault == "late" and link.thinking:
            self._engines.withdraw(link)
        if desk.play.rules is not None and desk.play.rules.traits.hidden:
            what = event.masked().what  # it may become a reason, which all players and the play file are told
        if desk.busy:
            desk.deferred.append(lambda: self._follow(link, fault, what))
        else:
            self._follow(link, fault, what)

    def _follow(self, link: Link, fault: str, what: str) -> None:
        """Do what the policy says, unless the supervisor has changed the table meanwhile."""
        desk = self._desk
        player = link.player
        self.undecided.discard(player)
        seat = desk.play.seats.get(player)
        if seat is None or seat.engine != link.engine.name or self._engines.seated.get(player) not in (None, link):
            return
        if desk.play.record is None or desk.play.turn().kind is TurnKind.OVER:
            return  # what is decided stands
        if not self._ask_again(link, fault):
            self._carry_on(link, fault, what, desk.settings.policy(fault))

    def _ask_again(self, link: Link, fault: str) -> bool:
        """Ask an engine for another move, where it has tries left; whether it was asked."""
        desk, player = self._desk, link.player
        tries, done = desk.settings.tries(fault), self._tries.get(player, 0)
        if done >= tries or player not in desk.play.turn().players or player in desk.play.pending:
            self._tries.pop(player, None)
            return False
        self._tries[player] = done + 1
        desk.inform(f"{link.engine.name} is asked again, {done + 1} of {tries} times")
        self._flow.go_on(ask=True)
        return True

    def _carry_on(self, link: Link, fault: str, what: str, policy: Cost) -> None:
        desk, player = self._desk, link.player
        done = self._restarts.get(player, 0)
        cost = with_restarts(policy, done, desk.settings.number("restarts"), ASK)
        if cost is not policy:
            desk.inform(f"{link.engine.name} was restarted {done} times in a row already")
        if cost is LOSS:
            self._flow.end(desk.play.forfeit(player, f"{fault}, {what}"))
        elif cost is RANDOM:
            if not FAULTS[fault].living:
                self._at_random.add(player)
            if player in desk.play.turn().players and player not in desk.play.pending:
                self._random_move(player)
            self._flow.go_on()
        elif cost is RESTART:
            self._restarts[player] = done + 1
            self._engines.stop(link, kindly=False)
            self._restart(player, player in desk.play.turn().players, link if fault == "lost" else None)
        else:
            desk.play.held = True
            self._flow.turn_due = None
            desk.inform(self._question(link))

    def _question(self, link: Link) -> str:
        """What the supervisor can do about a player whose engine has failed."""
        play, player = self._desk.play, link.player
        players = play.turn().players
        if player in players and player not in play.pending:
            return (
                f"The play is held. Use genmove to ask {player} again, force_play to move for it, "
                f"or set_engine {player} to replace it."
            )
        humans = all(p in play.seats and not play.seats[p].is_engine for p in players)
        until = "the next move" if humans else "genmove"
        return (
            f"The play is held until {until}. {link.engine.name} is started again when it is {player}'s turn; "
            f"set_engine {player} replaces it."
        )

    def _random_move(self, player: Player) -> None:
        with self._desk.rule_at_risk():
            moves = self._desk.play.position.moves(player)
            self._desk.inform(f"A random move is made for {player}")
            self._flow.make(player, moves[int(self._desk.rng.random() * len(moves))])

    def _restart(self, player: Player, ask: bool, lost: Link | None = None) -> None:
        """Start a player's engine again, tell it the play, and let it go on; one that was lost is waited for."""
        desk = self._desk
        seat = desk.play.seats[player]
        self.restarting.add(player)
        remote = seat.engine.startswith(REMOTE)
        desk.inform(
            f"Waiting for {seat.engine} of {player}" if remote else f"Starting {seat.engine} for {player} again"
        )

        def restarted(_: None) -> None:
            self.restarting.discard(player)
            self._flow.go_on(ask=ask)

        def failed(error: GgtpError) -> None:
            self.restarting.discard(player)
            if isinstance(error, Withdrawn):
                return
            if isinstance(error, RuleFailed):
                desk.hold(error)
            elif lost is not None and desk.settings.policy("exit") not in (ASK, RESTART) and self._still(lost):
                desk.inform(str(error))
                self._carry_on(lost, "exit", "it did not come back.", desk.settings.policy("exit"))
            else:
                desk.play.held = True
                desk.inform(f"{error} The play is held.")

        patience = self.absences.patience(player) if remote else None
        Task(self._revive(player, patience), restarted, failed).advance()

    def _still(self, link: Link) -> bool:
        """Whether the seat of an engine that is gone is still meant for it, in a play that goes on."""
        play = self._desk.play
        seat = play.seats.get(link.player)
        if seat is None or seat.engine != link.engine.name or link.player in self._engines.seated:
            return False
        return play.record is not None and play.turn().kind is not TurnKind.OVER

    def _revive(self, player: Player, seconds: float | None) -> Conversation[None]:
        play = self._desk.play
        rules, seat = play.rules, play.seats[player]
        found = yield from self._desk.request(FindEngine(seat.reference))
        link = yield from self._engines.open(player, found.engine, play, seat, seconds)
        node = None
        while play.record is not None and play.record.cursor is not node:
            node = play.record.cursor  # the play may go on while the engine prepares
            yield from self._engines.replay(link, node)
        if (
            self._desk.play is not play
            or play.rules is not rules
            or play.seats.get(player) is not seat
            or player in self._engines.seated
        ):
            self._engines.stop(link, kindly=True)
            raise Withdrawn("The supervisor has changed the table meanwhile.")
        self._engines.seat(link)
