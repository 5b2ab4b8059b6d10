"""What a reader of results should know before believing them, as sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ggtp.stats.results import GameResult, complete_blocks, in_blocks, without_repeats
from ggtp.stats.summary import Summary, summarise

FEW_BLOCKS: Final = 10
"""With fewer blocks, two players can hardly be told apart."""
MANY_FAULTS: Final = 0.01
"""A player with faults in more than this part of its games is measured by its faults, too."""
MANY_REPEATS: Final = 0.05
_NAMED: Final = 4

Kind: TypeAlias = Literal[
    "nothing", "few", "incomplete", "seats", "repeats", "faults", "disconnected", "perfect", "idle"
]


@dataclass(frozen=True, slots=True)
class Warning:
    """Something that makes results worth less than they look."""

    kind: Kind
    text: str


def warn(results: Iterable[GameResult], players: Sequence[str] = ()) -> list[Warning]:
    """Everything there is to warn of."""
    games = list(results)
    if not games:
        return [Warning("nothing", "No game has ended yet.")]
    summary = summarise(games)
    found = (
        _few(summary),
        _incomplete(games),
        _seats(games),
        _repeats(games),
        _faults(games),
        _disconnected(games, players),
        _perfect(games, summary),
    )
    return [warning for warning in found if warning is not None]


def groups(games: Iterable[GameResult], players: Sequence[str] = ()) -> list[list[str]]:
    """The players in groups that are joined by games, the largest first."""
    leader: dict[str, str] = {player: player for player in players}

    def find(player: str) -> str:
        while leader[player] != player:
            leader[player] = leader[leader[player]]
            player = leader[player]
        return player

    for game in games:
        for player in game.players:
            leader.setdefault(player, player)
        for player in game.players[1:]:
            leader[find(player)] = find(game.players[0])
    members: defaultdict[str, list[str]] = defaultdict(list)
    for player in leader:
        members[find(player)].append(player)
    return sorted(members.values(), key=lambda group: (-len(group), group))


def repeats(games: Sequence[GameResult]) -> int:
    """How many games are move by move what the same players have played before."""
    return len(games) - len(without_repeats(games))


def _few(summary: Summary) -> Warning | None:
    few = [pair for pair in summary.pairs.values() if pair.sample.units < FEW_BLOCKS]
    if not few:
        return None
    named = _names([f"{pair.player} and {pair.other} ({pair.sample.units:g})" for pair in few], "pairs")
    return Warning(
        "few", f"Fewer than {FEW_BLOCKS} complete blocks compare {named}: their error bars are rough, and wide."
    )


def _incomplete(games: Sequence[GameResult]) -> Warning | None:
    blocks = sum(1 for _ in in_blocks(games))
    missing = blocks - len(complete_blocks(games))
    if not missing:
        return None
    return Warning(
        "incomplete",
        f"{missing} of {_count(blocks, 'block')} {'is' if missing == 1 else 'are'} not complete: what is estimated "
        "by blocks leaves their games out.",
    )


def _seats(games: Sequence[GameResult]) -> Warning | None:
    """Unbalanced: a player had one seat more often than another, by more than one game and more than a tenth."""
    sat: defaultdict[tuple[str, int, str], Counter[int]] = defaultdict(Counter)
    for game in games:
        for seat, player in enumerate(game.players if game.seated else ()):
            sat[game.rule, len(game.players), player][seat] += 1
    uneven = []
    for (rule, seats, player), counts in sat.items():
        if seats == 1:
            continue
        often = [counts[seat] for seat in range(seats)]
        if max(often) - min(often) > max(1, 0.1 * sum(often) / seats):
            uneven.append(f"{player} in {rule or 'the rule'} ({', '.join(map(str, often))})")
    if not uneven:
        return None
    return Warning("seats", f"Seats are not balanced: how often each was taken by {_names(uneven, 'players')}.")


def _repeats(games: Sequence[GameResult]) -> Warning | None:
    repeated = repeats(games)
    if repeated <= MANY_REPEATS * len(games):
        return None
    return Warning(
        "repeats",
        f"{repeated} of {_count(len(games), 'game')} repeat an earlier one move by move. Blocks that do are "
        "no new evidence, and errors are as large as without them: more start positions would help.",
    )


def _faults(games: Sequence[GameResult]) -> Warning | None:
    played: Counter[str] = Counter(player for game in games for player in set(game.players))
    failed: Counter[str] = Counter(player for game in games for player in set(game.at_fault))
    many = [player for player in played if failed[player] > MANY_FAULTS * played[player]]
    if not many:
        return None
    named = _names([f"{player} (in {failed[player]} of {played[player]})" for player in many], "players")
    return Warning("faults", f"Faults decide games of {named}: compare the statistics without faulty games.")


def _disconnected(games: Sequence[GameResult], players: Sequence[str]) -> Warning | None:
    found = groups(games, players)
    if len(found) < 2:
        return None
    named = "; ".join(_names(group, "players") for group in found[:_NAMED])
    return Warning(
        "disconnected", f"There are {len(found)} groups of players without a game between them, whose ratings can't "
        f"be compared: {named}{' and more' if len(found) > _NAMED else ''}."
    )  # fmt: skip


def _perfect(games: Sequence[GameResult], summary: Summary) -> Warning | None:
    opposed = {player for game in games if len(set(game.players)) > 1 for player in game.players}
    rows = [row for row in summary.players if row.player in opposed]
    perfect = [
        f"{row.player} ({'won' if row.tally.wins else 'lost'} all {row.tally.games})"
        for row in rows
        if row.tally.games in (row.tally.wins, row.tally.losses)
    ]
    if not perfect:
        return None
    return Warning(
        "perfect", f"Nothing bounds the rating on one side of {_names(perfect, 'players')}: the number is a guess."
    )


def _names(names: Sequence[str], what: str) -> str:
    """Some names, and how many more there are."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more {what}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
