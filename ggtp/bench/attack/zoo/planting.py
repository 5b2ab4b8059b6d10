"""Ways to leave something for whoever comes next."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

PLANTED = "PLANTED"
CODE = f"import os\nos.write(2, b'{PLANTED} ' + __name__.encode() + b'\\n')\n"
"""A module that tells of itself when it is imported, and is of no use otherwise."""
MODULES = ("random", "asyncio", "json", "ggtp", "sitecustomize", "usercustomize", "msgspec", "zmq")


def plants_modules(_engine: EvilEngine, _answer: str) -> None:
    """Leave modules in every folder that Python might look into."""
    home = os.path.expanduser("~")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = os.path.join(home, ".local", "lib", version, "site-packages")
    for folder in (os.path.abspath("."), home, site, tempfile.gettempdir()):
        for name in MODULES:
            _write(os.path.join(folder, f"{name}.py"), CODE)
        _write(os.path.join(folder, "evil.pth"), f"import os; os.write(2, b'{PLANTED} pth\\n')\n")


def plants_cache(_engine: EvilEngine, _answer: str) -> None:
    """Spoil the folders that programs keep things in."""
    home = os.path.expanduser("~")
    for folder in (".cache/ggtp", ".config/ggtp", ".local/share/ggtp", ".local/state/ggtp"):
        for name in ("engines/evil.toml", "rules/tictactoe.py", "gdl/evil", "tictactoe.py", "history"):
            _write(os.path.join(home, folder, name), CODE)


def plants_links(_engine: EvilEngine, _answer: str) -> None:
    """Leave FIFOs and links in a circle where others read."""
    for folder in (os.path.abspath("."), tempfile.gettempdir(), os.path.expanduser("~")):
        for name in ("a.toml", "random.toml", "play.ggtp", "tournament.journal"):
            with suppress(OSError):
                os.mkfifo(os.path.join(folder, f"fifo-{name}"))
            with suppress(OSError):
                os.symlink(f"link-{name}", os.path.join(folder, f"link-{name}"))
            with suppress(OSError):
                os.symlink("/dev/zero", os.path.join(folder, f"zero-{name}"))


def plants_files(engine: EvilEngine, _answer: str) -> None:
    """Leave files in the folders that all programs share."""
    for folder in ("/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir()):
        _write(os.path.join(folder, f"{engine.mark or 'evil'}-planted"), "x")


def _write(path: str, text: str) -> None:
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
