"""Commands about a tournament: a request, and its lines as news and an answer."""

from __future__ import annotations

import pytest

from ggtp.referee.effects import Inform, ManageTournament, Request, Respond
from ggtp.referee.events import Denied, Granted, SupervisorSaid
from ggtp.referee.referee import Referee


@pytest.mark.parametrize(
    "line",
    [
        "start_tournament a b.toml",
        "show_tournament",
        "pause_tournament",
        "pause_tournament for lunch",
        "resume_tournament",
        "stop_tournament",
        "set_concurrency 4",
        "set_concurrency 4 it is night",
        "adjudicate_game 12.1 Cross=1 Circle=0 the power failed",
        "at_game 12.1 play Cross B2",
        "replay_game 12.1",
        "replay_game 12.1 the power failed",
        "quarantine_player Deep Thought",
        "admit_player Deep Thought",
        "list_rulings",
        "undo_ruling",
        "undo_ruling 17 a mistake",
    ],
)
def test_a_command_is_a_request(line: str) -> None:
    referee = Referee(version="test")
    (request,) = referee.handle(SupervisorSaid(line, 0.0))
    assert isinstance(request, Request)
    command, _, words = line.partition(" ")
    assert request.wish == ManageTournament(command, words)
    effects = referee.handle(Granted(request.ticket, ["one", "two", "three"], 1.0))
    assert effects == [Inform("one"), Inform("two"), Respond("= three")]


def test_what_can_not_be_done_is_refused() -> None:
    referee = Referee(version="test")
    (request,) = referee.handle(SupervisorSaid("show_tournament", 0.0))
    assert isinstance(request, Request)
    assert referee.handle(Denied(request.ticket, "There is none.", 1.0)) == [Respond("? There is none.")]
