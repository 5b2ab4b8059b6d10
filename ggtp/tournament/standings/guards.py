"""What engines were kept from, and whether they could know deals from other games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game
from ggtp.tournament.schedule.schedule import deal_seed

ALL = "all engines"


@dataclass(slots=True)
class Guards:
    """Adds games up: which protection each player's engines had."""

    plan: Plan
    words: dict[str, Counter[str]] = field(default_factory=dict)
    """Player to the protections that its engines had, and in how many seats."""
    open: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Rule to the players whose engines could remember what they had seen of a deal."""

    def add(self, game: Game) -> None:
        """One more game."""
        for seat, guard in game.guards.items():
            player = game.plan.seats[seat]
            self.words.setdefault(player, Counter())[guard.words] += 1
            if not guard.private:
                self.open[game.plan.rule].add(player)

    def lines(self) -> list[str]:
        """The protection of each player, all of them in one sentence if it is the same."""
        names = [name for name in self.plan.names if name in self.words]
        if names and len(names) == len(self.plan.names) and len({tuple(self.words[name]) for name in names}) == 1:
            return [f"Protection of {ALL}: {_spread(self.words[names[0]])}."]
        return [f"Protection of {name}: {_spread(self.words[name])}." for name in names]

    def deal_lines(self) -> list[str]:
        """For each rule with dice or secrets what there is to say about its deals."""
        lines = []
        for number, rule in enumerate(self.plan.rules):
            names = " and ".join(name for name in self.plan.names if name in self.open[number])
            if not rule.telling:
                continue
            if rule.own_deals:
                why = f": {names} could remember those of other games" if names else ""
                lines.append(f"Each game of {rule.rule} has dice and deals of its own{why}.")
            elif names:
                lines.append(
                    f"Warning: games of {rule.rule} have the same dice and deals, and {names} could remember them: use "
                    'a sandbox, or deals = "own".'
                )
        return lines


def _spread(words: Counter[str]) -> str:
    if len(words) == 1:
        return next(iter(words))
    return "; ".join(f"{text} in {count} game{'s' * (count != 1)}" for text, count in words.most_common())


def repeated_deals(plan: Plan, games: Iterable[Game]) -> list[str]:
    """A line for each game of a deal that a player had in another game, too, and could remember; as far as is known.

    Games that do not count are among them: an engine may have seen their deals.
    """
    found: defaultdict[tuple[int, int, str], list[Game]] = defaultdict(list)
    for game in games:
        if plan.rules[game.plan.rule].telling:
            open_players = {game.plan.seats[seat] for seat, guard in game.guards.items() if not guard.private}
            for player in sorted(open_players):
                found[game.plan.rule, deal_seed(plan, game.plan, game.attempt), player].append(game)
    repeated = [(sorted(map(_place, same)), player) for (_, _, player), same in found.items() if len(same) > 1]
    return [
        f"{player} could remember one deal in games {', '.join(name for *_, name in places)}"
        for places, player in sorted(repeated)
    ]


def _place(game: Game) -> tuple[int, int, int, str]:
    return game.plan.block, game.plan.index, game.attempt, _name(game)


def _name(game: Game) -> str:
    return game.id if game.attempt == 1 else f"{game.id} (attempt {game.attempt})"
