from __future__ import annotations

import asyncio

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from ggtp.ui.prompt.completer import META_SHOWN, CommandCompleter, completion
from ggtp.ui.prompt.suggest import Knowledge, Place, Suggestion


class Source:
    """Knows two rules, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    async def knowledge(self, at: Place) -> Knowledge:
        if self._error is not None:
            raise self._error
        return Knowledge(rules={"Nim": "take the last", "TicTacToe": ""})


def complete(text: str, source: Source | None = None, *, asked: bool = True) -> list[tuple[str, int]]:
    async def main() -> list[tuple[str, int]]:
        completer = CommandCompleter(source or Source())  # type: ignore[arg-type]
        event = CompleteEvent(completion_requested=asked, text_inserted=not asked)
        found = completer.get_completions_async(Document(text), event)
        return [(item.text, item.start_position) async for item in found]

    return asyncio.run(main())


def test_suggestions_become_completions() -> None:
    assert complete("set_rule n") == [("Nim", -1)]
    assert complete("set_rul") == [("set_rule ", -7), ("set_rule_option ", -7)]
    assert complete("# no") == []


def test_an_empty_line_offers_nothing_by_itself() -> None:
    assert complete("", asked=False) == []
    assert len(complete("")) > 30


def test_whatever_fails_the_prompt_goes_on() -> None:
    for error in (RuntimeError("a bug"), ZeroDivisionError(), OSError()):
        assert complete("set_rule ", Source(error)) == []


def test_there_are_no_suggestions_without_a_loop() -> None:
    assert list(CommandCompleter(Source()).get_completions(Document("q"), CompleteEvent())) == []  # type: ignore[arg-type]


def test_how_they_are_shown() -> None:
    shown = completion(Suggestion("", "m" * 200, hint="raise 1..9", more=True))
    assert (shown.text, shown.display_text) == ("", "raise 1..9")
    assert len(shown.display_meta_text) == META_SHOWN
    assert "\x1b" not in completion(Suggestion("\x1b[2J", "\x1b")).display_text
