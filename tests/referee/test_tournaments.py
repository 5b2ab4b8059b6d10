"""Commands about a tournament: a request, and its lines as news and an answer."""

from __future__ import annotations

import random

import pytest

from ggtp.referee.effects import Inform, ManageTournament, Request, Respond
from ggtp.referee.events import Denied, Granted, SupervisorSaid
from ggtp.referee.referee import Referee


@pytest.mark.parametrize(
    ("line", "verb", "filename"),
    [
        ("start_tournament a b.toml", "start", "a b.toml"),
        ("show_tournament", "show", ""),
        ("pause_tournament", "pause", ""),
        ("resume_tournament", "resume", ""),
        ("stop_tournament", "stop", ""),
    ],
)
def test_a_command_is_a_request(line: str, verb: str, filename: str) -> None:
    referee = Referee(version="test", rng=random.Random(0))
    (request,) = referee.handle(SupervisorSaid(line, 0.0))
    assert isinstance(request, Request)
    assert request.wish == ManageTournament(verb, filename)
    effects = referee.handle(Granted(request.ticket, ["one", "two", "three"], 1.0))
    assert effects == [Inform("one"), Inform("two"), Respond("= three")]


def test_what_can_not_be_done_is_refused() -> None:
    referee = Referee(version="test", rng=random.Random(0))
    (request,) = referee.handle(SupervisorSaid("show_tournament", 0.0))
    assert isinstance(request, Request)
    assert referee.handle(Denied(request.ticket, "There is none.", 1.0)) == [Respond("? There is none.")]
