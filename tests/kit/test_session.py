"""Every command of Table 2 and its answers, as conversations."""

import pytest
from ggtp.engines.random_mover import Random

from ggtp.catalogue import Catalogue
from ggtp.errors import RemoteProtocolError
from ggtp.game import number
from ggtp.kit import CannotChoose, Engine
from ggtp.kit.session import Session, read_command
from ggtp.protocol.commands import ENGINE_COMMANDS
from ggtp.protocol.messages import Command

HOUSE = "rule, rule_text, rule_options, player, seed, threads, memory, start_clock, last_search, refusal"

CONVERSATIONS = {
    "messages are acknowledged, by those too who have no use for them": """
        told_message South before anything | acknowledge
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        told_message Cross hello there | acknowledge
        told_message Cross | acknowledge
        get_table 0 | reply .../.../... Cross
        """,
    "a whole game": """
        connect_engine | acknowledge
        set_option rule TicTacToe | acknowledge
        set_option player Circle | acknowledge
        start | acknowledge
        get_table 0 | reply .../.../... Cross
        list_possible_moves 0 | reply Cross=A1,B1,C1,A2,B2,C2,A3,B3,C3
        made_move Cross A1 | acknowledge
        list_possible_moves 0 | reply Circle=B1,C1,A2,B2,C2,A3,B3,C3
        have_to_play 1000 | select_move B1
        made_move Circle B1 | acknowledge
        made_move Cross A2 | acknowledge
        get_result 0 | reply none
        made_move Circle B2 | acknowledge
        made_move Cross A3 | acknowledge
        get_result 0 | reply Cross=win 100, Circle=loss 0
        list_possible_moves 0 | reply
        get_table 0 | reply XO./XO./X.. -
        disconnect_engine | acknowledge
        """,
    "options": f"""
        list_options | reply {HOUSE}
        get_option rule | reply none
        get_option player | reply none
        get_option rule_options | reply
        get_option nothing | invalid_option_name
        get_option | invalid_option_name
        get_option THREADS | reply 1
        set_option threads 4 | acknowledge
        get_option threads | reply 4
        set_option threads 0 | invalid_option_value
        set_option threads many | invalid_option_value
        set_option threads | invalid_option_value
        get_option threads | reply 4
        set_option nothing 1 | invalid_option_name
        set_option | invalid_option_name
        list_option_choices threads | reply 1..1024
        list_option_choices rule | reply any
        list_option_choices nothing | invalid_option_name
        list_option_choices | invalid_option_name
        set_option rule_text (role white) (role black) | acknowledge
        get_option rule_text | reply (role white) (role black)
        """,
    "what is read only": """
        get_option last_search | reply none
        set_option last_search deep | invalid_option_value
        list_option_choices last_search | reply read-only
        get_option refusal | reply last_search can only be read.
        set_option refusal never | invalid_option_value
        list_option_choices refusal | reply read-only
        """,
    "a rule": """
        set_option rule Tic | invalid_option_value
        get_option rule | reply none
        set_option rule tictactoe | acknowledge
        get_option rule | reply TicTacToe
        set_option rule Tic | invalid_option_value
        get_option rule | reply TicTacToe
        set_option rule_options starting_player=circle | acknowledge
        get_option rule_options | reply starting_player=Circle
        set_option rule_options starting_player=Square | invalid_option_value
        set_option rule_options size=8 | invalid_option_value
        get_option rule_options | reply starting_player=Circle
        start | acknowledge
        get_table 0 | reply .../.../... Circle
        set_option rule_options | acknowledge
        get_table 0 | invalid_table_number
        start | acknowledge
        get_table 0 | reply .../.../... Cross
        set_option rule_options starting_player=Circle | acknowledge
        set_option rule Nim | acknowledge
        get_option rule_options | reply
        set_option rule_options heaps=1 2, misere=on | acknowledge
        start | acknowledge
        get_table 0 | reply 1 2 misere Left
        """,
    "options before their rule": """
        set_option rule_options starting_player=Circle | acknowledge
        set_option player Square | acknowledge
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        get_table 0 | reply .../.../... Circle
        """,
    "a player": """
        set_option rule TicTacToe | acknowledge
        list_option_choices player | reply Cross, Circle
        set_option player cross | acknowledge
        get_option player | reply Cross
        set_option player Square | invalid_option_value
        get_option player | reply Cross
        set_option player none | acknowledge
        get_option player | reply none
        """,
    "no player: whoever is asked": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        have_to_play | select_move A1
        made_move Cross A1 | acknowledge
        have_to_play | select_move B1
        """,
    "tables before the start": """
        list_possible_moves 0 | invalid_table_number
        get_result 0 | invalid_table_number
        get_table 0 | invalid_table_number
        set_option rule TicTacToe | acknowledge
        get_table 0 | invalid_table_number
        """,
    "tables that are none": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        list_possible_moves 1 | invalid_table_number
        get_result -1 | invalid_table_number
        get_table x | invalid_table_number
        get_table | invalid_table_number
        get_table 99999999999999999999 | invalid_table_number
        get_table 00 | reply .../.../... Cross
        """,
    "moves with blanks": """
        set_option rule Nim | acknowledge
        set_option player Right | acknowledge
        start | acknowledge
        made_move Left take 5 from C | acknowledge
        get_table 0 | reply 1 3 0 7 normal Right
        have_to_play | select_move take 1 from A
        illegal_move take 1 from A because I say so | acknowledge
        have_to_play | select_move take 1 from B
        illegal_move take 1 from B | acknowledge
        have_to_play | select_move take 2 from B
        made_move Right take 2 from B | acknowledge
        get_table 0 | reply 1 1 0 7 normal Left
        """,
    "undo and redo": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle B2 | acknowledge
        made_move Cross C3 | acknowledge
        undone_move | acknowledge
        get_table 0 | reply X../.O./... Cross
        undone_move | acknowledge
        get_table 0 | reply X../.../... Circle
        redone_move | acknowledge
        redone_move | acknowledge
        get_table 0 | reply X../.O./..X Circle
        """,
    "another line, and the first one again": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle B2 | acknowledge
        made_move Cross C3 | acknowledge
        undone_move | acknowledge
        undone_move | acknowledge
        made_move Circle C1 | acknowledge
        undone_move | acknowledge
        redone_move | acknowledge
        get_table 0 | reply X.O/.../... Cross
        undone_move | acknowledge
        made_move Circle B2 | acknowledge
        redone_move | acknowledge
        get_table 0 | reply X../.O./..X Circle
        """,
    "redo after a new start": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle B2 | acknowledge
        start | acknowledge
        get_table 0 | reply .../.../... Cross
        redone_move | acknowledge
        redone_move | acknowledge
        get_table 0 | reply X../.O./... Cross
        """,
    "undo and redo of nothing": """
        undone_move | acknowledge
        redone_move | acknowledge
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        undone_move | acknowledge
        redone_move | acknowledge
        get_table 0 | reply .../.../... Cross
        """,
    "a joint turn": """
        set_option rule RockPaperScissors | acknowledge
        set_option rule_options rounds=2 | acknowledge
        set_option player Right | acknowledge
        start | acknowledge
        list_possible_moves 0 | reply Left=Rock,Paper,Scissors; Right=Rock,Paper,Scissors
        have_to_play | select_move Rock
        made_move Left Paper | acknowledge
        get_table 0 | reply 0 of 2 played Left +0 Right +0
        made_move Right Rock | acknowledge
        get_table 0 | reply 1 of 2 played Left +1 Right -1
        made_move Right Scissors | acknowledge
        made_move Left Scissors | acknowledge
        get_result 0 | reply Left=win 1, Right=loss -1
        """,
    "undo and redo of joint turns": """
        set_option rule RockPaperScissors | acknowledge
        set_option rule_options rounds=3 | acknowledge
        set_option player Right | acknowledge
        start | acknowledge
        made_move Left Paper | acknowledge
        made_move Right Rock | acknowledge
        made_move Left Rock | acknowledge
        made_move Right Paper | acknowledge
        get_table 0 | reply 2 of 3 played Left +0 Right +0
        undone_move | acknowledge
        undone_move | acknowledge
        get_table 0 | reply 1 of 3 played Left +1 Right -1
        redone_move | acknowledge
        get_table 0 | reply 1 of 3 played Left +1 Right -1
        redone_move | acknowledge
        get_table 0 | reply 2 of 3 played Left +0 Right +0
        undone_move | acknowledge
        undone_move | acknowledge
        made_move Left Paper | acknowledge
        made_move Right Rock | acknowledge
        get_table 0 | reply 2 of 3 played Left +2 Right -2
        """,
    "what cannot be followed, until it is undone": """
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle Z9 | acknowledge
        get_table 0 | reply X../.../... Circle
        made_move Cross B1 | acknowledge
        have_to_play | select_move B1
        undone_move | acknowledge
        undone_move | acknowledge
        made_move Circle b2 | acknowledge
        get_table 0 | reply X../.O./... Cross
        """,
    "moves before the start": """
        made_move Cross A1 | acknowledge
        illegal_move A1 | acknowledge
        start | acknowledge
        made_move Cross | acknowledge
        """,
    "more than was asked": """
        set_option rule TicTacToe | acknowledge
        start at once | acknowledge
        connect_engine please | acknowledge
        get_table 0 | reply .../.../... Cross
        """,
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_conversation(talk, name):
    talk.follow(CONVERSATIONS[name])


def test_every_command_is_in_a_conversation() -> None:
    said = " ".join(CONVERSATIONS.values()).split()
    assert {command.name for command in ENGINE_COMMANDS} <= set(said)


def test_connection(talk):
    assert not talk.session.connected
    talk("connect_engine")
    assert talk.session.connected
    assert not talk.session.ended
    talk("disconnect_engine")
    assert talk.session.ended


def test_complaints_say_what_is_wrong(talk):
    talk("set_option rule Tictac")
    talk("set_option rule TicTacToe")
    talk("start")
    talk("made_move Circle A1")
    talk("undone_move")
    talk("undone_move")
    assert talk.logged[0].startswith("set_option rule: No rule named Tictac.")
    assert talk.logged[1].startswith("made_move Circle A1 cannot be followed")
    assert talk.logged[2] == "undone_move at the start of the play: ignored"
    assert len(talk.logged) == 3


def test_own_options_come_first_and_reach_the_engine(talk_to):
    class Deep(Engine):
        name = "Deep"
        options = (number("Depth", 8, 1, 64, "how deep"),)

        def choose(self, game, budget):
            return game.settings["Depth"]

    talk = talk_to(Deep())
    talk.follow(f"""
        list_options | reply Depth, {HOUSE}
        set_option depth 12 | acknowledge
        get_option Depth | reply 12
        list_option_choices Depth | reply 1..64
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        have_to_play | select_move 12
        """)


def test_an_engine_that_cannot_play_a_rule_refuses_it(talk_to):
    class Picky(Engine):
        name = "Picky"

        def plays(self, rules, values):
            return "Only small Nim." if rules.name != "Nim" or values["heaps"] != "1 2" else None

        def choose(self, game, budget):
            raise NotImplementedError

    talk = talk_to(Picky())
    talk.follow("""
        set_option rule TicTacToe | invalid_option_value
        set_option rule Nim | invalid_option_value
        set_option rule_options heaps=1 2 | acknowledge
        set_option rule Nim | acknowledge
        set_option rule_options heaps=1 2 3 | invalid_option_value
        get_option rule_options | reply heaps=1 2
        """)
    assert talk.logged[0] == "set_option rule: Only small Nim."


def test_a_report_is_read_as_an_option(talk_to):
    class Talkative(Engine):
        name = "Talkative"

        def choose(self, game, budget):
            self.report(value=62.5, line="A1, B2")
            return "A1"

    talk_to(Talkative()).follow("""
        set_option rule TicTacToe | acknowledge
        start | acknowledge
        have_to_play | select_move A1
        get_option last_search | reply value=62.5, line="A1, B2"
        start | acknowledge
        get_option last_search | reply none
        """)


def test_equal_seeds_make_equal_choices(talk_to):
    class Chancy(Engine):
        name = "Chancy"

        def choose(self, game, budget):
            return game.rng.choice(game.moves())

    def choices(seed):
        talk = talk_to(Chancy())
        talk("set_option rule TicTacToe")
        talk(f"set_option seed {seed}")
        talk("start")
        return [talk("have_to_play") for _ in range(20)]

    assert choices("7") == choices("7")
    assert choices("7") != choices("8")


def test_what_a_game_tells_the_engine(talk_to):
    seen: list[tuple[object, ...]] = []

    class Curious(Engine):
        name = "Curious"

        def new_game(self, game, budget):
            seen.append((game.player, game.history, budget.should_stop()))

        def choose(self, game, budget):
            seen.append((game.player, game.history, game.rules.name, dict(game.rule_options), game.imagine()))
            return "C3"

    talk = talk_to(Curious())
    talk.follow("""
        set_option rule TicTacToe | acknowledge
        set_option player Circle | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        have_to_play | select_move C3
        """)
    position = talk.session.asked(Command("have_to_play"))[0].position
    assert seen == [
        ("Circle", [], True),
        ("Circle", [("Cross", "A1")], "TicTacToe", {"starting_player": "Cross"}, position),
    ]


@pytest.mark.parametrize(("delay", "seconds"), [("2000", 1.934), ("100", 0.064), ("10", 0.002), ("0", 0)])
def test_the_delay_is_kept_with_a_margin(talk, delay, seconds):
    talk("set_option rule TicTacToe")
    talk("start")
    _, budget = talk.session.asked(Command("have_to_play", (delay,)))
    assert budget.deadline - budget.started == pytest.approx(seconds)


def test_who_was_late_thinks_less_until_it_is_in_time_again() -> None:
    """As on a machine that is busy with something else, and then no more."""
    now = [10.0]
    catalogue = Catalogue.from_environment({})
    session = Session(Random(), catalogue.find_rules, lambda text: None, clock=lambda: now[0])
    for command in (Command("set_option", ("rule", "TicTacToe")), Command("start")):
        session.answer(command)

    def seconds(late):
        _, budget = session.asked(Command("have_to_play", ("100",)))
        now[0] = budget.deadline + late
        session.selected("A1")
        return budget.deadline - budget.started

    usual = seconds(0.0)
    assert seconds(0.02) >= usual
    assert seconds(0.5) == pytest.approx(usual + 2 * 0.003 - 2 * 0.02, abs=0.001)
    assert seconds(-0.01) == pytest.approx(0.02), "a fifth of the time is always left"
    for _ in range(300):
        seconds(-0.01)
    assert seconds(-0.01) == pytest.approx(0.07, abs=0.001)


@pytest.mark.parametrize("args", [(), ("soon",), ("-1",), ("nan",), ("inf",)])
def test_no_delay_is_time_without_end(talk, args):
    talk("set_option rule TicTacToe")
    talk("start")
    _, budget = talk.session.asked(Command("have_to_play", args))
    assert budget.deadline is None


@pytest.mark.parametrize(
    "before",
    [
        [],
        ["set_option rule TicTacToe"],
        ["set_option rule Nim", "set_option rule_options heaps=1", "start", "made_move Left take 1 from A"],
        ["set_option rule PhantomTicTacToe", "start"],
    ],
    ids=["no rule", "no start", "the end", "secrets and no player"],
)
def test_asked_where_nothing_can_be_chosen(talk, before):
    for line in before:
        talk(line)
    with pytest.raises(CannotChoose):
        talk("have_to_play")


@pytest.mark.parametrize(
    ("line", "withdraws"),
    [
        ("start", True),
        ("made_move Cross A1", True),
        ("illegal_move A1", True),
        ("undone_move", True),
        ("redone_move", True),
        ("disconnect_engine", True),
        ("set_option rule Nim", True),
        ("set_option RULE_OPTIONS heaps=1", True),
        ("set_option player Cross", True),
        ("set_option threads 2", False),
        ("set_option", False),
        ("get_option rule", False),
        ("get_table 0", False),
        ("list_options", False),
    ],
)
def test_what_withdraws_a_search(talk, line, withdraws):
    assert talk.session.withdraws(read_command(line.encode())) is withdraws


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"made_move Cross A1\r\n", Command("made_move", ("Cross", "A1"))),
        (b"made_move  Cross\t take 1 from A ", Command("made_move", ("Cross", "take 1 from A"))),
        (b"set_option rule_options", Command("set_option", ("rule_options",))),
        (b"set_option rule_options ", Command("set_option", ("rule_options",))),
        (b"get_table", Command("get_table")),
        (b"start now", Command("start")),
        (b"", None),
        (b" \t\r\n", None),
    ],
)
def test_reading_a_line(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize("line", [b"set_enginz", b"\xff\xfe", b"START", b"reply start"])
def test_a_line_that_is_no_command(line):
    with pytest.raises(RemoteProtocolError):
        read_command(line)


def test_an_engine_that_follows_hears_of_every_move(talk):
    heard = []

    class Follower(type(talk.engine)):
        follows = True

        def follow(self, game):
            heard.append((game.player, game.history))

    talk = type(talk)(Follower())
    talk.follow(
        """
        set_option rule TicTacToe | acknowledge
        set_option player Circle | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle B1 | acknowledge
        undone_move | acknowledge
        redone_move | acknowledge
        """
    )
    one, two = [("Cross", "A1")], [("Cross", "A1"), ("Circle", "B1")]
    assert heard == [("Circle", one), ("Circle", two), ("Circle", one), ("Circle", two)]


def test_what_could_be_chosen_if_it_were_asked_for_now(talk):
    session = talk.session
    assert session.ahead() == ()
    for line in ("set_option rule TicTacToe", "set_option player Circle", "start"):
        talk(line)
    assert session.ahead() == (), "it is the other's turn"
    talk("made_move Cross B2")
    assert list(session.ahead()) == ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]
    for line in ("set_option player none", "start"):
        talk(line)
    assert len(session.ahead()) == 9, "whoever has the turn"
    for line in ("set_option rule PhantomTicTacToe", "set_option player Cross", "start"):
        talk(line)
    assert session.ahead() == (), "something is hidden"
    for line in ("set_option rule vgdl/skeet", "set_option player none", "start"):
        talk(line)
    assert session.ahead() == ("nil",), "what the rule plays when time is over"
