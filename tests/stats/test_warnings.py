"""Warnings: each is given when it should be, and none when all is well."""

from __future__ import annotations

from itertools import combinations

from ggtp.stats.results import GameResult
from ggtp.stats.warnings import groups, repeats, warn


def block(
    number: int, first: float = 1.0, second: float = 0.5, *, rule: str = "r", names: tuple[str, str] = ("a", "b")
) -> list[GameResult]:
    a, b = names
    return [
        GameResult((a, b), (first, 1 - first), rule, number, 2, fingerprint=f"{rule}{number}.0"),
        GameResult((b, a), (second, 1 - second), rule, number, 2, fingerprint=f"{rule}{number}.1"),
    ]


def kinds(games: list[GameResult], players: tuple[str, ...] = ()) -> list[str]:
    return [warning.kind for warning in warn(games, players)]


GOOD = [game for number in range(12) for game in block(number)]


def test_good_results_have_none() -> None:
    assert kinds(GOOD) == []
    assert kinds(GOOD, ("a", "b")) == []


def test_nothing() -> None:
    assert kinds([]) == ["nothing"]


def test_few_blocks_are_named_with_their_number() -> None:
    (warning,) = warn(GOOD[:8])
    assert warning.kind == "few"
    assert "a and b (4)" in warning.text or "b and a (4)" in warning.text


def test_many_names_are_cut_short() -> None:
    games = [game for a, b in combinations("abcd", 2) for game in block(1, rule=a + b, names=(a, b))]
    assert "and 2 more pairs" in warn(games)[0].text


def test_incomplete_blocks() -> None:
    (warning,) = warn(GOOD[:-1])
    assert warning.kind == "incomplete"
    assert warning.text.startswith("1 of 12 blocks is not complete")


def test_unbalanced_seats() -> None:
    games = [GameResult(("a", "b"), (i % 2, 1 - i % 2), "r", i, fingerprint=str(i)) for i in range(20)]
    (warning,) = warn(games)
    assert warning.kind == "seats"
    assert "a in r (20, 0)" in warning.text
    alone = [GameResult(g.players, g.scores, g.rule, g.block, seated=False, fingerprint=g.fingerprint) for g in games]
    assert warn(alone) == []


def test_repeated_games() -> None:
    games = GOOD + [game for number in range(20, 24) for game in block(number)]
    again = [GameResult(g.players, g.scores, g.rule, g.block, 2, fingerprint=g.fingerprint[:2]) for g in games]
    assert repeats(games) == 0
    assert repeats(again) > 0
    assert kinds(again) == ["repeats"]


def test_faults() -> None:
    games = [*GOOD[:-1], GameResult(("b", "a"), (0.5, 0.5), "r", 11, 2, at_fault=("b",))]
    (warning,) = warn(games)
    assert warning.kind == "faults"
    assert "b (in 1 of 24)" in warning.text


def test_players_who_never_met() -> None:
    games = GOOD + [game for number in range(12) for game in block(number, rule="s", names=("c", "d"))]
    assert groups(games, ("a", "e")) == [["a", "b"], ["c", "d"], ["e"]]
    assert kinds(games) == ["disconnected"]


def test_perfect_scores() -> None:
    games = [game for number in range(12) for game in block(number, 1.0, 0.0)]
    (warning,) = warn(games)
    assert warning.kind == "perfect"
    assert "a (won all 24), b (lost all 24)" in warning.text
    assert warn([GameResult(("a",), (1.0,))]) == [], "who plays alone has nobody to beat"
