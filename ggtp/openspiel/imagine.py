"""In the child: positions that explain what a player has seen, found by playing there.

A position of the house asks the child for everything; here, where the library is, histories are cheap enough to be
mended until they explain everything. Those of a player are remembered, and go on with the play.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

from ggtp.game import Observation, Refused, Seen, Traits
from ggtp.openspiel.child import Library
from ggtp.openspiel.guess import Teller
from ggtp.openspiel.spec import GameSpec
from ggtp.openspiel.story import Story

clock = time.monotonic
SECONDS = 0.25
"""How long a history is looked for; next time it goes on."""
SHARE = 0.2
"""How much of that, once more, is spent on changing one that explains everything already."""
WALK = 30
"""Attempts at changing it."""
MOST_MADE_UP = 20
"""How many turns are made up, where nothing explains everything, until it is the player's turn."""
MOST_VAIN = 8
"""After how many times in vain it is begun anew."""
MOST_KEPT = 64
"""For how many players histories are remembered."""


class Memory:
    """What is remembered of a player: what it had seen, and histories that explain it, or most of it."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.seen: list[Observation] = []
        self.story: Story | None = None
        self.vain = 0
        """How often in a row nothing more could be explained."""


def imagine(library: Library, request: Mapping[str, Any]) -> dict[str, Any]:
    """The actions of a history that explains what a player has seen, or None."""
    key, game = library.game(request["game"], request["parameters"])
    about, player = request["spec"], request["player"]
    spec = GameSpec(
        game=request["game"],
        title="",
        traits=Traits(hidden=True),
        open_moves=about["open_moves"],
        open_when=about["open_when"],
        tells_when=about["tells_when"],
        refusal=about["refusal"],
        rewrites=tuple((pattern, by) for pattern, by in about["rewrites"]),
    )
    seen: list[Observation] = [
        Seen(item[0], item[1]) if len(item) == 2 else Refused(item[0], item[1]) for item in request["seen"]
    ]
    memory = library.imagined.get((key, player))
    if memory is None or seen[: len(memory.seen)] != memory.seen:
        memory = Memory(Teller(game.new_initial_state(), spec, request["players"], player, request["parameters"]))
        library.imagined[key, player] = memory
        if len(library.imagined) > MOST_KEPT:
            library.imagined.pop(next(iter(library.imagined)))
    memory.seen = seen
    found = _find(memory, random.Random(request["seed"]))
    # Also where something is left to explain: next time it begins there.
    if not found.explains(len(seen)):
        return {"history": None, "nearly": memory.teller.go_on(found, MOST_MADE_UP)}
    return {"history": found.actions(), "telling": found.telling}


def _find(memory: Memory, rng: random.Random) -> Story:
    teller, count = memory.teller, len(memory.seen)
    teller.rng = rng
    teller.hear(memory.seen)
    end = clock() + SECONDS
    if memory.story is None or memory.vain >= MOST_VAIN:
        story, memory.vain = teller.begin(), 0
    else:
        story = teller.extend(memory.story)
    done = story.done
    story = memory.story = teller.mend(story, lambda: clock() >= end)
    if not story.explains(count):
        memory.vain = memory.vain + 1 if story.done == done else 0
        return story
    memory.vain = 0
    end = clock() + SHARE * SECONDS
    memory.story = teller.shuffle(story, WALK, lambda: clock() >= end)
    return memory.story
