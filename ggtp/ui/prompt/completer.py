"""Completion for prompt_toolkit: what `suggest` finds, with what `Source` knows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from ggtp.protocol.text import one_line
from ggtp.ui.prompt.knowledge import Source
from ggtp.ui.prompt.suggest import Suggestion, place, suggest_at

META_SHOWN = 60
"""How much is shown of what a suggestion is: the menu has to fit beside it."""


class CommandCompleter(Completer):
    """Suggests commands and their arguments. Whatever fails, the prompt goes on without suggestions."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Nothing: suggestions may have to be waited for."""
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """The suggestions for the text before the cursor."""
        if not document.text and not complete_event.completion_requested:
            return  # a line that was cleared meanwhile: a list of all commands would only be in the way
        for suggestion in await self._suggestions(document.text_before_cursor):
            yield completion(suggestion)

    async def _suggestions(self, text: str) -> list[Suggestion]:
        try:
            at = place(text)
            return [] if at is None else suggest_at(at, await self._source.knowledge(at))
        except Exception:  # noqa: BLE001  # a rule may raise anything, and a bug here must not end the play
            return []


def completion(suggestion: Suggestion) -> Completion:
    """A suggestion as prompt_toolkit takes it, with the blank that will be wanted behind it."""
    blank = " " if suggestion.more and not suggestion.hint else ""
    meta = one_line(suggestion.meta)
    return Completion(
        suggestion.text + blank,
        start_position=suggestion.start,
        display=one_line(suggestion.hint or suggestion.text),
        display_meta=meta if len(meta) <= META_SHOWN else meta[: META_SHOWN - 3] + "...",
    )
