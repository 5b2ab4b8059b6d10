"""Lines of a supervisor and of engines, in any order: every command has one closing line, and a refused one changes
nothing.

A text is a script: `1> LINE` is a line of engine 1, `1! FAULT` its end, `+ SECONDS` time that passes, `^C` an
interruption, `disk` a disk that is full, `mute` and `oblige` whether engines answer by themselves. Everything else is a
line of the supervisor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.table import Table, finder
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.catalogue import Catalogue
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import SUPERVISOR_COMMANDS

ENGINE = re.compile(r"(\d{1,3})> ?(.*)", re.DOTALL)
FAILURE = re.compile(r"(\d{1,3})! ?(\w*)")
TIME = re.compile(r"\+ ?(\d{1,6}(?:\.\d{1,6})?)")
MOST_LINES = 200
MOST_SECONDS = 10_000.0
PATIENCE = 1000.0
"""In so much time every command is answered, since all that it may wait for has a limit."""
FAULTS = ("exit", "silence", "protocol", "flood", "limit", "lost")
FILES = {
    "good": "set_rule TicTacToe\nset_engine Circle Mute\nstart\nforce_play Cross A1\nundo\nredo\n",
    "torn": "# GGTP play file\nset_rule Nim\nstart\nforce_play Left ta",
    "bad": "set_option seed 3\nset_rule Nim\nstart\nforce_play Left nothing\n",
    "long": "set_rule TicTacToe\nstart\n" + "force_play Cross A1\nundo\n" * 40,
}
SEEDS = (
    "set_rule TicTacToe\nset_engine Circle Mute\nset_engine_option Circle threads 2\nsave_file game\nstart\n"
    "play Cross A1\n1> select_move B2\nundo\nundo\nredo\ngenmove\n1> acknowledge\nplay Cross C3\nget_result\nquit\n",
    "set_rule TicTacToe\nset_engine Cross Mute\nset_engine Circle Mute\nset_option time_move 1000\n"
    "set_option fault_late random\nstart\n1> select_move B2\n2> select_move B2\n+ 5\n2> reply x\n1! exit\nwithdraw\n",
    "set_option genmove off\nset_rule Nim\nset_rule_option heaps 3 4\nstart\nlist_possible_moves Left\n"
    "play Left take 1 from A\nname_node here\ncomment_node some words\ngoto_node 0\nforce_play Left take 2 from B\n"
    "goto_node here\nforfeit Right tired\nget_table\nlist_played_moves\nload_file good\nload_file torn\n",
    "set_rule RockPaperScissors\nstart\nplay Left Rock\nget_table\nplay Right Paper\nundo\nplay Right Rock\nredo\n",
    "set_rule PhantomTicTacToe\nset_engine Circle Mute\nstart\nplay Cross A1\n1> select_move A1\n1> select_move B2\n"
    "set_option view Cross\nget_table\nset_option view all\nmute\nset_engine Cross Mute\n^C\n+ 100\noblige\n",
    "set_rule CantStop\nset_option seed 5\nstart\nlist_players\nlist_possible_moves Red\nsave_file game\ndisk\nundo\n",
    "set_rule Chess\nset_engine Black Mute\nset_option time_bank 5000\nstart\ne4\n1> select_move e5\nNf3\n+ 1\n"
    "1> select_move Nc6\nget_option time_bank\nlist_options\nhelp play\nload_file long\nclose_file\n",
    "set_rule Bridge\nset_option fault_exit restart\nset_engine North Mute\nstart\n1! exit\n2! lost\n"
    "+ 60\nset_engine North human\n",
)


ROUNDS = 30
begin = fuzzing("lines")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """Scripts that reach much, and one that names every command and its parameters."""
    table = "".join(f"{command.usage}\n" for command in SUPERVISOR_COMMANDS if command.name != "quit")
    return (*SEEDS, table)


def reader(environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Carries scripts out."""
    find = finder(Catalogue.from_environment(environ))

    def read(text: str, _budget: Budget) -> str:
        table = Table(find, FILES, {})
        shown: set[str] = set()
        for line in text.split("\n")[:MOST_LINES]:
            _do(table, line, shown)
            if table.left:
                break
        return " ".join(sorted(shown))[:2000]

    return read


def _do(table: Table, line: str, shown: set[str]) -> None:
    before = len(table.news)
    if match := ENGINE.fullmatch(line):
        table.heard(int(match[1]), match[2].encode("utf-8", "surrogatepass"))
    elif match := FAILURE.fullmatch(line):
        table.failed(int(match[1]), match[2] if match[2] in FAULTS else "exit")
    elif match := TIME.fullmatch(line):
        table.pass_time(min(float(match[1]), MOST_SECONDS))
    elif line == "^C":
        table.interrupted()
    elif line == "disk":
        table.disk_failed()
    elif line in ("mute", "oblige"):
        table.obliging = line == "oblige"
    else:
        shown.add(_say(table, line))
    if any(not text.isprintable() for text in table.news[before:]):
        raise Wrong("leaked", f"after {line[:80]!r} something is shown that is not printable: {table.news[-1][:80]!r}")
    table.news.clear()


def _say(table: Table, line: str) -> str:
    """Say a line and see what is promised of its answer; returns the command and whether it was carried out."""
    saved = _state(table)
    table.said(line)
    waited = not table.answers and not is_comment(line)
    if waited:
        table.pass_time(PATIENCE)
    answers, table.answers = table.answers, []
    wanted = 0 if is_comment(line) else 1
    if len(answers) != wanted:
        raise Wrong("hung" if not answers else "doubled", f"{line[:80]!r} has the closing lines {answers[:3]}")
    if not answers:
        return "#"
    (answer,) = answers
    if answer[:2] not in ("= ", "? ") or not answer.isprintable():
        raise Wrong("tracebacks", f"{line[:80]!r} is answered by {answer[:80]!r}")
    if answer.startswith("? ") and not waited and _state(table) != saved:
        raise Wrong("lost", f"{line[:80]!r} was refused and has changed something")
    return f"{line.split(' ')[0][:20]}{answer[0]}{len(answer).bit_length() // 3}"


def _state(table: Table) -> tuple[object, ...]:
    """What would be saved, and what else a refused command may not change."""
    view = table.referee.view
    record = view.play.record
    return (
        view.file_lines(),
        dict(view.options),
        dict(table.files),
        frozenset(table.links),
        record and (record.cursor.number, len(record.nodes)),
        tuple(view.play.pending.items()),
        view.play.held,
        view.file,
    )
