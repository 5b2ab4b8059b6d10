"""A referee of a tournament's games and the engines that sit before it: laid once, kept for many games."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from ggtp import __version__
from ggtp.arena.lateness import Punctual
from ggtp.arena.table.moment import Unplayable
from ggtp.catalogue import Catalogue
from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.driver.protection import is_private
from ggtp.driver.tasks import in_thread
from ggtp.errors import GgtpError
from ggtp.faults import ASK, AT_PROMPTS
from ggtp.game import Picture
from ggtp.game.chance import derive
from ggtp.play.play import MOVE
from ggtp.play.replay import begun, make_all
from ggtp.protocol.text import join_map
from ggtp.referee.effects import LinkId
from ggtp.referee.notes import LAST_SEARCH
from ggtp.referee.referee import Referee
from ggtp.tournament.facts import MoveFacts, both, facts_from, trimmed
from ggtp.tournament.opening import random_opening
from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import Contestant, Plan
from ggtp.tournament.results import GamePlan, Guard, Job
from ggtp.tournament.schedule.schedule import deal_seed, engine_seed

if TYPE_CHECKING:
    from ggtp.foreign.disguise import Disguise


class SilentScreen:
    """A screen that keeps the last things said."""

    def __init__(self) -> None:
        self.said: deque[str] = deque(maxlen=8)

    def respond(self, text: str) -> None:
        """Whoever asked has the answer."""

    def inform(self, text: str) -> None:
        """Keep it."""
        self.said.append(text)

    def draw(self, picture: Picture) -> None:
        """Nobody looks."""


class Seating:
    """One rule, one player for each seat, and, once it is laid, a driver with their engines."""

    def __init__(
        self, plan: Plan, rule: int, seats: Mapping[str, str], catalogue: Catalogue, punctual: Punctual | None
    ) -> None:
        self.plan = plan
        self.rule = plan.rules[rule]
        self.seats = dict(seats)
        self.players: dict[str, Contestant] = {player.name: player for player in plan.players}
        self.catalogue = catalogue
        self.punctual = punctual
        self.screen = SilentScreen()
        self.driver: Driver | None = None
        self.guards: dict[str, Guard] = {}
        """Seat to what its engine is kept from."""
        self._earlier: tuple[MoveFacts, ...] = ()
        """The facts of the moves that were made before the game was interrupted."""
        self.opened = 0
        """How many moves of the game at hand are those of its opening."""
        self._options: dict[str, str] = {}
        """The rule's options that were set."""
        self._random: tuple[tuple[int, int], tuple[str, ...]] | None = None
        """The random moves found last, with the start position and the seed that they follow from."""

    @property
    def laid(self) -> Driver:
        """The driver, of which the caller knows that it is there."""
        assert self.driver is not None
        return self.driver

    async def _disguise(self) -> Disguise:
        from ggtp.foreign.disguise import Disguise  # only those who want it pay for it

        try:
            rules = await in_thread(self.catalogue.find_rules, self.rule.rule)
        except GgtpError as error:
            raise Unplayable(str(error)) from error
        return Disguise(rules.text or "", self.rule.scramble)

    async def lay(self, listeners: Listeners) -> None:
        """Make a driver with the plan's clocks, choose the rule and start the engines.

        Raises:
            Unplayable: something of it was refused, or the rule that is to be disguised can't be found.
        """
        await self.lay_rule(listeners)
        for seat in self.seats:
            await self._engage(seat)

    async def lay_rule(self, listeners: Listeners) -> None:
        """Make a driver with the plan's clocks, and choose the rule.

        Raises:
            Unplayable: something of it was refused, or the rule that is to be disguised can't be found.
        """
        clocks = self.plan.clocks_of(self.rule)
        controls = {seat: self.clocks(seat).control for seat in self.seats}
        odds = {seat: control.text() for seat, control in controls.items() if control != clocks.control}
        defaults = {
            "show_when_play": "off",
            "show_results": "off",
            "keep_plays": "off",
            "genmove": "off",
            "chance": "off",
            "time_start": str(clocks.start),
            "time_move": str(clocks.move),
            "time_bank": str(clocks.bank),
            "time_increment": str(clocks.increment),
            **({"time_odds": join_map(odds)} if odds else {}),
            "time_margin": str(clocks.margin),
            "patience": str(clocks.patience),
            "secret_window": clocks.window_text,
            "engine_memory": str(self.plan.memory),
            "sandbox": self.plan.sandbox,
            "engine_network": self.plan.network,
            **{f"fault_{name}": ASK.policy for name in AT_PROMPTS},
        }
        make_referee = partial(Referee, version=f"ggtp {__version__}", defaults=defaults)
        disguise = await self._disguise() if self.rule.scramble else None
        self.driver = Driver(make_referee, self.catalogue, self.screen, listeners=listeners, disguise=disguise)
        self.driver.referee.keep_notes()
        await self.must(f"set_rule {self.rule.rule}")
        self._options = {}
        await self._choose(self.rule.options)
        if set(self.laid.view.play.players) != set(self.seats):
            raise Unplayable(f"{self.rule.rule} is not played by {', '.join(self.seats)} any more.")

    async def _engage(self, seat: str) -> None:
        """Start the engine of a seat with its options."""
        player = self.players[self.seats[seat]]
        await self.must(f"set_engine {seat} {player.engine}", seat)
        engine = self.laid.view.engine(seat)
        limits = self.clocks(seat).limit_options(() if engine is None else engine.options)
        for option, value in {**limits, **player.options}.items():
            await self.must(f"set_engine_option {seat} {option} {value}", seat)
        if engine is not None:
            await self._guard(seat, engine.link)

    async def _guard(self, seat: str, link: LinkId) -> None:
        """Keep in mind what an engine of this machine is kept from."""
        protection = self.laid.engine_protection(link)
        if protection is None:
            return
        spec = await in_thread(self.catalogue.find_engine, self.players[self.seats[seat]].engine)
        writes = () if protection.level == "strict" else spec.writes
        words = protection.sentence() + (f", writes to {', '.join(writes)}" if writes else "")
        self.guards[seat] = Guard(words, is_private(protection, writes))

    def clocks(self, seat: str) -> Clocks:
        """The clocks of the player in a seat."""
        return self.plan.clocks_of(self.rule, self.players[self.seats[seat]])

    async def must(self, line: str, seat: str = "") -> None:
        """Say a line to the referee that it has no reason to refuse.

        Raises:
            Unplayable: it did, on account of that seat if there is one.
        """
        answer = await self.laid.command(line)
        if answer.startswith("?"):
            raise Unplayable(answer[2:], seat)

    async def begin(self, job: Job) -> None:
        """Begin a game, or go on where it was interrupted.

        Raises:
            Unplayable: that was refused.
        """
        driver = self.laid
        driver.referee.take_faults()
        self.screen.said.clear()
        seed = deal_seed(self.plan, job.game, job.attempt)
        await self.must(f"set_option seed {seed}")
        for seat in self.seats:
            driver.seed_engine(seat, engine_seed(job.game, seat))
        await self._choose(job.game.options(self.plan))
        opening = await self._opening(job)
        self.opened = len(opening)
        moves, self._earlier = job.moves or opening, job.facts
        if moves:
            await self._let(go=False)
            await self.must("start")
            for move in moves:
                await self.must(f"{MOVE}{move}")
            if job.banks:
                driver.referee.set_banks(job.banks)
            # Dice that were thrown before an interruption are thrown again, not the next ones of the row.
            if job.moves:
                await self.must(f"set_option seed {derive(seed, 'resumed', len(moves))}")
            await self._let(go=True)
        else:
            await self._let(go=True)
            await self.must("start")

    async def _choose(self, options: Mapping[str, str]) -> None:
        """Give the rule these options, where it does not have them yet, and those that an earlier game had no more."""
        rules = self.laid.view.play.need_rules()
        usual = rules.complete({}) if self._options.keys() - options.keys() else {}
        for name, value in {**{name: usual[name] for name in self._options if name in usual}, **options}.items():
            if self._options.get(name) != value:
                await self.must(f"set_rule_option {name} {value}")
                self._options[name] = value

    async def _opening(self, job: Job) -> tuple[str, ...]:
        """The moves that are made before engines play: those of the start position, and random ones.

        Raises:
            Unplayable: the game is always over by then.
        """
        moves = job.game.opening(self.plan).moves
        if not self.rule.random_moves:
            return moves
        key = (job.game.start, deal_seed(self.plan, job.game, job.attempt))
        if self._random is None or self._random[0] != key:
            found = await in_thread(self._draw, job.game, key[1])
            if found is None:
                raise Unplayable(f"{self.rule.rule} is always over after {self.rule.random_moves} random moves.")
            self._random = (key, found)
        return (*moves, *self._random[1])

    def _draw(self, game: GamePlan, seed: int) -> tuple[str, ...] | None:
        play = begun(self.laid.view.play.need_rules(), self.rule.rule, game.options(self.plan))
        make_all(play, game.opening(self.plan).moves)
        return random_opening(
            play.position, play.players, self.rule.random_moves, self.rule.balance, derive(seed, "opening")
        )

    async def _let(self, *, go: bool) -> None:
        """Let engines and chance go on by themselves, or not."""
        word = "on" if go else "off"
        for name in ("chance", "genmove"):
            if self.laid.view.on(name) is not go:
                await self.must(f"set_option {name} {word}")

    async def clear(self) -> None:
        """Send the engines away."""
        driver, self.driver = self.driver, None
        if driver is not None:
            driver.dismiss()
            await driver.close()

    # What is known.

    def moves(self) -> list[str]:
        """The moves of the play, each `PLAYER MOVE`."""
        return list(self.laid.view.play.moves)

    def facts(self) -> tuple[MoveFacts, ...]:
        """The facts of each move."""
        if self.driver is None:
            return ()
        notes = self.driver.view.notes
        found = trimmed(facts_from(note.player, note.seconds, note.left, note.search) for note in notes)
        begin = len(self._earlier)  # these moves were only made again
        return both(self._earlier, begin, found[begin:]) if begin else found

    async def hear_out(self) -> None:
        """Wait for what engines still have to say of their searches; the time for an answer bounds it."""
        driver = self.driver
        for link, seat in self.links.items():
            if driver is not None and driver.view.awaits_search(link):
                # Answers come in order: with that to another question, the first one is there.
                await driver.ask_engine(seat, "get_option", LAST_SEARCH, behind=True)

    def plies(self) -> int:
        """How many they are; none where there is no table."""
        return len(self.moves()) if self.driver is not None else 0

    @property
    def links(self) -> dict[LinkId, str]:
        """Every engine, and its seat."""
        if self.driver is None:
            return {}
        return {engine.link: engine.player for engine in self.driver.view.engines()}

    def link_of(self, seat: str) -> LinkId | None:
        """The engine in a seat, if there is one."""
        return next((number for number, name in self.links.items() if name == seat), None)

    def process(self, link: LinkId | None) -> int | None:
        """The process of an engine, while it has one."""
        return self.driver.engine_process(link) if self.driver is not None and link is not None else None
