from __future__ import annotations

from pathlib import Path

import pytest
from support.corpus import video_folders
from support.vgdl import text

from ggtp.errors import RulesError
from ggtp.vgdl.language.faults import errors
from ggtp.vgdl.language.parse import MOST_CHARACTERS, parse, parse_leniently, survey


def test_a_whole_game() -> None:
    made = parse(text("box > Passive", "box wall > stepBack", "Timeout limit=5 win=True", "b > box\n"))
    assert [kind.name for kind in made.types] == ["wall", "avatar", "box"]
    assert made.mapping["b"] == (2,)
    assert made.square_size == 10
    assert made.ends[0].win


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "1:1: the text is empty: a game begins with a line BasicGame"),
        ("Gmae\n", "1:1: a game begins with a line BasicGame, not with Gmae"),
        ("BasicGame\n  SpritSet\n    a > Passive\n", "2:3: there is no section SpritSet; is it SpriteSet?"),
        ("BasicGame square_size=x\n", "1:11: square_size is a whole number, not x"),
        ("BasicGame\nother\n", "2:1: other belongs to nothing: indent it below BasicGame"),
        ("BasicGame obs=rock\n", "1:11: there is no sprite rock"),
        ("x" * (MOST_CHARACTERS + 1), f"1:1: the text is longer than {MOST_CHARACTERS} characters"),
    ],
)
def test_a_text_that_is_no_game(source: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse(source)
    assert str(caught.value) == message


def test_every_fault_is_listed() -> None:
    source = text("a > Pasive\nb > Passive speed=fast", "a wal > stepBak", "Tmeout limit=3", "c > d\n")
    _, faults = survey(source)
    found = [fault.message for fault in errors(faults)]
    assert found == [
        "there is no class of sprites Pasive; is it Passive?",
        "speed is a number, not fast",
        "there is no sprite d",
        "there is no effect stepBak; is it stepBack?",
        "there is no way to end Tmeout; is it Timeout?",
    ]


def test_a_lenient_reader_leaves_out_what_means_nothing() -> None:
    source = text("a > Passive", "a ghost > killSprite\na wall > stepBack")
    with pytest.raises(RulesError):
        parse(source)
    assert len(parse_leniently(source).pairs) == 1
    with pytest.raises(RulesError):
        parse_leniently("nonsense")


@pytest.mark.parametrize("folder", video_folders())
def test_recorded_games_have_no_faults(folder: Path) -> None:
    files = [path for path in (folder / "games").glob("*.txt") if "_lvl" not in path.name]
    assert files
    assert {path.name: faults for path in files if (faults := survey(path.read_text())[1])} == {}
