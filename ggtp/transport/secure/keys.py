"""Keys: files that hold one, and the file of those that are known.

A key file is a secret and may be read by its owner only:

    # A key of ggtp. Whoever has the secret can play in your name.
    public 8f3c...
    secret 02d1...

The file of known keys has a name and a public key on each line. A name is what the supervisor calls whoever connects
with that key. Keys are 32 bytes, written as 64 hexadecimal digits, which no shell and no terminal takes for anything
else.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ggtp.errors import KeyFileError

KEY_BYTES = 32
NAME = re.compile(r"\w[\w.+-]{0,63}")
"""What may stand for somebody: one word, so that it can stand in a command."""
MOST_BYTES = 1 << 20
"""How large a file of keys may be: some ten thousand names."""

_HEADER = "# A key of ggtp. Whoever has the secret can play in your name."


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A public key and its secret."""

    public: bytes
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keyring:
    """Where a user's own key is, and the keys that the user knows. Nothing is read before it is asked for."""

    own: Path
    known: Path

    @classmethod
    def in_folder(cls, folder: Path) -> Keyring:
        """The usual names in a folder."""
        return cls(folder / "key", folder / "known_keys")


def parse_key(text: str) -> bytes:
    """The public key that a text means.

    Raises:
        KeyFileError: it is none.
    """
    try:
        key = bytes.fromhex(text) if text.isascii() and not text.isspace() else b""
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        shown = text if len(text) <= 2 * KEY_BYTES + 2 else f"{text[: 2 * KEY_BYTES]}..."
        raise KeyFileError(f"{shown!r} is no key: {2 * KEY_BYTES} hexadecimal digits are needed")
    return key


def _at_once(path: str, flags: int) -> int:
    """Open a file, or a pipe without waiting for its other end: that has nothing to be read then."""
    return os.open(path, flags | os.O_NONBLOCK)


def read_key(path: Path) -> KeyPair:
    """The key in a file.

    Raises:
        KeyFileError: it holds none, can't be read, or others may read it too.
    """
    try:
        with open(path, "rb", opener=_at_once) as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            content = file.read(MOST_BYTES) or b""
    except OSError as error:
        raise KeyFileError(f"the key can't be read: {error.strerror}", path=str(path)) from error
    if mode & 0o077:
        raise KeyFileError(f"others may read this key (mode {mode:04o}): chmod 600 {path}", path=str(path))
    words = [line.split() for line in content.decode("utf-8", "replace").splitlines()]
    found = {line[0]: line[1] for line in words if len(line) == 2 and not line[0].startswith("#")}
    try:
        return KeyPair(parse_key(found["public"]), parse_key(found["secret"]))
    except (KeyError, KeyFileError):
        # Without the text: half a secret is a secret.
        raise KeyFileError(
            "this is no key file: it needs a line `public` and a line `secret`", path=str(path)
        ) from None


def write_key(path: Path, pair: KeyPair) -> None:
    """Write a new key file for the owner's eyes only; one that is there is never overwritten.

    Raises:
        KeyFileError: there is such a file, or it can't be written.
    """
    text = f"{_HEADER}\npublic {pair.public.hex()}\nsecret {pair.secret.hex()}\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except FileExistsError as error:
        raise KeyFileError("there is such a file already, and a key is not made twice", path=str(path)) from error
    except OSError as error:
        raise KeyFileError(f"the key can't be written: {error.strerror}", path=str(path)) from error
    with open(fd, "w", encoding="utf-8") as file:
        os.fchmod(fd, 0o600)  # whatever the umask takes away
        file.write(text)
        file.flush()
        os.fsync(fd)


def read_known(path: Path) -> dict[bytes, str]:
    """The known keys and their names; none where there is no such file.

    Raises:
        KeyFileError: a line is none of a name and a key, or a name or a key stands there twice; or it can't be read.
    """
    try:
        with open(path, "rb", opener=_at_once) as file:
            content = file.read(MOST_BYTES + 1) or b""
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise KeyFileError(f"the known keys can't be read: {error.strerror}", path=str(path)) from error
    if len(content) > MOST_BYTES:
        raise KeyFileError(f"more than {MOST_BYTES} bytes of known keys", path=str(path))
    return parse_known(content.decode("utf-8", "replace"), str(path))


def parse_known(text: str, path: str = "") -> dict[bytes, str]:
    """The known keys in a text.

    Raises:
        KeyFileError: as `read_known`.
    """
    known: dict[bytes, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if len(words) != 2 or not NAME.fullmatch(words[0]):
                raise KeyFileError("a name and a key are needed on a line")
            key = parse_key(words[1])
            if key in known or words[0].casefold() in (name.casefold() for name in known.values()):
                raise KeyFileError(f"{words[0]}, or its key, stands here twice")
        except KeyFileError as error:
            raise KeyFileError(error.message, path=path, line=number) from None
        known[key] = words[0]
    return known


def unknown_name(key: bytes) -> str:
    """What to call somebody whose key is not known, where anyone may come in."""
    return f"key-{key.hex()[:12]}"


def name_of(key: bytes, known: Mapping[bytes, str], *, anyone: bool) -> str | None:
    """What to call whoever has this key; None for one that may not come in."""
    return known.get(key) or (unknown_name(key) if anyone else None)
