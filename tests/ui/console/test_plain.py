"""Plain protocol lines for programs and transcripts."""

from __future__ import annotations

import io

import pytest

from ggtp.game import Cell, Grid, Note, Picture
from ggtp.ui.console.plain import PlainScreen


class Flushed(io.StringIO):
    """Counts how often it is flushed."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1


def shown(encoding: str = "utf-8", *, ascii_only: bool = False) -> tuple[PlainScreen, io.BytesIO]:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    return PlainScreen(out, ascii_only=ascii_only), raw


def test_every_kind_of_line() -> None:
    screen, raw = shown()
    screen.echo("play Cross A1")
    screen.inform("Cross plays A1")
    screen.inform("")
    screen.draw(Picture((Grid(((Cell("X"), Cell(".")),), columns=("A", "B"), row_labels=("1",)), Note("Circle"))))
    screen.respond("= Done")
    screen.respond("? No.")
    assert raw.getvalue().decode().splitlines() == [
        "play Cross A1",
        "-> Cross plays A1",
        "->",
        "->   A B",
        "-> 1 X .",
        "-> Circle",
        "= Done",
        "? No.",
    ]


def test_refusals_are_counted() -> None:
    screen, _ = shown()
    for text in ("= Done", "? No.", "= ? is a move", "? Never."):
        screen.respond(text)
    assert screen.refused == 2


def test_whoever_waits_for_a_line_gets_it_at_once() -> None:
    out = Flushed()
    screen = PlainScreen(out, ascii_only=False)
    screen.inform("news")
    screen.respond("= Done")
    assert out.flushes >= 1
    assert out.getvalue() == "-> news\n= Done\n"


@pytest.mark.parametrize(
    ("encoding", "written"),
    [("utf-8", "-> ♞ é".encode()), ("latin-1", b"-> \\u265e \xe9"), ("ascii", b"-> \\u265e \\xe9")],
)
def test_what_an_output_can_t_show_is_escaped(encoding: str, written: bytes) -> None:
    screen, raw = shown(encoding)
    screen.inform("♞ é")
    assert raw.getvalue() == written + b"\n"


def test_a_picture_in_ascii() -> None:
    screen, raw = shown(ascii_only=True)
    screen.draw(Picture((Grid(((Cell("♞", ascii="N"), Cell("x")),)),)))
    assert raw.getvalue() == b"-> N x\n"
