"""The cards of Uno: their names and codes, how people write them, what they count and how they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ggtp.game.picture import Cell, Tone

COLOURS = ("red", "yellow", "green", "blue")
TONES: tuple[Tone, ...] = ("sixth", "fourth", "third", "fifth")
SYMBOLS = (*map(str, range(10)), "skip", "reverse", "+2")
SKIP, REVERSE, TWO = 10, 11, 12
WILD, FOUR = 52, 53
"""Cards are numbers: 13 of each colour, then the wild ones."""
UNKNOWN = -1
"""A card of which it is only known that somebody has it."""
NAMES = (*(f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS), "wild", "wild +4")
CODES = (
    *(f"{colour[0].upper()}{'V' if symbol == 'reverse' else symbol[0].upper() if symbol[0].isalpha() else symbol}"
      for colour in COLOURS for symbol in SYMBOLS),
    "W", "W+4",
)  # fmt: skip
BY_NAME = {name: card for card, name in enumerate(NAMES)}
BY_CODE = {code: card for card, code in enumerate(CODES)}
COPIES = tuple(4 if card >= WILD else 1 if card % 13 == 0 else 2 for card in range(len(NAMES)))
DECK = Counter(dict(enumerate(COPIES)))
SIZE = sum(COPIES)
POINTS = tuple(50 if card >= WILD else card % 13 if card % 13 < SKIP else 20 for card in range(len(NAMES)))
SIGNS = {SKIP: ("⊘", "skip"), REVERSE: ("⇄", "rev"), TWO: ("+2", "+2")}


def codes(cards: Sequence[int]) -> str:
    """`R5.B+2.W`."""
    return ".".join(CODES[card] for card in cards)


def read_play(move: str) -> tuple[int, int]:
    """The card of a move, and the colour that has to be matched after it."""
    if move in BY_NAME:
        return BY_NAME[move], BY_NAME[move] // 13
    name, _, colour = move.rpartition(" ")
    return BY_NAME[name], COLOURS.index(colour)


def spellings(move: str) -> set[str]:
    """How people may write a move, in small letters and without blanks: `red5`, `r5`, `w4blue`."""
    plain = move.replace(" ", "")
    found = {plain, plain.replace("+", "")} if "wild" in move else {plain}
    if move in BY_NAME:
        found |= {CODES[BY_NAME[move]].casefold(), f"{move[0]}{plain[len(move.split()[0]) :]}"}
        if move.endswith("reverse"):
            found |= {f"{move[0]}r", f"{move[0]}rev"}
    elif "wild" in move:
        short = "w+4" if "+4" in move else "w"
        colour = move.split()[-1]
        found |= {f"{short}{colour}", f"{short}{colour[0]}", f"{short.replace('+', '')}{colour[0]}"}
        found.add(f"{short.replace('+', '')}{colour}")
    else:
        found.add(move[0])
    return found


def card_cell(card: int) -> Cell:
    """A card as it is drawn, in its colour."""
    if card >= WILD:
        return Cell(CODES[card], "mark")
    letter, symbol = COLOURS[card // 13][0].upper(), card % 13
    sign, plain = SIGNS.get(symbol, (str(symbol), str(symbol)))
    return Cell(f"{letter}{sign}", TONES[card // 13], f"{letter}{plain}")
