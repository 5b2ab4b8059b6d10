"""Ways to say what nobody should say."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from ggtp.bench.attack.zoo.tictactoe import SQUARES

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

MEGABYTE = 1_000_000
NASTY = "\x1b[31;5mred\x1b]0;title\x07\x9b2J\u202egnp.exe\u2066\x00\x08\x7f\u2028line\ufeff"
"""Escapes, a title for the window, controls of two kinds, and characters that turn text around."""
MANY = 10_000


def binary(engine: EvilEngine, _answer: str) -> None:
    """Answer with random bytes, NULs and bad UTF-8 among them."""
    noise = random.Random(58).randbytes(200).replace(b"\n", b"\0")
    engine.channel.send(b"\0\xff\xfe\xc3\x28" + noise)


def nul(engine: EvilEngine, _answer: str) -> None:
    """Answer with NULs."""
    engine.channel.send(bytes(100))


def carriage_returns(engine: EvilEngine, answer: str) -> None:
    """End a line with CR alone, and begin another."""
    engine.send(f"{answer}\r{answer}\r{answer}")


def empty_lines(engine: EvilEngine, answer: str) -> None:
    """Say nothing, often, and then the answer."""
    for _ in range(100):
        engine.send("")
    engine.send(answer)


def unasked(engine: EvilEngine, answer: str) -> None:
    """Answer, and say something that nobody asked for."""
    engine.send(answer)
    engine.send(engine.say or "select_move A1")


def wrong_answer(engine: EvilEngine, answer: str) -> None:
    """Give an answer of another kind."""
    wrong = "reply acknowledged" if answer == "acknowledge" else "acknowledge"
    engine.send(engine.say or ("invalid_table_number" if engine.at == "set_option" else wrong))


def answers_twice(engine: EvilEngine, answer: str) -> None:
    """Say the same once more."""
    engine.send(answer)
    engine.send(answer)


def wrong_order(engine: EvilEngine, _answer: str) -> None:
    """Move without having acknowledged the move before."""
    engine.send(f"select_move {(engine.game.free() or ['none'])[0]}")


def illegal(engine: EvilEngine, _answer: str) -> None:
    """Select a square that is taken, or none that there is."""
    engine.send(f"select_move {engine.say or (engine.game.taken() or ['Z9'])[0]}")


def illegal_for_ever(engine: EvilEngine, _answer: str) -> None:
    """Select what is no move, again and again."""
    for number in range(MANY):
        engine.send(f"select_move Z{number}")
    engine.rest()


def names_nobody(engine: EvilEngine, _answer: str) -> None:
    """Leave the move out."""
    engine.send("select_move ")


def moves_for_other(engine: EvilEngine, _answer: str) -> None:
    """Select a move with the name of the other player."""
    other = "Cross" if engine.game.options["player"] == "Circle" else "Circle"
    engine.send(f"select_move {other} {(engine.game.free() or SQUARES)[0]}")


def moves_early(engine: EvilEngine, answer: str) -> None:
    """Acknowledge, and move although it is not asked to."""
    engine.send(answer)
    engine.send(f"select_move {(engine.game.free() or ['none'])[-1]}")
    engine.send(f"select_move {(engine.game.free() or ['none'])[0]}")


def moves_none(engine: EvilEngine, _answer: str) -> None:
    """Say that there is no move."""
    engine.send("select_move none")


def huge_move(engine: EvilEngine, _answer: str) -> None:
    """Select a move of a megabyte."""
    engine.send("select_move " + "A1" * (MEGABYTE // 2))


def tells(engine: EvilEngine, answer: str) -> None:
    """Tell the opponent something, in a game without partners."""
    engine.send("tell_message Cross you have lost")
    engine.send(answer)


def refuses_everything(engine: EvilEngine, _answer: str) -> None:
    """Refuse a value that must be taken."""
    engine.send("invalid_option_value")


def wrong_table(engine: EvilEngine, _answer: str) -> None:
    """Refuse the table."""
    engine.send("invalid_table_number")


def controls_in_move(engine: EvilEngine, _answer: str) -> None:
    """Select a nasty text."""
    engine.send(f"select_move {NASTY}")


def controls_in_words(_engine: EvilEngine, _answer: str) -> None:
    """Write nasty last words."""
    os.write(2, f"{NASTY}\r{NASTY}\n".encode() + b"\x9b31m\xff\xfe\n")
    os._exit(1)


def controls_in_answer(engine: EvilEngine, _answer: str) -> None:
    """Say something nasty that is no answer."""
    engine.send(f"{NASTY} {NASTY}")


def long_words(_engine: EvilEngine, _answer: str) -> None:
    """Write a last word of a megabyte."""
    for _ in range(16):
        os.write(2, b"w" * (MEGABYTE // 16))
    os._exit(1)
