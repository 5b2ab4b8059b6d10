"""Rules in GDL in made-up words: engines that play by the text lose nothing, those that know games by name do.

    disguise = Disguise(rules.text, 7)
    disguise.to_engine(b"made_move cross mark 1 1")      # b"made_move broulen chearst 1 1"
    disguise.from_engine(b"select_move chearst 2 2")       # b"select_move mark 2 2"

Lines between referee and engine are translated, and everybody else has the rule's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ggtp.foreign.expressions import read_all, write
from ggtp.foreign.renaming import scrambled
from ggtp.game import CHANCE
from ggtp.game.chance import Chance, derive
from ggtp.gdl.play.rules import IDLE, TOLD

NAME = "scrambled"
"""What the rule is called towards engines."""
_KEPT = frozenset({TOLD, CHANCE.lower(), *IDLE})
"""Words that mean something to everybody who plays rules in GDL, whatever the rules are."""
_WORD = re.compile(r"[^\s()\[\]]+")


class Disguise:
    """Other words for the words of one rule, always the same for the same text and seed."""

    def __init__(self, text: str, seed: int) -> None:
        """Make words up.

        Raises:
            RemoteProtocolError: the text is no rules in GDL.
        """
        sheet = read_all(text)
        self._renaming = scrambled(sheet, Chance(derive(seed, "scramble")), _KEPT)
        self.text = " ".join(write(self._renaming.apply(rule)) for rule in sheet)
        """The rules in these words."""

    def to_engine(self, line: bytes) -> bytes:
        """A line of the referee, in the engine's words."""
        command, _, rest = line.partition(b" ")
        if command in (b"made_move", b"illegal_move"):
            return b"%s %s" % (command, self._replaced(rest, self._there))
        if command != b"set_option":
            return line
        option, _, value = rest.partition(b" ")
        if option == b"rule_text":
            value = self.text.encode()
        elif option == b"rule":
            value = NAME.encode()
        elif option == b"player":
            value = self._replaced(value, self._there)
        elif option in (b"tell_moves", b"tell_table"):
            value = b", ".join(self._replaced(item, self._there) for item in value.split(b", "))
        return b"set_option %s %s" % (option, value)

    def from_engine(self, line: bytes) -> bytes:
        """A line of an engine, in the rule's words."""
        command, blank, rest = line.partition(b" ")
        if command not in (b"select_move", b"reply"):
            return line
        return command + blank + self._replaced(rest, self._back)

    def _there(self, word: str) -> str:
        return str(self._renaming.apply(word))

    def _back(self, word: str) -> str:
        return str(self._renaming.undo(word))

    @staticmethod
    def _replaced(data: bytes, other: Callable[[str], str]) -> bytes:
        text = data.decode("utf-8", "surrogateescape")
        return _WORD.sub(lambda found: other(found[0]), text).encode("utf-8", "surrogateescape")
