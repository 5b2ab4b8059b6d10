"""Key bindings of the prompt; what a key does to the play is done by whoever made them."""

from __future__ import annotations

from typing import Protocol

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.filters import Condition, has_selection, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


class Actions(Protocol):
    """What keys can ask for."""

    def interrupt(self) -> None:
        """Ctrl-C on an empty line."""

    def help(self, line: str) -> None:
        """F1, with what is typed so far."""

    def leave(self) -> None:
        """Ctrl-D on an empty line."""


def key_bindings(actions: Actions) -> KeyBindings:
    """The bindings that differ from an ordinary line editor's."""
    keys = KeyBindings()

    @Condition
    def line_is_empty() -> bool:
        return not get_app().current_buffer.text

    @keys.add("c-c", filter=~is_searching)
    @keys.add("<sigint>")
    def _interrupt(event: KeyPressEvent) -> None:
        """Clear the line; where it is empty, stop what is going on. Never ends the program."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            actions.interrupt()

    @keys.add("c-d", filter=line_is_empty & ~is_searching)
    def _leave(event: KeyPressEvent) -> None:
        """Leave, as `quit` does; on a line with text, Ctrl-D deletes a character as ever."""
        actions.leave()

    @keys.add("f1")
    def _help(event: KeyPressEvent) -> None:
        """Explain the command on the line, or how a play goes; the line stays as it is."""
        actions.help(event.current_buffer.text)

    @keys.add("tab", filter=~has_selection)
    def _complete(event: KeyPressEvent) -> None:
        """Take the only suggestion and go on to the next argument, or step through several."""
        complete(event.current_buffer)

    return keys


def complete(buffer: Buffer) -> None:
    """What Tab does."""
    state = buffer.complete_state
    if state is not None and len(state.completions) > 1:
        buffer.complete_next()
    elif state is not None and state.completions and state.original_document == buffer.document:
        _insert(buffer, state.completions[0])  # now: the next key may enter the line
    else:
        get_app().create_background_task(_take(buffer))


async def _take(buffer: Buffer) -> None:
    """Insert the only suggestion, for which there need not be a menu yet; begin to step through several."""
    document = buffer.document
    wanted = CompleteEvent(completion_requested=True)
    found = [completion async for completion in buffer.completer.get_completions_async(document, wanted)]
    if buffer.document != document or get_app().is_done:
        return  # it was typed on, or entered, meanwhile
    if len(found) == 1:
        _insert(buffer, found[0])
    elif found:
        # Not by `start_completion`, which does nothing while suggestions for typed text are on their way.
        buffer.complete_state = CompletionState(document, found)
        buffer.complete_next()


def _insert(buffer: Buffer, only: Completion) -> None:
    """Take a suggestion, and look for what may follow it."""
    buffer.complete_state = None  # a step through one suggestion would only take it back
    buffer.apply_completion(only)
    buffer.start_completion()
