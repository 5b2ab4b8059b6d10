"""Lines to messages and back, and the exact words for lines that are wrong."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ggtp.errors import CommandError, RemoteProtocolError
from ggtp.protocol.codec import (
    SHOWN,
    _decode_kept_command,
    decode_answer,
    decode_command,
    encode_answer,
    encode_command,
    is_comment,
    parse_supervisor,
    shown,
)
from ggtp.protocol.commands import ENGINE_COMMANDS, SUPERVISOR, SUPERVISOR_COMMANDS, SupervisorCommand
from ggtp.protocol.messages import Answer, AnswerKind, Command

ONE_LINE = st.characters(exclude_categories=["Cs"], exclude_characters="\r\n")
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n \t"), min_size=1, max_size=8)
LAST = st.text(ONE_LINE, min_size=1, max_size=20).map(lambda text: text.strip(" \t")).filter(bool)
ANY_LINE = st.text(max_size=60) | st.text(st.sampled_from("#\r\n\t =?x\0\udc80"), max_size=6)


def refusal(line: str) -> str:
    with pytest.raises(CommandError) as caught:
        parse_supervisor(line)
    return str(caught.value)


def remote_fault(line: bytes) -> tuple[str, str]:
    with pytest.raises(RemoteProtocolError) as caught:
        decode_answer(line)
    return str(caught.value), caught.value.line


# The supervisor's lines.


@st.composite
def supervisor_commands(draw: st.DrawFn) -> Command:
    spec = draw(st.sampled_from(SUPERVISOR_COMMANDS))
    count = draw(st.integers(spec.fewest, len(spec.parameters)))
    args = [draw(WORDS) for _ in range(count)]
    if args and count == len(spec.parameters):
        args[-1] = draw(LAST)
    return Command(spec.name, tuple(args))


@given(supervisor_commands(), st.sampled_from(["", "\r", "\n", "\r\n", " ", "\t\r\n"]), st.sampled_from(["", " \t"]))
def test_every_command_reads_back(command: Command, end: str, begin: str) -> None:
    assert parse_supervisor(f"{begin}{command}{end}") == command


@pytest.mark.parametrize("line", ["", " ", "\t", "\r\n", "#", "# a comment", "  # indented", "\r# odd", "#\udc80"])
def test_blank_lines_and_comments_are_nothing(line: str) -> None:
    assert parse_supervisor(line) is None
    assert is_comment(line)


@given(ANY_LINE)
@example("\r# comment")
@example("\n#")
def test_a_line_is_a_comment_for_both_or_for_neither(line: str) -> None:
    """Who waits for an answer, and who gives it, must agree on what gets one."""
    try:
        nothing = parse_supervisor(line) is None
    except CommandError:
        nothing = False
    assert is_comment(line) == nothing


def test_an_unknown_command() -> None:
    assert refusal("frobnicate") == "Unknown command frobnicate. Use list_commands to see the commands."
    assert (
        refusal("set_enginz Circle Minimax")
        == "Unknown command set_enginz. Use list_commands to see the commands. Did you mean set_engine?"
    )
    assert refusal("PLAY Cross A1").endswith("Did you mean play?"), "command words are exact"


def test_an_unknown_command_is_quoted_in_part() -> None:
    assert refusal("x" * 10_000) == f"Unknown command {'x' * SHOWN}.... Use list_commands to see the commands."


@pytest.mark.parametrize("spec", SUPERVISOR_COMMANDS, ids=lambda spec: spec.name)
def test_wrong_arguments_are_answered_with_the_usage(spec: SupervisorCommand) -> None:
    if not spec.parameters:
        assert refusal(f"{spec.name} something") == f"Usage: {spec.usage}"
    if spec.fewest:
        assert refusal(" ".join([spec.name, *["x"] * (spec.fewest - 1)])) == f"Usage: {spec.usage}"
    if spec.fewest < 1 and spec.parameters:
        assert parse_supervisor(spec.name) == Command(spec.name)


def test_usage_by_the_spec_s_own_example() -> None:
    assert refusal("set_engine Circle") == "Usage: set_engine player engine"
    assert refusal("set_engine") == "Usage: set_engine player engine"


def test_the_last_argument_is_the_rest_of_the_line() -> None:
    assert parse_supervisor("play  Left\ttake 2  from B ") == Command("play", ("Left", "take 2  from B"))
    assert parse_supervisor("forfeit Left it was tired") == Command("forfeit", ("Left", "it was tired"))


@pytest.mark.parametrize("line", ["play Cross A1\rB1", "set_engine_option Circle Depth 8\n9", "set_rule a\r\nb"])
def test_a_line_s_end_inside_a_line_is_refused(line: str) -> None:
    """It would end a line on an engine's wire, or in a play file."""
    assert refusal(line) == "A line's end inside a line."


def test_text_that_is_no_unicode_is_refused() -> None:
    """A terminal that sends other bytes gives half characters, which no wire and no file can take."""
    assert refusal("comment_node \udce9t\udce9") == "The line is not UTF-8."


@given(ANY_LINE)
def test_any_line_is_a_command_or_a_comment_or_refused(line: str) -> None:
    try:
        command = parse_supervisor(line)
    except CommandError:
        return
    if command is not None:
        assert command.name in SUPERVISOR
        assert parse_supervisor(str(command)) == command


# The referee's lines to engines.


@st.composite
def engine_commands(draw: st.DrawFn) -> Command:
    spec = draw(st.sampled_from(ENGINE_COMMANDS))
    fewest = sum(not parameter.optional for parameter in spec.parameters)
    count = draw(st.integers(fewest, len(spec.parameters)))
    args = [draw(WORDS) for _ in range(count)]
    if args and count == len(spec.parameters):
        args[-1] = draw(LAST)
    return Command(spec.name, tuple(args))


@given(engine_commands())
def test_every_command_of_table_2_reads_back(command: Command) -> None:
    assert decode_command(encode_command(command)) == command
    assert decode_command(encode_command(command) + b"\r\n") == command


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not a command of Table 2"),
        (b"play Cross A1", "not a command of Table 2"),
        (b"start now", "wrong arguments for start"),
        (b"made_move Cross", "wrong arguments for made_move"),
        (b"get_option", "wrong arguments for get_option"),
        (b"\xff\xfe", "bytes that are not UTF-8"),
    ],
)
def test_an_engine_refuses_what_is_not_in_table_2(line: bytes, why: str) -> None:
    with pytest.raises(RemoteProtocolError, match=why):
        decode_command(line)


# Engines' lines.


@given(st.sampled_from(list(AnswerKind)), LAST | st.just(""))
def test_every_answer_of_table_3_reads_back(kind: AnswerKind, text: str) -> None:
    if kind is AnswerKind.SELECT_MOVE and not text:
        text = "A1"
    if kind not in (AnswerKind.REPLY, AnswerKind.SELECT_MOVE):
        text = ""
    answer = Answer(kind, text)
    assert decode_answer(encode_answer(answer)) == answer
    assert decode_answer(encode_answer(answer) + b"\r\n") == answer


def test_an_empty_reply_is_a_reply() -> None:
    assert encode_answer(Answer(AnswerKind.REPLY)) == b"reply"
    assert decode_answer(b"reply") == Answer(AnswerKind.REPLY)


def test_a_selected_move_keeps_its_blanks() -> None:
    assert decode_answer(b"select_move  take 2 from B ") == Answer(AnswerKind.SELECT_MOVE, "take 2 from B")


@pytest.mark.parametrize(
    ("line", "why", "quoted"),
    [
        (b"", "not an answer of Table 3", ""),
        (b"ok", "not an answer of Table 3", "ok"),
        (b"Acknowledge", "not an answer of Table 3", "Acknowledge"),
        (b"acknowledge yes", "acknowledge takes no argument", "acknowledge yes"),
        (b"invalid_option_name Depth", "invalid_option_name takes no argument", "invalid_option_name Depth"),
        (b"select_move", "select_move without a move", "select_move"),
        (b"select_move  ", "select_move without a move", "select_move  "),
        (b"\xff\x00", "bytes that are not UTF-8", "ÿ\\x00"),
        (b"= done\x1b[2J", "not an answer of Table 3", "= done\\x1b[2J"),
        (b"select_move A1\rB2", "a line's end inside a line", "select_move A1\\x0dB2"),
        (b"reply one\ntwo", "a line's end inside a line", "reply one\\x0atwo"),
    ],
)
def test_a_line_that_is_none_of_table_3(line: bytes, why: str, quoted: str) -> None:
    assert remote_fault(line) == (why, quoted)


@given(st.binary(max_size=100))
@example(b"select_move \xc3\x28")
def test_any_bytes_are_an_answer_or_the_engine_s_fault(line: bytes) -> None:
    fault = None
    try:
        answer = decode_answer(line)
    except RemoteProtocolError as error:
        fault = error
    if fault is not None:
        assert fault.line.isprintable()
    else:
        assert decode_answer(encode_answer(answer)) == answer


@given(st.text())
def test_what_is_quoted_is_short_and_safe(text: str) -> None:
    quoted = shown(text)
    assert quoted.isprintable()
    assert len(quoted) <= 10 * SHOWN + 3
    assert quoted.endswith("...") or len(text) <= SHOWN


def test_lines_that_never_come_again_are_not_remembered() -> None:
    """An engine that plays many games would grow with the seeds that it was told."""
    decode_command(b"made_move Cross A1")
    decode_command(b"start")
    before = _decode_kept_command.cache_info().currsize
    for number in range(1000):
        assert decode_command(b"set_option seed %d" % number).args == ("seed", str(number))
        assert decode_command(b"have_to_play %d" % number).args == (str(number),)
    assert _decode_kept_command.cache_info().currsize == before
    hits = _decode_kept_command.cache_info().hits
    decode_command(b"made_move Cross A1")
    decode_command(b"start")
    assert _decode_kept_command.cache_info().hits == hits + 2
