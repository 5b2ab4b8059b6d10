"""Every request ends as one event."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, get_args

import pytest

from ggtp.catalogue import Catalogue
from ggtp.driver.remote.waiting_room import Porch
from ggtp.driver.requests import Errands, os_words
from ggtp.driver.screen import NoTournaments
from ggtp.referee.effects import AnyWish, FindEngine, FindRules, ListEngines, ListRules, ReadFile, Wish
from ggtp.referee.events import Denied, Event, Granted


def run(wish: AnyWish | None = None, work: Any = None) -> Event | Exception:
    """What comes of a wish, or of some work."""

    async def main() -> Event | Exception:
        ended: asyncio.Future[Event | Exception] = asyncio.get_running_loop().create_future()
        porch = Porch(ended.set_result, lambda _text: None)
        catalogue = Catalogue.from_environment(os.environ)
        errands = Errands(catalogue, porch, NoTournaments(), lambda _text: None, ended.set_result, ended.set_result)
        if wish is not None:
            errands.request(7, wish)
        else:
            errands.fulfil(7, ListRules(), work)
        found = await ended
        await errands.close()
        await porch.close()
        return found

    return asyncio.run(main())


def test_what_is_found_is_granted(tmp_path: Path) -> None:
    found = run(FindRules("tictactoe"))
    assert isinstance(found, Granted)
    assert (found.ticket, found.value.reference) == (7, "TicTacToe")  # type: ignore[attr-defined]  # FoundRules
    rules, engines = run(ListRules()), run(ListEngines())
    assert isinstance(rules, Granted)
    assert isinstance(engines, Granted)
    assert "TicTacToe" in rules.value  # type: ignore[operator]  # a list
    assert "Random" in [spec.name for spec in engines.value]  # type: ignore[attr-defined]  # of descriptions
    file = tmp_path / "play.ggtp"
    file.write_text("start\n")
    read = run(ReadFile(str(file)))
    assert isinstance(read, Granted)
    assert read.value == "start\n"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (FindRules("Xyzzy"), "Xyzzy"),
        (FindEngine("remote:a/b"), "names nobody"),
        (ReadFile("/nowhere/at all"), "No such file or directory."),
    ],
)
def test_what_is_not_found_is_denied_with_a_sentence(wish: AnyWish, words: str) -> None:
    found = run(wish)
    assert isinstance(found, Denied)
    assert words in found.why


def test_our_own_mistakes_are_no_answer() -> None:
    async def fails() -> None:
        raise KeyError("ours")

    assert isinstance(run(work=fails), KeyError)


def test_words_of_the_system() -> None:
    assert os_words(OSError(2, "Nothing there", "file")) == "file: Nothing there."
    assert os_words(OSError(2, "Nothing there")) == "Nothing there."
    assert os_words(ValueError("bad")) == "bad."


def test_every_wish_is_one_that_drivers_know() -> None:
    # By name: a class with slots replaces one that may still be there.
    assert {wish.__name__ for wish in get_args(AnyWish)} == {wish.__name__ for wish in Wish.__subclasses__()}


def test_what_there_is_no_memory_for_is_denied() -> None:
    async def work() -> None:
        raise MemoryError

    denied = run(work=work)
    assert isinstance(denied, Denied)
    assert denied.why == "There is not enough memory for that."
