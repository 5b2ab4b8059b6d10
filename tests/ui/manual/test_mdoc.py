"""Pages of the manual as plain text."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.paths import ROOT

from ggtp.ui.manual.mdoc import render, summary

MAN = ROOT / "man"

PAGE = r"""
.\" a comment
.Dd January 1, 2025
.Dt GGTP 1
.Os
.Sh NAME
.Nm ggtp
.Nd a referee for all discrete games
.Sh SYNOPSIS
.Nm
.Op Fl -seed Ar number
.Op Ar file
.Nm
.Cm check
.Oo Fl -option Ar name Ns = Ns Ar value Oc ...
.Sh DESCRIPTION
The
.Nm
program is a referee that people
.Em and
programs talk to, see
.Xr ggtp-rules 7 .
.Pp
Options:
.Bl -tag -width Ds
.It Fl -seed Ar n
The seed.
.Pp
A second paragraph.
.It Fl h
Help:
.Bl -bullet -compact
.It
one
.It
two
.El
.It Xo
.Fl -option
.Ar value
.Xc
An option.
.El
.Bl -column "status" "meaning"
.It 0 Ta done
.It 10 Ta "refused, or failed"
.El
.Bd -literal -offset indent
$ ggtp rules \e
    --all
.Ed
.Dl ggtp check hex
.Bl -enum
.It
First
.It
Second
.El
.Ss More
Words.
"""

TEXT = r"""
NAME
    ggtp - a referee for all discrete games

SYNOPSIS
    ggtp [--seed number] [file]
    ggtp check [--option name=value] ...

DESCRIPTION
    The ggtp program is a referee that people and programs
    talk to, see ggtp-rules(7).

    Options:

    --seed n
            The seed.

            A second paragraph.

    -h      Help:
            - one
            - two

    --option value
            An option.

    0   done
    10  refused, or failed

        $ ggtp rules \
            --all

        ggtp check hex

    1.  First

    2.  Second

  More
    Words.
"""


def test_a_page() -> None:
    assert "\n".join(render(PAGE, 60)) == TEXT.strip("\n")


def test_the_summary_is_the_line_of_description() -> None:
    assert summary(PAGE) == "a referee for all discrete games"
    assert summary(".Nd the\t\\fBplay\\fP file\n") == "the play file"
    assert summary("nothing") == ""


def test_long_words_stay_whole_and_lines_short() -> None:
    lines = render(".Sh X\n" + "word " * 100 + "x" * 100, 50)
    assert max(map(len, lines[:-1])) <= 50
    assert lines[-1].strip() == "x" * 100


@pytest.mark.parametrize(
    "source",
    [
        ".It alone",
        ".El\n.Ed\n.Xc",
        ".Bl -column\n.El",
        ".Bl -tag\n.It Xo\n.Fl x",
        ".Bd -literal\n.Sh NEXT\ntext",
        ".\n.  \n'\n.\"",
        ".Op\n.Fn\n.Xr\n.Pf\n.Ns",
    ],
)
def test_pages_with_faults_are_rendered_all_the_same(source: str) -> None:
    render(source)


MACRO = st.sampled_from(
    [
        "Sh", "Ss", "Nm", "Nd", "Pp", "Bl", "It", "El", "Bd", "Ed", "Dl", "Xo", "Xc", "Op", "Oo", "Oc", "Fl", "Ar",
        "Ns", "Pf", "Xr", "Ta", "Ex", "Fn", "-tag", "-column", "-literal", "-offset", ".", ",", "(", "|", '"', "\\",
    ]
)  # fmt: skip


@given(st.lists(st.lists(MACRO | st.text(max_size=5), max_size=6)))
def test_nothing_makes_it_fail(lines: list[list[str]]) -> None:
    source = "\n".join("." * bool(index % 3) + " ".join(words) for index, words in enumerate(lines))
    assert not any(mark in line for line in render(source) for mark in "\0\1")


def pages() -> list[Path]:
    return sorted(MAN.glob("*.[1-8]"))


def test_our_own_pages_leave_no_macro_behind() -> None:
    for path in pages():
        text = "\n".join(render(path.read_text(), 80))
        assert summary(path.read_text()), path
        assert not re.findall(r"^ *\.[A-Z][a-z]\b.*$", text, re.MULTILINE), path
        for heading in re.findall(r"^\.Sh (.+)$", path.read_text(), re.MULTILINE):
            assert f"\n{heading}\n" in f"\n{text}\n", path


def test_indents_come_back_after_lists_and_displays() -> None:
    source = """\
        .Sh X
        .Bl -tag -offset indent
        .It a
        .Bd -filled -offset indent
        inner
        .Ed
        .El
        after"""
    assert render(dedent(source))[-1] == "    after"
