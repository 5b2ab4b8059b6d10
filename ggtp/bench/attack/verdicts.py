"""Whether what a referee said of a game with an evil engine is right: values in, sentences out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from ggtp.bench.attack.zoo.ways import PLAYS_ON, START, Way
from ggtp.tournament.results import Game, Results

FAULT = re.compile(r"-> Fault of (\w+) \((.*?)\), (\w+): ")
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn text around."""
ERRORS = ("Traceback (most recent call last)", "Future exception was never retrieved", "Task exception was never")


def faults_in(lines: Iterable[str]) -> list[tuple[str, str]]:
    """The faults that were shown: player and class."""
    return [(found[1], found[3]) for line in lines if (found := FAULT.match(line))]


def raw(lines: Iterable[str]) -> Iterator[str]:
    """The lines with characters that could disturb a terminal."""
    for line in lines:
        if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in TURNING for character in line):
            yield line


def shows_error(text: str) -> bool:
    """Return whether a text has an error of Python in it that nobody has caught."""
    return any(error in text for error in ERRORS)


def at_prompt(way: Way, seat: str, refused: bool, faults: Sequence[tuple[str, str]], result: str) -> Iterator[str]:
    """Return the faults of a game at a prompt, a sentence each.

    Args:
        way: what the engine did.
        seat: the player that it played.
        refused: whether it was refused its seat.
        faults: all faults that were shown.
        result: the answer to `get_result`.
    """
    if innocent := [f"{name} of {player}" for player, name in faults if player != seat]:
        yield f"the opponent is blamed for {innocent}"
    classes = {START} if refused else {name for _, name in faults} or {PLAYS_ON}
    if wrong := classes - way.outcomes:
        yield f"the verdict is {sorted(wrong)} instead of {sorted(way.outcomes)}"
    if refused:
        return
    other = "Circle" if seat == "Cross" else "Cross"
    if "=" not in result.removeprefix("= "):
        yield f"the game has no result: {result}"
    elif faults and f"{other}=win" not in result:
        yield f"the engine at fault has not lost: {result}"
    elif not faults and "Cross=win" not in result:  # the first free square wins for whoever begins
        yield f"a game without a fault has ended otherwise: {result}"


def in_tournament(way: Way, results: Results, evil: str, games: int) -> Iterator[str]:
    """Return the faults of a tournament, a sentence each.

    Args:
        way: what the engine did.
        results: what the journal says.
        evil: the name of the engine's player.
        games: how many games were to be played.
    """
    for game in (*results.games, *results.void):
        yield from (f"game {game.id}: {what}" for what in _in_game(way, game, evil))
    ids = [game.id for game in results.games]
    if len(ids) != len(set(ids)):
        yield f"games count twice: {ids}"
    excused = {game.id for game in results.void if any(fault.fault == "machine" for fault in game.faults)}
    if len({*ids, *excused}) < games and START not in way.outcomes:
        yield f"{len(ids)} of {games} games have a result"


def _in_game(way: Way, game: Game, evil: str) -> Iterator[str]:
    faults = [fault for fault in game.faults if fault.player]
    if innocent := [f"{fault.fault} of {fault.player}" for fault in faults if fault.player != evil]:
        yield f"the opponent is blamed for {innocent}"
    if any(fault.fault in ("referee", "worker") for fault in game.faults):
        yield f"the referee has failed: {game.faults[0].what}"
    classes = {fault.fault for fault in faults if fault.player == evil}
    if not classes and not game.faults:
        classes = {PLAYS_ON}
    if wrong := classes - way.outcomes:
        what = "; ".join(fault.what for fault in faults)
        yield f"the verdict is {sorted(wrong)} instead of {sorted(way.outcomes)}: {what}"
    lost = [fault for fault in faults if fault.player == evil and fault.price == "loss"]
    if lost and game.player_scores().get(evil) != 0.0:
        yield f"the engine at fault has not lost: {dict(game.scores)}"
