"""Engines that do wrong, each through the real program: what is said of it, and what is not harmed by it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.evil import FAULTS

TRANSPORTS = ("zmq", "tcp", "stdio")
QUICK = [
    *("set_option answer_time 10000", "set_option patience 20000", "set_option connect_time 10000"),
    *("set_option time_move 0", "set_option line_limit 16777216"),
    *("set_option engine_memory 4096", "set_option engine_processes 64"),
    *("set_rule TicTacToe", "set_option genmove on"),
]
HURRY = ["set_option answer_time 700", "set_option patience 700"]
"""From when an engine is there: that it may take long to start, over pipes, counts as the time of its first answer."""
MOST_GROWTH = 100 << 20


every_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@pytest.fixture(scope="module", name="pool")
def make_pool() -> Iterator[list[Any]]:
    """Programs that have outlived a test and are good for another one."""
    pool: list[Any] = []
    yield pool
    for program in pool:
        program.end()


@pytest.fixture(name="referee")
def make_referee(request: pytest.FixtureRequest, pool: list[Any], new_program: Callable[..., Any]) -> Iterator[Any]:
    """A referee with short patience; the same one as long as all goes well, which is a test of its own."""
    referee = pool.pop() if pool else new_program()
    failed = request.session.testsfailed
    try:
        referee.do(*QUICK)
        yield referee
        if request.session.testsfailed == failed:
            # An engine that is told to go may take its time; the next one must not be blamed for it.
            referee.do("set_rule TicTacToe")
            referee.no_engines()
            pool.append(referee)
    finally:
        if referee not in pool:
            referee.end()


def alive_and_well(referee: Any, played: str) -> None:
    """The referee answers, and nothing of the play is lost."""
    assert referee.ask("get_version").startswith("ggtp ")
    assert referee.ask("list_played_moves") == played


# -- every fault at its usual moment, over every transport --------------------------------------------------------

GOOD = "good"
"""The engine plays as if nothing were wrong."""

EXPECTED: dict[str, tuple[str, str]] = {
    "exit0": ("exit", r"it ended with exit status 0\."),
    "exit1": ("exit", r"it ended with exit status 1\."),
    "crash": ("exit", r"it ended by signal SIGSEGV\."),
    "hang": ("silence", r"no move, and no end of it in sight\."),
    "spin": ("silence", r"no move, and no end of it in sight\."),
    "deaf": ("silence", r"no answer to made_move in time\."),
    "forks": (GOOD, ""),
    "floods": ("protocol", r"an answer nobody asked for: reply\."),
    "long-line": ("flood", r"it sent a line of more than 16777216 bytes\."),
    "half-line": ("silence", r"no move, and no end of it in sight\."),
    "half-line-exit": ("exit", r"it ended with exit status 0\."),
    "binary": ("protocol", r"bytes that are not UTF-8: .+\."),
    "unasked": ("protocol", r"a move nobody asked for: select_move A1\."),
    "wrong-answer": ("protocol", r"reply does not answer made_move: made_move Cross A1\."),
    "illegal": ("illegal", r"No move named A1 for player Circle\."),
    "late": ("late", r"no move within 200 ms\."),
    "drip": (GOOD, ""),
    "memory": ("limit", r"It uses \d+ MiB of memory, but engine_memory allows only 100\."),
    "stderr-flood": (GOOD, ""),
}
ARGUMENTS: dict[str, list[object]] = {
    "late": ["--delay-ms", 900],
    "memory": ["--most-mb", 220],
    "unasked": ["--at", "start"],
}
OPTIONS: dict[str, list[str]] = {
    "late": ["set_option time_move 200", "set_option time_margin 50"],
    "memory": ["set_option engine_memory 100"],
    "never-connects": ["set_option connect_time 600", "set_option answer_time 600"],
}
IN_A_HURRY: dict[str, list[str]] = {
    "deaf": HURRY[:1],
    "hang": HURRY,
    "spin": HURRY,
    "half-line": HURRY,
}
"""What is set once the engine is there."""
REFUSED: dict[tuple[str, str], str] = {
    ("never-connects", "zmq"): "Engine bad did not start: it did not connect within 0.6 s.",
    ("never-connects", "tcp"): "Engine bad did not start: it did not connect within 0.6 s.",
    ("never-connects", "stdio"): "Engine bad failed: no answer to connect_engine in time.",
    ("connects-then-closes", "zmq"): "Engine bad failed: the engine has hung up",
    ("connects-then-closes", "tcp"): "Engine bad failed: the engine has hung up",
    # In a sandbox of bubblewrap's, two other processes have the engine's pipes open, too.
    (
        "connects-then-closes",
        "stdio",
    ): "Engine bad failed: (the engine has hung up|no answer to connect_engine)",
    ("wrong-protocol", "zmq"): "Engine bad did not start: the engine does not speak ZeroMQ.",
    ("wrong-protocol", "tcp"): "Engine bad failed: not an answer of Table 3: HTTP/1.1 400 Bad Request.",
    ("wrong-protocol", "stdio"): "Engine bad failed: not an answer of Table 3: HTTP/1.1 400 Bad Request.",
    ("wrong-protocol-gtp", "zmq"): "Engine bad did not start: the engine does not speak ZeroMQ.",
    ("wrong-protocol-gtp", "tcp"): "Engine bad failed: not an answer of Table 3: = GNU Go.",
    ("wrong-protocol-gtp", "stdio"): "Engine bad failed: not an answer of Table 3: = GNU Go.",
    ("stdout-noise", "stdio"): "Engine bad failed: not an answer of Table 3: ",
}


HELD_IN_ITS_TURN = (
    r"^-> The play is held\. Use genmove to ask Circle again, force_play to move for it, "
    r"or set_engine Circle to replace it\.$"
)
HELD_BETWEEN_TURNS = (
    r"^-> The play is held until the next move\. bad is started again when it is Circle's turn; "
    r"set_engine Circle replaces it\.$"
)


def test_the_whole_table_of_the_fakes_is_expected_here() -> None:
    assert set(FAULTS) == {*EXPECTED, *(fault for fault, _ in REFUSED), "ignores-term"}


@every_transport
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"ignores-term"}))
def test_every_fault(referee: Any, engines: Any, transport: str, fault: str) -> None:
    engine = engines.bad(transport, fault, *ARGUMENTS.get(fault, ()))
    referee.do(*OPTIONS.get(fault, ()))
    growth, lines = referee.watch_memory(), len(referee.lines)
    said = referee.say(f"set_engine Circle {engine}")
    refused = REFUSED.get((fault, transport))
    if refused is not None:
        assert re.match(rf"\? {refused}", said.answer)
        referee.no_engines()
        assert referee.ask("list_players") == "Cross=human, Circle=human"
        referee.do("start", "play Cross A1")
        alive_and_well(referee, "Cross A1")
        return
    assert said.answer == "= Done"
    kind, what = EXPECTED.get(fault, (GOOD, ""))
    referee.do(*IN_A_HURRY.get(fault, ()), "start")
    if fault == "unasked":
        referee.news("Fault of Circle")
    referee.do("play Cross A1")
    if kind == GOOD:
        alive_and_well(referee, "Cross A1, Circle B1")
        assert not [line for line in referee.lines[lines:] if "Fault" in line]
        assert len(referee.engines()) == (3 if fault == "forks" else 1)
        referee.do("set_engine Circle human")
        referee.no_engines()
        alive_and_well(referee, "Cross A1, Circle B1")
        return
    referee.heard(lines, rf"^-> Fault of Circle \(bad\), {kind}: {what}$")
    news = referee.heard(lines, HELD_BETWEEN_TURNS if fault == "unasked" else HELD_IN_ITS_TURN)
    if fault == "exit1":
        words = "-> bad said: bad_engine: the table of openings is broken\n-> bad said: bad_engine: giving up\n"
        assert f"exit status 1.\n{words}" in news
    alive_and_well(referee, "Cross A1")
    if kind not in ("illegal", "late"):
        referee.no_engines(3)
    assert growth() < MOST_GROWTH
    # The play goes on: the supervisor moves for the engine.
    referee.do("force_play Circle C3")
    alive_and_well(referee, "Cross A1, Circle C3")


def test_ignoring_termination(program: Callable[..., Any], engines: Any) -> None:
    """An engine that was dismissed and stays is killed in the end; meanwhile nobody waits for it."""
    referees = [program() for _ in TRANSPORTS]
    for referee, transport in zip(referees, TRANSPORTS, strict=True):
        referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad(transport, 'ignores-term')}", "start")
        referee.do("play Cross A1")
        alive_and_well(referee, "Cross A1, Circle B1")
        assert len(referee.engines()) == 1
        referee.do("set_engine Circle human")
        alive_and_well(referee, "Cross A1, Circle B1")
        assert len(referee.engines()) == 1, "it is still being waited for"
    for referee in referees:
        referee.no_engines()
        alive_and_well(referee, "Cross A1, Circle B1")
        assert "Fault" not in referee.transcript()


def test_quitting_with_engines_that_do_not_end(program: Callable[..., Any], engines: Any) -> None:
    referees = []
    for fault, transport in [
        ("ignores-term", "stdio"),
        ("forks", "zmq"),
        ("hang", "tcp"),
        ("deaf", "stdio"),
        ("stderr-flood", "tcp"),
    ]:
        referee = program()
        referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad(transport, fault)}", "start")
        referee.do("set_option genmove off", "play Cross A1")
        assert referee.engines()
        referees.append(referee)
    for referee in referees:
        referee.write("quit\n")
    for referee in referees:
        assert referee.answer().answer == "= Done"
        assert referee.wait() == 0
        assert referee.engines() == []
        assert referee.errors == ""
    for referee in referees:
        referee.no_trace()


def test_the_end_of_the_input_with_a_hung_engine(program: Callable[..., Any], engines: Any) -> None:
    referee = program()
    referee.do("set_option patience 300", "set_rule TicTacToe", f"set_engine Circle {engines.bad('tcp', 'hang')}")
    referee.do("start", "play Cross A1")
    referee.close_input()
    assert referee.wait() == 0
    assert "-> Fault of Circle (bad), silence: no move, and no end of it in sight." in referee.lines
    assert referee.engines() == []
    referee.no_trace()


# -- at every point of the protocol -------------------------------------------------------------------------------

AT: dict[str, list[str]] = {
    "connect_engine": [],
    "list_options": [],
    "set_option": [],
    "start": ["start"],
    "made_move": ["start", "play Cross A1"],
    "have_to_play": ["start", "play Cross A1"],
    "undone_move": ["start", "play Cross A1", "get_last_move", "undo"],
    "redone_move": ["start", "play Cross A1", "get_last_move", "undo", "redo"],
    "get_option": ["start", "play Cross A1", "get_last_move", "get_engine_option Circle Depth"],
    "list_option_choices": ["start", "play Cross A1", "get_last_move", "list_engine_option_choices Circle Depth"],
    "list_possible_moves": ["start", "play Cross A1", "get_last_move", "list_possible_moves Circle 0"],
    "get_result": ["start", "play Cross A1", "get_last_move", "get_result Circle 0"],
    "get_table": ["start", "play Cross A1", "get_last_move", "get_table Circle 0"],
}
"""What makes the referee say a command to the engine of Circle, once that is there; `get_last_move` waits for it."""
ANYWHERE: dict[str, tuple[str, str]] = {
    "exit1": ("exit", r"it ended with exit status 1\."),
    "hang": ("silence", r"(no answer to {at} in time|no move, and no end of it in sight)\."),
    "binary": ("protocol", r"bytes that are not UTF-8: .+\."),
    "wrong-answer": ("protocol", r"({answer} does not answer {at}: {at}.*|an answer nobody asked for: acknowledge)\."),
}
PLACES = [(fault, at) for fault in ANYWHERE for at in AT]


@pytest.mark.parametrize(("fault", "at"), PLACES)
def test_a_fault_at_any_point(referee: Any, engines: Any, fault: str, at: str) -> None:
    transport = TRANSPORTS[PLACES.index((fault, at)) % len(TRANSPORTS)]
    early = not AT[at] and fault == "hang"
    if early:
        referee.do("set_option answer_time 1500")
    engine = engines.bad(transport, fault, "--at", at)
    lines = len(referee.lines)
    *before, last = [f"set_engine Circle {engine}", *(HURRY if fault == "hang" and not early else []), *AT[at]]
    referee.do(*before)
    said = referee.say(last)
    kind, pattern = ANYWHERE[fault]
    what = pattern.format(at=at, answer="[a-z_]+")
    asked = at.startswith(("get_", "list_", "set_", "connect"))
    if asked:
        words = " Its last words: bad_engine: giving up" if fault == "exit1" else ""
        assert re.fullmatch(rf"\? Engine bad failed: {what}{words}", said.answer)
    else:
        assert said.answer == "= Done"
    seated = bool(AT[at])
    if seated:
        referee.heard(lines, rf"^-> Fault of Circle \(bad\), {kind}: {what}$")
        in_its_turn = at in ("made_move", "have_to_play", "undone_move")
        news = referee.heard(lines, HELD_IN_ITS_TURN if in_its_turn else HELD_BETWEEN_TURNS)
        assert len(re.findall("Fault of", news)) == 1, "it is said once"
        assert ("-> bad said: bad_engine: giving up" in news) == (fault == "exit1")
    assert referee.ask("list_players") == f"Cross=human, Circle={'bad' if seated else 'human'}"
    referee.no_engines()
    if not seated:
        referee.do("start", "play Cross A1")
    played = {"start": "none", "made_move": "Cross A1", "have_to_play": "Cross A1", "undone_move": "Cross A1"}
    alive_and_well(referee, played.get(at, "Cross A1, Circle B1" if seated else "Cross A1"))


def test_faults_after_the_dismissal_are_nobodys_business(referee: Any, engines: Any) -> None:
    for fault in ("exit1", "half-line-exit", "binary", "wrong-answer", "unasked", "crash"):
        engine = engines.bad("stdio", fault, "--at", "disconnect_engine")
        lines = len(referee.lines)
        referee.do("set_rule TicTacToe", f"set_engine Circle {engine}", "start", "play Cross A1", "list_played_moves")
        referee.do("set_engine Circle human")
        referee.no_engines()
        alive_and_well(referee, "Cross A1, Circle B1")
        assert "Fault" not in "\n".join(referee.lines[lines:])


# -- engines that do not start ------------------------------------------------------------------------------------

SAYS_WHY = "import sys; print('the book of openings is missing', file=sys.stderr); sys.exit(3)"


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["./not-there", "{endpoint}"], "There is no program .*/not-there."),
        (["no-such-program-anywhere"], "No program named no-such-program-anywhere was found in any directory of PATH."),
        (["./text"], ".*/text is not executable; chmod .x may help."),
        (["./"], ".* is a directory, not a program."),
        (["./no-interpreter"], ".*/no-interpreter names /nowhere/python in its first line .*, which does not exist."),
        (["{python}", "-c", "raise SystemExit(7)"], "it ended with exit status 7."),
        (
            ["{python}", "-c", SAYS_WHY],
            "it ended with exit status 3. Its last words: the book of openings is missing",
        ),
    ],
)
@every_transport
def test_an_engine_that_does_not_start(
    referee: Any, engines: Any, tmp_path: Path, transport: str, argv: list[str], why: str
) -> None:
    (tmp_path / "text").write_text("just text\n")
    script = tmp_path / "no-interpreter"
    script.write_text("#!/nowhere/python\n")
    script.chmod(0o755)
    referee.do("start", "play Cross A1")
    lines = len(referee.lines)
    said = referee.say(f"set_engine Circle {engines.describe(argv, transport, 'stillborn')}")
    assert re.fullmatch(rf"\? Engine stillborn (did not start|failed): {why}", said.answer)
    assert len(referee.lines) == lines + 1, "one line says it all"
    assert referee.ask("list_players") == "Cross=human, Circle=human"
    referee.no_engines(3)
    alive_and_well(referee, "Cross A1")


def test_an_engine_that_replaces_a_good_one_and_fails(referee: Any, engines: Any) -> None:
    """The good one stays, and plays on."""
    referee.do(f"set_engine Circle {engines.bad('tcp', name='good')}", "start", "play Cross A1", "list_played_moves")
    before = referee.engines()
    said = referee.say(f"set_engine Circle {engines.bad('tcp', 'exit1', '--at', 'list_options')}")
    assert said.answer == "? Engine bad failed: it ended with exit status 1. Its last words: bad_engine: giving up"
    assert referee.ask("list_players") == "Cross=human, Circle=good"
    assert referee.engines() == before
    referee.do("play Cross C3")
    alive_and_well(referee, "Cross A1, Circle B1, Cross C3, Circle C1")


# -- what is said, and what is not ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("select_move A1", "a move nobody asked for: select_move A1."),
        ("reply Depth", "an answer nobody asked for: reply."),
        ("acknowledge", "an answer nobody asked for: acknowledge."),
        ("invalid_table_number", "an answer nobody asked for: invalid_table_number."),
        ("frobnicate \x1b[31mred", "not an answer of Table 3: frobnicate "),
        (" ", "not an answer of Table 3: "),
    ],
)
def test_what_nobody_asked_for(referee: Any, engines: Any, line: str, why: str) -> None:
    referee.do(f"set_engine Circle {engines.bad('tcp', 'unasked', '--at', 'start', '--say', line)}", "start")
    news = referee.news("Fault of Circle (bad), protocol: ")
    assert why in news
    assert news.isprintable(), "nothing that a terminal would obey"
    referee.no_engines(3)
    alive_and_well(referee, "none")


def test_the_last_words_of_a_silent_engine(referee: Any, engines: Any) -> None:
    """Also an engine that was not found out by its end may have said why."""
    referee.do("set_option answer_time 1000")
    for complaint in ("silence", "protocol"):
        act = "sleep 60" if complaint == "silence" else "echo nonsense"
        script = f'read -r line; echo "{complaint}: no more memory" >&2; {act}'
        said = referee.say(f"set_engine Circle {engines.describe(['sh', '-c', script], 'stdio', 'mute')}")
        assert said.answer.startswith("? Engine mute failed: ")
        assert said.answer.endswith(f" Its last words: {complaint}: no more memory")
        referee.no_engines(3)


def test_a_late_move_does_not_count(referee: Any, engines: Any) -> None:
    referee.do("set_option time_move 200", "set_option time_margin 50")
    referee.do(f"set_engine Circle {engines.bad('tcp', 'late', '--delay-ms', 800)}", "start", "play Cross A1")
    referee.news("Fault of Circle (bad), late: no move within 200 ms.")
    referee.do("set_option time_move 0", "force_play Circle C3")
    assert referee.ask("get_table Circle 0") == "..O/.../X..", "it has moved by now, too late, and knows better"
    alive_and_well(referee, "Cross A1, Circle C3")
    lines = len(referee.lines)
    referee.do("play Cross A2")
    alive_and_well(referee, "Cross A1, Circle C3, Cross A2, Circle B1")
    assert "Fault" not in "\n".join(referee.lines[lines:]), "without a limit it is not late"


def test_a_lasting_flood_of_faults_does_not_fill_the_memory(referee: Any, engines: Any) -> None:
    """A line of 1 GiB, over and over: the engine is restarted and does it again."""
    growth = referee.watch_memory()
    referee.do("set_option fault_flood restart", "set_option restarts 4")
    referee.do(f"set_engine Circle {engines.bad('stdio', 'long-line')}", "start", "play Cross A1")
    said = referee.do("list_played_moves")
    assert said.answer == "= Cross A1"
    assert "bad was restarted 4 times in a row already" in said.news
    assert len([line for line in said.news if line.startswith("Fault of Circle (bad), flood: ")]) == 5
    assert growth() < MOST_GROWTH
    referee.do("set_option fault_flood ask")


# -- limits --------------------------------------------------------------------------------------------------------


def test_too_many_processes(referee: Any, engines: Any) -> None:
    """The engine, a child of it, and one that has left its parent and its session: three."""
    referee.do("set_option engine_processes 2", f"set_engine Circle {engines.bad('zmq', 'forks')}", "start")
    news = referee.news("Fault of Circle (bad), limit: ", 10)
    assert news.endswith("It has 3 processes, but engine_processes allows only 2.")
    referee.no_engines(3)
    alive_and_well(referee, "none")


def test_as_many_processes_as_are_allowed(referee: Any, engines: Any) -> None:
    referee.do("set_option engine_processes 3", f"set_engine Circle {engines.bad('tcp', 'forks')}", "start")
    referee.do("play Cross A1")
    alive_and_well(referee, "Cross A1, Circle B1")


def test_far_too_much_memory(referee: Any, engines: Any) -> None:
    """Faster than anybody looks: stopped by the referee, or by the limit that the kernel was given."""
    referee.do("set_option engine_memory 100")
    referee.do(f"set_engine Circle {engines.bad('tcp', 'memory', '--most-mb', 3000)}", "start", "play Cross A1")
    said = referee.do("list_played_moves")
    assert said.answer == "= Cross A1"
    news = "\n".join(said.news)
    assert "Fault of Circle (bad), limit: " in news or "bad said: MemoryError" in news
    referee.no_engines(3)
    alive_and_well(referee, "Cross A1")


# -- policies ------------------------------------------------------------------------------------------------------

ONE_OF_EACH: dict[str, tuple[str, list[object]]] = {
    "exit": ("exit1", []),
    "silence": ("hang", []),
    "protocol": ("binary", []),
    "flood": ("long-line", []),
    "limit": ("memory", ["--most-mb", 220]),
    "illegal": ("illegal", []),
    "late": ("late", ["--delay-ms", 1000]),
}
SETTINGS: dict[str, list[str]] = {
    "limit": ["set_option engine_memory 100"],
    "late": ["set_option time_move 500"],
    "silence": HURRY[1:],
}
every_class = pytest.mark.parametrize("kind", list(ONE_OF_EACH))


@pytest.fixture(name="provoke")
def make_provoke(referee: Any, engines: Any) -> Iterator[Callable[..., Any]]:
    """Lets an engine commit a fault of a class, after the policy for it was set."""

    def provoke(kind: str, policy: str, *before: str, once: bool = False) -> Any:
        fault, arguments = ONE_OF_EACH[kind]
        transport = TRANSPORTS[list(ONE_OF_EACH).index(kind) % len(TRANSPORTS)]
        engine = (engines.bad_once if once else engines.bad)(transport, fault, *arguments)
        referee.do(*SETTINGS.get(kind, ()), f"set_option fault_{kind} {policy}", f"set_engine Circle {engine}")
        referee.do(*before, "start", "play Cross A1")
        said = referee.do("list_played_moves")
        assert [line for line in said.news if line.startswith(f"Fault of Circle (bad), {kind}: ")], said.text
        return said

    yield provoke
    for kind in ONE_OF_EACH:
        referee.do(f"set_option fault_{kind} ask")
    referee.do("set_option time_move 0")


@every_class
def test_policy_ask(referee: Any, provoke: Callable[..., Any], kind: str) -> None:
    said = provoke(kind, "ask")
    assert said.answer == "= Cross A1"
    assert said.news[-1].startswith("The play is held. Use genmove to ask Circle again, force_play to move for it")
    assert referee.ask("get_result") == "none"
    referee.do("force_play Circle B2", "set_engine Circle human", "play Cross A2", "play Circle A3")
    alive_and_well(referee, "Cross A1, Circle B2, Cross A2, Circle A3")


@every_class
def test_policy_restart(referee: Any, provoke: Callable[..., Any], kind: str) -> None:
    said = provoke(kind, "restart", once=True)
    assert said.answer == "= Cross A1, Circle B1", "the new engine knows of A1, and moves"
    assert "Starting bad for Circle again" in said.news
    assert len(referee.engines()) == 1
    referee.do("play Cross C3")
    alive_and_well(referee, "Cross A1, Circle B1, Cross C3, Circle C1")
    assert referee.ask("get_table Circle 0") == "..X/.../XOO"


@every_class
def test_policy_random(referee: Any, provoke: Callable[..., Any], kind: str) -> None:
    said = provoke(kind, "random")
    assert "A random move is made for Circle" in said.news
    found = re.fullmatch(r"= Cross A1, Circle ([ABC][123])", said.answer)
    assert found
    assert found[1] != "A1"
    free = referee.ask("list_possible_moves").removeprefix("Cross=").split(",")
    referee.do(f"play Cross {free[-1]}")
    played = referee.ask("list_played_moves").split(", ")
    assert played[:3] == ["Cross A1", f"Circle {found[1]}", f"Cross {free[-1]}"]
    assert len(played) == 4, "it goes on like that"
    assert len({move.split()[1] for move in played}) == 4


@every_class
def test_policy_forfeit(referee: Any, provoke: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    file = tmp_path / "play.ggtp"
    said = provoke(kind, "forfeit", f"save_file {file}")
    assert said.answer == "= Cross A1"
    result = referee.ask("get_result")
    assert result == "Cross=win, Circle=loss"
    assert any(line.startswith(f"Circle forfeits: {kind}, ") for line in said.news)
    assert referee.say("play Cross B1").answer == "? The play is over."
    referee.do("close_file")
    written = file.read_text().splitlines()
    assert written[-2] == "force_play Cross A1"
    assert written[-1].startswith(f"forfeit Circle {kind}, ")
    # It loads again, and says the same.
    referee.do("set_rule TicTacToe", f"load_file {file}")
    assert referee.ask("get_result") == result
    alive_and_well(referee, "Cross A1")
    # A forfeit is a step like any other.
    referee.do("undo")
    assert referee.ask("get_result") == "none"


def test_restarts_have_an_end(referee: Any, provoke: Callable[..., Any]) -> None:
    referee.do("set_option restarts 2")
    said = provoke("exit", "restart")
    assert said.answer == "= Cross A1"
    assert said.news.count("Starting bad for Circle again") == 2
    assert "bad was restarted 2 times in a row already" in said.news
    assert said.news[-1].startswith("The play is held.")
    # The supervisor may ask for it all the same.
    assert "Starting bad for Circle again" in referee.do("genmove").news
    alive_and_well(referee, "Cross A1")


def test_an_engine_that_cannot_be_started_again(referee: Any, engines: Any) -> None:
    engine = engines.bad("tcp", "exit1")
    referee.do("set_option fault_exit restart", f"set_engine Circle {engine}", "start")
    os.unlink(engine)
    referee.do("play Cross A1")
    said = referee.do("list_played_moves")
    assert said.answer == "= Cross A1"
    assert "Starting bad for Circle again" in said.news
    assert said.news[-1].endswith("The play is held.")
    referee.do("set_option fault_exit ask", "force_play Circle B2")
    alive_and_well(referee, "Cross A1, Circle B2")


def test_two_engines_that_fail_at_the_same_time(referee: Any, engines: Any) -> None:
    referee.do(f"set_engine Cross {engines.bad('stdio', 'exit1', '--at', 'start', name='one')}")
    referee.do(f"set_engine Circle {engines.bad('zmq', 'crash', '--at', 'start', name='other')}")
    lines = len(referee.lines)
    referee.do("start")
    referee.heard(lines, r"^-> Fault of Cross \(one\), exit: it ended with exit status 1\.$")
    referee.heard(lines, r"^-> Fault of Circle \(other\), exit: it ended by signal SIGSEGV\.$")
    referee.no_engines(3)
    referee.do("force_play Cross A1", "force_play Circle B2")
    alive_and_well(referee, "Cross A1, Circle B2")


def test_a_play_of_two_that_is_interrupted_by_faults(referee: Any, engines: Any) -> None:
    """Both are restarted after every fault; the game comes to its end all the same, and to the right one."""
    referee.do("set_option fault_exit restart", "set_option fault_protocol restart")
    referee.do(f"set_engine Cross {engines.bad_once('tcp', 'exit1', name='one')}")
    referee.do(f"set_engine Circle {engines.bad_once('stdio', 'binary', name='other')}", "start")
    moves = "Cross A1, Circle B1, Cross C1, Circle A2, Cross B2, Circle C2, Cross A3"
    alive_and_well(referee, moves)
    assert referee.ask("get_result") == "Cross=win 100, Circle=loss 0"
    referee.do("set_option fault_exit ask", "set_option fault_protocol ask")
