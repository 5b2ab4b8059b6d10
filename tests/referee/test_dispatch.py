"""Every command has one method, which takes its arguments."""

from __future__ import annotations

import pytest

from ggtp.protocol.commands import SUPERVISOR, Parameter, SupervisorCommand
from ggtp.referee.dispatch import handlers
from ggtp.referee.referee import Referee

TABLE = {
    "name": SupervisorCommand("name", None, (Parameter("text", "text"),), "give a name"),
    "say": SupervisorCommand("say", None, (Parameter("player", "player"), Parameter("text", "text", True)), "say it"),
}


class Names:
    def name(self, text: str) -> str:
        return f"named {text}"


class Says:
    def say(self, player: str, text: str = "") -> str:
        return f"{player}: {text}"


class SaysAnything:
    def say(self, player: str, *words: str) -> str:
        return " ".join((player, *words))


class SaysTwoThings:
    def say(self, player: str, text: str) -> str:
        return f"{player}: {text}"


class AtASeat:
    def name(self, seat: int, text: str) -> str:
        return f"{seat} named {text}"


def test_a_command_is_carried_out_by_the_method_of_its_name() -> None:
    found = handlers(TABLE, Names(), Says())
    assert list(found) == list(TABLE)
    assert (found["name"]("here"), found["say"]("Cross")) == ("named here", "Cross: ")


def test_a_method_may_take_as_many_arguments_as_there_are() -> None:
    assert handlers(TABLE, Names(), SaysAnything())["say"]("Cross", "hello") == "Cross hello"


def test_a_command_without_a_method_is_noticed_at_once() -> None:
    with pytest.raises(TypeError, match="0 methods carry out say"):
        handlers(TABLE, Names())
    assert list(handlers(TABLE, Names(), but=("say",))) == ["name"]


def test_a_command_with_two_methods_is_noticed_at_once() -> None:
    with pytest.raises(TypeError, match="2 methods carry out name"):
        handlers(TABLE, Names(), Says(), Names())


def test_a_method_with_other_arguments_is_noticed_at_once() -> None:
    with pytest.raises(TypeError, match=r"SaysTwoThings\.say does not take the arguments of say player \[text\]"):
        handlers(TABLE, Names(), SaysTwoThings())


def test_arguments_before_those_of_the_command_are_not_counted() -> None:
    with pytest.raises(TypeError, match="does not take"):
        handlers(TABLE, AtASeat(), but=("say",))
    assert handlers(TABLE, AtASeat(), but=("say",), before=1)["name"](3, "x") == "3 named x"


def test_a_referee_is_not_made_without_a_method_for_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    Referee(version="ggtp test")
    monkeypatch.setitem(SUPERVISOR, "name", TABLE["name"])
    with pytest.raises(TypeError, match="0 methods carry out name"):
        Referee(version="ggtp test")
