"""Chance that nobody can predict: numbers drawn from a key, and seeds that do not give the key away.

    key = new_key(random.SystemRandom())            # of a run: a referee at a prompt, a tournament
    told = derive(key, "engine", "White", bits=31)  # what an engine is told
    dice = Chance(derive(key, "chance"))            # a `random.Random` for the rules

Every use of a key has a label of its own. Derivations go one way: neither the key nor what was derived under another
label follows from a derived number. An attacker can only try keys, so a key that was chosen by a person and is small
protects nothing; `new_key` makes one that is too large for that.
"""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import Any

KEY_BITS = 128
MOST_KEY = 2**KEY_BITS - 1
"""The largest key, and the largest value of the options that are called `seed`."""

SEED_BITS = 31
"""The size of a seed that an engine is told: many programs take no larger one."""

_PERSON = b"ggtp chance"
_BLOCK = 64
"""How many bytes of the stream are made at a time: the largest digest of BLAKE2b."""


def new_key(source: random.Random) -> int:
    """Return a key that nobody can guess, if the source is the system's own (`random.SystemRandom`)."""
    return source.getrandbits(KEY_BITS)


def derive(key: int, label: str, *about: str | int, bits: int = KEY_BITS) -> int:
    """Return a number of at most `bits` bits that follows from a key, a label and what it is about.

    Numbers with other labels or about something else are independent of it.
    """
    text = repr((label, *about)).encode("utf-8", "backslashreplace")  # a tuple's text can be read in one way only
    digest = blake2b(text, key=_secret(key), person=_PERSON).digest()
    return int.from_bytes(digest, "big") >> (8 * len(digest) - bits)


def _secret(key: int) -> bytes:
    return blake2b(str(key).encode(), person=_PERSON).digest()


class Chance(random.Random):
    """Random numbers from a keyed stream, BLAKE2b in counter mode.

    The same key draws the same numbers. Who has seen any number of them can't compute the others, as can be done for
    `random.Random` after 624 draws.
    """

    gauss_next: float | None
    """What `gauss` has kept for its next call."""

    def __init__(self, key: int) -> None:
        """Begin the stream of a key."""
        super().__init__(key)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Begin the stream of another key, which is an integer."""
        if not isinstance(a, int):
            raise TypeError(f"the key of a stream is an integer, not {a!r}")
        super().seed(0)  # forgets what `gauss` has kept
        self._secret = _secret(a)
        self._blocks = 0
        self._fill()

    def _fill(self) -> None:
        self._stream = blake2b(self._blocks.to_bytes(16, "big"), key=self._secret, person=_PERSON).digest()
        self._blocks += 1
        self._used = 0

    def _take(self, count: int) -> int:
        """The next bytes of the stream, as a number."""
        end = self._used + count
        if end <= _BLOCK:
            taken = self._stream[self._used : end]
            self._used = end
            return int.from_bytes(taken, "big")
        taken = self._stream[self._used :]
        while len(taken) < count:
            self._fill()
            self._used = min(_BLOCK, count - len(taken))
            taken += self._stream[: self._used]
        return int.from_bytes(taken, "big")

    def getrandbits(self, k: int, /) -> int:
        """A number of `k` random bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return self._take((k + 7) // 8) >> (-k % 8)

    def random(self) -> float:
        """A number from 0 up to 1, without 1."""
        return (self._take(7) >> 3) * 2.0**-53

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies."""
        return type(self), (0,), self.getstate()

    def getstate(self) -> tuple[Any, ...]:
        """Where the stream is, for `setstate`; it holds the stream's secret."""
        return self._secret, self._blocks, self._used, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on where a stream was."""
        self._secret, blocks, used, self.gauss_next = state
        self._blocks = blocks - 1
        self._fill()
        self._used = used
