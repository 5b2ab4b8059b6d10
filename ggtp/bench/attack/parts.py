"""THE table of the parts of `ggtp bench attack`, each in a module that is loaded when it runs.

Such a module has

    ROUNDS = 70                          # how many rounds a usual run has

    @contextmanager
    def begin(site: Site) -> Iterator[Attempt]:
        with Something(site.folder) as something:

            def attempt(number: int, rng: random.Random) -> None:
                site.tally.attempted()
                ...
                site.tally.found("hung", "No answer to quit within 20 s.")

            yield attempt

A round is determined by its number and its generator, which is made of the seed, the part and the number: a run can be
resumed at any round, and a finding can be tried again alone. `begin` raises `Skipped` where the part can't be
tried on this machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from ggtp.bench.attack.tally import Tally

Attempt: TypeAlias = Callable[[int, random.Random], None]
"""Plays one round, by its number and a generator of its own."""


class Skipped(Exception):
    """The part can't be tried here; the text says why."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a part works, and what it tells."""

    folder: Path
    """Empty at first; removed afterwards."""
    tally: Tally
    say: Callable[[str], None]
    """Shows what is being done now."""
    variables: Mapping[str, str]
    """The environment of the program."""
    enough: Callable[[], bool]
    """Whether the time of the part is over; a round that takes long may end early then."""


@dataclass(frozen=True, slots=True)
class Part:
    """A row of the table."""

    name: str
    summary: str
    module: str

    def rounds(self) -> int:
        """How many rounds a usual run has."""
        count: int = import_module(self.module).ROUNDS
        return count

    def begin(self, site: Site) -> AbstractContextManager[Attempt]:
        """Set the part up, and take it down at the end."""
        begun: AbstractContextManager[Attempt] = import_module(self.module).begin(site)
        return begun


FUZZ = "ggtp.bench.attack.fuzz."
PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        Part("engines", "evil engines, at prompts and in tournaments", "ggtp.bench.attack.engines"),
        Part(
            "kills", "kill -9 of referee, workers and engines of tournaments and play files", "ggtp.bench.attack.kills"
        ),
        Part("disk", "full and read-only disks, and folders that are removed", "ggtp.bench.attack.disk"),
        Part("limits", "few descriptors, little memory, short files", "ggtp.bench.attack.limits"),
        Part("fuzz-lines", "lines of a supervisor and of engines, at a referee without processes", f"{FUZZ}lines"),
        Part("fuzz-plays", "play files nearly right: refused, or saved and replayed alike", f"{FUZZ}plays"),
        Part("fuzz-gdl", "rules in GDL that are nearly right", f"{FUZZ}gdl"),
        Part("fuzz-vgdl", "rules in VGDL that are nearly right, with their levels", f"{FUZZ}vgdl"),
        Part("fuzz-plans", "plans of tournaments that are nearly right", f"{FUZZ}plans"),
        Part("fuzz-descriptions", "descriptions of engines that are nearly right", f"{FUZZ}descriptions"),
        Part("fuzz-journals", "journals that are damaged, or forged with checksums that hold", f"{FUZZ}journals"),
    )
}
