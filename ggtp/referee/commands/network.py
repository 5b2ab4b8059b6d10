"""Commands about other machines: the door, and who has come through it. A method is named like its command."""

from __future__ import annotations

from ggtp.errors import CommandError
from ggtp.protocol.text import join_list
from ggtp.protocol.waiting import Conversation
from ggtp.referee.commands.queries import DONE, NONE
from ggtp.referee.desk import Desk
from ggtp.referee.effects import ListConnections, Listen, StopListening

KNOWN, ANYONE = WHO = ("known", "anyone")
"""Who may come in: those whose key is known, or everybody."""


class Network:
    """The door."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def listen(self, address: str, who: str = KNOWN) -> Conversation[str]:
        if who.casefold() not in WHO:
            raise CommandError(f"{who} is neither known nor anyone.")
        settings = self._desk.settings
        wish = Listen(
            address, who.casefold() == ANYONE, settings.number("line_limit"), settings.seconds("network_silence")
        )
        where, key = yield from self._desk.request(wish)
        self._desk.inform(f"Listening at {where} with the key {key}")
        if wish.anyone:
            self._desk.inform("Anyone may connect, whether the key is known or not")
        return DONE

    def stop_listening(self) -> Conversation[str]:
        yield from self._desk.request(StopListening())
        return DONE

    def list_connections(self) -> Conversation[str]:
        names = yield from self._desk.request(ListConnections())
        return join_list(names) or NONE
