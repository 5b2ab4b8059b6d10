"""Descriptions of engines: refused, or they can be asked what they play and how they are started."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ggtp.bench.attack.fuzz.bundled import texts
from ggtp.bench.attack.fuzz.corpus import encoded
from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget
from ggtp.catalogue import Catalogue
from ggtp.catalogue.engine_file import Description, parse_table

PATH = Path("/nowhere/fuzz.toml")
FULL = """\
name = "deep-thought"
argv = ["./thought", "--ggtp", "{endpoint}", "{host}:{port}", "{python}"]
transport = "zmq"
title = "looks forty moves ahead"
rules = ["tictactoe", "hex*", "[a-c]?"]
cwd = "."
[plays]
min_players = 1
max_players = 2
chance = true
hidden = false
joint = true
race = false
code = true
[options]
threads = 4
ponder = true
[env]
THOUGHT_BOOK = "/opt/thought/book"
"""


ROUNDS = 30
begin = fuzzing("descriptions")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """The descriptions of the project, and one with every key."""
    return [FULL, *texts("", ".toml", 1 << 16, "ggtp.engines")]


def reader(environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Reads descriptions."""
    rules = Catalogue.from_environment(environ).guarded_rules("Nim")

    def read(text: str, _budget: Budget) -> str:
        content = encoded(text)
        spec = Description(parse_table(content, PATH), PATH.parent, str(PATH), str(PATH), content).spec()
        words = spec.command("tcp://127.0.0.1:1", "127.0.0.1", 1)
        return f"{spec.transport} {spec.can_play(rules, {})} {spec.takes_command} {len(words).bit_length()}"

    return read
