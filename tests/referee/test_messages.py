"""Messages between partners: who may send them, who hears them, and that they go back and forth with the play."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

TALKING = ("rule", "player", "messages")
RULE = ("set_rule TreasureHunt", "set_option chance off", "set_option view all")
HIDE = ("force_play Chance B1", "force_play Chance C5")


class Talker(Actor):
    """Says what it is given when it is asked for a move, before the move."""

    def __init__(self, moves: list[str], says: list[str], options: tuple[str, ...] = TALKING) -> None:
        super().__init__(moves, options)
        self.says = says

    def hear(self, line: str) -> list[str]:
        answers = super().hear(line)
        if line.startswith("have_to_play"):
            said, self.says = self.says, []
            return [*(f"tell_message {text}" for text in said), *answers]
        return answers

    @property
    def told(self) -> list[str]:
        return [line for line in self.heard if line.startswith("told_message")]


def four(*actors: Actor, **defaults: str) -> Playbook:
    """Engines for North, East, South and West, in that order, as far as they are given; the play has begun."""
    names = ("North", "East", "South", "West")
    book = Playbook(
        engines={name: (lambda actor=actor: actor) for name, actor in zip(names, actors, strict=False)},
        defaults=defaults,
    )
    book.lay(*RULE)
    for name, _ in zip(names, actors, strict=False):
        book.lay(f"set_engine {name} {name}")
    book.lay("start", *HIDE)
    return book


def test_the_supervisor_sends_messages_of_people_here() -> None:
    book = Playbook()
    book.lay(*RULE, "set_option view all")
    book.run("""
        tell North South hello
        ? The play is not started. Use start.
        start
        = Done
        tell North South the column is B
        -> North tells South: the column is B
        = Done
        tell north SOUTH again
        -> North tells South: again
        = Done
        list_messages
        -> North tells South: the column is B
        -> North tells South: again
        = 2
    """)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tell North East hello", "? East is no partner of North."),
        ("tell North North hello", "? North is no partner of North."),
        ("tell North Nobody hello", "? Nobody is no partner of North."),
        ("tell Nobody South hello", "? No player named Nobody. There are: North, East, South, West."),
        ("tell North South", "? Usage: tell player partner text"),
        (f"tell North South {'x' * 81}", "? A message may have 80 characters."),
    ],
)
def test_what_may_not_be_said_changes_nothing(line: str, answer: str) -> None:
    book = Playbook()
    book.lay(*RULE, "start")
    before = book.snapshot()
    assert book.say(line) == answer
    assert book.snapshot() == before


def test_there_is_room_for_so_many_between_two_moves() -> None:
    book = Playbook()
    book.lay(*RULE, "start", *HIDE, "tell North South 1", "tell North South 2", "tell North South 3")
    assert book.say("tell North South 4") == "? North may send 3 messages between two moves."
    book.lay("tell South North 1", "force_play North A1", "tell North South 4")


def test_where_the_rule_does_not_let_them_nobody_may_talk() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start")
    assert book.say("tell Cross Circle hello") == "? Nobody may send messages in TicTacToe."
    book.lay(*RULE, "set_rule_option talk off", "start")
    assert book.say("tell North South hello") == "? Nobody may send messages in TreasureHunt."


def test_a_partner_s_engine_is_told_and_the_others_are_not() -> None:
    north, east = Talker(["A1"], ["South column B", "south psst"]), Talker([], [])
    south, west = Talker([], []), Talker([], [])
    book = four(north, east, south, west)
    said = ["told_message North column B", "told_message North psst"]
    assert south.told == north.told == said
    assert east.told == west.told == []
    # Not a single byte: what the others hear is what they hear of a play in which nothing was said.
    quiet = [Talker(["A1"], []), Talker([], []), Talker([], []), Talker([], [])]
    silent = four(*quiet)
    assert quiet[1].heard == east.heard
    assert quiet[3].heard == west.heard
    assert silent.say("list_messages") == "= 0"
    assert book.say("list_messages") == "= 2"


def test_where_talk_is_public_everybody_hears() -> None:
    actors = [Talker(["A1"], ["South column B"]), Talker([], []), Talker([], []), Talker([], [])]
    book = Playbook(engines={str(index): (lambda actor=actor: actor) for index, actor in enumerate(actors)})
    book.lay(*RULE, "set_rule_option talk public")
    for index, name in enumerate(("North", "East", "South", "West")):
        book.lay(f"set_engine {name} {index}")
    book.lay("start", *HIDE)
    assert [actor.told for actor in actors] == [["told_message North column B"]] * 4


def test_an_engine_that_does_not_know_of_messages_never_hears_of_them() -> None:
    south = Talker([], [], ("rule", "player"))
    book = four(Talker(["A1"], ["South column B"]), Talker([], []), south)
    assert not [line for line in south.heard if "message" in line]
    assert book.say("list_messages") == "= 1"


@pytest.mark.parametrize(
    ("says", "options", "what"),
    [
        (["East hello"], TALKING, "a message that may not be sent: East is no partner of North."),
        (["South"], TALKING, "tell_message without a player or a text"),
        (["South " + "x" * 81], TALKING, "a message that may not be sent: A message may have 80 characters."),
        (["South 1", "South 2", "South 3", "South 4"], TALKING, "North may send 3 messages between two moves."),
        (["South hello"], ("rule", "player"), "not an answer of Table 3: tell_message South hello."),
    ],
)
def test_a_message_that_may_not_be_sent_is_a_fault(says: list[str], options: tuple[str, ...], what: str) -> None:
    book = four(Talker(["A1"], says, options))
    (fault,) = book.referee.view.faults
    assert fault.fault == "protocol"
    assert what in fault.what
    assert book.say("list_played_moves") == "= Chance B1, Chance C5"


def test_where_the_rule_does_not_let_it_an_engine_is_at_fault() -> None:
    book = Playbook(engines={"Talker": lambda: Talker(["A1"], ["Circle hello"])})
    book.lay("set_rule TicTacToe", "set_engine Cross Talker", "start")
    assert [fault.fault for fault in book.referee.view.faults] == ["protocol"]


def test_a_message_that_was_overtaken_is_dropped() -> None:
    book = Playbook(engines=["Talker"])
    book.lay(*RULE)
    book.say("set_engine North Talker")
    for line in ("acknowledge", "reply messages", "acknowledge"):
        book.engine(1, line)
    book.lay("start")
    book.engine(1, "acknowledge")
    book.lay(*HIDE)
    for _ in HIDE:
        book.engine(1, "acknowledge")
    book.lay("undo")
    book.engine(1, "tell_message South too late")
    assert book.say("list_messages") == "= 0"
    assert not book.referee.view.faults


def test_messages_are_undone_redone_and_told_again_with_the_play() -> None:
    book = Playbook(engines={"Talker": lambda: talkers.setdefault(len(talkers), Talker([], []))})
    talkers: dict[int, Talker] = {}
    book.lay(*RULE, "start", "tell North South at the start", *HIDE, "force_play North A1", "tell South North second")
    book.lay("force_play East A1")
    assert book.say("list_messages") == "= 2"
    book.lay("undo", "undo")
    assert book.say("list_messages") == "= 1"
    book.lay("redo")
    assert book.say("list_messages") == "= 2"
    book.lay("set_engine South Talker")
    told = [line for line in talkers[0].heard if line.startswith(("start", "made", "told"))]
    assert told == [
        "start",
        "told_message North at the start",
        "made_move Chance ?1",
        "made_move Chance ?",
        "made_move North A1",
        "told_message South second",
    ]
    book.lay("undo", "force_play North A1")
    assert book.say("list_messages") == "= 1"  # the same move, made anew: nothing was said after it yet
    book.lay("start")
    assert book.say("list_messages") == "= 0"


def test_a_play_file_has_them_and_replays_them() -> None:
    book = Playbook()
    book.lay(*RULE, "start", "tell North South one", "save_file a.ggtp", *HIDE, "tell West East two  words")
    book.lay("force_play North A1", "undo", "close_file")
    assert "tell North South one\n" in book.files["a.ggtp"]
    assert "tell West East two  words\n" in book.files["a.ggtp"]
    again = Playbook(files=book.files)
    again.lay("load_file a.ggtp", "set_option view all")
    assert again.say("list_messages") == "= 2"
    assert "-> West tells East: two  words" in again.log
    again.lay("save_file b.ggtp")
    tells = [[line for line in text.splitlines() if line.startswith("tell")] for text in again.files.values()]
    assert tells[0] == tells[1]


def test_a_viewer_sees_what_its_player_hears() -> None:
    book = Playbook()
    book.lay(*RULE, "set_option view East", "start", "tell North South secret", "tell West East ours")
    assert "-> West tells East: ours" in book.log
    assert book.say("list_messages") == "= 1"
    assert not [line for line in book.log if line.startswith("-> ") and "secret" in line]


def test_people_elsewhere_talk_and_opponents_hear_no_byte_of_it() -> None:
    def heard(*said: str) -> dict[int, list[str]]:
        book = Playbook()
        book.lay(*RULE)
        for number, name in enumerate(("North", "East", "South", "West")):
            book.lay(f"set_engine {name} person:p{number}")
            book.join(number, f"p{number}")
        book.lay("start", *HIDE)
        for line in said:
            assert book.visitor(0, line)[-1] == "= Done"
        assert book.visitor(0, "tell East hello")[-1] == "? East is no partner of North."
        return book.whispers

    talked, silent = heard("tell South column B", "tell south psst"), heard()
    assert talked[2][-2:] == ["-> North tells South: column B", "-> North tells South: psst"]
    assert talked[1] == silent[1]
    assert talked[3] == silent[3]
