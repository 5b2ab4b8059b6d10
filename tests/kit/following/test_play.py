"""Following a play of which not everything is seen, and one that is very long."""

import gc
import random

import pytest
from support.games import Hunt

from ggtp.catalogue import Catalogue
from ggtp.errors import IllegalMove
from ggtp.game import Position, Refused, Rules, Seen, Traits, Verdict, single
from ggtp.kit.following.play import MOST_KEPT, Play, PlayNode

PHANTOM = """
    set_option rule PhantomTicTacToe | acknowledge
    set_option player Cross | acknowledge
    start | acknowledge
    """


def rules(name):
    return Catalogue.from_environment({}).find_rules(name)


def begin(name, seed=1, **options):
    found = rules(name)
    logged = []
    play = Play(found, found.complete(options), random.Random(seed), logged.append)
    return play, logged


def test_hidden_moves_and_refusals_as_a_conversation(talk):
    talk.follow(PHANTOM)
    talk.follow("""
        list_possible_moves 0 | reply Cross=A1,B1,C1,A2,B2,C2,A3,B3,C3
        get_table 1 | invalid_table_number
        have_to_play | select_move A1
        made_move Cross A1 | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        illegal_move B1 the square is taken | acknowledge
        list_possible_moves 0 | reply Cross=C1,A2,B2,C2,A3,B3,C3
        have_to_play | select_move C1
        made_move Cross C1 | acknowledge
        get_result 0 | reply none
        """)
    assert talk("get_table 0").startswith("reply XOX/.../... Cross 2 Circle 1 Circle to move; Cross found B1;")
    assert not talk.logged


def test_a_refusal_is_forgotten_when_the_move_before_it_is_undone(talk):
    talk.follow(PHANTOM)
    talk.follow("""
        made_move Cross A1 | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        illegal_move B1 | acknowledge
        have_to_play | select_move C1
        undone_move | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        """)


def test_a_refusal_is_known_again_when_the_move_before_it_is_redone(talk):
    talk.follow(PHANTOM)
    talk.follow("""
        made_move Cross A1 | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        illegal_move B1 | acknowledge
        made_move Cross C1 | acknowledge
        made_move Circle ? | acknowledge
        undone_move | acknowledge
        undone_move | acknowledge
        have_to_play | select_move C1
        undone_move | acknowledge
        redone_move | acknowledge
        have_to_play | select_move C1
        """)


def test_another_play_begins_without_what_was_learned(talk):
    talk.follow(PHANTOM)
    talk.follow("""
        made_move Cross A1 | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        illegal_move B1 | acknowledge
        start | acknowledge
        made_move Cross A1 | acknowledge
        made_move Circle ? | acknowledge
        have_to_play | select_move B1
        """)


@pytest.mark.parametrize("seed", range(20))
def test_every_table_explains_a_random_game(seed):
    """The umpire plays a real game; Cross's tables must look to Cross as the real position does."""
    rng = random.Random(seed)
    play, logged = begin("PhantomTicTacToe", seed)
    position = rules("PhantomTicTacToe").start()
    while position.turn().players:
        (actor,) = position.turn().players
        if actor == "Cross":
            for number in range(3):
                table = play.table(number, "Cross", to_move=True)
                assert table.view("Cross") == position.view("Cross")
        move = rng.choice(position.moves(actor))
        verdict = position.play({actor: move})
        for refusal in verdict.refused:
            if refusal.player == "Cross":
                play.refused(refusal.move, refusal.reason, "Cross")
        for who, made in verdict.made:
            play.made(who, position.seen(who, made, "Cross"))
        position = verdict.position
    assert not logged


def test_tables_differ_where_it_is_not_known() -> None:
    play, _ = begin("PhantomTicTacToe")
    play.made("Cross", "A1")
    play.made("Circle", "?")
    views = {play.table(number, "Cross").view(None) for number in range(40)}
    assert len(views) > 3
    assert {play.table(0, "Cross").view(None) for _ in range(10)} == {play.table(0, "Cross").view(None)}


@pytest.mark.parametrize("seed", range(10))
def test_what_the_umpire_says_behind_a_move_is_understood(seed):
    """The tables follow it, and what is imagined anew explains it."""
    for looked, words, possible in [
        ("one", "far", {"three", "four"}),
        ("one", "near", {"two"}),
        ("two", "near", {"one", "three"}),
        ("two", "far", {"four"}),
    ]:
        logged = []
        play = Play(Hunt(), {}, random.Random(seed), logged.append)
        play.made("Ann", "?")
        assert play.table(0, "Bob") is not None
        play.made("Bob", f"{looked} {words}")
        table = play.table(0, "Bob")
        assert table.secret in possible  # type: ignore[attr-defined]
        assert table.looked == (looked,)  # type: ignore[attr-defined]
        assert play.keeper.imagine(play.node, "Bob", random.Random(seed), 100).secret in possible  # type: ignore[attr-defined]
        assert logged == []


def test_observations_in_order() -> None:
    play, _ = begin("PhantomTicTacToe")
    play.made("Cross", "A1")
    play.made("Circle", "?")
    play.refused("B1", "the square is taken", "Cross")
    play.made("Cross", "C1")
    assert play.node.observations() == [
        Seen("Cross", "A1"),
        Seen("Circle", "?"),
        Refused("B1", "the square is taken"),
        Seen("Cross", "C1"),
    ]


class Hiding(Position):
    """You hide a coin in one hand, Me guesses, for ever."""

    def __init__(self, hands=()):
        self.hands = hands

    def turn(self):
        return single("You" if len(self.hands) % 2 == 0 else "Me")

    def moves(self, player):
        return ("left", "right") if player in self.turn().players else ()

    def play(self, moves):
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(move)
        return Verdict(Hiding((*self.hands, move)), ((player, move),))

    def seen(self, actor, move, observer):
        return move if actor == observer else "?"

    def result(self):
        return None

    def view(self, player):
        return " ".join(self.hands)

    def key(self):
        return self.hands


class HidingRules(Rules):
    name = "Hiding"
    traits = Traits(hidden=True)

    def players(self, options):
        return ("You", "Me")

    def begin(self, options):
        return Hiding()


def test_what_nothing_explains_keeps_an_older_table() -> None:
    logged = []
    play = Play(HidingRules(), {}, random.Random(1), logged.append)
    play.made("You", "?")
    play.made("Me", "left")
    table = play.table(0, "Me")
    assert table.view(None) in ("left left", "right left")
    assert not logged
    play.made("You", "under the hat")
    assert play.table(0, "Me") is table
    assert logged == ["no table explains all that was seen; one that explains most of it must do"]
    play.undone()
    play.made("You", "?")
    assert play.table(0, "Me").view(None).startswith(table.view(None))
    assert len(logged) == 1


def test_short_lines_of_earlier_plays_are_all_kept() -> None:
    play, _ = begin("Nim", heaps="99")
    for stones in range(1, 99):
        play.restart()
        play.made("Left", f"take {stones} from A")
        play.made("Right", "take 1 from A")
    assert len(play.root.children) == 98 < MOST_KEPT / 2


def test_only_the_last_line_outlives_many_plays() -> None:
    play, _ = begin("Nim", heaps="99")
    for stones in range(1, 99):
        play.restart()
        play.made("Left", f"take {stones} from A")
        for left in range(99 - stones):
            play.made("Right" if left % 2 == 0 else "Left", "take 1 from A")
    assert play.node.position.turn().players == ()
    assert len(play.root.children) > 1
    for _ in range(MOST_KEPT):
        play.made("Left", "nonsense")
    play.restart()
    assert list(play.root.children) == [("Left", "take 98 from A")]
    play.redone()
    assert play.position().view(None) == "1 normal Right"


@pytest.mark.parametrize("name", ["TicTacToe", "PhantomTicTacToe"])
def test_many_plays_leave_nothing_behind_that_only_a_search_for_garbage_would_free(name):
    """Else an engine that plays many games grows with what it has not looked for yet."""
    found = rules(name)
    values = found.complete({})
    play, _ = begin(name)
    rng = random.Random(5)
    gc.collect()
    gc.disable()
    try:
        for _ in range(300):
            play.restart()
            position = found.begin(values)
            while position.turn().players:
                (player,) = position.turn().players
                verdict = position.play({player: rng.choice(position.moves(player))})
                for actor, move in verdict.made:
                    play.made(actor, move if name == "TicTacToe" or actor == "Cross" else "?")
                position = verdict.position
            if name != "TicTacToe":
                assert play.table(0, "Cross") is not None
        assert sum(isinstance(each, PlayNode) for each in gc.get_objects()) <= 2 * MOST_KEPT
    finally:
        gc.enable()


def test_what_was_played_before_a_start_can_be_redone_undone_and_redone() -> None:
    play, logged = begin("PhantomTicTacToe")
    play.made("Cross", "A1")
    play.made("Circle", "?")
    play.restart()
    play.redone()
    play.redone()
    assert [node.key for node in play.node.path()] == [("Cross", "A1"), ("Circle", "?")]
    play.undone()
    play.undone()
    play.redone()
    assert [node.key for node in play.node.path()] == [("Cross", "A1")]
    play.undone()
    play.made("Cross", "A1")  # looks the same and is another play
    play.undone()
    play.redone()
    play.redone()
    assert logged == ["redone_move where nothing was undone: ignored"]


def test_nothing_that_is_told_makes_it_fail() -> None:
    rng = random.Random(5)
    for name in ("TicTacToe", "RockPaperScissors", "PhantomTicTacToe", "Nim"):
        play, _ = begin(name)
        players = [*play.rules.players(play.values), "Nobody", "Chance"]
        words = ["A1", "B2", "Rock", "?", "take 1 from A", "nonsense", "a1"]
        for _ in range(300):
            match rng.randrange(6):
                case 0 | 1 | 2:
                    play.made(rng.choice(players), rng.choice(words))
                case 3:
                    play.undone()
                case 4:
                    play.redone()
                case 5:
                    play.refused(rng.choice(words), "", players[0])
            assert play.table(0, players[0]) is not None


def test_messages_belong_to_the_place_where_they_were_said() -> None:
    play, _ = begin("TicTacToe")
    play.told("Cross", "first")
    play.made("Cross", "A1")
    play.told("Circle", "second")
    here = play.node
    play.undone()
    assert play.node.messages == (("Cross", "first"),)
    play.redone()
    assert play.node is here
    assert play.node.messages == (("Circle", "second"),)
    play.undone()
    play.made("Cross", "A1")
    assert play.node.messages == ()  # made anew: it is told again if it counts
    play.restart()
    assert play.node.messages == ()
