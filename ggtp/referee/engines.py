"""The engines at the table: what each was told, what it owes, and when that is due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from ggtp.errors import CommandError
from ggtp.game import Player, Talk
from ggtp.game.chance import SEED_BITS, derive
from ggtp.game.names import did_you_mean, match_name
from ggtp.game.record import Message, Node
from ggtp.play.play import Play, SeatPlan
from ggtp.play.replay import SLICE
from ggtp.protocol.introduction import (
    MESSAGES,
    TELL_MOVES,
    TELL_TABLE,
    GameNews,
    greet,
    introduce,
    set_option,
    turn_news,
)
from ggtp.protocol.messages import Answer, Command
from ggtp.protocol.session import EngineSession
from ggtp.protocol.text import join_map
from ggtp.protocol.utterances import REDONE, UNDONE, made_move, utterance
from ggtp.protocol.waiting import Conversation, Promise
from ggtp.referee.desk import Desk
from ggtp.referee.effects import EngineDescription, LinkId, StartEngine, StopEngine, Tell


class Link(EngineSession):
    """The referee's session with one engine, and what the referee remembers of it besides."""

    __slots__ = ("_desk", "engine", "number", "player", "seeded", "spent", "talk", "tells", "undone")

    def __init__(self, desk: Desk, number: LinkId, player: Player, engine: EngineDescription) -> None:
        super().__init__(engine.name)
        self._desk = desk
        self.number = number
        self.player = player
        self.engine = engine
        self.spent = 0.0
        """Seconds that were spent on the move before it was asked for it: it had lost its connection."""
        self.undone: list[Node] = []
        """The steps that it was told to take back, the latest last: what redone_move would redo."""
        self.seeded = ""
        """The referee's seed from which the seed followed that it was last told."""
        self.tells: tuple[str, ...] = ()
        """Those of its options that are set with each request for a move."""
        self.talk: Talk | None = None
        """Which messages it may send and is told, where it has the option for it."""

    def send(self, line: bytes, *, asks: bool = False, patient: bool = False) -> None:
        """Have the driver send a line."""
        self._desk.effects.append(Tell(self.number, line, asks, patient))

    @property
    def now(self) -> float:
        """The time of the event at hand."""
        return self._desk.now

    @property
    def answer_time(self) -> float:
        """What the option of that name says."""
        return self._desk.settings.answer_time


class Engines:
    """All links. Says what to tell each engine, and decides nothing about the play."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._count = 0
        self.links: dict[LinkId, Link] = {}
        """Every engine that was started and not stopped, seated or not."""
        self.seated: dict[Player, Link] = {}

    # Starting and stopping.

    def open(
        self, player: Player, engine: EngineDescription, play: Play, seat: SeatPlan, seconds: float | None = None
    ) -> Conversation[Link]:
        """Start an engine and tell it its game.

        Args:
            player: for whom it plays.
            engine: what to start.
            play: the play that it is told.
            seat: its options.
            seconds: how long it may take to connect; None for what the options say.

        Raises:
            CommandError: it did not start, can't play this rule, or refused an option. It is gone then.
        """
        self._count += 1
        desk = self._desk
        link = Link(desk, self._count, player, engine)
        self.links[link.number] = link
        try:
            bounds = desk.settings.bounds()
            bounds = bounds if seconds is None else replace(bounds, connect_seconds=seconds)
            yield from desk.request(StartEngine(link.number, engine, bounds, play.reference))
            yield from greet(link, desk.settings.seconds("connect_time"))
            link.tells = tuple(name for name in (TELL_MOVES, TELL_TABLE) if name in link.listed)
            yield from introduce(link, self._news(link, play))
            yield from self.set_talk(link, play)
            link.seeded = desk.settings.values["seed"]
            for name, value in {**engine.options, **seat.settings}.items():
                yield from set_own_option(link, name, value)
        except Exception:  # a rule may have failed while the engine was told about it
            self.stop(link, kindly=False)
            raise
        return link

    def _news(self, link: Link, play: Play) -> GameNews:
        rules, settings, clocks = play.need_rules(), self._desk.settings, self.clocks(link.player)
        return GameNews(
            name=rules.name,
            rule=play.reference,
            text=rules.text or "",
            rule_options=play.option_values(),
            player=link.player,
            seed=self.seed(link.player),
            threads=settings.number("engine_threads"),
            # Less than what it is stopped at: an engine that fills what it was given needs room besides.
            memory=settings.number("engine_memory") * 3 // 4,
            start_clock=clocks["start_clock"],
            time_control=clocks["time_control"],
        )

    def set_talk(self, link: Link, play: Play) -> Conversation[None]:
        """Tell an engine that can talk to partners whether the rule lets it, with the options as they are."""
        if MESSAGES in link.listed:
            talk = play.need_rules().talk(play.option_values())
            talk = talk if talk is not None and talk.partners(link.player) else None
            if talk != link.talk:
                yield from link.ask(Command("set_option", (MESSAGES, "off" if talk is None else "on")))
            link.talk = talk
            link.talks = talk is not None

    def clocks(self, player: Player) -> dict[str, str]:
        """The clocks of a player in milliseconds, by the options of engines that want to know them: how long there is
        before the game, and whether a delay is for one move or for all."""
        desk = self._desk
        control = {
            name: str(round(1000 * seconds)) for name, seconds in asdict(desk.settings.time_control(player)).items()
        }
        return {"start_clock": str(round(1000 * desk.start_clock)), "time_control": join_map(control)}

    def seed(self, player: Player) -> str:
        """The seed of a player's engine: it follows from the referee's own, which can't be computed from it."""
        return str(derive(self._desk.settings.number("seed"), "engine", player, bits=SEED_BITS))

    def seat(self, link: Link) -> None:
        """Let an engine take its player's seat; whoever sat there is sent away."""
        self.unseat(link.player)
        self.seated[link.player] = link

    def unseat(self, player: Player) -> None:
        """Send the engine of a player away, kindly."""
        link = self.seated.pop(player, None)
        if link is not None:
            self.stop(link, kindly=True)

    def stop(self, link: Link, *, kindly: bool) -> None:
        """End an engine; what it owes will not come."""
        if self.links.pop(link.number, None) is None:
            return
        if self.seated.get(link.player) is link:
            del self.seated[link.player]
        if kindly:
            link.close()
        self._desk.effects.append(StopEngine(link.number, kindly))
        link.end()

    def clear(self, but: Sequence[Link] = ()) -> None:
        """Send all engines away but these, kindly; those that are still being started, at once."""
        for link in [link for link in self.links.values() if link not in but]:
            self.stop(link, kindly=self.seated.get(link.player) is link)

    # Telling.

    def start(self, link: Link) -> Promise[Answer]:
        """Tell an engine that the play begins; it may take its start clock to acknowledge."""
        link.undone.clear()
        return link.start(self._desk.start_clock)

    def step(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines of a new step, each what its player may know of it."""
        verdict = node.verdict
        before = node.parent.verdict.position if node.parent else verdict.position
        for link in links:
            player = link.player
            if verdict.made:
                link.undone.clear()
            for actor, move in verdict.made:
                link.say(made_move(actor, before.seen(actor, move, player)), patient=True)
            for refusal in verdict.refused:
                if refusal.player == player:
                    link.say(utterance(Command("illegal_move", (f"{refusal.move} {refusal.reason}".rstrip(),))))
            if node.messages:
                self.messages((link,), node.messages)

    def tell_turn(self, link: Link, play: Play) -> None:
        """Tell an engine that wants to know them the moves of its player, and its view, before it is asked."""
        if not link.tells:  # as a rule; asked for every move
            return
        position, player = play.position, link.player
        news = turn_news(link.tells, lambda: position.moves(player), lambda: position.view(player))
        for name, value in news.items():
            link.say(utterance(Command("set_option", (name, value))), patient=True)

    def messages(self, links: Iterable[Link], messages: Iterable[Message]) -> None:
        """Tell engines what partners have said, each what its player hears of it."""
        for message in messages:
            for link in links:
                talk = link.talk
                if talk is not None and talk.hears(link.player, message.sender, message.receiver):
                    link.say(utterance(Command("told_message", (message.sender, message.text))))

    def back(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines that the step to `node` was taken back."""
        for link in links:
            for _ in node.made:
                link.say(UNDONE)
            if node.made:
                link.undone.append(node)

    def forward(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines that the step to `node` counts again."""
        for link in links:
            if link.undone and link.undone[-1] is node:
                for _ in node.made:
                    link.say(REDONE)
                link.undone.pop()
            elif node.made:
                self.step((link,), node)

    def replay(self, link: Link, node: Node) -> Conversation[None]:
        """Tell an engine that has no seat yet the play from its start to a node; a start clock is waited for.

        Raises:
            CommandError: it failed meanwhile, or nobody wants to wait for it. It is gone then.
        """
        if link.state == "gone":  # while others were started
            raise link.why_gone()
        started = self.start(link)
        path = node.path()
        first = path[0].parent if path else node
        self.messages((link,), first.messages if first is not None else ())
        for count, step in enumerate(path, 1):
            self.step((link,), step)
            if count % SLICE == 0:
                yield from self._pause(link)
        if self._desk.start_clock:
            try:
                yield from started
            except CommandError:
                self.stop(link, kindly=False)
                raise

    def _pause(self, link: Link) -> Conversation[None]:
        """Let other events be handled while an engine is told a long play."""
        try:
            yield from self._desk.pause()
        except CommandError:
            self.stop(link, kindly=False)
            raise
        if link.state == "gone":
            raise link.why_gone()

    def withdraw(self, link: Link) -> None:
        """Make an engine forget that it was asked for a move."""
        anew = not link.told
        link.withdraw(self._desk.start_clock)
        if anew:
            link.undone.clear()
            record = self._desk.play.record
            self.messages((link,), record.nodes[0].messages if record is not None else ())

    # Deadlines.

    def next_due(self) -> float | None:
        """The next time at which an engine may be overdue."""
        earliest: float | None = None
        for link in self.links.values():  # asked after every move: a generator costs more
            due = link.next_due()
            if due is not None and (earliest is None or due < earliest):
                earliest = due
        return earliest


def set_own_option(session: EngineSession, name: str, value: str) -> Conversation[str]:
    """Set one of an engine's own options; its name as the engine spells it.

    Raises:
        CommandError: it has none of that name, or does not take the value.
    """
    option = option_of(session, name)
    try:
        yield from set_option(session, option, value)
    except CommandError as error:
        hint = "" if option in session.listed or session.state == "gone" else did_you_mean(name, session.listed)
        if not hint:
            raise
        raise CommandError(f"{error}{hint}") from error
    return option


def option_of(session: EngineSession, name: str) -> str:
    """An option's name as the engine spells it; what it has not listed, it is asked for as it is."""
    return match_name(name, session.listed) or name
