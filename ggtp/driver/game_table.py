"""A table at which games of a tournament are played, one after the other, with engines that stay.

It is a referee of its own with fixed seats. Every fault holds the play, and what it costs is
decided here, by the plan's table of prices; a game always ends in a `Game`, whatever happens.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from ggtp import __version__
from ggtp.catalogue import Catalogue
from ggtp.driver.driver import Driver
from ggtp.driver.lateness import Punctual, processor_waits, waited_seconds
from ggtp.driver.programs import program_lines
from ggtp.driver.tasks import in_thread
from ggtp.driver.usage import Usage, usage_of
from ggtp.errors import GgtpError
from ggtp.game import Picture, Result, Standing, TurnKind
from ggtp.game.notation import format_score
from ggtp.game.symmetry import simplest
from ggtp.protocol.text import split_map
from ggtp.referee.effects import LinkId
from ggtp.referee.faults import CLASSES, Fault
from ggtp.referee.referee import Referee
from ggtp.tournament.adjudication import Agreement, solve
from ggtp.tournament.case import Spoken, case_text
from ggtp.tournament.plan import Contestant, Plan
from ggtp.tournament.results import FaultSeen, Game, GamePlan
from ggtp.tournament.rulings import adjudicated
from ggtp.tournament.schedule import engine_seed
from ggtp.tournament.scoring import seat_scores
from ggtp.tournament.told import Told

WIRE_LINES = 400
"""How many of the last lines of a game go into a case file."""
RESTARTS = 3
"""How often in a game an engine is started again before a fault costs the game."""
MOST_FAULTS = 50
"""How many faults a game may have before it is void, whatever they cost."""
MOVE = "force_play "
PATTERN_BYTES = 12
ATTENDING = (
    "get_table", "list_possible_moves", "list_played_moves", "get_last_move", "get_clock", "list_players", "get_engine",
    "get_result", "list_faults", "play",
)  # fmt: skip
"""What may be said to the referee of a running game."""


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play, perhaps from where it was interrupted."""

    game: GamePlan
    attempt: int = 1
    moves: tuple[str, ...] = ()
    banks: Mapping[str, float] = field(default_factory=dict)
    """Seat to the seconds left in its bank after these moves."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, and the result, where there is one."""

    end: str
    reason: str
    result: Result | None = None
    plies: int | None = None
    """How many moves count, where not all do."""
    scores: Mapping[str, float] | None = None
    """The seats' scores, where they are not those of the result."""


class Unplayable(GgtpError):
    """An engine could not be seated, or the table not be laid."""

    def __init__(self, what: str, seat: str = "") -> None:
        super().__init__(what)
        self.seat = seat


class _Silent:
    """A screen that keeps the last things said."""

    def __init__(self) -> None:
        self.said: deque[str] = deque(maxlen=8)

    def respond(self, text: str) -> None:
        pass

    def inform(self, text: str) -> None:
        self.said.append(text)

    def draw(self, picture: Picture) -> None:
        pass


@dataclass(slots=True)
class _Moment:
    """What is known of the game at hand."""

    job: Job
    began: float
    faults: list[FaultSeen] = field(default_factory=list)
    wire: deque[Spoken] = field(default_factory=lambda: deque(maxlen=WIRE_LINES))
    restarts: dict[str, int] = field(default_factory=dict)
    waits: dict[LinkId, tuple[float, Mapping[str, int]]] = field(default_factory=dict)
    """When each engine was asked, and how long its threads had waited for a processor by then."""
    used: dict[str, Usage] = field(default_factory=dict)
    """Seat to what its engine's process had used when it failed."""
    looked_at: int = 0
    """How many moves adjudication has looked at."""
    questions: list[asyncio.Task[None]] = field(default_factory=list)
    judged: asyncio.Future[Ending] | None = None
    ruled: Ending | None = None
    """What a supervisor has decided."""
    begun: bool = False
    """Whether the engines play: the table is laid, and the moves of an interrupted game are made."""
    guests: dict[str, str] = field(default_factory=dict)
    """Seats that somebody has taken, and who: such a game does not count."""
    stirred: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody who attends the game has done something."""


class GameTable:
    """Plays games of one rule with the same players in the same seats. `play` never raises what a game can cause."""

    def __init__(
        self, plan: Plan, rule: int, seats: Mapping[str, str], catalogue: Catalogue, punctual: Punctual | None
    ) -> None:
        self.plan = plan
        self.seats = dict(seats)
        self._rule = plan.rules[rule]
        self._players: dict[str, Contestant] = {player.name: player for player in plan.players}
        self._catalogue = catalogue
        self._punctual = punctual
        self._screen = _Silent()
        self._driver: Driver | None = None
        self._moment: _Moment | None = None
        self._told: dict[LinkId, Told] = {}
        self._reported = 0
        judge = plan.adjudication
        self._listens = bool(judge.resign_score or judge.draw_score) and len(self.seats) == 2
        self._judges = self._listens or bool(judge.length or judge.solver_nodes)

    @property
    def engines(self) -> int:
        """How many engines wait at the table."""
        return len(self.seats) if self._driver is not None else 0

    async def play(self, job: Job) -> tuple[Game, str]:
        """Play a game; the second is the text of a case file, where anything went wrong."""
        moment = self._moment = _Moment(job, time.monotonic())
        self._reported = len(job.moves)
        if self._punctual is not None:
            self._punctual.worst = 0.0
        try:
            if self._driver is None:
                await self._lay()
            await self._begin(job)
            ending = await self._until_over(moment)
        except Unplayable as error:
            ending = self._unplayable(moment, error)
        except asyncio.CancelledError:
            await self.close()
            raise
        except Exception as error:  # noqa: BLE001 - our own mistake, or a rule's: it must not cost a player anything
            what = f"{type(error).__name__}: {error}"
            self._note(moment, FaultSeen("", "", "referee", what, self.plan.prices["referee"], self._plies()))
            ending = Ending("void", what)
        game = self._game(moment, ending)
        case = case_text(self.plan, game, moment.wire, await in_thread(self._programs)) if moment.faults else ""
        restart = any(self._players[name].restart for name in self.seats.values())
        if moment.faults or moment.guests or restart:
            await self.close()
        self._moment = None
        return game, case

    def fresh_moves(self) -> tuple[Job, int, list[str], dict[str, float]] | None:
        """Moves of the running game that were not told yet, how many come before them, and the banks after them."""
        if self._moment is None or self._driver is None:
            return None
        moves = self._moves()
        begin = self._reported
        if len(moves) <= begin or self._driver.referee.desk.busy:
            return None
        self._reported = len(moves)
        return self._moment.job, begin, moves[begin:], dict(self._driver.referee.flow.banks)

    def plays(self, game: str) -> bool:
        """Whether that game is being played here."""
        return self._moment is not None and self._moment.job.game.id == game

    def judge(self, game: str, scores: Mapping[str, float], reason: str) -> None:
        """End the game, if it is this one, with these scores of its seats, as a supervisor has decided."""
        moment = self._moment
        if moment is not None and self.plays(game) and moment.ruled is None:
            moment.ruled = Ending("ruled", reason, scores=scores)
            moment.questions.append(asyncio.ensure_future(self._halt()))

    async def _halt(self) -> None:
        """Have nobody asked any more, and nobody thinking, so that the game comes to rest."""
        if self._driver is not None:
            await self._driver.command("set_option genmove off")
            await self._driver.command("withdraw")  # refused where nobody thinks
            if self._moment is not None:
                self._moment.stirred.set()

    async def attend(self, line: str, who: str) -> str:
        """Say a line of the supervisor's to the referee of the running game; its answer.

        One may look at the play, take a seat from its engine (`set_engine Cross human`), and play there.
        """
        moment, driver = self._moment, self._driver
        if moment is None or driver is None:
            return "? The game has ended."
        if not moment.begun:
            return "? The game has not begun."
        words = line.split()
        command = words[0] if words else ""
        takes = command == "set_engine" and len(words) == 3 and words[2] == "human"
        if command not in ATTENDING and not takes:
            known = ", ".join((*ATTENDING, "set_engine SEAT human"))
            return f"? {command or 'Nothing'} can't be said to a game of a tournament: there are {known}."
        before = dict(moment.guests)
        if takes:
            seat = next((seat for seat in self.seats if seat.casefold() == words[1].casefold()), "")
            if seat:
                moment.guests[seat] = who
        answer = await driver.command(line)
        if answer.startswith("?"):
            moment.guests = before
        moment.stirred.set()
        return answer

    async def close(self) -> None:
        """Send the engines away."""
        driver, self._driver = self._driver, None
        self._told.clear()
        if driver is not None:
            driver.on_change = None
            driver.dismiss()
            await driver.close()

    # Laying the table.

    async def _lay(self) -> None:
        clocks = self.plan.clocks
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
            "time_margin": str(clocks.margin),
            "patience": str(clocks.patience),
            "engine_memory": str(self.plan.memory),
            **{f"fault_{name}": "ask" for name in CLASSES},
        }
        referee = Referee(version=f"ggtp {__version__}", rng=random.Random(0), defaults=defaults)
        driver = Driver(referee, self._catalogue, self._screen)
        driver.on_wire = self._on_wire
        driver.on_failing = self._on_failing
        if clocks.move or clocks.bank:
            driver.on_asked = self._on_asked
        if self._punctual is not None:
            driver.lateness = self._punctual.late
        if self._judges:
            driver.on_change = self._on_change
        self._driver = driver
        await self._must(f"set_rule {self._rule.rule}")
        for name, value in self._rule.options.items():
            await self._must(f"set_rule_option {name} {value}")
        if set(referee.desk.play.players) != set(self.seats):
            raise Unplayable(f"{self._rule.rule} is not played by {', '.join(self.seats)} any more.")
        for seat, name in self.seats.items():
            player = self._players[name]
            await self._must(f"set_engine {seat} {player.engine}", seat)
            for option, value in player.options.items():
                await self._must(f"set_engine_option {seat} {option} {value}", seat)

    async def _must(self, line: str, seat: str = "") -> None:
        assert self._driver is not None
        answer = await self._driver.command(line)
        if answer.startswith("?"):
            raise Unplayable(answer[2:], seat)

    async def _begin(self, job: Job) -> None:
        driver = self._driver
        assert driver is not None
        driver.referee.desk.faults.clear()
        self._screen.said.clear()
        await self._must(f"set_option seed {job.game.seed}")
        for seat in self.seats:
            driver.seed_engine(seat, engine_seed(job.game, seat))
        moves = job.moves or self._rule.starts[job.game.start].moves
        if moves:
            await self._let(go=False)
            await self._must("start")
            for move in moves:
                await self._must(f"{MOVE}{move}")
            if job.banks:
                driver.referee.flow.set_banks(job.banks)
            # Dice that were thrown before an interruption are thrown again, not the next ones of the row.
            if job.moves:
                await self._must(f"set_option seed {random.Random(f'{job.game.seed} {len(moves)}').getrandbits(31)}")
            await self._let(go=True)
        else:
            await self._let(go=True)
            await self._must("start")

    async def _let(self, *, go: bool) -> None:
        """Let engines and chance go on by themselves, or not."""
        assert self._driver is not None
        word = "on" if go else "off"
        for name in ("chance", "genmove"):
            if self._driver.referee.desk.settings.on(name) is not go:
                await self._must(f"set_option {name} {word}")

    # Playing.

    async def _until_over(self, moment: _Moment) -> Ending:
        driver = self._driver
        assert driver is not None
        moment.begun = True
        moment.judged = asyncio.get_running_loop().create_future() if self._judges else None
        if moment.judged is not None:
            self._on_change()
        while True:
            if moment.judged is None:
                await driver.settled(timers=True)
            else:
                settled = asyncio.ensure_future(driver.settled(timers=True))
                both: list[asyncio.Future[Any]] = [settled, moment.judged]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if not moment.judged.done():
                    await settled
                    await asyncio.gather(*moment.questions)
                settled.cancel()
                if moment.judged.done():
                    await driver.command("withdraw")  # refused where nobody thinks
                    return moment.judged.result()
            if moment.guests and moment.ruled is None and not driver.referee.desk.faults and not self._over():
                await moment.stirred.wait()
                moment.stirred.clear()
                continue
            if moment.ruled is not None:
                await asyncio.gather(*moment.questions)
                return moment.ruled
            play = driver.referee.desk.play
            if play.turn().kind is TurnKind.OVER:
                result = play.result()
                assert result is not None
                if moment.guests:
                    taken = ", ".join(f"{seat} was taken {who}" for seat, who in moment.guests.items())
                    return Ending("void", f"{taken}: {result.reason}")
                return Ending("rules", result.reason, result)
            ending = await self._faults(moment)
            if ending is not None:
                return ending

    def _over(self) -> bool:
        assert self._driver is not None
        return self._driver.referee.desk.play.turn().kind is TurnKind.OVER

    async def _faults(self, moment: _Moment) -> Ending | None:
        """The play is held: do what the prices say. None: it goes on."""
        driver = self._driver
        assert driver is not None
        desk = driver.referee.desk
        seen = list(desk.faults)
        desk.faults.clear()
        if not seen:
            return self._stuck(moment)
        for fault in seen:
            seat = fault.player
            noted = self._judge_fault(moment, fault)
            self._note(moment, noted)
            if len(moment.faults) > MOST_FAULTS:
                return Ending("void", f"more than {MOST_FAULTS} faults")
            price = noted.price
            if price == "restart":
                moment.restarts[seat] = moment.restarts.get(seat, 0) + 1
                price = "loss" if moment.restarts[seat] > RESTARTS else price
            if price in ("void", "stop"):
                return Ending("void", f"{noted.player or 'nobody'}: {noted.fault}, {noted.what}")
            if price == "loss":
                node = desk.play.forfeit(seat, f"{noted.fault}, {noted.what}")
                result = node.result()
                await driver.command("withdraw")
                assert result is not None
                return Ending("forfeit", result.reason, result)
            if price == "random":
                await self._random_move(moment, seat)
        if desk.play.held:
            await driver.command("genmove")
        return None

    async def _random_move(self, moment: _Moment, seat: str) -> None:
        driver = self._driver
        assert driver is not None
        play = driver.referee.desk.play
        if seat not in play.turn().players or seat in play.pending:
            return
        moves = play.position.moves(seat)
        rng = random.Random(f"{moment.job.game.seed} {moment.job.game.id} {self._plies()} {seat}")
        await driver.command(f"{MOVE}{seat} {moves[rng.randrange(len(moves))]}")

    def _judge_fault(self, moment: _Moment, fault: Fault) -> FaultSeen:
        """The fault as it is written down, with what it costs; a late move may be the machine's fault."""
        name, late_ms, referee_ms, machine_ms = fault.fault, 0, 0, 0
        if name == "late":
            link = next((n for n, seat in self._links.items() if seat == fault.player), None)
            asked = moment.waits.get(link) if link is not None else None
            if asked is not None and link is not None:
                limit = (self.plan.clocks.move or self.plan.clocks.bank) / 1000
                late = max(0.0, time.monotonic() - asked[0] - limit)
                machine = waited_seconds(asked[1], self._waits(link))
                late_ms, machine_ms = round(late * 1000), round(machine * 1000)
                referee_ms = round(self._punctual.worst * 1000) if self._punctual is not None else 0
                if machine >= late:
                    name = "machine"  # with a processor of its own it would have been within its limit
        player = "" if name == "machine" else self.seats[fault.player]
        used = moment.used.pop(fault.player, None) or self._used(fault.player)
        return FaultSeen(
            player, fault.player, name, fault.what, self.plan.prices[name], self._plies(), fault.last_words,
            late_ms, referee_ms, machine_ms, used.cpu_ms, used.memory_mib,
        )  # fmt: skip

    def _stuck(self, moment: _Moment) -> Ending:
        """Held without a fault of an engine: an engine could not be started again, or the rule has failed."""
        driver = self._driver
        assert driver is not None
        what = next((text for text in reversed(self._screen.said) if "held" in text), "the play does not go on")
        gone = [seat for seat in self.seats if seat not in driver.referee.flow.engines.seated]
        seat = gone[0] if gone else ""
        name = "start" if gone else "referee"
        price = self.plan.prices[name]
        self._note(moment, FaultSeen(self.seats.get(seat, ""), seat, name, what, price, self._plies()))
        if gone and price == "loss":
            result = driver.referee.desk.play.forfeit(seat, what).result()
            return Ending("forfeit", what, result)
        return Ending("void", what)

    def _unplayable(self, moment: _Moment, error: Unplayable) -> Ending:
        name = "start" if error.seat else "referee"
        price = self.plan.prices[name]
        self._note(moment, FaultSeen(self.seats.get(error.seat, ""), error.seat, name, str(error), price))
        if error.seat and price == "loss":
            standings = {seat: Standing.LOSS if seat == error.seat else Standing.WIN for seat in self.seats}
            return Ending("forfeit", str(error), Result(standings, {}, str(error)))
        return Ending("void", str(error))

    def _note(self, moment: _Moment, fault: FaultSeen) -> None:
        moment.faults.append(fault)

    # Adjudication.

    def _on_change(self) -> None:
        moment, driver = self._moment, self._driver
        if moment is None or driver is None or moment.judged is None or moment.judged.done():
            return
        play = driver.referee.desk.play
        if play.record is None or play.turn().kind is TurnKind.OVER:
            return
        moves = self._moves()
        if len(moves) == moment.looked_at:
            return
        fresh, moment.looked_at = moves[moment.looked_at :], len(moves)
        rules = self.plan.adjudication
        if rules.length and len(moves) >= rules.length:
            moment.judged.set_result(self._too_long(len(moves)))
            return
        if rules.solver_nodes and not self._rule.hidden:
            result = solve(play.position, tuple(self.seats), rules.solver_nodes)
            if result is not None:
                moment.judged.set_result(Ending("solved", result.reason, result, len(moves)))
                return
        if self._listens and len(fresh) == 1:
            mover = next((seat for seat in self.seats if fresh[0].startswith(f"{seat} ")), None)
            if mover is not None:
                moment.questions = [task for task in moment.questions if not task.done()]
                moment.questions.append(asyncio.ensure_future(self._listen(moment, mover, len(moves))))

    def _too_long(self, plies: int) -> Ending:
        reason = f"adjudicated: {plies} moves"
        if self.plan.adjudication.length_result == "void":
            return Ending("void", reason, plies=plies)
        # Alone, who has not come to an end has not solved it.
        standing = Standing.DRAW if len(self.seats) > 1 else Standing.LOSS
        return Ending("length", reason, Result(dict.fromkeys(self.seats, standing), {}, reason), plies)

    async def _listen(self, moment: _Moment, seat: str, plies: int) -> None:
        """Ask whoever has moved what it thinks of its chances."""
        assert self._driver is not None
        text = await self._driver.ask_behind(seat, "get_option", "last_search")
        if moment.judged is None or moment.judged.done():
            return
        try:
            report = split_map(text or "")
        except ValueError:
            report = {}
        result = self._agreement(moment).hear(seat, report)
        if result is not None and not moment.judged.done():
            drawn = Standing.DRAW in result.standings.values()
            moment.judged.set_result(Ending("drawn" if drawn else "agreed", result.reason, result, plies))

    def _agreement(self, moment: _Moment) -> Agreement:
        if self._agreed is None or self._agreed[0] is not moment:
            self._agreed = (moment, Agreement(self.plan.adjudication, tuple(self.seats)))
        return self._agreed[1]

    _agreed: tuple[_Moment, Agreement] | None = None

    # What is known.

    def _moves(self) -> list[str]:
        assert self._driver is not None
        lines = self._driver.referee.desk.play.lines
        return [line[len(MOVE) :] for line in lines if line.startswith(MOVE)]

    def _plies(self) -> int:
        return len(self._moves()) if self._driver is not None else 0

    @property
    def _links(self) -> dict[LinkId, str]:
        if self._driver is None:
            return {}
        return {number: link.player for number, link in self._driver.referee.flow.engines.links.items()}

    def _waits(self, link: LinkId) -> Mapping[str, int]:
        pid = self._driver.engine_process(link) if self._driver is not None else None
        return {} if pid is None else processor_waits(pid)

    def _used(self, seat: str) -> Usage:
        link = next((number for number, name in self._links.items() if name == seat), None)
        pid = self._driver.engine_process(link) if self._driver is not None and link is not None else None
        return Usage() if pid is None else usage_of(pid)

    def _on_failing(self, link: LinkId) -> None:
        seat = self._links.get(link)
        if self._moment is not None and seat is not None:
            self._moment.used[seat] = self._used(seat)

    def _on_asked(self, link: LinkId) -> None:
        if self._moment is not None:
            self._moment.waits[link] = (time.monotonic(), self._waits(link))

    def _on_wire(self, link: LinkId, to_engine: bool, line: bytes, at: float) -> None:
        if to_engine:
            told = self._told.get(link)
            if told is None:
                told = self._told[link] = Told()
            told.hear(line)
        moment = self._moment
        if moment is not None:
            moment.wire.append((at - moment.began, link, to_engine, line))

    def _programs(self) -> dict[str, tuple[str, ...]]:
        """What is known of the players' programs, for a case file."""
        found = {}
        for name in dict.fromkeys(self.seats.values()):
            try:
                found[name] = program_lines(self._catalogue.find_engine(self._players[name].engine))
            except (GgtpError, OSError) as error:
                found[name] = (f"unknown, {error}",)
        return found

    def _pattern(self, moves: tuple[str, ...]) -> str:
        """A digest of the moves, for finding plays that are the same but for being turned or mirrored."""
        play = self._driver.referee.desk.play if self._driver is not None else None
        if play is None or play.rules is None or not moves:
            return ""
        symmetries = play.rules.symmetries(play.option_values())
        if not symmetries:
            return ""
        text = "\n".join(simplest(symmetries, moves))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=PATTERN_BYTES).hexdigest()

    def _game(self, moment: _Moment, ending: Ending) -> Game:
        result = ending.result
        job = moment.job
        moves = tuple(self._moves()) if self._driver is not None else job.moves
        thought = self._driver.referee.flow.thought if self._driver is not None else {}
        scores = {} if result is None else seat_scores(result, self.plan.score)
        game = Game(
            plan=job.game,
            scores=scores,
            standings={} if result is None else {seat: word.value for seat, word in result.standings.items()},
            points={} if result is None else {seat: format_score(points) for seat, points in result.scores.items()},
            moves=moves[: ending.plies],
            end=ending.end,
            reason=ending.reason,
            faults=tuple(moment.faults),
            attempt=job.attempt,
            seconds=time.monotonic() - moment.began,
            thinking=dict(thought),
            lag_ms=self._punctual.worst * 1000 if self._punctual is not None else 0.0,
            pattern=self._pattern(moves[: ending.plies]),
            told={seat: self._told[link].seal for link, seat in self._links.items() if link in self._told},
        )
        return game if ending.scores is None else adjudicated(game, ending.scores, ending.reason)
