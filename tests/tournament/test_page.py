"""The page about plans and journals names what there is, and nothing else."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.paths import ROOT
from tournament.journal.test_journal import journal

from ggtp.faults import IN_TOURNAMENTS, PRICES
from ggtp.tournament.journal.journal import KINDS, LineReader
from ggtp.tournament.plan.plan import FORMATS, SCORINGS, plan_from
from ggtp.tournament.results import ENDS

PAGE = (ROOT / "man" / "ggtp-tournament.5").read_text("utf-8")


def section(title: str, text: str = PAGE) -> str:
    return re.split(r"^\.S[hs] ", text.partition(f"{title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def items(title: str) -> list[str]:
    heads = re.findall(r"^\.It (Li .*)$", section(title), re.MULTILINE)
    return [name for head in heads for name in re.findall(r"Li (\S+)", head)]


def example() -> str:
    return PAGE.partition(".Bd -literal -offset indent\n")[2].partition(".Ed")[0]


def test_every_word_of_a_plan() -> None:
    data = plan_from(tomllib.loads(example()) | {"sprt": {}, "player": [{"engine": "A"}, {"engine": "B"}]}).data()
    assert set(items(".Sh PLANS")) == set(data)
    assert set(items(".Ss ADJUDICATION")) == set(data["adjudicate"])
    words = set(re.findall(r"^\.Li (\w+)", section(".Sh PLANS"), re.MULTILINE))
    for table in (data["time"], data["sprt"], data["player"][0], data["rule"][0], data["rule"][0]["start"][0]):
        assert set(table) <= words | {"rule", "name"}


@pytest.mark.parametrize(
    ("title", "names"),
    [
        (".Ss FORMATS", FORMATS),
        (".Ss SCORES", SCORINGS),
        (".Sh JOURNALS", KINDS),
        (".Ss FAULTS", [*IN_TOURNAMENTS, *PRICES]),
    ],
)
def test_every_row_of_a_table(title: str, names: list[str]) -> None:
    assert items(title) == list(names)


def test_every_end_of_a_game() -> None:
    said = set(re.findall(r"^\.Ql (\w+)", section(".Sh JOURNALS"), re.MULTILINE))
    assert set(ENDS) <= said


def test_every_member_of_a_journals_line() -> None:
    said = set(re.findall(r"\bLi (\w+)", section(".Sh JOURNALS")))
    for line in LineReader().read(b"".join(journal())):
        assert set(line.members) <= said
        for fault in line.members.get("faults", []):
            assert set(fault) <= said
        assert set(line.members.get("game", {})) <= said


def test_the_example_is_a_plan() -> None:
    assert plan_from(tomllib.loads(example())).names == ("Random", "Shallow", "Deep")
