"""The texts that are mutated: those of the project, and the mutants that have shown something new."""

from __future__ import annotations

import hashlib
import os
import random
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ggtp.catalogue.paths import user_folder

MOST_KEPT = 2000
"""How many mutants of a subject are kept: the oldest go."""
FRESH = 0.5
"""How often one of the mutants is chosen, where there are some, and not a text of the project."""


def corpus_folder(environ: Mapping[str, str], subject: str) -> Path:
    """Where the mutants of a subject are kept."""
    return user_folder(environ, "XDG_CACHE_HOME", ".cache") / "ggtp" / "attack" / subject


class Corpus:
    """The texts of one subject."""

    def __init__(self, folder: Path, seeds: Sequence[str]) -> None:
        """Read what was kept in the folder; `seeds` are the texts of the project."""
        self._folder = folder
        self.seeds = tuple(seeds)
        self._kept: dict[str, str] = {}
        """The mutants, by the hash of what they have shown."""
        with suppress(OSError):
            for path in sorted(folder.glob("*.txt"), key=lambda path: path.stat().st_mtime)[-MOST_KEPT:]:
                self._kept[path.stem] = decoded(path.read_bytes())

    @property
    def texts(self) -> list[str]:
        """All texts."""
        return [*self.seeds, *self._kept.values()]

    def choose(self, rng: random.Random) -> str:
        """A text to mutate."""
        kept = list(self._kept.values())
        return rng.choice(kept if kept and rng.random() < FRESH else self.seeds)

    def keep(self, text: str, shown: str) -> bool:
        """Keep a text that has shown something; return whether nothing has shown that before."""
        name = hashlib.sha256(shown.encode("utf-8", "backslashreplace")).hexdigest()[:20]
        if name in self._kept:
            return False
        self._kept[name] = text
        self._write(self._folder / f"{name}.txt", text)
        while len(self._kept) > MOST_KEPT:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            with suppress(OSError):
                (self._folder / f"{oldest}.txt").unlink()
        return True

    def finding(self, text: str) -> Path:
        """Write a text down that something went wrong with; return where."""
        name = hashlib.sha256(encoded(text)).hexdigest()[:20]
        path = self._folder / "findings" / f"{name}.txt"
        self._write(path, text)
        return path

    def _write(self, path: Path, text: str) -> None:
        with suppress(OSError):  # a cache that can't be written is none
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch = path.with_name(f".{path.name}.{os.getpid()}")
            scratch.write_bytes(encoded(text))
            scratch.replace(path)


def encoded(text: str) -> bytes:
    """The bytes of a text, which may have halves of characters."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """The text of such bytes."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def skeleton(message: str, text: str) -> str:
    """Return a message without its quotations: the same error at another place is nothing new."""
    words = set(re.findall(r"[^\W\d]\w+", text[:100_000]))
    bare = re.sub(r"\d+", "0", message.partition("\n")[0][:300])
    return re.sub(r"[^\W\d]\w+", lambda found: "_" if found[0] in words else found[0], bare)[:120]
