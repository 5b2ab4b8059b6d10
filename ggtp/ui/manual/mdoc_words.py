"""What a line of mdoc says: macros within a line, quoting, punctuation and escapes become plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

CHARACTERS = {
    "em": "--", "en": "-", "hy": "-", "mi": "-", "bu": "*", "aq": "'", "dq": '"', "lq": '"', "rq": '"', "oq": "'",
    "cq": "'", "ga": "`", "ha": "^", "ti": "~", "rs": "\\", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "ba": "|",
    "sl": "/", "at": "@", "sh": "#", "Do": "$", "->": "->", "<-": "<-", "<=": "<=", ">=": ">=", "!=": "!=", "mu": "x",
    "+-": "+/-", "...": "...", "co": "(c)",
}  # fmt: skip
"""Special characters, by the nearest that every terminal has."""
STRINGS = {"lp": "(", "rp": ")", "Lq": '"', "Rq": '"', "q": '"', "Ba": "|", "Gt": ">", "Lt": "<", "Am": "&", "Ge": ">="}

ENCLOSURES = {
    "Op": ("[", "]"), "Pq": ("(", ")"), "Bq": ("[", "]"), "Brq": ("{", "}"), "Aq": ("<", ">"), "Dq": ('"', '"'),
    "Sq": ("'", "'"), "Qq": ('"', '"'), "Ql": ("'", "'"), "Fn": ("", ""), "Eo": ("", ""),
}  # fmt: skip
"""Macros that put something around the rest of their line."""
BRACKETS = {
    "Oo": "[", "Po": "(", "Bo": "[", "Bro": "{", "Ao": "<", "Do": '"', "So": "'", "Qo": '"',
    "Oc": "]", "Pc": ")", "Bc": "]", "Brc": "}", "Ac": ">", "Dc": '"', "Sc": "'", "Qc": '"',
}  # fmt: skip
"""Macros that open and close over several lines; their names end in o and c."""
NAMED = frozenset(
    {
        "Ad", "An", "Ar", "Cd", "Cm", "Dv", "Em", "Er", "Ev", "Fa", "Fd", "Fl", "Ft", "Ic", "In", "Li", "Lk", "Ms",
        "Mt", "Nm", "No", "Pa", "St", "Sx", "Sy", "Tn", "Va", "Vt", "Xr", "Ux", "At", "Bx", "Ex", "Rv",
        "%A", "%B", "%D", "%I", "%J", "%N", "%O", "%P", "%R", "%T", "%U", "%V",
    }
)  # fmt: skip
"""Macros that only say what kind of word follows."""
SYSTEMS = {"Ux": "UNIX", "At": "AT&T UNIX", "Bx": "BSD"}
OPENING = frozenset("([|")
CLOSING = frozenset(".,:;)]?!")
GLUE = "\0"
"""Stands in a line's words where no blank may stand."""
QUOTED = "\1"
"""Stands before a word that was quoted, so that it is no macro and no punctuation."""

_ESCAPE = re.compile(
    r"\\(?:\((?P<two>..)|\[(?P<name>[^\]]*)\]|\*(?:\((?P<string>..)|\[(?P<long>[^\]]*)\]|(?P<short>.))"
    r'|f(?:\(..|\[[^\]]*\]|.)|s[+-]?\d|"(?P<comment>.*)|(?P<one>.))'
)
_WORD = re.compile(r'"(?P<quoted>(?:[^"]|"")*)"?|(?P<bare>(?:\\.|[^\s])+)')
_SINGLES = {"e": "\\", "-": "-", " ": "\xa0", "~": "\xa0", "0": "\xa0", "'": "'", "`": "`", "\\": "\\", ".": "."}


@dataclass(frozen=True, slots=True)
class Word:
    """An argument of a macro."""

    text: str
    """What it says, escapes included, with `QUOTED` before it where it was."""
    source: str
    """How it was written."""


def plain(text: str) -> str:
    """A text with its escapes as the characters that they mean."""

    def one(found: re.Match[str]) -> str:
        if found["two"] is not None or found["name"] is not None:
            name = found["two"] if found["two"] is not None else found["name"]
            return _unicode(name) or CHARACTERS.get(name, name)
        string = found["string"] or found["long"] or found["short"]
        if string:
            return STRINGS.get(string, "")
        return _SINGLES.get(found["one"] or "", "")

    return _ESCAPE.sub(one, text)


def split(line: str) -> list[Word]:
    """The words of a macro line."""
    words = []
    for found in _WORD.finditer(line):
        if found["quoted"] is not None:
            text = found["quoted"].replace('""', '"')
            words.append(Word(f"{QUOTED}{text}", found[0]))
        elif found["bare"].startswith('\\"'):
            break
        else:
            words.append(Word(found["bare"], found[0]))
    return words


class Words:
    """Says lines, and remembers the page's own name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def of(self, words: Sequence[Word]) -> str:
        """What the words say. A mark at either end tells that no blank belongs there."""
        said = self._say(list(words))
        text = ""
        for item in said:
            text = self.joined(text, item)
        return text.strip(" ")

    def joined(self, before: str, after: str) -> str:
        """The two with a blank between them, unless one of them says no."""
        if after == GLUE:
            return before.rstrip(GLUE) + GLUE
        if before.endswith(GLUE) or after.startswith(GLUE):
            return before.rstrip(GLUE) + after.lstrip(GLUE)
        return f"{before} {after}" if before and after else before + after

    def _say(self, words: list[Word]) -> list[str]:
        said: list[str] = []
        kind, used = "", True
        while words:
            word = words.pop(0)
            name = word.text
            if name in ENCLOSURES:
                said += self._enclosed(name, words)
                return said
            if name in NAMED or name in BRACKETS or name in ("Ns", "Pf", "Ap", "Xo", "Xc", "Ec"):
                said += self._default(kind, used)
                kind, used = self._begin(name, words, said)
                continue
            text = plain(name.removeprefix(QUOTED))
            if name in CLOSING:
                said += self._default(kind, used)
                used = True
                said.append(GLUE + text)
            elif name in OPENING:
                said.append(text if name == "|" else text + GLUE)
            elif kind == "Xr" and words and words[0].text not in CLOSING:
                said.append(f"{text}({plain(words.pop(0).text)})")
                used = True
            else:
                used = True
                said.append(f"-{text}" if kind == "Fl" else text)
                if kind == "Nm" and not self._name:
                    self._name = text
        return said + self._default(kind, used)

    def _begin(self, name: str, words: list[Word], said: list[str]) -> tuple[str, bool]:
        """Begin a macro within a line; what kind of word follows, and whether it may do without."""
        if name == "Ns":
            said.append(GLUE)
        elif name == "Pf" and words:
            said.append(plain(words.pop(0).text.removeprefix(QUOTED)) + GLUE)
        elif name == "Ap":
            said.append(f"{GLUE}'{GLUE}")
        elif name in BRACKETS:
            said.append(BRACKETS[name] + GLUE if name.endswith("o") else GLUE + BRACKETS[name])
        elif name == "Ex":
            words.clear()
            said.append(f"The {self._name} utility exits 0 on success, and >0 if an error occurs.")
        elif name in NAMED:
            return name, False
        return "", True

    def _default(self, kind: str, used: bool) -> list[str]:
        """What a macro says that was given no words."""
        if used:
            return []
        if kind == "Nm":
            return [self._name] if self._name else []
        return {"Ar": ["file ..."], "Fl": ["-"], "Pa": ["~"]}.get(kind, [SYSTEMS[kind]] if kind in SYSTEMS else [])

    def _enclosed(self, name: str, words: list[Word]) -> list[str]:
        """The rest of the line between brackets; punctuation at its end stays outside."""
        outside: list[str] = []
        while words and words[-1].text in CLOSING:
            outside.insert(0, GLUE + words.pop().text)
        opening, closing = ENCLOSURES[name]
        if name == "Fn" and words:
            first, *arguments = self._say(words) or [""]
            return [f"{first}({', '.join(arguments)})", *outside]
        inside = ""
        for item in self._say(words):
            inside = self.joined(inside, item)
        return [opening + inside.strip(GLUE) + closing, *outside]


def _unicode(name: str) -> str:
    found = re.fullmatch(r"u([0-9A-F]{4,6})", name)
    return chr(int(found[1], 16)) if found and int(found[1], 16) < 0x110000 else ""
