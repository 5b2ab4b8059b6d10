"""Damaged journals: how far one can be trusted, and what is lost behind that."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ggtp.tournament.journal.journal import Fold, JournalError, LineReader, looks_like_journal


@dataclass(frozen=True, slots=True)
class Repair:
    """What can be kept of a journal."""

    good: int
    """How many bytes from the beginning on."""
    lines: int
    games: int
    """How many games count in them."""
    why: str = ""
    """The fault of the line behind them, as a phrase; empty if there is none."""
    cut_lines: int = 0
    cut_results: int = 0
    """How many of the lines that are cut off look like results."""

    @property
    def torn(self) -> bool:
        """Whether nothing but an unfinished last line is cut off, as every run does by itself."""
        return self.why == TORN


TORN = "it was not written to its end"


def examine(data: bytes, path: str = "") -> Repair:
    """How far a journal holds, and makes sense.

    Raises:
        JournalError: not even its header does.
    """
    if not looks_like_journal(data):
        raise JournalError("It is no journal.", path=path)
    reader, fold = LineReader(path), Fold(path)
    good, lines, why = 0, 0, ""
    for text in _lines(data):
        if not text.endswith(b"\n"):
            why = TORN
            break
        try:
            (line,) = reader.read(text, more=True)
            fold.add(line)
        except JournalError as error:
            why = _phrase(error)
            break
        good += len(text)
        lines += 1
    if fold.plan is None:
        raise JournalError(f"Nothing can be kept: {why or 'it is empty'}.", path=path, line=1)
    cut = _lines(data[good:])
    results = sum(_is_result(text) for text in cut)
    return Repair(good, lines, len(fold.results().games), why, len(cut), results)


def _lines(data: bytes) -> list[bytes]:
    """The lines with their ends; the last one may have none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _phrase(error: JournalError) -> str:
    """The fault, without the sentence around it."""
    text = error.message.removesuffix(" Everything before it does.").rstrip(".")
    return text.partition(": ")[2] or text


def _is_result(line: bytes) -> bool:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return b'"kind":"result"' in line
    return isinstance(data, dict) and data.get("kind") == "result"
