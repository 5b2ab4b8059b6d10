"""Networks as bytes, for pipes and caches, and back.

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
from typing import Any

from ggtp.gdl.network.network import VERSION, Built, LazyGates, Network, Pass, Statistics

KIND = "network"
_LENGTH = 8
_GATE = 8


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
    return _packed(head, _swapped(array("i", chain.from_iterable(network.gates))).tobytes())


def decode_built(data: bytes) -> Built:
    """The network and its statistics again.

    Raises:
        ValueError: these bytes are none.
    """
    head, rest = _unpacked(data)
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


def _packed(head: Mapping[str, Any], numbers: bytes) -> bytes:
    text = json.dumps({"kind": KIND, "version": VERSION, **head}).encode()
    return len(text).to_bytes(_LENGTH, "little") + text + numbers


def _unpacked(data: bytes) -> tuple[Mapping[str, Any], memoryview]:
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    if len(data) < end or (len(data) - end) % 4:
        raise ValueError("The bytes of a network are cut off.")
    head = json.loads(data[_LENGTH:end])
    if not isinstance(head, dict) or (head.get("kind"), head.get("version")) != (KIND, VERSION):
        raise ValueError(f"These bytes are no network of version {VERSION}.")
    return head, memoryview(data)[end:]
