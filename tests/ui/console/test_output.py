"""What is printed can't disturb a terminal, and everything that is printed goes through what sees to that."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator

from support.paths import ROOT

from ggtp.ui.cli import main
from ggtp.ui.console.environment import Environment
from ggtp.ui.console.output import complain, say

NASTY = "a\x1b[31mb\rc\x07d\u202ee\x9bf\x7f"
MILD = "a\\x1b[31mb\\x0dc\\x07d\\u202ee\\x9bf\\x7f"


def test_what_could_disturb_a_terminal_is_written_as_an_escape() -> None:
    out = io.StringIO()
    say(out, NASTY, "two\nlines", "é 車 ♞")
    assert out.getvalue() == f"{MILD}\ntwo\\x0alines\né 車 ♞\n"


def test_an_error_may_have_several_lines() -> None:
    out = io.StringIO()
    complain(out, f"it failed:\n{NASTY}")
    assert out.getvalue() == f"ggtp: it failed:\n{MILD}\n"


def test_names_of_files_that_do_not_exist_are_told_mildly() -> None:
    for words in (["check", NASTY], ["solve", f"{NASTY}.kif"], ["features", f"{NASTY}.kif"], ["rules", NASTY]):
        env = Environment(stdin=io.StringIO(), stdout=io.StringIO(), stderr=io.StringIO(), variables={})
        assert main(words, env) != 0, words
        told = env.stdout.getvalue() + env.stderr.getvalue()  # type: ignore[attr-defined]
        assert "\\x1b" in told, words
        assert all(line.isprintable() for line in told.split("\n")), words


OURS = {
    ("ggtp/ui/cli.py", "env.stderr.write(format_exc())"),  # with --debug, for who looks for a bug
    ("ggtp/ui/commands/report.py", "env.stdout.write(text)"),  # a page, or a text that is mild already
    ("ggtp/ui/console/arguments.py", "self._env.stderr.write(self.format_usage())"),
    ("ggtp/ui/console/arguments.py", "self._env.stdout.write(message)"),  # the help of a subcommand
}
"""What is written as it is, since it is our own text."""


def raw_output() -> Iterator[tuple[str, str]]:
    """The places in the front ends that print, or write to a stream of the process, themselves."""
    for folder in ("ui", "servers"):
        for path in sorted((ROOT / "ggtp" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Name) and node.id == "print":
                    yield str(path.relative_to(ROOT)), f"print in line {node.lineno}"
                elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".stdout.write", ".stderr.write")):
                    yield str(path.relative_to(ROOT)), ast.unparse(node)


def test_front_ends_print_in_no_other_way() -> None:
    assert set(raw_output()) == OURS
