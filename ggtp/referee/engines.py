"""The engines at the table: what each was told, what it owes, and when that is due."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeAlias

from ggtp.errors import CommandError, RemoteProtocolError
from ggtp.game import Player, Rules, Talk
from ggtp.game.names import match_name
from ggtp.game.record import Message, Node
from ggtp.play.play import Play, SeatPlan
from ggtp.protocol.connection import Answered, EngineConversation, Selected, Told, Utterance, made_move, utterance
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.text import join_map, one_line, split_list
from ggtp.protocol.waiting import Conversation, Promise, Withdrawn
from ggtp.referee.desk import Desk
from ggtp.referee.effects import EngineDescription, LinkId, StartEngine, StopEngine, Tell

START = Command("start")
UNDONE = Command("undone_move")
REDONE = Command("redone_move")
HAVE_TO_PLAY = utterance(Command("have_to_play"))

REFUSAL = "refusal"
"""Options that some engines have: what clocks there are, and why it has refused a value."""
MOST_WHY = 300
MESSAGES = "messages"
"""The option of engines that can talk to partners."""
LEAST_LIMIT = 0.001
"""What is left of the time for a move when more than all of it is spent."""

RESERVED = ("rule_text", "rule", "rule_options", "player")
"""Options that tell an engine which game it plays; only the referee sets them."""


@dataclass(slots=True, eq=False)
class Link:
    """One engine, from its start to its end."""

    number: LinkId
    player: Player
    engine: EngineDescription
    conversation: EngineConversation = field(default_factory=EngineConversation)
    promises: deque[Promise[Answer] | None] = field(default_factory=deque)
    """One for each command that waits for an answer, in order; None where nobody waits for it."""
    due: float | None = None
    """When the oldest answer is due."""
    asked_at: float | None = None
    """When it was asked for a move that it has not selected yet."""
    limit: float | None = None
    """The time it was given for that move."""
    spent: float = 0.0
    """Seconds that were spent on that move before it was asked: it had lost its connection."""
    move_due: float | None = None
    """When the move is due, margin included."""
    listed: tuple[str, ...] = ()
    """The options that it has."""
    told: int = 0
    """How many moves it has been told and not been told to take back."""
    undone: list[Node] = field(default_factory=list)
    """The steps that it was told to take back, the latest last: what redone_move would redo."""
    rule_options: str = ""
    """The rule's options as it was last told."""
    clocks: dict[str, str] = field(default_factory=dict)
    """The clocks as it was last told, by option."""
    seeded: str = ""
    """The referee's seed from which the seed followed that it was last told."""
    talk: Talk | None = None
    """Which messages it may send and is told, where it has the option for it."""
    failure: CommandError | None = None
    """Why it is gone, where that was its own fault."""

    @property
    def thinking(self) -> bool:
        """Whether a move of it is waited for."""
        return self.asked_at is not None


OnFault: TypeAlias = Callable[[Link, str, str], None]
OnMove: TypeAlias = Callable[[Link, str, float], None]
OnMessage: TypeAlias = Callable[[Link, str, str], None]


class Engines:
    """All links. Says what to tell each engine and what its lines mean; decides nothing about the play."""

    def __init__(self, desk: Desk, on_move: OnMove, on_message: OnMessage, on_fault: OnFault) -> None:
        self._desk = desk
        self._on_message = on_message
        self._on_move = on_move
        self._on_fault = on_fault
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
        link = Link(self._count, player, engine)
        self.links[link.number] = link
        try:
            bounds = self._desk.settings.bounds()
            bounds = bounds if seconds is None else replace(bounds, connect_seconds=seconds)
            yield from self._desk.request(StartEngine(link.number, engine, bounds))
            yield from self._introduce(link, play)
            for name, value in {**engine.options, **seat.settings}.items():
                answer = yield from self.ask(link, Command("set_option", (option_of(link, name), value)))
                refuse(link, name, value, answer)
        except Exception:  # a rule may have failed while the engine was told about it
            self.stop(link, kindly=False)
            raise
        return link

    def _introduce(self, link: Link, play: Play) -> Conversation[None]:
        desk = self._desk
        rules = play.need_rules()
        greeting = self.ask(link, Command("connect_engine"))
        if link.due is not None:
            # Over pipes a program is connected before it has begun: its start-up time ends with this answer.
            link.due = max(link.due, desk.now + desk.settings.seconds("connect_time"))
        yield from greeting
        answer = yield from self.ask(link, Command("list_options"))
        link.listed = tuple(split_list(answer.text))
        link.rule_options = join_map(play.option_values())
        clocks = self.clocks()
        # Text first: an engine that has it need not find the rule by its name.
        known = {
            "rule_text": " ".join(rules.text.split()) if rules.text else "",
            "rule": play.reference,
            "rule_options": link.rule_options,
            "player": link.player,
            "seed": self.seed(link.player),
            "threads": str(desk.settings.number("engine_threads")),
            # Less than what it is stopped at: an engine that fills what it was given needs room besides.
            "memory": str(desk.settings.number("engine_memory") * 3 // 4),
            "start_clock": clocks["start_clock"],
            "time_control": clocks["time_control"],
        }
        for name, value in known.items():
            if value and name in link.listed:
                answer = yield from self.ask(link, Command("set_option", (name, value)))
                if answer.kind is not AnswerKind.ACKNOWLEDGE and name in RESERVED:
                    yield from self.cannot_play(link, rules)
        link.clocks = clocks
        yield from self.set_talk(link, play)
        link.seeded = desk.settings.values["seed"]

    def set_talk(self, link: Link, play: Play) -> Conversation[None]:
        """Tell an engine that can talk to partners whether the rule lets it, with the options as they are."""
        if MESSAGES in link.listed:
            talk = play.need_rules().talk(play.option_values())
            talk = talk if talk is not None and talk.partners(link.player) else None
            if talk != link.talk:
                yield from self.ask(link, Command("set_option", (MESSAGES, "off" if talk is None else "on")))
            link.talk = talk
            link.conversation.talks = talk is not None

    def cannot_play(self, link: Link, rules: Rules) -> Conversation[NoReturn]:
        """An engine has refused its game: say so, with its reason where it tells one.

        Raises:
            CommandError: always.
        """
        why = "with these options."
        if REFUSAL in link.listed:
            answer = yield from self.ask(link, Command("get_option", (REFUSAL,)))
            if answer.kind is AnswerKind.REPLY and answer.text not in ("", "none"):
                why = f"with these options. {one_line(answer.text)[:MOST_WHY]}"
        raise CommandError(f"Engine {link.engine.name} can't play {rules.name} {why}")

    def clocks(self) -> dict[str, str]:
        """The clocks in milliseconds, by the options of engines that want to know them: how long there is before the
        play, and whether a delay is for one move or for all."""
        desk = self._desk
        control = {name: desk.settings.values[f"time_{name}"] for name in ("move", "bank", "increment")}
        return {"start_clock": str(round(1000 * desk.start_clock)), "time_control": join_map(control)}

    def seed(self, player: Player) -> str:
        """The seed of a player's engine; it follows from the referee's own."""
        # Its own generator: what chance draws must not depend on how many engines there are.
        return str(random.Random(f"{self._desk.settings.values['seed']} {player}").getrandbits(31))

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
            self._send(link, Command("disconnect_engine"))
        self._desk.effects.append(StopEngine(link.number, kindly))
        link.asked_at = link.move_due = link.due = None
        promises = [promise for promise in link.promises if promise is not None]
        link.promises.clear()
        for promise in promises:
            promise.fail(Withdrawn(f"Engine {link.engine.name} was stopped."))

    def clear(self, but: Sequence[Link] = ()) -> None:
        """Send all engines away but these, kindly; those that are still being started, at once."""
        for link in [link for link in self.links.values() if link not in but]:
            self.stop(link, kindly=self.seated.get(link.player) is link)

    # Telling.

    def ask(self, link: Link, command: Command) -> Promise[Answer]:
        """Tell an engine something and promise its answer."""
        promise: Promise[Answer] = Promise()
        if link.number not in self.links:
            promise.fail(link.failure or Withdrawn(f"Engine {link.engine.name} was stopped."))
        else:
            self._send(link, command)
            self._owe(link, promise)
        return promise

    def tell(self, link: Link, command: Command) -> None:
        """Tell an engine something that it has to acknowledge."""
        self._send(link, command)
        self._owe(link, None)

    def _owe(self, link: Link, promise: Promise[Answer] | None) -> None:
        if not link.promises:
            link.due = self._due(link, self._desk.now)
        link.promises.append(promise)

    def _send(self, link: Link, command: Command) -> None:
        said = utterance(command)
        self._desk.effects.append(Tell(link.number, link.conversation.say(said)))
        if said.spec.changes:
            link.asked_at = link.move_due = None  # whatever it was thinking about has been overtaken

    def _news(self, link: Link, said: Utterance) -> None:
        """Tell an engine of a move: it has to acknowledge it, but nothing that it has to do."""
        self._desk.effects.append(Tell(link.number, link.conversation.say(said), False, True))
        link.asked_at = link.move_due = None
        if not link.promises:
            link.due = self._due(link, self._desk.now)
        link.promises.append(None)
        link.told += 1
        link.undone.clear()

    def start(self, link: Link) -> Promise[Answer]:
        """Tell an engine that the play begins; it may take its start clock to acknowledge."""
        promise: Promise[Answer] = Promise()
        self._send(link, START)
        self._owe(link, promise)
        link.told = 0
        link.undone.clear()
        return promise

    def step(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines of a new step, each what its player may know of it."""
        verdict = node.verdict
        before = node.parent.verdict.position if node.parent else verdict.position
        for link in links:
            player = link.player
            for actor, move in verdict.made:
                self._news(link, made_move(actor, before.seen(actor, move, player)))
            for refusal in verdict.refused:
                if refusal.player == player:
                    self.tell(link, Command("illegal_move", (f"{refusal.move} {refusal.reason}".rstrip(),)))
            if node.messages:
                self.messages((link,), node.messages)

    def messages(self, links: Iterable[Link], messages: Iterable[Message]) -> None:
        """Tell engines what partners have said, each what its player hears of it."""
        for message in messages:
            for link in links:
                talk = link.talk
                if talk is not None and talk.hears(link.player, message.sender, message.receiver):
                    self.tell(link, Command("told_message", (message.sender, message.text)))

    def back(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines that the step to `node` was taken back."""
        for link in links:
            for _ in node.made:
                self.tell(link, UNDONE)
                link.told -= 1
            if node.made:
                link.undone.append(node)

    def forward(self, links: Iterable[Link], node: Node) -> None:
        """Tell engines that the step to `node` counts again."""
        for link in links:
            if link.undone and link.undone[-1] is node:
                for _ in node.made:
                    self.tell(link, REDONE)
                    link.told += 1
                link.undone.pop()
            elif node.made:
                self.step((link,), node)

    def replay(self, link: Link, node: Node) -> Conversation[None]:
        """Tell an engine that has no seat yet the play from its start to a node; a start clock is waited for.

        Raises:
            CommandError: it failed meanwhile, or nobody wants to wait for it. It is gone then.
        """
        started = self.start(link)
        path = node.path()
        first = path[0].parent if path else node
        self.messages((link,), first.messages if first is not None else ())
        for step in path:
            self.step((link,), step)
        if self._desk.start_clock:
            try:
                yield from started
            except CommandError:
                self.stop(link, kindly=False)
                raise

    def ask_move(self, link: Link, limit: float | None, spent: float = 0.0) -> None:
        """Ask an engine for a move, of which some time may be spent already."""
        link.spent = spent
        limit = limit if limit is None else max(LEAST_LIMIT, limit - spent)
        desk = self._desk
        said = HAVE_TO_PLAY if limit is None else utterance(Command("have_to_play", (str(int(limit * 1000)),)))
        desk.effects.append(Tell(link.number, link.conversation.say(said), True))
        link.limit = limit
        self.asked(link, desk.now)

    def asked(self, link: Link, at: float) -> None:
        """The request for a move was sent at that time: from now on the engine is charged."""
        link.asked_at = at
        settings = self._desk.settings
        link.move_due = at + (settings.patience if link.limit is None else link.limit + settings.time_margin)

    def withdraw(self, link: Link) -> None:
        """Make an engine forget that it was asked for a move: a step back and forward, or a new start.

        The protocol has no command for it; these leave the position as it is and make a late
        select_move stale.
        """
        if link.told:
            self.tell(link, UNDONE)
            self.tell(link, REDONE)
        else:
            self.start(link)
            record = self._desk.play.record
            self.messages((link,), record.nodes[0].messages if record is not None else ())

    # Listening.

    def said(self, link: Link, line: bytes, at: float) -> None:
        """A line of an engine: keep the promise it answers, or pass on the move it selects."""
        try:
            event = link.conversation.receive(line)
        except RemoteProtocolError as error:
            self._on_fault(link, "protocol", f"{error}: {error.line}.")
            return
        if isinstance(event, Answered):
            promise = link.promises.popleft()
            link.due = self._due(link, at) if link.promises else None
            if promise is not None:
                promise.keep(event.answer)
        elif isinstance(event, Selected) and not event.stale:
            link.move_due = None
            self._on_move(link, event.move, at)
        elif isinstance(event, Told) and not event.stale:
            self._on_message(link, event.receiver, event.text)

    def acknowledged(self, number: LinkId, at: float) -> bool:
        """Take an `acknowledge` that was due and that nobody waits for; False: `said` has to look at it."""
        link = self.links.get(number)
        if link is None:
            return False
        promises = link.promises
        if not promises or promises[0] is not None or not link.conversation.acknowledge():
            return False
        promises.popleft()
        link.due = self._due(link, at) if promises else None
        return True

    def _due(self, link: Link, at: float) -> float:
        """When the oldest answer is due, if it has been waited for since `at`."""
        settings = self._desk.settings
        if link.conversation.oldest() == START:
            at += self._desk.start_clock
        return at + settings.answer_time

    def overdue(self) -> list[tuple[Link, str, str]]:
        """The engines whose time is over now: link, class of fault, and what there is to say."""
        now = self._desk.now
        late: list[tuple[Link, str, str]] = []
        for link in self.links.values():
            if link.due is not None and now >= link.due:
                oldest = link.conversation.oldest()
                late.append((link, "silence", f"no answer to {oldest.name if oldest else 'the referee'} in time."))
            elif link.move_due is not None and now >= link.move_due:
                if link.limit is None:
                    late.append((link, "silence", "no move, and no end of it in sight."))
                else:
                    late.append((link, "late", f"no move within {int(link.limit * 1000)} ms."))
        return late

    def next_due(self) -> float | None:
        """The next time at which an engine may be overdue."""
        earliest: float | None = None
        for link in self.links.values():
            due = link.due
            if due is not None and (earliest is None or due < earliest):
                earliest = due
            due = link.move_due
            if due is not None and (earliest is None or due < earliest):
                earliest = due
        return earliest


def option_of(link: Link, name: str) -> str:
    """An option's name as the engine spells it; what the engine has not listed, it is asked for as it is."""
    return match_name(name, link.listed) or name


def forbid_reserved(name: str) -> None:
    """Keep the supervisor from telling an engine that it plays another game.

    Raises:
        CommandError: only the referee sets this option.
    """
    if name.casefold() in RESERVED:  # engines may take it in any case
        raise CommandError(f"Option {name} is set by the referee.")


def refuse(link: Link, name: str, value: str, answer: Answer) -> None:
    """Turn an engine's refusal of an option into an error for the supervisor."""
    if answer.kind is AnswerKind.INVALID_OPTION_NAME:
        raise CommandError(f"No option named {name} for engine {link.engine.name}.")
    if answer.kind is AnswerKind.INVALID_OPTION_VALUE:
        raise CommandError(f"No value {value} for option {name} of engine {link.engine.name}.")
