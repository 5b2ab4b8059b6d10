"""What surrounds the program, as tests hand it in."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from ggtp.ui.console.environment import Environment, ExitStatus


class Stream(io.StringIO):
    """A stream that may be a terminal, with an encoding of choice."""

    def __init__(self, tty: bool = False, encoding: str | None = "utf-8") -> None:
        super().__init__()
        self._tty, self._encoding = tty, encoding

    @property
    def encoding(self) -> str | None:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._tty


def test_exit_statuses() -> None:
    assert [int(status) for status in ExitStatus] == [0, 1, 2, 3, 4]
    assert (ExitStatus.DONE, ExitStatus.REFUSED, ExitStatus.INTERRUPTED, ExitStatus.BUG) == (0, 1, 3, 4)


@pytest.mark.parametrize(
    ("stdin", "stdout", "term", "interactive"),
    [(True, True, "xterm", True), (True, False, "xterm", False), (False, True, "xterm", False),
     (True, True, "dumb", False), (True, True, None, True)],
)  # fmt: skip
def test_a_person_sits_at_both_ends(stdin: bool, stdout: bool, term: str | None, interactive: bool) -> None:
    variables = {} if term is None else {"TERM": term}
    assert Environment(Stream(stdin), Stream(stdout), Stream(), variables).interactive == interactive


def test_a_file_is_no_pipe(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("get_rule\n")
    with path.open() as file:
        assert Environment(file, Stream(), Stream(), {}).input_is_file
    ours, theirs = os.pipe()
    with os.fdopen(ours) as pipe:
        assert not Environment(pipe, Stream(), Stream(), {}).input_is_file
    os.close(theirs)
    assert not Environment(Stream(), Stream(), Stream(), {}).input_is_file
    with open(os.devnull) as nothing:
        assert not Environment(nothing, Stream(), Stream(), {}).input_is_file


@pytest.mark.parametrize(
    ("encoding", "ascii_only"), [("utf-8", False), ("UTF8", False), ("ascii", True), ("latin-1", True), (None, True)]
)
def test_what_the_output_can_show(encoding: str | None, ascii_only: bool) -> None:
    assert Environment(Stream(), Stream(encoding=encoding), Stream(), {}).ascii_only == ascii_only


@pytest.mark.parametrize(
    ("locale", "ascii_only"), [("C", True), ("POSIX", True), ("C.UTF-8", False), ("de_DE.UTF-8", False), ("", False)]
)
def test_what_the_output_should_show(locale: str, ascii_only: bool) -> None:
    environment = Environment(Stream(), Stream(encoding="utf-8"), Stream(), {"LC_ALL": locale})
    assert environment.ascii_only == ascii_only


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"XDG_STATE_HOME": "/state", "HOME": "/home/ann"}, "/state/ggtp"),
        ({"XDG_STATE_HOME": "", "HOME": "/home/ann"}, "/home/ann/.local/state/ggtp"),
        ({"HOME": "/home/ann"}, "/home/ann/.local/state/ggtp"),
        ({"HOME": "~nobody-of-that-name"}, "/dev/null/ggtp"),  # nowhere: history is kept in memory
    ],
)
def test_where_state_is_kept(variables: dict[str, str], folder: str) -> None:
    assert Environment(Stream(), Stream(), Stream(), variables).state_folder == Path(folder)
