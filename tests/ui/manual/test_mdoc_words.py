"""What lines of mdoc say."""

from __future__ import annotations

import pytest

from ggtp.ui.manual.mdoc_words import Words, plain, split


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Fl -seed Ar n", "--seed n"),
        ("Fl h , Fl -help", "-h, --help"),
        ("Fl a b", "-a -b"),
        ("Op Fl -seed Ar n", "[--seed n]"),
        ("Op Ar", "[file ...]"),
        ("Ar name Ns = Ns Ar value", "name=value"),
        ("Pf $ Ev HOME", "$HOME"),
        ("Xr ggtp-rules 7 .", "ggtp-rules(7)."),
        ("Xr ggtp 1 , Xr man 1", "ggtp(1), man(1)"),
        ("Dq two words .", '"two words".'),
        ('Ql "a  b"', "'a  b'"),
        ("Pq see Xr man 1 ;", "(see man(1));"),
        ("Oo Fl x Oc ...", "[-x] ..."),
        ("Po a Pc .", "(a)."),
        ("Fn play moves rng", "play(moves, rng)"),
        ("Nm", "ggtp"),
        ("Nm : done", "ggtp: done"),
        ("Nm other", "other"),
        ('Li "Op" No x', "Op x"),
        ("Cm a | b", "a | b"),
        ("Sy ( bold )", "(bold)"),
        ("Pa", "~"),
        ("Ux", "UNIX"),
        ("Em it Ap s", "it's"),
        ("Xyz unknown words", "Xyz unknown words"),
        ("Ex -std", "The ggtp utility exits 0 on success, and >0 if an error occurs."),
        ('No kept \\" comment', "kept"),
    ],
)
def test_a_line(line: str, said: str) -> None:
    assert Words("ggtp").of(split(line)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"a\-b \(em c", "a-b -- c"),
        (r"\fBbold\fP \fIit\fR", "bold it"),
        (r"\&.Sh", ".Sh"),
        (r"back\eslash", "back\\slash"),
        (r"\[lq]x\[rq] \(aq", '"x" \''),
        (r"\*(Ba \*[Gt]", "| >"),
        (r"\[u221E]", "∞"),
        (r"\[uFFFFFF]", "uFFFFFF"),
        (r"tied\ blank", "tied\xa0blank"),
        ('text \\" comment', "text "),
        ("ends in \\", "ends in \\"),
    ],
)
def test_escapes(text: str, said: str) -> None:
    assert plain(text) == said


def test_the_first_name_is_the_page_s() -> None:
    words = Words("")
    assert words.of(split("Nm ggtp")) == "ggtp"
    assert words.of(split("Nm other")) == "other"
    assert words.of(split("Nm")) == "ggtp"
