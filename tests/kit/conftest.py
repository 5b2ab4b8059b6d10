"""A referee's side of a conversation with a session, without wire, thread or process."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.kit import Engine
from ggtp.kit.session import HAVE_TO_PLAY, Session, read_command
from ggtp.protocol.codec import encode_answer


class First(Engine):
    """Chooses the first move that may be tried."""

    name = "First"
    instant = True

    def choose(self, game, budget):
        return game.moves()[0]


class Talk:
    """Says a line to a session and gives its answer, both as text."""

    def __init__(self, engine=None, compile_rules=None):
        self.engine = engine or First()
        self.logged = []
        find_rules = Catalogue.from_environment({}).find_rules
        self.session = Session(self.engine, find_rules, self.logged.append, compile_rules=compile_rules)

    def __call__(self, line):
        command = read_command(line.encode())
        if command.name == HAVE_TO_PLAY:
            answer = self.session.selected(self.engine.choose(*self.session.asked(command)))
        else:
            answer = self.session.answer(command)
        return encode_answer(answer).decode()

    def follow(self, script):
        """Say what stands left of the bars and expect what stands right of them."""
        rows = [row for line in script.splitlines() if (row := line.strip())]
        expected = [tuple(part.strip() for part in row.split(" | ")) for row in rows]
        assert [(said, self(said)) for said, _ in expected] == expected


@pytest.fixture(name="talk")
def make_talk():
    return Talk()


@pytest.fixture(name="talk_to")
def make_talk_to():
    return Talk
