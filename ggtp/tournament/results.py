"""What a tournament has come to: its games, blocks and faults, as values that nothing changes.

A *game* has seats, and in each seat sits a player of the plan; one player may have several
seats. A *block* is one start position and one chance seed, played in all its seatings: it is
the unit that statistics count. Scores go from 0 to 1, whatever the rule's own points are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ggtp.play.writing import HEADER, game_lines
from ggtp.tournament.facts import MoveFacts, both
from ggtp.tournament.plan.plan import Plan, Start
from ggtp.tournament.schedule.seatings import seatings


class Idle(NamedTuple):
    """What an engine did while it had nothing to do, in seconds."""

    watched: float
    used: float
    """The processor time in these."""
    waited: float = 0.0
    """How long of these it waited for a processor."""


class Guard(NamedTuple):
    """What an engine was kept from in a game."""

    words: str
    """As in `bubblewrap, no network`."""
    private: bool
    """Whether nothing that it learned could reach an engine of another game."""


ENDS: dict[str, str] = {
    "rules": "the rule ended it",
    "forfeit": "a fault cost the game",
    "length": "it was adjudicated for its length",
    "agreed": "all engines agreed who had lost",
    "drawn": "all engines agreed that it was a draw",
    "solved": "an exact search knew the result",
    "ruled": "the supervisor has decided it",
    "void": "it does not count",
    "quarantine": "it was not played: a player is in quarantine",
}
"""How a game can end."""


LAST_LINES = 6
"""The lines of an engine's last words that tables and progress show; case files have all that is kept."""


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """Something that went wrong in a game, and what it cost."""

    player: str
    """Whose it was, by its name in the plan; empty where it was nobody's."""
    seat: str
    fault: str
    """One of `ggtp.faults.IN_TOURNAMENTS`."""
    what: str
    """One sentence."""
    price: str
    """One of `ggtp.faults.PRICES`, or `AGAIN`: the engine was asked for another move."""
    ply: int = 0
    """How many moves had been made."""
    last_words: str = ""
    """The tail of the engine's standard error."""
    late_ms: int = 0
    """How much longer than its limit a late move took, whatever the margin."""
    referee_ms: int = 0
    """How much of that was the referee's own lateness, at most."""
    machine_ms: int = 0
    """How much of the move's time the engine waited for a processor."""
    cpu_ms: int = 0
    """The processor time that the engine's process had used, in all its games."""
    memory_mib: int = 0
    """The most memory that it had held at a time; 0 where that is not known."""
    present: tuple[str, ...] = ()
    """Of a lost worker: the players whose engines it had."""

    def last_lines(self) -> list[str]:
        """The last few lines that the engine wrote to its standard error, as of a traceback."""
        return self.last_words.splitlines()[-LAST_LINES:]


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A game that is to be played: everything that decides it."""

    block: int
    index: int
    """Which seating of its block, from 0."""
    round: int
    rule: int
    """Which rule of the plan, from 0."""
    start: int
    """Which start position of that rule, from 0."""
    seed: int
    """What chance, and with the seat each engine, begins from; the same in the whole block, but where each game has
    deals of its own."""
    seats: Mapping[str, str]
    """Seat to player."""

    @property
    def id(self) -> str:
        """`12.1`: block and seating."""
        return f"{self.block}.{self.index}"

    def opening(self, plan: Plan) -> Start:
        """The start position."""
        return plan.rules[self.rule].starts[self.start]

    def options(self, plan: Plan) -> dict[str, str]:
        """The rule's options in this game: those of its start position come before those of the rule."""
        return {**plan.rules[self.rule].options, **self.opening(plan).options}

    @property
    def table(self) -> tuple[object, ...]:
        """Equal for games that can be played at one table: by the same players in the same seats of a rule."""
        return (self.rule, *self.seats.items())


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play, or one being played: which attempt it is, and how far it has come."""

    game: GamePlan
    attempt: int = 1
    moves: tuple[str, ...] = ()
    banks: Mapping[str, float] = field(default_factory=dict)
    """Seat to the seconds left in its bank after these moves, where there are banks."""
    facts: tuple[MoveFacts, ...] = ()
    """The facts of each move; the last ones may be missing."""
    apart: bool = False
    """Whether the worker that plays it must have no other engines."""

    @property
    def id(self) -> str:
        """`12.1`: block and seating."""
        return self.game.id

    def moved(
        self, begin: int, moves: Iterable[str], banks: Mapping[str, float], facts: Iterable[MoveFacts] = ()
    ) -> Job:
        """The same job when these moves, of which this is known, were made after the first `begin`."""
        return replace(self, moves=(*self.moves[:begin], *moves), banks=banks, facts=both(self.facts, begin, facts))


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played."""

    plan: GamePlan
    scores: Mapping[str, float] = field(default_factory=dict)
    """Seat to score, from 0 to 1; empty where there is none."""
    standings: Mapping[str, str] = field(default_factory=dict)
    """Seat to `win`, `draw` or `loss`."""
    points: Mapping[str, str] = field(default_factory=dict)
    """Seat to the rule's own points, as text, where it gives any."""
    moves: tuple[str, ...] = ()
    """Every move from the rule's first position on, the start position's included, each `PLAYER MOVE`."""
    end: str = "rules"
    """One of `ENDS`."""
    reason: str = ""
    """One sentence."""
    faults: tuple[FaultSeen, ...] = ()
    attempt: int = 1
    seconds: float = 0.0
    thinking: Mapping[str, float] = field(default_factory=dict)
    """Seat to the seconds that its engine has thought."""
    lag_ms: float = 0.0
    """The referee's greatest lateness during the game; it is charged to nobody."""
    case: str = ""
    """The name of the case file, where there is one."""
    pattern: str = ""
    """A digest of the moves, the same for plays that look the same turned or mirrored, where the rule has such."""
    told: Mapping[str, str] = field(default_factory=dict)
    """Seat to the seal of what its engine was told of the play (see `told`)."""
    guards: Mapping[str, Guard] = field(default_factory=dict)
    """Seat to what its engine was kept from."""
    idle: Mapping[str, Idle] = field(default_factory=dict)
    """Seat to what its engine did while others were to move."""
    facts: tuple[MoveFacts, ...] = ()
    """The facts of each move, in their order; the last ones may be missing."""
    opened: int = 0
    """How many of the moves are those of its opening, start position and random moves; 0 where that is not known."""

    @property
    def id(self) -> str:
        """`12.1`: block and seating."""
        return self.plan.id

    @property
    def counts(self) -> bool:
        """Whether it has a result."""
        return self.end not in ("void", "quarantine")

    @property
    def faulty(self) -> bool:
        """Whether anybody's fault has touched it."""
        return bool(self.faults)

    def opening(self, plan: Plan) -> int:
        """How many of the moves were made for the players before the game began."""
        return self.opened or len(self.plan.opening(plan).moves)

    def player_scores(self) -> dict[str, float]:
        """Player to score: the mean over its seats."""
        found: dict[str, list[float]] = {}
        for seat, player in self.plan.seats.items():
            if seat in self.scores:
                found.setdefault(player, []).append(self.scores[seat])
        return {player: sum(scores) / len(scores) for player, scores in found.items()}

    def play_file(self, plan: Plan) -> str:
        """The game as a play file, which `ggtp FILE` replays."""
        rule = plan.rules[self.plan.rule]
        lines = [HEADER, f"# {plan.name}, game {self.id}, round {self.plan.round}"]
        lines += [f"# {seat}: {player}" for seat, player in self.plan.seats.items()]
        lines += game_lines(rule.rule, self.plan.options(plan), self.moves)
        if self.end != "rules":
            lines += [f"comment_node {self.reason or ENDS[self.end]}"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Block:
    """One start position and one chance seed, in all seatings."""

    number: int
    round: int
    rule: int
    start: int
    seed: int
    players: tuple[str, ...]
    """Who plays in it, in the plan's order."""
    games: tuple[Game, ...]
    """Those that count, in the order of their seatings."""
    size: int
    """How many games it has when it is complete."""

    @property
    def complete(self) -> bool:
        """Whether all of its seatings were played and count."""
        return len(self.games) == self.size

    def scores(self) -> dict[str, float]:
        """Player to its mean score over the games of the block."""
        found: dict[str, list[float]] = {}
        for game in self.games:
            for player, score in game.player_scores().items():
                found.setdefault(player, []).append(score)
        return {player: sum(scores) / len(scores) for player, scores in found.items()}


@dataclass(frozen=True, slots=True)
class Happened:
    """An act of the supervisor, or the tournament's own pause or end."""

    kind: str
    """`plan`, `pause`, `resume`, `end` or `note`."""
    at: str
    """When, as ISO 8601."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decision."""

    number: int
    """The number of its line in the journal."""
    act: str
    """One of `rulings.ACTS`."""
    subject: str
    """The game, the player, or the number of the ruling that is undone."""
    at: str
    """When, as ISO 8601."""
    text: str = ""
    """Who has decided it, and why."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """Seat to score, from 0 to 1, where a game is adjudicated."""

    def words(self) -> str:
        """On a line, for people."""
        scores = "".join(f" {seat}={score:g}" for seat, score in self.scores.items())
        return f"{self.number}: {self.act} {self.subject}{scores}, {self.at}{f', {self.text}' if self.text else ''}"

    def data(self) -> dict[str, Any]:
        """For JSON, without its number."""
        return {
            "act": self.act,
            "subject": self.subject,
            "scores": dict(self.scores),
            "at": self.at,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that a journal says, in order of play."""

    plan: Plan
    created: str = ""
    version: str = ""
    games: tuple[Game, ...] = ()
    """Those that count, by block and seating."""
    void: tuple[Game, ...] = ()
    """Attempts that do not count."""
    running: tuple[Job, ...] = ()
    """Games that were begun and have no result yet."""
    blocks: tuple[Block, ...] = ()
    """Every block of which a game counts, complete or not, by number."""
    happened: tuple[Happened, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    """What a supervisor has decided, undone or not."""
    ended: bool = False
    """Whether the tournament has come to its end."""

    @property
    def faults(self) -> tuple[FaultSeen, ...]:
        """All of them, of void games too."""
        return tuple(fault for game in (*self.games, *self.void) for fault in game.faults)

    def without_faults(self) -> Results:
        """The same without the games that a fault has touched, to compare."""
        games = tuple(game for game in self.games if not game.faulty)
        return replace(self, games=games, blocks=blocks_of(self.plan, games))


def block_size(plan: Plan, game: GamePlan) -> int:
    """How many games the block of a game has when it is complete."""
    seats = plan.rules[game.rule].seats
    if len(seats) == 1:
        # Each plays alone, so that a game does not tell who else meets there.
        if plan.format in ("match", "round-robin"):
            return len(plan.names)
        return len(plan.names) - plan.seeds + 1 if plan.format == "gauntlet" else 2
    present = set(game.seats.values())
    return len(seatings([name for name in plan.names if name in present], seats, plan.seatings))


def blocks_of(plan: Plan, games: tuple[Game, ...]) -> tuple[Block, ...]:
    """The games sorted into their blocks."""
    found: dict[int, list[Game]] = {}
    for game in games:
        found.setdefault(game.plan.block, []).append(game)
    blocks = []
    for number, members in sorted(found.items()):
        first = members[0].plan
        present = {player for game in members for player in game.plan.seats.values()}
        players = tuple(name for name in plan.names if name in present)
        ordered = tuple(sorted(members, key=lambda game: game.plan.index))
        size = block_size(plan, first)
        blocks.append(Block(number, first.round, first.rule, first.start, first.seed, players, ordered, size))
    return tuple(blocks)
