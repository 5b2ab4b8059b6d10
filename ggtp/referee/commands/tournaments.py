"""Commands that manage a tournament beside the table. A method is named like its command."""

from __future__ import annotations

from ggtp.protocol.waiting import Conversation
from ggtp.referee.desk import Desk
from ggtp.referee.effects import ManageTournament


class Tournaments:
    """What a supervisor can do about the tournament that runs beside the play; the play is not touched."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start_tournament(self, filename: str) -> Conversation[str]:
        return self._manage("start_tournament", filename)

    def show_tournament(self) -> Conversation[str]:
        return self._manage("show_tournament")

    def pause_tournament(self, reason: str = "") -> Conversation[str]:
        return self._manage("pause_tournament", reason)

    def resume_tournament(self, reason: str = "") -> Conversation[str]:
        return self._manage("resume_tournament", reason)

    def stop_tournament(self, reason: str = "") -> Conversation[str]:
        return self._manage("stop_tournament", reason)

    def set_concurrency(self, number: str, reason: str = "") -> Conversation[str]:
        return self._manage("set_concurrency", number, reason)

    def at_game(self, game: str, line: str) -> Conversation[str]:
        return self._manage("at_game", game, line)

    def adjudicate_game(self, game: str, scores: str) -> Conversation[str]:
        return self._manage("adjudicate_game", game, scores)

    def replay_game(self, game: str, reason: str = "") -> Conversation[str]:
        return self._manage("replay_game", game, reason)

    def quarantine_player(self, name: str) -> Conversation[str]:
        return self._manage("quarantine_player", name)

    def admit_player(self, name: str) -> Conversation[str]:
        return self._manage("admit_player", name)

    def list_rulings(self) -> Conversation[str]:
        return self._manage("list_rulings")

    def undo_ruling(self, number: str = "", reason: str = "") -> Conversation[str]:
        return self._manage("undo_ruling", number, reason)

    def _manage(self, command: str, *words: str) -> Conversation[str]:
        lines = yield from self._desk.request(ManageTournament(command, " ".join(filter(None, words))))
        for line in lines[:-1]:
            self._desk.inform(line)
        return lines[-1]
