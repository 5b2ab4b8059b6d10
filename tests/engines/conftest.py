"""An engine at a table: told of moves, asked for moves, without wire, thread or process."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.kit.session import Session
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import join_map, split_map
from ggtp.search.features.learn import Learner


class Seat:
    """An engine that was told its game."""

    def __init__(self, engine, rule, player="", options=None, settings=None, **kwargs):
        self.engine = engine
        self.logged = []
        self.session = Session(engine, Catalogue.from_environment({}).find_rules, self.logged.append, **kwargs)
        self.tell("set_option", "rule", rule)
        self.tell("set_option", "rule_options", join_map(options or {}))
        if player:
            self.tell("set_option", "player", player)
        for name, value in (settings or {}).items():
            self.tell("set_option", name, value)
        self.tell("start")

    def tell(self, name, *args):
        answer = self.session.answer(Command(name, args))
        assert answer.kind in (AnswerKind.ACKNOWLEDGE, AnswerKind.REPLY), (name, args, answer)
        return answer.text

    def game(self, *delay):
        return self.session.asked(Command("have_to_play", delay))[0]

    def choose(self, *delay):
        game, budget = self.session.asked(Command("have_to_play", delay))
        return self.session.selected(self.engine.choose(game, budget)).text

    def last_search(self):
        return split_map(self.tell("get_option", "last_search"))


@pytest.fixture
def learn_little(monkeypatch):
    """Features are learned from a few playouts, however busy the machine is."""
    learn = Learner.learn

    def learn_from_few(learner, should_stop, seconds=None):
        return learn(learner, lambda: should_stop() or learner.features.walks >= 3)

    monkeypatch.setattr(Learner, "learn", learn_from_few)


@pytest.fixture(name="sit")
def make_sit():
    return Seat


@pytest.fixture(name="rules")
def find_rules():
    return Catalogue.from_environment({}).find_rules
