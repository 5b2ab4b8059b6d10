"""Commands that manage a tournament beside the table. A method is named like its command."""

from __future__ import annotations

from ggtp.referee.desk import Desk
from ggtp.referee.effects import ManageTournament
from ggtp.referee.tasks import Conversation


class Tournaments:
    """What a supervisor can do about the tournament that runs beside the play; the play is not touched."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start_tournament(self, filename: str) -> Conversation:
        return self._manage("start", filename)

    def show_tournament(self) -> Conversation:
        return self._manage("show")

    def pause_tournament(self) -> Conversation:
        return self._manage("pause")

    def resume_tournament(self) -> Conversation:
        return self._manage("resume")

    def stop_tournament(self) -> Conversation:
        return self._manage("stop")

    def _manage(self, verb: str, filename: str = "") -> Conversation:
        lines: list[str] = yield self._desk.request(ManageTournament(verb, filename))
        for line in lines[:-1]:
            self._desk.inform(line)
        return lines[-1]
