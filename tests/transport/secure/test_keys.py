"""Key files: what is written is read again, and by nobody else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ggtp.errors import KeyFileError
from ggtp.transport.secure.keys import (
    KeyPair,
    Keyring,
    name_of,
    parse_key,
    parse_known,
    read_key,
    read_known,
    unknown_name,
    write_key,
)

PAIR = KeyPair(bytes(range(32)), bytes(range(32, 64)))
A, B = bytes(32), bytes([1] * 32)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(KeyFileError, match="no key file"):
        read_key(tmp_path / "pipe")
    assert read_known(tmp_path / "pipe") == {}


def test_a_key_that_was_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    write_key(path, PAIR)
    assert read_key(path) == PAIR


def test_a_key_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_key(path, PAIR)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_read_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    write_key(path, PAIR)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600"):
        read_key(path)


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_key(path, PAIR)
    with pytest.raises(KeyFileError, match="already"):
        write_key(path, KeyPair(A, B))
    assert read_key(path) == PAIR


def test_a_link_is_not_followed_when_a_key_is_written(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyFileError):
        write_key(tmp_path / "key", PAIR)
    assert not (tmp_path / "elsewhere").exists()


def test_what_is_wrong_with_a_key_file_is_told_without_its_secret(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.touch(0o600)
    path.write_text(f"public {PAIR.public.hex()}\nsecret {PAIR.secret.hex()[:-2]}\n")
    with pytest.raises(KeyFileError, match="no key file") as caught:
        read_key(path)
    assert PAIR.secret.hex()[:20] not in str(caught.value)


def test_the_secret_is_not_shown() -> None:
    assert PAIR.secret.hex() not in repr(PAIR)
    assert str(PAIR.secret) not in repr(PAIR)


@pytest.mark.parametrize("text", ["", " ", "00", "0" * 62, "0" * 66, "g" * 64, "\uff10" * 64])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(KeyFileError, match="hexadecimal"):
        parse_key(text)


def test_known_keys_are_names_and_keys() -> None:
    text = f"# those we know\nalice {A.hex()}\n\nbob.2 {B.hex().upper()}  # upstairs\n"
    assert parse_known(text) == {A: "alice", B: "bob.2"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"alice\n{A.hex()}", 1),
        (f"alice {A.hex()}\nal:ice {B.hex()}", 2),
        (f"alice {A.hex()} {B.hex()}", 1),
        (f"alice {A.hex()}\nAlice {B.hex()}", 2),
        (f"alice {A.hex()}\nbob {A.hex()}", 2),
        ("alice 12", 1),
    ],
)
def test_a_wrong_line_is_told_with_its_number(text: str, line: int) -> None:
    with pytest.raises(KeyFileError) as caught:
        parse_known(text, "known")
    assert (caught.value.path, caught.value.line) == ("known", line)


def test_where_there_is_no_file_nobody_is_known(tmp_path: Path) -> None:
    assert read_known(Keyring.in_folder(tmp_path).known) == {}


def test_a_file_of_known_keys_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "known").write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(KeyFileError, match="more than"):
        read_known(tmp_path / "known")


def test_only_those_who_are_known_have_a_name_unless_anyone_may_come() -> None:
    known = {A: "alice"}
    assert name_of(A, known, anyone=False) == "alice"
    assert name_of(B, known, anyone=False) is None
    assert name_of(B, known, anyone=True) == unknown_name(B) == "key-010101010101"
