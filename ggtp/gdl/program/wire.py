"""Programs as bytes, for the cache, and back: making them of a large network takes longer than all the rest.

A JSON object with what is small, its length in front, then the operations as they are in memory
on any machine that we run on. It is read only from where machine code is read, too.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from typing import Any

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import Code
from ggtp.gdl.program.state import StateProgram
from ggtp.gdl.program.step import Phase, Plane, StepProgram

VERSION = 5
"""Changes whenever other programs are made of the same network, or written otherwise."""

_LENGTH = 8


def encode_step(program: StepProgram) -> bytes:
    """A step program as bytes, without its network."""
    codes = [program.step] if program.observe is None else [program.step, program.observe]
    codes += program.further
    goals = [
        [[value, plane.counter, plane.inverted] for value, plane in planes] for planes in program.goals
    ]  # fmt: skip
    head = {"facts": program.facts, "counters": program.counters, "goals": goals, "merged": program.merged}
    more = {
        "observed": program.observe is not None,
        "phases": [(phase.calm is not None, phase.when) for phase in program.phases],
        "period": program.period,
        "foresight": program.foresight,
    }
    return _packed({**head, **more}, codes)


def decode_step(data: bytes, network: Network) -> StepProgram:
    """The step program of a network again.

    Raises:
        ValueError, KeyError, IndexError, TypeError: these bytes are none.
    """
    head, codes = _unpacked(data)
    goals = tuple(
        tuple((int(value), Plane(int(counter), bool(inverted))) for value, counter, inverted in planes)
        for planes in head["goals"]
    )
    step = codes.pop(0)
    observe = codes.pop(0) if head["observed"] else None
    left = [step, *codes]
    phases = []
    for calm, when in head["phases"]:
        guided = left.pop(0)
        phases.append(Phase(guided, left.pop(0) if calm else None, tuple(map(int, when))))
    return StepProgram(
        network,
        tuple(head["facts"]),
        step,
        observe,
        int(head["counters"]),
        goals,
        int(head["merged"]),
        tuple(phases),
        int(head["period"]),
        bool(head["foresight"]),
    )


def encode_perhaps(program: StepProgram | None) -> bytes:
    """A step program as bytes, or none as no bytes."""
    return b"" if program is None else encode_step(program)


def decode_perhaps(data: bytes, network: Network) -> StepProgram | None:
    """What `encode_perhaps` has made bytes of.

    Raises:
        ValueError, KeyError, TypeError: these bytes are none.
    """
    return decode_step(data, network) if data else None


def encode_state(program: StateProgram) -> bytes:
    """A program about single states as bytes, without its network."""
    return _packed({}, [program.look, program.move])


def decode_state(data: bytes, network: Network) -> StateProgram:
    """The program about single states of a network again.

    Raises:
        ValueError, KeyError, TypeError: these bytes are none.
    """
    _, (look, move) = _unpacked(data)
    return StateProgram(network, look, move)


def _packed(head: Mapping[str, Any], codes: list[Code]) -> bytes:
    shapes = [(code.slots, len(code), len(code.stores)) for code in codes]
    text = json.dumps({"version": VERSION, "codes": shapes, **head}).encode()
    parts = [len(text).to_bytes(_LENGTH, "little"), text]
    for code in codes:
        stores = array("i", (number for pair in code.stores for number in pair))
        parts += [code.opcodes.tobytes(), code.left.tobytes(), code.right.tobytes(), stores.tobytes()]
    return b"".join(parts)


def _unpacked(data: bytes) -> tuple[Mapping[str, Any], list[Code]]:
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    head = json.loads(data[_LENGTH:end])
    if not isinstance(head, dict) or head.get("version") != VERSION:
        raise ValueError("These bytes are no program of this version.")
    view = memoryview(data)[end:]

    def taken(kind: str, count: int) -> array[int]:
        nonlocal view
        found: array[int] = array(kind)
        size = count * found.itemsize
        if size > len(view):
            raise ValueError("The bytes of a program are cut off.")
        found.frombytes(view[:size])
        view = view[size:]
        return found

    codes = []
    for slots, length, count in head["codes"]:
        opcodes, left, right, flat = taken("B", length), taken("i", length), taken("i", length), taken("i", 2 * count)
        codes.append(Code(slots, opcodes, left, right, tuple(zip(flat[::2], flat[1::2], strict=True))))
    return head, codes
