"""One table, kept in step with what one player is told."""

import random

import pytest

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    OpenMoves,
    Position,
    Refusal,
    Refused,
    Turn,
    TurnKind,
    Verdict,
    single,
)
from ggtp.kit.following.tables import Table, follow, refuse

JOINT = Turn(TurnKind.JOINT, ("Me", "You"))


class Scripted(Position):
    """A position of a game that is only its turns: a string of letters, each a kind of turn."""

    def __init__(self, turns, played=()):
        self.turns = turns
        self.played = played

    def turn(self):
        if not self.turns:
            return OVER
        return {"m": single("Me"), "y": single("You"), "j": JOINT, "c": CHANCE_TURN}[self.turns[0]]

    def moves(self, player):
        if player not in self.turn().players:
            return ()
        return OpenMoves(["1", "2"], ["1..99"]) if player == "Me" else ["red 1", "red 2", "blue 1", "trap"]

    def parse(self, player, text):
        if player == "Me" and text.isdecimal():
            return text
        raise MalformedMove(text)

    def chance(self):
        return [(move, 1) for move in self.moves(CHANCE)]

    def play(self, moves):
        if any(player not in self.turn().players for player in moves):
            raise IllegalMove("not now")
        refused = tuple(Refusal(who, move, "a trap") for who, move in moves.items() if move in ("trap", "2"))
        if refused:
            return Verdict(Scripted(self.turns, (*self.played, ("refused", refused[0].move))), refused=refused)
        return Verdict(Scripted(self.turns[1:], (*self.played, *sorted(moves.items()))), tuple(moves.items()))

    def seen(self, actor, move, observer):
        return move if actor == observer else HIDDEN if move == "trap" else move.split()[0]

    def result(self):
        return None

    def view(self, player):
        return repr(self.played)

    def key(self):
        return (self.turns, self.played)


def after(turns, *told):
    table = Table(Scripted(turns))
    for actor, text in told:
        table = follow(table, actor, text, "Me", random.Random(3))
        if table is None:
            return None
    return table


@pytest.mark.parametrize(
    ("turns", "told", "outcomes"),
    [
        ("mm", [("Me", "1")], {(("Me", "1"),)}),
        ("mm", [("Me", "57")], {(("Me", "57"),)}),
        ("ym", [("You", "blue")], {(("You", "blue 1"),)}),
        ("ym", [("You", "red")], {(("You", "red 1"),), (("You", "red 2"),)}),
        ("cm", [(CHANCE, "blue")], {((CHANCE, "blue 1"),)}),
        ("jm", [("Me", "1")], {()}),
        ("jm", [("Me", "1"), ("You", "blue")], {(("Me", "1"), ("You", "blue 1"))}),
        ("jm", [("You", "blue"), ("Me", "1")], {(("Me", "1"), ("You", "blue 1"))}),
        ("y", [("You", "blue")], {(("You", "blue 1"),)}),
    ],
)
def test_what_fits_is_followed(turns, told, outcomes):
    assert after(turns, *told).position.played in outcomes


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        ("mm", [("You", "red")]),
        ("ym", [("You", "green")]),
        ("ym", [("You", HIDDEN)]),  # only the trap is hidden, and it does not stand
        ("mm", [("Me", "2")]),  # it would have been refused
        ("jm", [("You", "green"), ("Me", "1")]),
        ("cm", [(CHANCE, "green")]),
        ("", [("Me", "1")]),
    ],
)
def test_what_does_not_fit_is_given_up(turns, told):
    assert after(turns, *told) is None


def test_a_refusal_fits_where_the_move_would_not_have_stood() -> None:
    assert refuse(Table(Scripted("mm")), Refused("2"), "Me").position.played == (("refused", "2"),)  # type: ignore[attr-defined]
    assert refuse(Table(Scripted("mm")), Refused("1"), "Me") is None
    assert refuse(Table(Scripted("mm")), Refused("2", "a trap"), "Me") is not None
    assert refuse(Table(Scripted("mm")), Refused("2", "another reason"), "Me") is None
    assert refuse(Table(Scripted("ym")), Refused("2"), "Me") is None


def test_a_refusal_for_another_reason_refutes_a_table() -> None:
    assert refuse(Table(Scripted("m")), Refused("2", "a trap"), "Me") is not None
    assert refuse(Table(Scripted("m")), Refused("2"), "Me") is not None
    assert refuse(Table(Scripted("m")), Refused("2", "a wall"), "Me") is None
