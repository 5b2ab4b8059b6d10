"""Bits in rows of words, as kernels give them, in the part of Python that `native` makes machine code of."""

from __future__ import annotations

from ggtp.native.language import Words, lowest, ones


def bit(row: Words, place: int) -> int:
    """A bit of many words."""
    return (row[place >> 6] >> (place & 63)) & 1


def bits_in(row: Words, place: int, end: int) -> int:
    """How many bits are set from a place up to another."""
    count = 0
    while place < end:
        word = row[place >> 6] >> (place & 63)
        here = min(64 - (place & 63), end - place)
        if here < 64:
            word = word & ((1 << here) - 1)
        count += ones(word)
        place += here
    return count


def next_bit(row: Words, place: int, end: int) -> int:
    """The first place from here on whose bit is set; the end where there is none."""
    while place < end:
        word = row[place >> 6] >> (place & 63)
        if word != 0:
            return min(end, place + lowest(word))
        place = (place | 63) + 1
    return end


FUNCTIONS = (bit, bits_in, next_bit)
"""All of them, for `native.module_text`."""
