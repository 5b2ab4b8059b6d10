"""A tournament's plan: who plays what, how often, on which clocks, and what a fault costs.

A plan is read from a mapping, whether that came from a TOML file or from a journal's header:
`plan_from` checks every word of it, and `Plan.data` gives the complete mapping back, so that a
header holds the whole plan and nothing has to be looked up again. Names that nobody knows are
refused with the ones that were probably meant.

The seats of a rule and the moves of its start positions are filled in by whoever can find
rules (`RulePlan.seats`, `Start.moves`); the rest of the house sees plans only with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ggtp.errors import GgtpError
from ggtp.faults import AGAIN, FAULTS, IN_TOURNAMENTS, MOST_TRIES, PRICES, read_retry, retry_of
from ggtp.game.chance import MOST_KEY
from ggtp.stats.sprt import MODELS, Model
from ggtp.tournament.plan.clocks import OF_A_PLAYER, UNLIMITED, Clocks, read_clocks
from ggtp.tournament.plan.words import Words

FORMATS: dict[str, str] = {
    "match": "all players against each other at one table, block after block",
    "round-robin": "every group of players as large as the table meets",
    "gauntlet": "the first players each meet every other player, which do not meet each other",
    "swiss": "rounds, in which those meet who stand about equal and have not met",
    "knockout": "rounds, of which only the winners go on",
    "ladder": "neighbours on a ladder meet, and the winner stands above the loser",
    "elimination": "rounds of all who are left, and who is surely not the best is out",
}
"""The formats, and what they mean."""

SAME_MEETINGS = ("match", "round-robin", "gauntlet")
"""The formats in which who meets does not depend on results."""

SCORINGS: dict[str, str] = {
    "rank": "the share of the other players that were beaten, a tie being half of it",
    "win": "1 for a win, a share of 1 for a draw, 0 for a loss",
    "points": "the rule's points, from the lowest to the highest there are",
}
"""How a play's result becomes scores from 0 to 1."""

BLAMED = ("loss", "quarantine")
"""What becomes of the other games of a player that is blamed for lost workers: they are lost, or not played."""

SANDBOXES = ("standard", "strict", "off")
"""How far engines are kept from the rest of the machine: the values of the referee's option `sandbox`."""
NETWORKS = ("asked", "off")
"""Which engines may use the network: the values of the referee's option `engine_network`."""
DEALS: dict[str, str] = {
    "auto": "common, but own where an engine could remember what it has seen of a deal",
    "common": "all games of a block, and those of all who meet, have the same dice and deals",
    "own": "each game has dice and deals of its own",
}
"""Which games share dice and deals."""

MOST_GAMES = 10**9


class PlanError(GgtpError):
    """A plan that can't be followed; the text says where and why."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place
        """The place in the plan, as in `player 2.options.Depth`; empty if it is about no single word."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One who takes part: an engine under a name of its own, with options."""

    name: str
    engine: str
    options: Mapping[str, str] = field(default_factory=dict)
    restart: bool = False
    """Whether it is started anew for each game."""
    clocks: Mapping[str, int] = field(default_factory=dict)
    """The keys of its clocks that are not as the rule has them."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start position: its name, the moves that lead there, each `PLAYER MOVE`, and what they begin from."""

    name: str = ""
    moves: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """The rule's options that are others here, such as the position that the moves begin from."""


@dataclass(frozen=True, slots=True)
class RulePlan:
    """A rule of the tournament, with its options and where its games begin."""

    rule: str
    options: Mapping[str, str] = field(default_factory=dict)
    starts: tuple[Start, ...] = (Start(),)
    seats: tuple[str, ...] = ()
    """The rule's players, in seating order."""
    hidden: bool = False
    """Whether the rule has secrets."""
    scramble: int = 0
    """Where not 0, engines are told the rules in made-up words, which follow from this number."""
    clocks: Mapping[str, int] = field(default_factory=dict)
    """The keys of its clocks that are not as the plan has them."""
    random_moves: int = 0
    """How many moves at random follow a start position, the same in all games of a block."""
    balance: float = 0.25
    """How far a player's mean score in random games from there may be from that of all, at most."""
    deals: str = ""
    """`common` or `own`, one of `DEALS`; where nobody has looked yet, nothing, which means common."""
    chance: bool = False
    """Whether the rule has dice or deals."""

    @property
    def own_deals(self) -> bool:
        """Whether each game has dice and deals of its own."""
        return self.deals == "own"

    @property
    def telling(self) -> bool:
        """Whether it would help an engine to know another game of the same deal."""
        return self.chance or self.hidden


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game is ended before its rule ends it."""

    length: int = 0
    """After so many moves; 0 never."""
    length_result: str = "draw"
    """What that is: `draw`, or `void`."""
    resign_score: float = 0.0
    """A player is lost when all engines' last searches say that its score, from 0 to 100, is at most this; 0 never."""
    resign_moves: int = 3
    """How many moves in a row they must agree."""
    draw_score: float = 0.0
    """A draw when all engines' scores are within this of 50; 0 never."""
    draw_moves: int = 8
    solver_nodes: int = 0
    """Positions that an exact search may look at, after each move; 0 never."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test that ends a match of two players as soon as it is decided."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalised"
    """What `elo0` and `elo1` are measured in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides which games are played, and what they count."""

    players: tuple[Contestant, ...]
    rules: tuple[RulePlan, ...]
    name: str = "tournament"
    format: str = "round-robin"
    seed: int | None = None
    """The key of all chance; None: whoever runs it draws one (see `ggtp.game.chance`)."""
    blocks: int = 1
    """How many blocks each meeting has, for each rule."""
    rounds: int = 0
    """How many rounds, where the format has them; 0 lets it decide."""
    seeds: int = 1
    """A gauntlet's challengers: the first so many players."""
    seatings: int = 0
    """At most so many seatings a block, a balanced choice of them; 0 for all, up to 24."""
    score: str = "rank"
    clocks: Clocks = UNLIMITED
    prices: Mapping[str, str] = field(
        default_factory=lambda: {name: cost.price for name, cost in IN_TOURNAMENTS.items()}
    )
    replays: int = 3
    """How often a void game is played again before it is left out."""
    repeats: int = 10
    """After so many times as many repeated blocks in a row as there are different ones no more are begun; 0 never."""
    lost_workers: int = 3
    """After so many games that lost their workers a player is suspected of that (see `LostWorkers`); 0 never."""
    lost_workers_price: str = "loss"
    """What becomes of the other games of a player that is blamed: one of `BLAMED`."""
    strikes: int = 0
    """After so many faults a player is in quarantine: its other games are not played; 0 never."""
    adjudication: Adjudication = Adjudication()
    sprt: Sprt | None = None
    memory: int = 4096
    """Mebibytes that an engine may use."""
    sandbox: str = "standard"
    """One of `SANDBOXES`; an engine's description may ask for a stricter one."""
    network: str = "asked"
    """One of `NETWORKS`."""
    deals: str = "auto"
    """One of `DEALS`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(player.name for player in self.players)

    def clocks_of(self, rule: RulePlan, player: Contestant | None = None) -> Clocks:
        """The clocks of a rule, or of a player in it."""
        return self.clocks.changed(rule.clocks, {} if player is None else player.clocks)

    @property
    def limit_ms(self) -> int:
        """The shortest limit for a move, or else for a game, in milliseconds; 0 where there is none."""
        limits = (self.clocks_of(rule, player).limit for rule in self.rules for player in self.players)
        return min((limit for limit in limits if limit), default=0)

    def data(self) -> dict[str, Any]:
        """The whole plan, as `plan_from` reads it: only what JSON and TOML have."""
        data: dict[str, Any] = {
            "name": self.name,
            "format": self.format,
            **({} if self.seed is None else {"seed": self.seed}),
            "blocks": self.blocks,
            "rounds": self.rounds,
            "seeds": self.seeds,
            "seatings": self.seatings,
            "score": self.score,
            "replays": self.replays,
            "repeats": self.repeats,
            "lost_workers": self.lost_workers,
            "lost_workers_price": self.lost_workers_price,
            "strikes": self.strikes,
            "memory": self.memory,
            "sandbox": self.sandbox,
            "network": self.network,
            "deals": self.deals,
            "time": _fields(self.clocks),
            "faults": dict(self.prices),
            "adjudicate": _fields(self.adjudication),
            "player": [
                {
                    "name": p.name,
                    "engine": p.engine,
                    "options": dict(p.options),
                    "restart": p.restart,
                    **({"time": dict(p.clocks)} if p.clocks else {}),
                }
                for p in self.players
            ],
            "rule": [
                {
                    "rule": r.rule,
                    "options": dict(r.options),
                    "seats": list(r.seats),
                    "hidden": r.hidden,
                    "chance": r.chance,
                    "deals": r.deals,
                    "scramble": r.scramble,
                    **({"time": dict(r.clocks)} if r.clocks else {}),
                    **({"random_moves": r.random_moves, "balance": r.balance} if r.random_moves else {}),
                    "start": [_start_data(start) for start in r.starts],
                }
                for r in self.rules
            ],
        }
        if self.sprt is not None:
            data["sprt"] = _fields(self.sprt)
        return data


def _start_data(start: Start) -> dict[str, Any]:
    data: dict[str, Any] = {"name": start.name, "moves": list(start.moves)}
    return {**data, "options": dict(start.options)} if start.options else data


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """The plan that a mapping describes.

    Raises:
        PlanError: something in it is unknown, missing or wrong; nothing is guessed.
    """
    top = Words("", data, PlanError)
    players = tuple(_contestant(words) for words in top.tables("player"))
    rules = tuple(_rule(words) for words in top.tables("rule"))
    faults = top.table("faults")
    judge = top.table("adjudicate")
    default = faults.choice("default", "", ("", *PRICES))
    prices = {
        name: _price(faults, name, (FAULTS[name].engine and default) or cost.price)
        for name, cost in IN_TOURNAMENTS.items()
    }
    sprt = top.table("sprt") if "sprt" in data else None
    plan = Plan(
        players=players,
        rules=rules,
        name=top.text("name", "tournament"),
        format=top.choice("format", "match" if len(players) == 2 else "round-robin", tuple(FORMATS)),
        seed=top.whole("seed", 0, 0, MOST_KEY) if "seed" in data else None,
        blocks=top.whole("blocks", 1, 1, MOST_GAMES),
        rounds=top.whole("rounds", 0, 0, 10_000),
        seeds=top.whole("seeds", 1, 1, 10_000),
        seatings=top.whole("seatings", 0, 0, 10_000),
        score=top.choice("score", "rank", tuple(SCORINGS)),
        clocks=Clocks(**read_clocks(top)),
        prices=prices,
        replays=top.whole("replays", 3, 0, 1000),
        repeats=top.whole("repeats", 10, 0, MOST_GAMES),
        lost_workers=top.whole("lost_workers", 3, 0, MOST_GAMES),
        lost_workers_price=top.choice("lost_workers_price", "loss", BLAMED),
        strikes=top.whole("strikes", 0, 0, MOST_GAMES),
        adjudication=Adjudication(
            length=judge.whole("length", 0, 0, MOST_GAMES),
            length_result=judge.choice("length_result", "draw", ("draw", "void")),
            resign_score=judge.real("resign_score", 0.0, 0.0, 50.0),
            resign_moves=judge.whole("resign_moves", 3, 1, 10_000),
            draw_score=judge.real("draw_score", 0.0, 0.0, 50.0),
            draw_moves=judge.whole("draw_moves", 8, 1, 10_000),
            solver_nodes=judge.whole("solver_nodes", 0, 0, MOST_GAMES),
        ),
        sprt=None
        if sprt is None
        else Sprt(
            elo0=sprt.real("elo0", 0.0, -10_000.0, 10_000.0),
            elo1=sprt.real("elo1", 5.0, -10_000.0, 10_000.0),
            alpha=sprt.real("alpha", 0.05, 0.0001, 0.5),
            beta=sprt.real("beta", 0.05, 0.0001, 0.5),
            model=_model(sprt),
        ),
        memory=top.whole("memory", 4096, 16, 2**24),
        sandbox=top.choice("sandbox", "standard", SANDBOXES),
        network=top.choice("network", "asked", NETWORKS),
        deals=top.choice("deals", "auto", tuple(DEALS)),
    )
    for words in (faults, judge, *(() if sprt is None else (sprt,)), top):
        words.done()
    _check(plan)
    return plan


def _price(faults: Words, name: str, usual: str) -> str:
    """The price of a class of faults."""
    if not FAULTS[name].again:
        return faults.choice(name, usual, tuple(PRICES))
    text = faults.text(name, usual)
    retry = read_retry(text, PRICES, usual)
    if retry is None and text.startswith(AGAIN):
        faults.refuse(name, f"must be {AGAIN}, {AGAIN}:N with N from 1 to {MOST_TRIES}, or {AGAIN}:N:PRICE, not {text}")
    return faults.choice(name, usual, (*PRICES, AGAIN)) if retry is None else retry.text()


def _model(words: Words) -> Model:
    """The model of a sequential test; `normalized` is another spelling."""
    found = words.choice("model", "normalised", (*MODELS, "normalized"))
    return next((model for model in MODELS if model == found), "normalised")


def _contestant(words: Words) -> Contestant:
    engine = words.text("engine")
    contestant = Contestant(
        name=words.text("name", engine),
        engine=engine,
        options=words.strings("options"),
        restart=words.switch("restart", False),
        clocks=read_clocks(words, OF_A_PLAYER),
    )
    words.done()
    return contestant


def _rule(words: Words) -> RulePlan:
    starts = []
    for start in words.tables("start"):
        starts.append(Start(start.text("name", ""), start.texts("moves"), start.strings("options")))
        start.done()
    rule = RulePlan(
        rule=words.text("rule"),
        options=words.strings("options"),
        starts=tuple(starts) or (Start(),),
        seats=words.texts("seats"),
        hidden=words.switch("hidden", False),
        chance=words.switch("chance", False),
        deals=words.choice("deals", "", ("", "common", "own")),
        scramble=words.whole("scramble", 0, 0, 2**63 - 1),
        clocks=read_clocks(words),
        random_moves=words.whole("random_moves", 0, 0, 1000),
        balance=words.real("balance", 0.25, 0.0, 0.5),
    )
    words.done()
    return rule


def _check(plan: Plan) -> None:
    """What no single word can tell."""
    if not plan.rules:
        raise PlanError('No rule is named: write [[rule]] and rule = "NAME".')
    if len(plan.players) < 2:
        raise PlanError('A tournament needs two players at least: write [[player]] and engine = "NAME" for each.')
    twice = _twice([name.casefold() for name in plan.names])
    if twice:
        raise PlanError(f"Two players are called {twice}: give one of them another name.")
    for name in plan.names:
        if not name or not name.isprintable() or name != name.strip():
            raise PlanError(f"{name!r} can't be a player's name: it has blanks around it, or something unprintable.")
    if plan.sprt is not None and len(plan.players) != 2:
        raise PlanError("A sequential test (sprt) compares two players, no more.")
    if plan.sprt is not None and plan.sprt.elo0 >= plan.sprt.elo1:
        raise PlanError("In sprt, elo0 must be less than elo1.")
    if plan.format == "gauntlet" and plan.seeds >= len(plan.players):
        raise PlanError(f"A gauntlet of {plan.seeds} challengers needs more than {plan.seeds} players.")
    for name, price in plan.prices.items():
        allowed = FAULTS[name].allowed()
        if PRICES[retry_of(price).then] not in allowed:
            either = " or ".join(cost.price for cost in allowed)
            raise PlanError(f"A fault of class {name} is no player's: its price can only be {either}.")


def _twice(names: Sequence[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""
