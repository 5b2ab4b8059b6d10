"""The report's page in a real browser: clicked through as a reader would, with a mouse, with keys, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Browser, browser, missing
from support.tournaments import find_rules, results

from ggtp.play.replay import replay
from ggtp.tournament.report.data import make_report
from ggtp.ui.report.html import report_html
from ggtp.ui.report.play import play_html

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=f"the program {missing()} is not installed"),
]

EVIL = "<img src onerror>'\"<script>document.title \u2261 1</script>"
RULES = ("TicTacToe", "ConnectFour", "CantStop")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    played = results(RULES, {"Strong": 0.9, EVIL: 0.5, "Weak": 0.1}, blocks=4, faulty="Weak", name="An evening")
    page = report_html(make_report(played), find_rules, lambda: True, "0")
    (folder / "report.html").write_text(page, encoding="utf-8")
    text = (
        "set_rule TicTacToe\nstart\nforce_play Cross A1\nforce_play Circle B2\nforce_play Cross C3\nundo\n"
        "force_play Cross A3\ncomment_node sharp\n"
    )
    (folder / "play.html").write_text(
        play_html(replay(text, find_rules).play, text, "corner.ggtp", "0"), encoding="utf-8"
    )
    return folder


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def page(window: Browser, pages: Path) -> Iterator[Browser]:
    """The report, just opened; whatever the browser complains about is a failure."""
    window.resize(1200, 900)
    window.prefer("light")
    window.open((pages / "report.html").as_uri())
    yield window
    assert window.complaints() == []


def board(window: Browser) -> list[str]:
    found: list[str] = window.run(
        "return [...document.querySelectorAll('#screen .cell')].map((one) => one.textContent)"
    )
    return found


def visible(window: Browser, selector: str) -> bool:
    return bool(window.run("return document.querySelector(arguments[0]).checkVisibility()", selector))


def test_names_of_engines_stay_text(page: Browser) -> None:
    assert page.run("return document.title") == "An evening"
    assert page.count("img") == 0
    assert EVIL in page.text("#standings")
    assert EVIL in page.text("#list")


def test_the_policy_refuses_whatever_would_be_put_in(page: Browser) -> None:
    page.run(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.evil = 1' }));"
        "document.body.insertAdjacentHTML('beforeend', '<p id=styled style=\"color: rgb(1, 2, 3)\">x</p>');"
    )
    assert page.run("return window.evil") is None
    assert page.run("return getComputedStyle(document.getElementById('styled')).color") != "rgb(1, 2, 3)"
    assert len(page.complaints()) == 2


def test_tables_are_sorted_by_their_heads(page: Browser) -> None:
    def names() -> list[str]:
        rows = "document.querySelectorAll('#standings tbody th')"
        found: list[str] = page.run(f"return [...{rows}].map((one) => one.textContent)")
        return found[:3]

    before = names()
    page.click("#standings th:nth-child(2) button")
    assert names() == sorted(before)
    page.click("#standings th:nth-child(2) button")
    assert names() == sorted(before, reverse=True)
    assert page.run("return document.querySelector('#standings th:nth-child(2)').ariaSort") == "descending"
    page.click("#standings th:nth-child(3) button")
    assert names() == before, "the best Elo first"


def test_games_are_filtered(page: Browser) -> None:
    assert page.text("#count") == "72 of 72 games"
    page.choose("#by-player", "Strong")
    page.choose("#by-other", "Weak")
    page.choose("#by-rule", "ConnectFour")
    assert page.text("#count") == "8 of 72 games"
    page.choose("#by-result", "win")
    page.choose("#by-end", "forfeit")
    assert page.count("#list tbody tr") < 8
    page.click("#filters button[type=reset]")
    page.until("return document.getElementById('count').textContent === '72 of 72 games'")
    page.click("#by-fault")
    faulty = page.count("#list tbody tr")
    assert 0 < faulty < 72
    page.type("#by-text", "no game says this")
    assert page.text("#count") == "0 of 72 games"


def test_a_cell_of_the_crosstable_lists_its_games(page: Browser) -> None:
    page.click("#crosstable tbody tr:first-child td[data-pair] button")
    assert page.text("#count") == "24 of 72 games"


def test_games_are_sorted_by_length(page: Browser) -> None:
    page.click("#list th:nth-child(6) button")
    lengths = page.run(
        "return [...document.querySelectorAll('#list td:nth-child(6)')].map((one) => Number(one.textContent))"
    )
    assert lengths == sorted(lengths, reverse=True)


def test_a_game_is_stepped_through_with_the_mouse(page: Browser) -> None:
    page.click("#list tbody tr:first-child a")
    page.until("return document.getElementById('dialog').open")
    assert page.text("#viewer-title") == "Game 1.0: TicTacToe"
    assert not visible(page, "#view")
    assert board(page) == [""] * 9
    page.click("#forward")
    after_one = board(page)
    assert sorted(after_one) == [""] * 8 + ["X"]
    assert page.count("#screen .changed") == 1
    page.click("#forward")
    assert sorted(board(page)) == [""] * 7 + ["O", "X"]
    page.click("#back")
    assert board(page) == after_one
    page.click("#last")
    last = board(page)
    assert not page.run("return document.getElementById('back').disabled")
    assert page.run("return document.getElementById('forward').disabled")
    page.click("#moves li:nth-child(2) button")
    assert board(page) == after_one
    assert page.run("return document.querySelector('#moves [aria-current]').textContent").startswith("1. Cross ")
    page.run("const s = document.getElementById('slider'); s.value = s.max; s.dispatchEvent(new Event('input'))")
    assert board(page) == last
    page.click("#first")
    assert board(page) == [""] * 9
    page.click("#next-game")
    page.until("return document.getElementById('viewer-title').textContent === 'Game 1.1: TicTacToe'")
    page.click("#close")
    assert not visible(page, "#dialog")
    page.until("return location.hash === ''")  # a dialog says later that it was closed


def test_and_with_keys(page: Browser) -> None:
    page.click("#list tbody tr:first-child td:nth-child(2)")
    page.until("return document.getElementById('dialog').open")
    page.press("right", "right", "left")
    assert page.text("#caption").startswith("1. Cross ")
    page.until("return location.hash === '#game-1.0@1'")
    page.press("end")
    assert page.run("return document.getElementById('forward').disabled")
    page.press("home")
    assert page.text("#caption") == "start"
    page.press("n")
    page.until("return document.getElementById('viewer-title').textContent.startsWith('Game 1.1')")
    page.press("p")
    page.until("return document.getElementById('viewer-title').textContent.startsWith('Game 1.0')")
    page.press("escape")
    page.until("return !document.getElementById('dialog').open")
    page.until("return document.activeElement.getAttribute('href') === '#game-1.0'")  # the focus comes back


def test_a_game_plays_by_itself_until_it_is_told_to_stop(page: Browser) -> None:
    page.choose("#by-rule", "CantStop")  # long enough not to be over before we look
    page.run("document.querySelector('#list tbody a').click()")
    page.until("return document.getElementById('dialog').open")
    page.press(" ")
    page.until("return Number(document.getElementById('slider').value) >= 2")
    assert page.run("return document.getElementById('play').ariaLabel") == "Pause"
    page.press(" ")
    assert page.run("return document.getElementById('play').ariaLabel") == "Play"
    assert page.run("const s = document.getElementById('slider'); return Number(s.value) < Number(s.max)")


def test_every_game_opens_and_runs_to_its_end(page: Browser) -> None:
    """Chance, notes and boards that change: whatever the script does not expect is a complaint of the browser."""
    for rule in RULES:
        page.click("#filters button[type=reset]")
        page.choose("#by-rule", rule)
        page.run("document.querySelector('#list tbody a').click()")
        page.until(f"return document.getElementById('viewer-title').textContent.includes('{rule}')")
        moves = page.count("#moves li") - 1
        page.run(f"for (let i = 0; i < {moves}; i++) document.getElementById('forward').click()")
        assert page.run("return document.getElementById('slider').value") == str(moves)
        assert page.run("return document.querySelector('#screen svg').getAttribute('aria-label').length") > 10
        page.press("escape")


def test_an_address_leads_to_a_move(page: Browser, pages: Path) -> None:
    page.open((pages / "report.html").as_uri() + "#game-2.1@3")
    page.until("return document.getElementById('dialog').open")
    assert page.text("#caption").startswith("3. ")


def test_a_fault_is_told_where_it_happened(page: Browser) -> None:
    page.click("#by-fault")
    page.click("#list tbody a")
    page.until("return document.getElementById('dialog').open")
    page.press("end")
    assert "ended with status 3" in page.text("#remark")


def test_a_game_with_secrets_is_seen_as_each_player_saw_it(window: Browser, pages: Path) -> None:
    text = "set_rule PhantomTicTacToe\nstart\nforce_play Cross B2\nforce_play Circle A1\n"
    path = pages / "secret.html"
    path.write_text(play_html(replay(text, find_rules).play, text, "secret.ggtp", "0"), encoding="utf-8")
    window.resize(1200, 900)
    window.open(path.as_uri())
    window.press("end")
    assert sorted(board(window)) == [""] * 7 + ["O", "X"]
    window.choose("#view", "Cross")
    assert "O" not in board(window)
    assert window.text("#caption") == "2. Circle A1"
    window.choose("#view", "Circle")
    assert "X" not in board(window)
    assert window.complaints() == []


def test_light_and_dark(page: Browser) -> None:
    def back() -> str:
        return str(page.run("return getComputedStyle(document.body).backgroundColor"))

    page.prefer("light")
    light = back()
    page.prefer("dark")
    dark = back()
    assert light != dark
    page.click("#theme")
    assert (page.text("#theme"), back()) == ("Theme: Light", light)
    page.prefer("light")
    page.click("#theme")
    assert (page.text("#theme"), back()) == ("Theme: Dark", dark)
    page.click("#theme")
    assert (page.text("#theme"), back()) == ("Theme: System", light)


def test_on_a_phone_nothing_is_wider_than_the_screen(page: Browser, pages: Path) -> None:
    page.resize(390, 844)
    page.open((pages / "report.html").as_uri())
    assert page.run("return document.documentElement.scrollWidth") <= 390
    page.run("document.querySelector('#list tbody a').click()")
    page.until("return document.getElementById('dialog').open")
    assert page.run("return document.getElementById('viewer').scrollWidth") <= 390
    for name in ("first", "back", "play", "forward", "last"):
        place = page.run(
            f"const r = document.getElementById('{name}').getBoundingClientRect(); return [r.width, r.height, r.bottom]"
        )
        assert min(place[:2]) >= 36, "large enough for a finger"
        assert place[2] <= 844, "in sight without scrolling"


def test_a_play_file_s_lines(window: Browser, pages: Path) -> None:
    window.resize(1200, 900)
    window.open((pages / "play.html").as_uri())
    assert window.text("h1") == "corner.ggtp"
    assert window.text("#viewer-title") == "TicTacToe, line 1 of 2"
    window.press("end")
    assert window.text("#caption") == "3. Cross A3"
    assert window.text("#remark") == "sharp"
    window.click("#next-game")
    window.until("return document.getElementById('viewer-title').textContent === 'TicTacToe, line 2 of 2'")
    window.press("end")
    assert window.text("#caption") == "3. Cross C3"
    assert window.complaints() == []
