"""Help is made from the tables."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

from ggtp.errors import CommandError
from ggtp.faults import AT_PROMPTS
from ggtp.protocol.commands import SUPERVISOR_COMMANDS
from ggtp.referee.helptext import TOPICS, help_lines
from ggtp.referee.settings import OPTIONS


def test_help_names_every_command_with_its_summary_and_every_topic() -> None:
    text = "\n".join(help_lines(""))
    for command in SUPERVISOR_COMMANDS:
        assert command.usage in text
        assert command.summary in text
    assert all(topic in text for topic in TOPICS)


@pytest.mark.parametrize("command", SUPERVISOR_COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(command: object) -> None:
    name, usage = command.name, command.usage  # type: ignore[attr-defined]
    lines = help_lines(name.upper())
    assert lines[0] == usage
    ours = any("the protocol does not have it" in line for line in lines)
    assert ours == (command.number is None)  # type: ignore[attr-defined]


@pytest.mark.parametrize("topic", list(TOPICS))
def test_every_topic_has_help_of_printable_lines(topic: str) -> None:
    lines = help_lines(topic)
    assert len(lines) > 2
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("name", ["list_possible_moves", "get_result", "get_table"])
def test_points_of_view_are_explained_where_they_can_be_chosen(name: str) -> None:
    assert any("what that player can know" in line for line in help_lines(name))
    assert not any("what that player can know" in line for line in help_lines("play"))


def test_the_examples_of_secrets_can_be_typed() -> None:
    book = Playbook(engines={"Mute": lambda: Actor(get_table="reply a table")})
    book.lay("set_rule PhantomTicTacToe", "set_engine Circle Mute", "start")
    examples = [
        line[:30].rstrip() for line in help_lines("secrets") if line[28:30] == "  " and not line.startswith(" ")
    ]
    assert len(examples) == 6
    for example in examples:
        assert book.say(example).startswith("= "), example


def test_topics_are_complete() -> None:
    assert all(any(line.startswith(option.name) for line in help_lines("options")) for option in OPTIONS)
    assert all(any(line.startswith(f"fault_{name}") for line in help_lines("faults")) for name in AT_PROMPTS)
    assert any(line.startswith("patience") for line in help_lines("time"))


def test_no_help_has_a_hint() -> None:
    with pytest.raises(CommandError, match=r"^No help on strat\. Did you mean start\?$"):
        help_lines("strat")
    with pytest.raises(CommandError, match=r"^No help on xyzzy\. Use help to see what there is\.$"):
        help_lines("xyzzy")
