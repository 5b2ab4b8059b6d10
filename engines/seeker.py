"""Seeker: plays TreasureHunt with a partner. It says what it knows, and digs where both of them think the treasure is.

An example of an engine that deliberates: what it tells its partner goes through the referee, and what it was told is
part of the play, so that it is undone, redone and told again with it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from ggtp.game import Move, Rules
from ggtp.kit import Budget, Engine, Game, run

CLUE = re.compile(r"(column ([A-I])|row ([1-9]))")
"""What partners say to each other."""


class Seeker(Engine):
    """Tells its partner the column or the row that it knows, once, and believes what it is told."""

    name = "Seeker"
    instant = True
    talks = True

    def plays(self, rules: Rules, values: Mapping[str, str]) -> str | None:
        """TreasureHunt only."""
        return None if rules.name == "TreasureHunt" else f"Seeker can't play {rules.name}."

    def choose(self, game: Game, budget: Budget) -> Move:
        """A place that fits everything that is known, or any place where nothing is."""
        own = clue_of(game)
        if own and not any(player == game.player for player, _ in game.messages):
            for partner in game.partners:
                game.tell(partner, own)
        clues = [own, *(text for player, text in game.messages if player in game.partners)]
        places = [move for move in game.moves() if all(fits(move, clue) for clue in clues)]
        game_report = "; ".join(clue for clue in clues if clue) or "nothing"
        self.report(known=game_report, places=len(places))
        return game.rng.choice(places or list(game.moves()))


def clue_of(game: Game) -> str:
    """What this player was told when its side's treasure was hidden."""
    for actor, text in game.history:
        if actor == "Chance" and text != "?":
            return f"row {text[1:]}" if text.startswith("?") else f"column {text[0]}"
    return ""


def fits(move: Move, clue: str) -> bool:
    """Whether a place is where a clue says; what is no clue says nothing."""
    found = CLUE.fullmatch(clue)
    if found is None:
        return True
    return move[0] == found[2] if found[2] else move[1:] == found[3]


if __name__ == "__main__":
    sys.exit(run(Seeker()))
