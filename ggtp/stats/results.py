"""What the statistics take: one value for each game that was played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LATEST: Final = 20
"""By how many of the latest blocks it is judged, at most, how many of those to come will be repeats."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game as the statistics see it."""

    players: tuple[str, ...]
    """Who sat where, in the order of the seats."""
    scores: tuple[float, ...]
    """From 0 to 1 for each seat: the part of the others that the player has beaten, ties counting half."""
    rule: str = ""
    block: Hashable = None
    """Games with the same start and the same chance in all seatings; None: a block of its own."""
    block_size: int = 0
    """How many games the block has when it is complete; 0: those that there are."""
    at_fault: tuple[str, ...] = ()
    """Players that did something wrong in it, whatever it cost them."""
    seated: bool = True
    """Whether seats mean anything; not where each has played alone and they are only compared."""
    shown: tuple[float, ...] = ()
    """What each seat's score is called, where that is something else than how it compares with the others."""
    fingerprint: str = ""
    """Equal for games with the same rule, seating and moves; empty where that is not known."""

    def __post_init__(self) -> None:
        if len(self.players) != len(self.scores) or not self.players:
            raise ValueError("a game has a score for each of its players")
        if any(not 0.0 <= score <= 1.0 for score in (*self.scores, *self.shown)):
            raise ValueError("a score lies between 0 and 1")
        if self.shown and len(self.shown) != len(self.players):
            raise ValueError("what is shown as a score is shown for each player")

    def player_scores(self) -> dict[str, float]:
        """Each player's score: the mean over its seats."""
        return self._means(self.scores)

    def shown_scores(self) -> dict[str, float]:
        """The same of what scores are called."""
        return self._means(self.shown or self.scores)

    def _means(self, scores: tuple[float, ...]) -> dict[str, float]:
        found: dict[str, list[float]] = {}
        for player, score in zip(self.players, scores, strict=True):
            found.setdefault(player, []).append(score)
        return {player: sum(several) / len(several) for player, several in found.items()}

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The seats by rank, best first, those that are level together."""
        by_score: defaultdict[float, list[int]] = defaultdict(list)
        for seat, score in enumerate(self.scores):
            by_score[score].append(seat)
        return tuple(tuple(by_score[score]) for score in sorted(by_score, reverse=True))


def level_scores(points: Sequence[float]) -> tuple[float, ...]:
    """Scores from points: for each player the part of the others with fewer points, ties counting half.

    A lone player's points are taken as a score of 0 to 100.
    """
    if len(points) == 1:
        return (min(1.0, max(0.0, points[0] / 100.0)),)
    others = len(points) - 1
    return tuple(
        (sum(other < own for other in points) + (sum(other == own for other in points) - 1) / 2.0) / others
        for own in points
    )


def without_faults(results: Iterable[GameResult]) -> list[GameResult]:
    """The games in which nobody did anything wrong."""
    return [result for result in results if not result.at_fault]


def without_repeats(results: Iterable[GameResult]) -> list[GameResult]:
    """The games that are not move by move what the same players have played before."""
    seen: set[str] = set()
    kept = []
    for result in results:
        if not result.fingerprint or result.fingerprint not in seen:
            kept.append(result)
        seen.add(result.fingerprint)
    return kept


def in_blocks(results: Iterable[GameResult]) -> Iterator[tuple[Hashable, list[GameResult]]]:
    """The games of each block, blocks in the order in which they first come."""
    blocks: dict[Hashable, list[GameResult]] = {}
    for index, result in enumerate(results):
        key: Hashable = ("alone", index) if result.block is None else (result.rule, result.block)
        blocks.setdefault(key, []).append(result)
    yield from blocks.items()


def complete_blocks(results: Iterable[GameResult]) -> list[list[GameResult]]:
    """The games of each block that has all of them: the units of whatever is estimated."""
    return [games for _, games in in_blocks(results) if len(games) >= games[0].block_size]


def block_key(block: Sequence[GameResult]) -> Hashable:
    """The same for blocks whose games are the same move by move, and came to the same; None where one is unknown."""
    if not all(game.fingerprint for game in block):
        return None
    return tuple(sorted((game.fingerprint, game.players, game.scores) for game in block))


def differing(blocks: Iterable[Sequence[GameResult]]) -> list[bool]:
    """For each block whether it is evidence: not one that was played before, move by move."""
    seen: set[Hashable] = set()
    found = []
    for block in blocks:
        key = block_key(block)
        found.append(key is None or key not in seen)
        seen.add(key)
    return found


def fresh_part(fresh: Sequence[bool]) -> float:
    """Return the part of the latest blocks that differ from all before: of half of them, but of at most `LATEST`."""
    latest = fresh[-max(1, min(LATEST, len(fresh) // 2)) :]
    return sum(latest) / len(latest) if latest else 1.0


def meeting(game: GameResult) -> tuple[str, frozenset[str]]:
    """The rule and who met."""
    return game.rule, frozenset(game.players)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A complete block, and what it proves."""

    games: Sequence[GameResult]
    fresh: bool
    """Whether it differs from all before, move by move."""
    worth: float
    """The part of the blocks of this meeting that differ from one another: what each of them counts for."""


def evidence_blocks(results: Iterable[GameResult]) -> list[Evidence]:
    """The complete blocks with their worths: the evidence of whatever is estimated, of pairs and of all together."""
    blocks = complete_blocks(results)
    fresh = differing(blocks)
    total = Counter(meeting(block[0]) for block in blocks)
    new = Counter(meeting(block[0]) for block, differs in zip(blocks, fresh, strict=True) if differs)
    return [
        Evidence(block, differs, new[meeting(block[0])] / total[meeting(block[0])])
        for block, differs in zip(blocks, fresh, strict=True)
    ]
