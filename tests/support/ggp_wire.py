"""Recorded conversations between game managers and players of general game playing, and a manager for tests."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.corpus import CORPORA

from ggtp.foreign.http import MessageReader, request_bytes

WIRES = [folder for folder in (corpus / "ggp-wire" for corpus in CORPORA) if folder.is_dir()]
"""Where conversations are: our own, and those of the reference where they lie beside the checkout."""
SECONDS = 30.0

_GAP = re.compile(r"\.\.\.\[\d+ more bytes\]\.\.\.| \.\.\. ")
_TITLE = re.compile(r"#### (.*)")


@dataclass(frozen=True)
class Exchange:
    """A request and what was answered, as they were on the wire; a long one has a gap in its middle."""

    title: str
    request: str
    answer: str
    gap: tuple[str, str] | None = None
    """What stands before the gap of the request, and after it."""

    @property
    def receiver(self) -> str:
        return re.search(r"Receiver: (.*)\r\n", self.request)[1]

    @property
    def host(self) -> str:
        return re.search(r"Host: (.*)\r\n", self.request)[1]

    @property
    def body(self) -> str:
        return self.request.partition("\r\n\r\n")[2]

    @property
    def answered(self) -> str:
        return self.answer.partition("\r\n\r\n")[2]


def conversations(*rows: tuple[Path, *tuple[Any, ...]]) -> list[Any]:
    """Of parameters that begin with a corpus, those whose corpus is there, with the folder of its conversations."""
    return [(corpus / "ggp-wire", *rest) for corpus, *rest in rows if corpus / "ggp-wire" in WIRES]


def game_text(wire: Path, name: str) -> str:
    """The rules of a game that is played in these conversations."""
    return (wire.parent / "gdl" / "games" / f"{name}.kif").read_text()


def player_exchanges(wire: Path) -> list[Exchange]:
    """What was sent to a player, and what it answered."""
    found = []
    for part in re.split(r"\n(?=#### )", (wire / "player.txt").read_text()):
        cut = re.search(r">>> request\n(.*?)\n<<< response[^\n]*\n(.*?)\n?-{20,}", part, re.DOTALL)
        if cut and "Sender:" in cut[1]:
            found.append(_exchange(_TITLE.search(part)[1], cut[1], cut[2]))
    assert found
    return found


def manager_exchanges(wire: Path, match: str) -> list[Exchange]:
    """What a game manager sent to players in a match, and what they answered; titled by the player."""
    pattern = r"\[([AB])\] >>> (.*?)\n\[\1\] <<< (.*?)\n---"
    cuts = re.finditer(pattern, (wire / "server.txt").read_text(), re.DOTALL)
    found = [_exchange(cut[1], cut[2], cut[3]) for cut in cuts]
    found = [exchange for exchange in found if match in exchange.body]
    assert found
    return found


def _exchange(title: str, request: str, answer: str) -> Exchange:
    request, answer = (text.replace("\\r\\n\n", "\r\n").removesuffix("\n") for text in (request, answer))
    gap = _GAP.split(request.partition("\r\n\r\n")[2])
    return Exchange(title, request, answer, (gap[0], gap[1]) if len(gap) == 2 else None)


def say(port: int, text: str, host: str = "127.0.0.1") -> str | None:
    """Say something to a player, and its answer; None where it has hung up without one."""
    return exchange(port, request_bytes(text, host, "TEST"))


def exchange(port: int, data: bytes) -> str | None:
    """Send bytes to a player, and its answer; None where it has hung up without one."""
    with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
        connection.settimeout(SECONDS)
        connection.sendall(data)
        reader = MessageReader(answer=True)
        heard = b""
        while chunk := connection.recv(65536):
            heard += chunk
            if reader.feed(chunk):
                return reader.text
        return None if not heard else reader.text
