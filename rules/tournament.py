"""Tournament: the players are engines, and the moves are games between them.

Who meets whom is decided as in a real tournament; how a game ends is drawn by chance, or told by
the supervisor with `force_play Chance A > B`. So a tournament can be laid out beforehand, replayed
game by game, taken back, and tried with other results, like any play.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from ggtp.errors import IllegalMove, OptionError
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Cell,
    Grid,
    Move,
    Note,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Traits,
    Turn,
    Verdict,
    number,
    result_by_scores,
)
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import GamePlan
from ggtp.tournament.schedule.formats import FORMATS
from ggtp.tournament.schedule.schedule import Schedule

FORMATS_HERE = tuple(name for name in FORMATS if name not in ("match", "elimination"))
"""A match is a round robin of as many as there are seats."""
MOST_ENGINES = 16
MOST_SEATS = 4
"""With more at a table there would be too many ways for a game to end."""
MOST_GAMES = 2000
"""A position plays its schedule again from the first game, so there is an end to its length."""


def plan_of(options: Mapping[str, str]) -> Plan:
    """The plan that the rule's options mean.

    Raises:
        OptionError: it can't be played.
    """
    names = options["engines"].split()
    if not 2 <= len(names) <= MOST_ENGINES or len({name.casefold() for name in names}) < len(names):
        raise OptionError(f"engines must be 2 to {MOST_ENGINES} different names, with blanks between them.")
    if any(name in (CHANCE, "=", ">") or "," in name for name in names):
        raise OptionError(f"Nobody can be called {CHANCE}, = or >, or have a comma in the name.")
    rule = RulePlan("game", seats=tuple(f"seat {place}" for place in range(1, int(options["seats"]) + 1)))
    format_ = options["format"]
    players = tuple(Contestant(name, name) for name in names)
    plan = Plan(players, (rule,), format=format_, blocks=int(options["blocks"]), seed=0)  # its games have no chance
    if format_ == "gauntlet" and len(names) < 3:
        raise OptionError("A gauntlet needs three engines.")
    return plan


def rankings(players: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way in which players can be ranked, the best first, with ties."""
    if not players:
        yield ()
        return
    for size in range(1, len(players) + 1):
        for best in combinations(players, size):
            rest = [player for player in players if player not in best]
            for others in rankings(rest):
                yield (best, *others)


def move_of(ranking: Sequence[Sequence[str]]) -> Move:
    """`A > B = C`."""
    return " > ".join(" = ".join(group) for group in ranking)


def scores_of(move: Move, players: Sequence[str]) -> dict[str, Fraction]:
    """The share of the others that each player has beaten, a tie being half of it."""
    rank = {name: place for place, group in enumerate(move.split(" > ")) for name in group.split(" = ")}
    result = {}
    for player in players:
        others = [other for other in players if other != player]
        halves = sum(2 if rank[player] < rank[other] else int(rank[player] == rank[other]) for other in others)
        result[player] = Fraction(halves, 2 * max(1, len(others)))
    return result


class TournamentPosition(Position):
    """The games so far, and the one that is next."""

    __slots__ = ("_games", "_next", "_pairs", "_plan", "_points")

    def __init__(self, plan: Plan, games: tuple[Move, ...] = ()) -> None:
        self._plan = plan
        self._games = games
        self._points = dict.fromkeys(plan.names, Fraction(0))
        self._pairs: dict[tuple[str, str], Fraction] = {}
        schedule = Schedule(plan)
        for move in games:
            game = schedule.next()
            assert game is not None
            self._count(game, move)
            schedule.finished(game.id, {name: float(score) for name, score in scores_of(move, _players(game)).items()})
        self._next = schedule.next() if len(games) < MOST_GAMES else None

    def _count(self, game: GamePlan, move: Move) -> None:
        players = _players(game)
        for name, score in scores_of(move, players).items():
            self._points[name] += score
        for one, other in combinations(players, 2):
            share = scores_of(move, players)
            half = Fraction((share[one] > share[other]) - (share[one] < share[other]) + 1, 2)
            self._pairs[one, other] = self._pairs.get((one, other), Fraction(0)) + half
            self._pairs[other, one] = self._pairs.get((other, one), Fraction(0)) + 1 - half

    def turn(self) -> Turn:
        return OVER if self._next is None else CHANCE_TURN

    def moves(self, player: Player) -> Sequence[Move]:
        if player != CHANCE or self._next is None:
            return ()
        return [move_of(ranking) for ranking in rankings(_players(self._next))]

    def chance(self) -> Sequence[tuple[Move, int]]:
        return [(move, 1) for move in self.moves(CHANCE)]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        move = moves.get(CHANCE, "")
        if len(moves) != 1 or move not in self.moves(CHANCE):
            raise IllegalMove(f"No game of these players ends {' '.join(moves.values())}.")
        return Verdict(TournamentPosition(self._plan, (*self._games, move)), ((CHANCE, move),))

    def result(self) -> Result | None:
        if self._next is not None:
            return None
        return result_by_scores(self._points, f"{len(self._games)} games are played")

    def view(self, player: Player | None) -> str:
        games = "; ".join(self._games) or "no games"
        return games if self._next is None else f"{games}; next {self._meeting()}"

    def key(self) -> Hashable:
        return self._games

    def _meeting(self) -> str:
        assert self._next is not None
        return " - ".join(self._next.seats.values())

    def picture(self, player: Player | None) -> Picture:
        names = self._plan.names
        rows = tuple(
            (*(self._cell(one, other) for other in names), Cell(_text(self._points[one]), "mark")) for one in names
        )
        grid = Grid(rows, (*names, "sum"), names)
        if self._next is None:
            return Picture((grid, Note("all games are played", "muted")))
        return Picture((grid, Note(f"round {self._next.round}, game {self._next.id}: {self._meeting()}", "muted")))

    def _cell(self, one: str, other: str) -> Cell:
        if one == other:
            return Cell("x", "muted")
        found = self._pairs.get((one, other))
        return Cell("-", "empty") if found is None else Cell(_text(found))


def _players(game: GamePlan) -> list[str]:
    """Who plays, in order of their first seat."""
    return list(dict.fromkeys(game.seats.values()))


def _text(points: Fraction) -> str:
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


class TournamentRules(Rules):
    """A tournament of engines, whose games are moves."""

    name = "Tournament"
    title = "engines meet, and each game between them is a move"
    traits = Traits(min_players=2, max_players=MOST_ENGINES, chance=True, zero_sum=False)
    own_options = (
        Option("engines", "A B C", "who takes part, with blanks between the names"),
        Option("format", "round-robin", "who meets whom", choices=FORMATS_HERE),
        number("blocks", 1, 1, 20, "how often each meeting is played in all seatings"),
        number("seats", 2, 2, MOST_SEATS, "how many sit at a table"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return plan_of(options).names

    def begin(self, options: Mapping[str, str]) -> Position:
        return TournamentPosition(plan_of(options))


RULES = TournamentRules()
