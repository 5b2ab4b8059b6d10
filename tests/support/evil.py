"""The evil engines that tests try over every transport and at every point of the protocol."""

from __future__ import annotations

from itertools import cycle

from ggtp.bench.attack.engines import SEATS, Zoo
from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo.ways import WAYS

NAMES = (
    *("exit0", "exit1", "crash", "hang", "deaf", "ignores-term", "forks", "floods", "long-line", "half-line"),
    *("half-line-exit", "binary", "unasked", "wrong-answer", "illegal", "late", "spin", "drip", "memory"),
    *("connects-then-closes", "never-connects", "stdout-noise", "stderr-flood", "wrong-protocol", "wrong-protocol-gtp"),
)
FAULTS = {name: WAYS[name].at for name in NAMES}
"""Ways of the zoo, and the command at which each happens; the other ways are tried by the tests of the zoo."""


def wrongs_at_prompt(site: Site, *names: str) -> list[str]:
    """Let each way play a game at the prompt of one program; what was wrong, by the same judgement as in an attack."""
    zoo = Zoo(site)
    try:
        for name, seat, turn in zip(names, cycle(SEATS), range(len(names)), strict=False):
            wires = WAYS[name].wires.split()
            zoo.at_prompt(WAYS[name], wires[turn % len(wires)], seat)
    finally:
        zoo.close()
    return [f"{finding.kind}: {finding.what}" for finding in site.tally.findings]
