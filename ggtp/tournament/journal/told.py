"""What an engine was told of a play: how many lines, and a digest of them, to be checked afterwards.

    told = Told()
    told.hear(b"start"); told.hear(b"made_move Cross A1")
    told.seal          # "2:9f86d081884c7d659a2feaa0"

Lines that ask for something and tell nothing of the play are left out. News may still be under way when
a game ends, so a seal stands for a beginning of what an engine was told in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

QUESTIONS = frozenset(
    (
        b"have_to_play", b"get_option", b"list_options", b"list_option_choices", b"list_possible_moves", b"get_result",
        b"get_table", b"connect_engine", b"disconnect_engine",
        b"told_message",
    )
)  # fmt: skip
"""What is said to engines and tells nothing of the play, or, as partners' messages, nothing that a journal has."""
TURN_NEWS = (b"set_option tell_moves ", b"set_option tell_table ")
"""Options that are set with each request, for engines that have them: their values follow from the play and the
player's view of it, which the check of a rule looks at."""
BYTES = 12


class Told:
    """Grows with each line; a `start` begins anew."""

    __slots__ = ("_hash", "count")

    def __init__(self) -> None:
        self.count = 0
        self._hash = blake2b(digest_size=BYTES)

    def hear(self, line: bytes) -> None:
        """One more line to the engine."""
        word = line.partition(b" ")[0]
        if word in QUESTIONS or line.startswith(TURN_NEWS):
            return
        if word == b"start":
            self.__init__()  # type: ignore[misc]  # another play begins
        self.count += 1
        self._hash.update(line)
        self._hash.update(b"\n")

    @property
    def seal(self) -> str:
        """The number of lines and their digest."""
        return f"{self.count}:{self._hash.hexdigest()}"


def seals(lines: Iterable[bytes]) -> list[str]:
    """The seals after one line, after two, and so on."""
    told = Told()
    found = []
    for line in lines:
        told.hear(line)
        found.append(told.seal)
    return found
