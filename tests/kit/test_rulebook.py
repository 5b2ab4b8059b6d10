"""Rules by name and rules by text, and engines that have them compiled."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import RulesError, RulesNotFound
from ggtp.kit import Budget, Engine
from ggtp.kit.rulebook import code_cache, compile_in_background, find_told, rule_name
from ggtp.kit.session import SETTLING_SECONDS

GAME = (
    "(role a) (init z) (legal a (add 1)) (legal a stop) (<= (next z) (does a stop))"
    " (<= terminal (not (true z))) (goal a 50)"
)
SECONDS = 60


class Compiling(Engine):
    """Waits for the compiled game and chooses the first move."""

    name = "Compiling"
    compiles = True

    def choose(self, game, budget):
        compiled = game.compiled(Budget(SECONDS))
        assert compiled.state_of(game.position) == compiled.machine().initial()
        return game.moves()[0]


@pytest.fixture(name="find")
def make_find():
    return Catalogue.from_environment({}).find_rules


def test_a_name_finds_what_the_text_says(find):
    text = " ".join(find("gdl/tictactoe").text.split())
    assert find_told("gdl/tictactoe", "", find).name == "gdl/tictactoe"
    assert find_told("gdl/tictactoe", text, find).title  # the file's own, which the text does not hold
    assert find_told("TicTacToe", "", find).name == "TicTacToe"


def test_a_text_is_believed_whatever_the_name_leads_to(find):
    for name in ("gdl/tictactoe", "/nowhere/my game.kif", "unheard-of"):
        rules = find_told(name, GAME, find)
        assert rules.players({}) == ("a",)
    assert find_told("/nowhere/my game.kif", GAME, find).name == "my_game"


def test_a_text_of_another_kind_is_left_to_the_name(find):
    assert find_told("TicTacToe", "no such language", find).name == "TicTacToe"
    with pytest.raises(RulesError):
        find_told("unheard-of", "no such language", find)
    with pytest.raises(RulesNotFound):
        find_told("unheard-of", "", find)


@pytest.mark.parametrize(
    ("reference", "name"),
    [("gdl/chess", "gdl/chess"), ("/tmp/x/four.kif", "four"), ("a b.gdl", "a_b"), ("/", "told")],
)
def test_names(reference, name):
    assert rule_name(reference) == name


def test_an_engine_plays_rules_that_it_cannot_find(talk):
    talk.follow(f"""
        set_option rule /nowhere/game.kif | invalid_option_value
        set_option rule_text {GAME} | acknowledge
        set_option rule /nowhere/game.kif | acknowledge
        get_option rule | reply game
        set_option player a | acknowledge
        start | acknowledge
        list_possible_moves 0 | reply a=add 1,stop
        have_to_play | select_move add 1
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        list_possible_moves 0 | reply Cross=A1,B1,C1,A2,B2,C2,A3,B3,C3
        """)


def test_a_text_without_a_name_is_enough(talk):
    talk.follow(f"""
        set_option rule_text {GAME} | acknowledge
        start | acknowledge
        get_option rule | reply told
        list_possible_moves 0 | reply a=add 1,stop
        """)


def test_a_text_that_is_no_game_leaves_the_engine_without_one(talk):
    talk.follow("""
        set_option rule_text (role white) | acknowledge
        start | acknowledge
        get_option rule | reply none
        """)
    assert talk.logged


def test_machine_code_is_kept_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code_cache().put("code", b"ret")
    assert code_cache().get("code") == b"ret"
    assert [path.is_dir() for path in (tmp_path / "ggtp").iterdir()] == [True]


def test_only_rules_that_are_text_are_compiled(find):
    assert compile_in_background(find("TicTacToe"), 1000) is None


@pytest.fixture(name="compiling")
def make_compiling(talk_to, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return lambda: talk_to(Compiling(), compile_in_background)


@pytest.mark.process
def test_an_engine_waits_for_the_compiled_game(compiling):
    talk = compiling()
    talk.follow("""
        set_option rule gdl/tictactoe | acknowledge
        set_option memory 1000 | acknowledge
        start | acknowledge
        have_to_play | select_move mark 1 1
        made_move cross mark 1 1 | acknowledge
        """)
    position = talk.session._play.position()
    assert isinstance(position.state, bytes)
    talk.session.close()


@pytest.mark.process
def test_more_memory_is_another_try_and_another_rule_another_game(compiling):
    talk = compiling()
    talk("set_option memory 20")  # less than Python and its libraries take
    talk("set_option rule gdl/connectfour")
    first = talk.session._compilation
    assert first.wait(SECONDS)
    assert first.game is None
    talk("set_option memory 1000")
    second = talk.session._compilation
    assert second is not first
    assert second.wait(SECONDS)
    assert second.game is not None
    talk("set_option memory 900")
    assert talk.session._compilation is second
    talk("set_option rule TicTacToe")
    assert talk.session._compilation is None


class Done:
    """A compilation that is over, with a game or without."""

    over = True
    game: object = None
    megabytes = 1000

    def __init__(self, rules, game):
        self.rules, self.game = rules, game

    def wait(self, seconds):
        raise AssertionError

    def close(self, seconds):
        pass

    stop = close


class Settles(Compiling):
    """Remembers what it could load, and when."""

    def __init__(self):
        self.calls = []

    def settle(self, game, budget):
        self.calls.append(("settle", game.rules.name, budget.remaining() > 0))

    def new_game(self, game, budget):
        self.calls.append(("new_game",))


@pytest.mark.parametrize("game", [None, object()])
def test_an_engine_may_load_a_compiled_game_before_it_is_started(talk_to, game):
    engine = Settles()
    talk = talk_to(engine, lambda rules, megabytes: Done(rules, game))
    assert talk("set_option rule gdl/tictactoe") == "acknowledge"
    assert engine.calls == ([("settle", "gdl/tictactoe", True)] if game else [])
    talk("set_option memory 1000")
    talk("set_option seed 7")
    assert len(engine.calls) == (1 if game else 0)
    talk.session.close()


def test_who_is_not_compiled_soon_is_not_waited_for(talk_to):
    class Slow(Done):
        over = False

        def wait(self, seconds):
            now[0] += seconds

    now = [0.0]
    engine = Settles()
    talk = talk_to(engine, lambda rules, megabytes: Slow(rules, None))
    talk.session._clock = lambda: now[0]
    assert talk("set_option rule gdl/tictactoe") == "acknowledge"
    assert engine.calls == []
    assert now[0] == SETTLING_SECONDS
    talk.session.close()


def test_who_does_not_want_it_does_not_pay(talk_to):
    def never(rules, megabytes):
        raise AssertionError

    talk = talk_to(None, never)
    talk("set_option rule gdl/tictactoe")
    talk("start")
    assert talk.session._play.compilation is None
    talk.session.close()
