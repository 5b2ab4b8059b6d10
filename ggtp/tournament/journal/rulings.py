"""What a supervisor has decided about games and players, and what follows from it.

A ruling is a line of the journal, so it is never taken out: one that is regretted is undone by
another. What is in force is a function of all of them, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ggtp.errors import CommandError
from ggtp.tournament.results import Game, Ruling
from ggtp.tournament.standings.scoring import outcome

ACTS: dict[str, str] = {
    "adjudicate": "a game has these scores, whatever came of it",
    "replay": "a game does not count and is played again",
    "quarantine": "a player's other games are not played",
    "lose": "a player's other games are lost without being played",
    "admit": "a player takes part again, and its faults so far are forgiven",
    "undo": "an earlier ruling is not in force any more",
}
"""What there is to decide."""


def ruling_from(number: int, data: Mapping[str, Any]) -> Ruling:
    """The ruling that `Ruling.data` wrote.

    Raises:
        KeyError, ValueError: it is none.
    """
    if data["act"] not in ACTS:
        raise ValueError(f"nobody knows the ruling {data['act']!r}")
    scores = {str(seat): float(score) for seat, score in data["scores"].items()}
    return Ruling(number, data["act"], str(data["subject"]), str(data["at"]), str(data["text"]), scores)


def in_force(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Those that were not undone."""
    kept = list(rulings)
    undone = {ruling.subject for ruling in kept if ruling.act == "undo"}
    return [ruling for ruling in kept if ruling.act != "undo" and str(ruling.number) not in undone]


def ruling_lines(rulings: Iterable[Ruling]) -> list[str]:
    """All of them for people, also those that were undone."""
    kept = list(rulings)
    valid = in_force(kept)
    return [one.words() + ("" if one in valid or one.act == "undo" else " (undone)") for one in kept]


def judged(game: Game, rulings: Iterable[Ruling]) -> Game:
    """A game as the rulings leave it that were made after its result and are in force."""
    for ruling in rulings:
        if ruling.subject == game.id and game.counts:
            if ruling.act == "replay":
                return replace(game, end="void", reason=f"to be played again {ruling.text}".rstrip())
            if ruling.act == "adjudicate":
                game = adjudicated(game, ruling.scores, ruling.text)
    return game


def adjudicated(game: Game, scores: Mapping[str, float], reason: str) -> Game:
    """A game with other scores."""
    return replace(game, scores=dict(scores), standings=standings(scores), points={}, end="ruled", reason=reason)


def standings(scores: Mapping[str, float]) -> dict[str, str]:
    """Who has won with such scores."""
    return {seat: outcome(scores, seat) for seat in scores}


def scores_from(words: Iterable[str], seats: Iterable[str]) -> dict[str, float]:
    """Scores as people write them: `Cross=1 Circle=0`, or `draw`.

    Raises:
        CommandError: a seat is missing or unknown, or a score is none.
    """
    names = list(seats)
    said = list(words)
    if said == ["draw"]:
        return dict.fromkeys(names, 0.5)
    found: dict[str, float] = {}
    for word in said:
        seat, _, number = word.rpartition("=")
        name = next((name for name in names if name.casefold() == seat.casefold()), None)
        if name is None or name in found:
            raise CommandError(f"{word} is no score: write draw, or {' '.join(f'{name}=SCORE' for name in names)}.")
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = -1.0
        if not 0 <= found[name] <= 1:
            raise CommandError(f"{number or 'Nothing'} is no score from 0 to 1.")
    missing = [name for name in names if name not in found]
    if missing:
        raise CommandError(f"The score of {', '.join(missing)} is missing.")
    return {name: found[name] for name in names}
