"""The line at the foot of the terminal: a pure function from the status of the table to formatted text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggtp.game.picture import text_width
from ggtp.protocol.text import one_line, split_map
from ggtp.referee.views import SeatStatus, Status

Fragments = list[tuple[str, str]]
"""Formatted text: styles and what is written in them."""

GAP = "  "
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Field:
    """A piece of the toolbar. Where the terminal is narrow, those that matter least are left out."""

    text: str
    style: str
    weight: int
    """The larger, the longer it stays."""


def toolbar(status: Status, columns: int, *, busy: str = "", machine: str = "", found: str = "") -> Fragments:
    """What to write, in at most `columns` columns.

    Args:
        busy: the command that is being carried out.
        machine: who plays the rules, where that is a question.
        found: what the engine that thinks has found so far.
    """
    fields = _fields(status, busy, machine, found)
    while len(fields) > 1 and _width(fields) > columns:
        fields.remove(min(fields, key=lambda field: field.weight))
    fragments: Fragments = []
    for field in fields:
        fragments += [("", " " if not fragments else GAP), (f"class:toolbar.{field.style}", field.text)]
    return fragments


def _width(fields: Sequence[Field]) -> int:
    return sum(text_width(field.text) + len(GAP) for field in fields)


def search_text(told: str) -> str:
    """What a thinking engine tells of its search, in a few words: `drop 4, yellow 57 red 43, depth 12`."""
    try:
        facts = split_map(told)
    except ValueError:
        return ""
    parts = [facts[name] for name in ("move", "value") if facts.get(name)]
    if facts.get("depth"):
        parts.append(f"depth {facts['depth']}")
    parts += [f"{facts[name]} {name}" for name in ("playouts", "nodes") if facts.get(name)][:1]
    return one_line(", ".join(parts))


def _fields(status: Status, busy: str, machine: str, found: str) -> list[Field]:
    fields: list[Field] = []
    if status.phase == "empty":
        fields.append(Field("no rule: set_rule chooses a game", "quiet", 5))
    else:
        fields.append(Field(one_line(status.rule), "rule", 4))
        if machine:
            fields.append(Field(machine, "quiet", 0))
        fields += [_seat(seat) for seat in status.seats]
        if found and status.thinking:
            fields.append(Field(found, "quiet", 5))
    if status.phase == "ready":
        fields.append(Field("not started", "quiet", 6))
    if status.phase == "over":
        fields.append(Field(one_line(status.result), "result", 9))
    if status.held:
        fields.append(Field("held: genmove goes on", "held", 8))
    if busy:
        fields.append(Field(f"{busy} ...", "busy", 10))
    if status.node is not None:
        fields.append(Field(f"node {status.node} {one_line(status.node_name)}".rstrip(), "quiet", 1))
    if status.file:
        fields.append(Field(f"file {one_line(status.file)}", "quiet", 2))
    return fields


def _seat(seat: SeatStatus) -> Field:
    """`>Circle: Minimax 1.3 s of 5 s, 0:42 left`."""
    parts = []
    if seat.gone:
        parts.append("gone")
    if seat.chosen:
        parts.append("has chosen")
    if seat.thinking is not None:
        limit = "" if seat.limit is None else f" of {seat.limit:.3g} s"
        parts.append(f"thinking {_seconds(seat.thinking)}{limit}")
    if seat.bank is not None:
        parts.append(f"{clock(seat.bank)} left")
    mark = ">" if seat.to_move else ""
    text = one_line(f"{mark}{seat.player}: {seat.engine} {', '.join(parts)}".rstrip())
    if seat.gone:
        return Field(text, "gone", 7)
    if seat.thinking is not None:
        return Field(text, "thinking", 8)
    return Field(text, "turn" if seat.to_move else "player", 7 if seat.to_move else 3)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{int(seconds)} s" if seconds < 60 else clock(seconds)


def clock(seconds: float) -> str:
    """`0:07.3`, `4:20`, `1:02:03`: tenths where they begin to matter."""
    if seconds < 10:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    whole = int(seconds)
    if whole >= HOUR:
        return f"{whole // HOUR}:{whole % HOUR // 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"
