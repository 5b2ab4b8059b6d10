"""Ground programs and networks as bytes, for pipes and caches, and back.

A JSON object with all that is text or small, its length in front, then numbers of 32 bits,
least significant byte first. Nothing in it is ever executed: whoever reads it gets the value or a
`ValueError`.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from ggtp.gdl.network.network import VERSION, Built, LazyGates, Network, Pass, Statistics

if TYPE_CHECKING:
    from ggtp.gdl.ground.program import GroundProgram

_LENGTH = 8
_GATE = 8


def encode_program(program: GroundProgram) -> bytes:
    """A ground program as bytes."""
    import numpy as np

    from ggtp.gdl.ground.arrays import RuleTable

    table = RuleTable.of(program.rules)
    head = {
        "roles": program.roles,
        "facts": program.facts,
        "moves": program.moves,
        "initial": program.initial,
        "atoms": program.atoms,
        "next": program.next,
        "legal": program.legal,
        "terminal": program.terminal,
        "goals": program.goals,
        "always": sorted(program.always),
        "sees": program.sees,
        "rules": len(table.heads),
    }
    numbers = np.concatenate([table.heads, table.ends, table.literals])
    return _packed("program", head, numbers.astype("<i4").tobytes())


def decode_program(data: bytes) -> GroundProgram:
    """The ground program again.

    Raises:
        ValueError: these bytes are none.
    """
    # Not above: who has a network needs neither grounder nor arrays.
    import numpy as np

    from ggtp.gdl.ground.arrays import RuleTable
    from ggtp.gdl.ground.program import GroundProgram

    head, rest = _unpacked("program", data)
    numbers = np.frombuffer(rest, dtype="<i4").astype(np.int32)
    count = int(head["rules"])
    return GroundProgram(
        roles=tuple(head["roles"]),
        facts=tuple(head["facts"]),
        moves=_rows(head["moves"]),
        initial=tuple(head["initial"]),
        atoms=head["atoms"],
        rules=RuleTable(numbers[:count], numbers[count : 2 * count], numbers[2 * count :]),
        next=tuple(head["next"]),
        legal=_rows(head["legal"]),
        terminal=head["terminal"],
        goals=tuple(_rows(row) for row in head["goals"]),
        always=frozenset(head["always"]),
        sees=tuple(_rows(row) for row in head["sees"]),
    )


def encode_built(built: Built) -> bytes:
    """A network with its statistics as bytes."""
    network = built.network
    head = {
        "roles": network.roles,
        "facts": network.facts,
        "moves": network.moves,
        "initial": network.initial,
        "next": network.next,
        "legal": network.legal,
        "terminal": network.terminal,
        "goals": network.goals,
        "sees": network.sees,
        "statistics": asdict(built.statistics),
    }
    return _packed("network", head, _swapped(array("i", chain.from_iterable(network.gates))).tobytes())


def decode_built(data: bytes) -> Built:
    """The network and its statistics again.

    Raises:
        ValueError: these bytes are none.
    """
    head, rest = _unpacked("network", data)
    if len(rest) % _GATE:
        raise ValueError("A gate of the network lacks an input.")

    def gates() -> tuple[tuple[int, int], ...]:
        numbers = array("i")
        numbers.frombytes(rest)
        numbers = _swapped(numbers)
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    network = Network(
        roles=tuple(head["roles"]),
        facts=tuple(head["facts"]),
        moves=_rows(head["moves"]),
        initial=tuple(head["initial"]),
        gates=LazyGates(len(rest) // _GATE, gates),
        next=tuple(head["next"]),
        legal=_rows(head["legal"]),
        terminal=head["terminal"],
        goals=tuple(_rows(row) for row in head["goals"]),
        sees=tuple(_rows(row) for row in head["sees"]),
    )
    numbered = dict(head["statistics"])
    numbered["moves"] = tuple(numbered["moves"])
    numbered["passes"] = tuple(Pass(**item) for item in numbered["passes"])
    return Built(network, Statistics(**numbered))


def _rows(rows: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, rows))


def _swapped(numbers: array[int]) -> array[int]:
    """Numbers as we have them, as they are in the bytes, and back."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _packed(kind: str, head: Mapping[str, Any], numbers: bytes) -> bytes:
    text = json.dumps({"kind": kind, "version": VERSION, **head}).encode()
    return len(text).to_bytes(_LENGTH, "little") + text + numbers


def _unpacked(kind: str, data: bytes) -> tuple[Mapping[str, Any], memoryview]:
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    if len(data) < end or (len(data) - end) % 4:
        raise ValueError(f"The bytes of a {kind} are cut off.")
    head = json.loads(data[_LENGTH:end])
    if not isinstance(head, dict) or (head.get("kind"), head.get("version")) != (kind, VERSION):
        raise ValueError(f"These bytes are no {kind} of version {VERSION}.")
    return head, memoryview(data)[end:]
