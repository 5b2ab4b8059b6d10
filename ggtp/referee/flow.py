"""The flow of a play: one path for every move, whoever makes it, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ggtp.errors import CommandError, MoveRefused, RemoteProtocolError
from ggtp.game import CHANCE, Move, Player, Turn, TurnKind
from ggtp.game.clock import MoveTime
from ggtp.game.record import Node
from ggtp.play.play import HUMAN
from ggtp.protocol.session import Answered, Selected, Told
from ggtp.referee.desk import Desk
from ggtp.referee.engines import Engines, Link
from ggtp.referee.failures import Failures
from ggtp.referee.notes import MoveNotes
from ggtp.referee.sealed import LEAST_LIMIT, SealedTurn
from ggtp.referee.showing import Showing
from ggtp.referee.visitors import Visitors

MOST_DRAWS = 10_000
"""How many chance turns in a row are drawn before the play is held: a rule may have no end."""
MOST_SHOWN = 200
"""How much of a sentence is shown that quotes an engine: its lines may be very long."""


class Flow:
    """Makes moves, asks whoever is next, and hears what engines say."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.engines = Engines(desk)
        self.sealed = SealedTurn(desk, self.engines)
        self.failures = Failures(desk, self.engines, self)
        self.visitors = Visitors(desk)
        self.showing = Showing(desk, self.visitors)
        self.banks: dict[Player, float] = {}
        """Seconds that each player has left, with a bank."""
        self.thought: dict[Player, float] = {}
        """Seconds that each player's engine has thought in this play."""
        self.notes = MoveNotes()
        self.turn_due: float | None = None
        """When the turn's default is played."""
        self._timed: Node | None = None
        """The node whose turn `turn_due` belongs to."""

    # Asking.

    def settled(self, *, timers: bool = False) -> bool:
        """Whether no engine has anything to do; with `timers`, nor the clock of a turn, until the supervisor speaks."""
        if self.failures.restarting or (timers and self.turn_due is not None) or self.sealed.due is not None:
            return False
        for link in self.engines.seated.values():
            if link.asked_at is not None and not self.sealed.has_kept(link):
                return False
        return True

    def begun(self) -> None:
        """A play was started: clocks are full, old troubles forgotten."""
        self.banks = self._desk.settings.banks(self._desk.play.players)
        self._desk.play.need_record().cursor.banks = dict(self.banks)
        self.stop_clocks()
        self.thought.clear()
        self.notes.clear()
        self.failures.begun()

    def set_banks(self, banks: Mapping[Player, float]) -> None:
        """What players have left at this place of a play that was begun elsewhere."""
        self.banks.update(banks)
        self._desk.play.need_record().cursor.banks = dict(self.banks)

    def bank(self, player: Player) -> float:
        """The seconds that a player has left, where there is a bank."""
        return self.banks.get(player, self._desk.settings.time_control(player).bank)

    def stop_clocks(self) -> None:
        """Forget the clock of the turn, and what was chosen in it and not made known yet."""
        self.turn_due = None
        self.sealed.clear()

    def next_due(self) -> float | None:
        """When the turn at hand wants to be looked at: its default is played, or what was chosen is made known."""
        turn, sealed = self.turn_due, self.sealed.due
        return turn if sealed is None or (turn is not None and turn < sealed) else sealed

    def halt(self) -> None:
        """Take back every request for a move; nothing of the play changes."""
        self.stop_clocks()
        for link in list(self.engines.seated.values()):
            if link.thinking:
                self.engines.withdraw(link)

    def go_on(self, *, ask: bool = False) -> None:
        """Let chance draw and ask the engines whose turn it is; with `ask`, whatever the options say."""
        desk = self._desk
        play, settings = desk.play, desk.settings
        due, self.turn_due = self.turn_due, None
        draws = 0
        with desk.rule_at_risk():
            while play.record is not None and not play.held:
                turn = play.turn()
                if turn.kind is TurnKind.CHANCE:
                    if not (ask or settings.on("chance")):
                        return
                    draws += 1
                    if draws > MOST_DRAWS:
                        play.held = True
                        desk.inform(f"{MOST_DRAWS} draws of chance in a row: held. Use genmove to go on.")
                        return
                    self.make(CHANCE, play.position.draw(desk.rng))
                    ask = False
                    continue
                if turn.kind is TurnKind.OVER:
                    return
                forced = self._forced(turn)
                if forced and draws < MOST_DRAWS:
                    draws += 1
                    self.make(forced, play.position.moves(forced)[0], aloud=False)
                    continue
                if turn.sealed:
                    self.sealed.enter(turn)
                delay = turn.delay
                if delay is not None and turn.default:
                    if due is not None and play.record.cursor is self._timed:
                        delay = max(0.0, due - desk.now - settings.time_margin)  # it runs already
                    else:
                        due = desk.now + delay + settings.time_margin
                    self._timed, self.turn_due = play.record.cursor, due
                if not (ask or settings.on("genmove")) or self._ask(turn, ask):
                    if turn.sealed:
                        self.sealed.look()
                    return
                ask = False
                draws += 1
                if draws > MOST_DRAWS:
                    play.held = True
                    desk.inform(f"{MOST_DRAWS} random moves in a row: held. Use genmove to go on.")
                    return

    def _forced(self, turn: Turn) -> Player:
        """A person here who has only one move in a turn that others share, and is to be spared it; or nobody."""
        desk = self._desk
        if turn.kind is not TurnKind.JOINT or not desk.settings.on("forced_moves") or self.visitors.anybody():
            return ""
        for player in turn.players:
            waited_for = desk.play.seats[player].engine == HUMAN and player not in desk.play.pending
            if waited_for and len(desk.play.position.moves(player)) == 1:
                return player
        return ""

    def _ask(self, turn: Turn, ask: bool) -> bool:
        """Ask the engines whose turn it is; False when a move was made instead and the turn is another."""
        play = self._desk.play
        for player in turn.players:
            if player in play.pending or not play.seats[player].is_engine:
                continue
            if player in self.failures.undecided:
                continue
            link = self.engines.seated.get(player)
            if link is None:
                if self.failures.stand_in(player, ask):
                    return False
            elif not link.thinking:
                settings, link.spent = self._desk.settings, self.failures.absences.spent(player)
                limit = settings.time_control(player).limit(self.bank(player), turn.delay)
                if limit is None:
                    patience = settings.patience
                else:
                    limit = max(LEAST_LIMIT, limit - link.spent)
                    patience = limit + settings.time_margin
                self.engines.tell_turn(link, play)
                link.ask_move(self.sealed.limit(turn, limit) if turn.sealed else limit, patience)
                link.limit = limit
        return True

    # Moving.

    def play(self, player: Player, move: Move) -> None:
        """Make a canonical move that a person has chosen, and let the game go on.

        Raises:
            MoveRefused: the rules refuse it altogether. Nothing has changed.
        """
        if self.sealed.keep_choice(player, move):
            return
        self.make(player, move)
        self.go_on()

    def force(self, player: Player, move: Move) -> None:
        """Make a canonical move that the supervisor has chosen, at once, and let the game go on.

        Raises:
            MoveRefused: the rules refuse it altogether. Nothing has changed.
        """
        self.make(player, move)
        self.go_on()

    def make(self, player: Player, move: Move, *, aloud: bool = True, timed: bool = False) -> None:
        """Make a canonical move, tell and show it. What follows is asked for by `go_on`.

        Args:
            player: who makes it.
            move: what.
            aloud: whether it is said here that a choice was made in a turn of several.
            timed: whether it is a move of an engine, which earns its increment if it counts.

        Raises:
            MoveRefused: the rules refuse it altogether. Nothing has changed.
        """
        node = self._desk.play.commit(player, move)
        self._desk.flush()
        if timed and player in self.banks and (node is None or node.made):  # a refused try earns nothing
            self.banks[player] = self._desk.settings.time_control(player).earn(self.banks[player])
        self.notes.made(player, self.banks.get(player))
        if node is None:
            link = self.engines.seated.get(player)
            if link is not None and link.thinking:  # the supervisor has chosen for it
                self.engines.withdraw(link)
            if aloud and self._desk.settings.on("show_when_play"):
                self._desk.inform(f"{player} has chosen")
            if not self._desk.play.turn().sealed:
                self.visitors.chosen(player)
            return
        if self.banks:
            node.banks = dict(self.banks)
        with self._desk.rule_at_risk():
            try:
                self.engines.step(self.engines.seated.values(), node)
            except Exception:
                self.engines.clear()  # not all of them were told: they start again when they are needed
                raise
            self.showing.step(node)

    def end(self, node: Node) -> None:
        """Show that the play has ended by a forfeit."""
        self._desk.flush()
        self.halt()
        self.showing.step(node)

    def moved(self, left: Sequence[Node], entered: Sequence[Node]) -> None:
        """The cursor was moved over these steps: tell the engines, and show where we are."""
        self._desk.flush()
        self.stop_clocks()
        self.notes.clear()
        links = list(self.engines.seated.values())
        for node in left:
            self.engines.back(links, node)
        for node in entered:
            self.engines.forward(links, node)
        for link in links:
            if link.thinking:  # nothing that it was told has overtaken the request
                self.engines.withdraw(link)
        cursor = self._desk.play.need_record().cursor
        self.banks.update(cursor.banks)
        self.showing.table()
        self.visitors.look("The play goes on from another place")

    # What engines say.

    def hear(self, link: Link, line: bytes, at: float) -> None:
        """A line of an engine: a move that it selects, a message for a partner, or what concerns nobody else."""
        try:
            event = link.hear(line, at)
        except RemoteProtocolError as error:
            self.failures.fault(link, "protocol", f"{error}: {error.line}.")
            return
        if isinstance(event, Answered) or event.stale:
            return
        if isinstance(event, Selected):
            follow = partial(self._selected, link, event)
        else:
            follow = partial(self._told, link, event)
        if self._desk.busy:
            self._desk.deferred.append(follow)
        else:
            follow()

    def _selected(self, link: Link, selected: Selected) -> None:
        """An engine has selected a move."""
        desk = self._desk
        player = link.player
        if self.sealed.keep(link, selected) or not link.take(selected):
            return  # the supervisor's command has overtaken it
        text, elapsed, limit = selected.move, selected.seconds, link.limit
        self._charge(player, elapsed + link.spent)
        time = None if limit is None else MoveTime(elapsed, limit, desk.settings.time_margin, link.waited)
        if time is not None and time.blame:
            if self.turn_due is not None and desk.now >= self.turn_due:
                self.time_passed()  # the turn was over before: its default is played, and nobody is at fault
                return
            what = f"the move took {int(time.elapsed * 1000)} ms of {int(time.limit * 1000)} ms."
            self.failures.fault(link, "late", what, time=time)
            return
        held = desk.play.held
        try:
            move = desk.play.parse(player, text)
            self.make(player, move, aloud=self._may_be_said(), timed=True)
            self.notes.ask(link)
        except MoveRefused as error:
            what = str(error)
            cut = what if len(what) <= MOST_SHOWN else what[:MOST_SHOWN] + "..."
            self.failures.fault(link, "illegal", cut, move=text)
            return
        if held and desk.play.turn().kind is not TurnKind.OVER:
            # It was asked before another engine failed, and that is still to be decided.
            desk.play.held = True
        self.failures.moved(player)
        self.go_on()

    def _open(self, *, over: bool = False) -> None:
        """Make known what was chosen in a sealed turn; with `over`, because the time of the turn is over."""
        play, opened = self._desk.play, self.sealed.open(over=over)
        for kept in opened:
            if kept.link is not None:
                self._charge(kept.player, kept.seconds + kept.link.spent)
                self.failures.moved(kept.player)
        for kept in opened:
            if kept.player in play.turn().players and kept.player not in play.pending:
                self.make(kept.player, kept.move, aloud=self._may_be_said(), timed=kept.link is not None)
                if kept.link is not None:
                    self.notes.ask(kept.link)

    def _may_be_said(self) -> bool:
        """Return whether people here may learn that an engine has chosen: in a sealed turn, the time would tell why."""
        return not self._desk.play.turn().sealed or self._desk.viewer() is None

    # Partners.

    def message(self, sender: Player, receiver: str, text: str) -> None:
        """Let one partner say something to another, and tell it to those who may hear it.

        Raises:
            CommandError: the rule does not let them. Nothing has changed.
        """
        desk = self._desk
        talk, message = desk.play.tell(sender, receiver, text)
        desk.flush()
        self.engines.messages(list(self.engines.seated.values()), (message,))
        viewer = desk.viewer()
        if viewer is None or talk.hears(viewer, sender, message.receiver):
            desk.inform(f"{sender} tells {message.receiver}: {message.text}")
        self.visitors.message(talk, message)

    def _told(self, link: Link, told: Told) -> None:
        """An engine has a message for a partner."""
        desk = self._desk
        if self.engines.seated.get(link.player) is not link:
            return
        if desk.play.record is None or desk.play.turn().kind is TurnKind.OVER:
            return  # it was on its way when the play ended
        try:
            self.message(link.player, told.receiver, told.text)
        except CommandError as error:
            self.failures.fault(link, "protocol", f"a message that may not be sent: {error}")

    def time_passed(self) -> None:
        """A deadline has come: of an engine, or of the turn itself."""
        now, busy = self._desk.now, self._desk.busy
        if self.turn_due is not None and now >= self.turn_due and not busy:
            self.turn_due = None
            play = self._desk.play
            record, turn = play.need_record(), play.turn()
            node = record.cursor
            with self._desk.rule_at_risk():
                if turn.sealed:
                    self._open(over=True)
                for player, move in turn.default.items():
                    # What was made has ended the turn: the other defaults count for nothing.
                    if player in turn.players and player not in play.pending and record.cursor is node:
                        self.make(player, move)
            self.go_on()
        elif self.sealed.due is not None and now >= self.sealed.due and not busy:
            with self._desk.rule_at_risk():
                self._open()
            self.go_on()
        late = [(link, overdue) for link in self.engines.links.values() if (overdue := link.overdue(now)) is not None]
        for link, (fault, what) in late:
            time = None
            if link.asked_at is not None:
                self._charge(link.player, now - link.asked_at + link.spent)
                if fault == "late" and link.limit is not None:
                    time = MoveTime(now - link.asked_at, link.limit, self._desk.settings.time_margin, link.waited)
            self.failures.fault(link, fault, what, time=time)

    def _charge(self, player: Player, elapsed: float) -> None:
        """Take the time of a move, or of what was to become one, from a player's bank."""
        self.thought[player] = self.thought.get(player, 0.0) + elapsed
        self.notes.spent(player, elapsed)
        control = self._desk.settings.time_control(player)
        if control.bank:
            self.banks[player] = control.charge(self.bank(player), elapsed)
