"""What the supervisor is shown of a play: who looks decides it, and no picture is drawn that is out of date at once."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook, phantom


def table(rule: str, *engines: str, **options: str) -> Playbook:
    """A play that has begun, with silent engines, at which the table is drawn."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", "show_table": "on", **options})
    book.lay(f"set_rule {rule}", *(f"set_engine {player} Mute" for player in engines), "start")
    return book


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The pictures so far, each as its lines."""
    pictures: list[list[str]] = []
    monkeypatch.setattr("ggtp.referee.desk.Desk.draw", lambda _, picture: pictures.append(picture.plain()))
    return pictures


def test_a_move_and_the_dice_that_follow_it_are_one_picture(drawn: list[list[str]]) -> None:
    book = table("CantStop", "Green")
    first = book.referee.view.play.position.moves("Red")[0]
    book.lay(f"play Red {first}")
    drawn.clear()
    book.lay("play Red roll")
    assert len(drawn) == 1
    assert "Red pairs" in drawn[0][-1]


def test_dice_that_the_supervisor_rolls_are_a_picture_of_their_own(drawn: list[list[str]]) -> None:
    book = table("CantStop", "Green", chance="off")
    book.lay("force_play Chance 1 2 4 5", "play Red 3 9")
    drawn.clear()
    book.lay("play Red roll")
    assert "Red rolls" in drawn[-1][-1]
    book.lay("genmove")
    assert len(drawn) == 2


@pytest.mark.process
@pytest.mark.parametrize("between", ["on", "off"])
def test_a_secret_move_is_drawn_when_its_player_was_told_what_came_of_it(drawn: list[list[str]], between: str) -> None:
    book = table("openspiel/dark_chess", "Black", show_between=between)
    drawn.clear()
    book.lay("play White e4")
    assert len(drawn) == 1
    assert any("4" in line and "♙" in line for line in drawn[0])
    assert drawn[0][-1] == "Black to move"


def test_who_waits_for_engines_has_seen_what_was_dealt(drawn: list[list[str]]) -> None:
    table("Skat", "Middlehand", "Rearhand", show_between="off")
    assert [picture[-1] for picture in drawn] == ["Middlehand bids or passes."]


def poker(**options: str) -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", "show_table": "on", **options})
    book.lay("set_rule TexasHoldem", "set_rule_option players 4")
    book.lay(*(f"set_engine {player} Mute" for player in ("Ann", "Bob", "Cid")), "start")
    return book


@pytest.mark.parametrize(("between", "pictures"), [("on", 4), ("off", 2)])
def test_what_engines_do_one_after_the_other_need_not_be_drawn(
    drawn: list[list[str]], between: str, pictures: int
) -> None:
    book = poker(show_between=between)
    drawn.clear()
    book.lay("play Dee call")
    assert len(drawn) == 1, "people see what they have done"
    book.lay("force_play Ann raise 4", "force_play Bob call", "force_play Cid call")
    assert len(drawn) == pictures
    assert drawn[-1][-1] == "Dee to act, 2 to call."


@pytest.mark.parametrize("change", ["set_option genmove off", "set_engine Dee Mute"])
def test_whoever_referees_sees_every_move(drawn: list[list[str]], change: str) -> None:
    book = poker(show_between="off")
    book.lay("play Dee call", change)
    before = len(drawn)
    book.lay("force_play Ann raise 4")
    assert len(drawn) == before + 1


def test_the_end_of_a_play_is_drawn_whoever_made_it(drawn: list[list[str]]) -> None:
    book = poker(show_between="off")
    book.lay("play Dee fold", "force_play Ann fold")
    before = len(drawn)
    book.lay("force_play Bob fold")
    assert len(drawn) == before + 1
    assert drawn[-1][-1] == "Over."


@pytest.mark.parametrize(("between", "pictures"), [("on", 1), ("off", 0)])
def test_in_a_race_who_lets_something_go_need_not_be_drawn(drawn: list[list[str]], between: str, pictures: int) -> None:
    book = table("JungleSpeed", "Bob", "Cid", show_between=between)
    book.lay("play Ann flip")
    drawn.clear()
    book.lay("force_play Cid wait")
    assert len(drawn) == pictures
    book.lay("force_play Bob grab")
    assert len(drawn) == pictures + 1, "who grabs changes the table"


def test_an_open_game_is_drawn_from_the_side_of_who_plays_alone(drawn: list[list[str]]) -> None:
    book = table("Backgammon", "Black")
    play = book.referee.view.play
    for _ in range(2):
        mover = play.turn().players[0]
        book.lay(f"force_play {mover} {play.position.moves(mover)[0]}")
    assert len(drawn) > 2
    assert {line for lines in drawn for line in lines if line.startswith("The numbers")} == {"The numbers are White's."}


def test_that_a_person_was_spared_a_choice_is_not_told() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", "forced_moves": "on"})
    book.lay("set_rule MahJong", *(f"set_engine {player} Mute" for player in ("South", "West", "North")), "start")
    play = book.referee.view.play
    book.lay(f"play East {play.position.moves('East')[0]}")
    book.lay(*(f"force_play {player} pass" for player in ("South", "West", "North")))
    begin = len(book.log)
    tile = next(
        move
        for move in play.position.moves("South")
        if len(play.position.play({"South": move}).position.moves("East")) == 1
    )
    book.lay(f"force_play South {tile}")
    assert "East" in play.pending
    assert "-> East has chosen" not in book.since(begin)
    book.lay("force_play West pass")
    assert "-> West has chosen" in book.since(begin)


# Who looks.


def test_a_human_is_shown_only_what_its_player_knows() -> None:
    book = phantom("Circle")
    book.run(
        """
        play Cross A1
        -> Cross plays A1
        = Done
        force_play Circle A1
        = Done
        force_play Circle B2
        -> Circle plays ?
        = Done
        play Cross B2
        -> Cross tries B2: refused, the square is taken
        = Done
        """
    )


def test_what_others_try_in_vain_draws_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    book = phantom("Circle", show_table="on")
    drawn: list[object] = []
    monkeypatch.setattr(type(book.referee._desk), "draw", lambda _, picture: drawn.append(picture))
    book.lay("play Cross A1", "force_play Circle A1")
    assert len(drawn) == 1
    book.lay("force_play Circle B2", "play Cross B2")
    assert len(drawn) == 3


@pytest.mark.process
def test_a_deal_card_by_card_is_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Playbook(defaults={"show_table": "on", "seed": "7"})
    book.lay("set_rule openspiel/leduc_poker")
    drawn: list[object] = []
    monkeypatch.setattr(type(book.referee._desk), "draw", lambda _, picture: drawn.append(picture))
    book.lay("start")
    assert len(drawn) == 1
    assert book.say("list_played_moves").count("Chance outcome") == 2
    assert book.since(0, "-> Chance") == [], "the cards are in the picture"
    book.lay("set_option chance off", "start")
    assert len(drawn) == 2  # nobody knows when chance is to draw
    book.lay("genmove")
    assert len(drawn) == 3


def test_two_humans_at_one_prompt_do_not_see_each_other_s_moves() -> None:
    book = phantom()
    book.run(
        """
        play Cross A1
        -> Cross plays ?
        = Done
        play Circle A1
        -> Circle tries A1: refused, the square is taken
        = Done
        """
    )


def test_the_supervisor_can_choose_whose_knowledge_is_shown() -> None:
    book = phantom("Circle", show_possible_moves="on")
    book.run(
        """
        set_option view all
        = Done
        play Cross A1
        -> Cross plays A1
        -> Circle=A1, B1, C1, A2, B2, C2, A3, B3, C3
        = Done
        force_play Circle B2
        -> Circle plays B2
        -> Cross=B1, C1, A2, B2, C2, A3, B3, C3
        = Done
        set_option view circle
        = Done
        get_option view
        = Circle
        play Cross C3
        -> Cross plays ?
        -> Circle=A1, B1, C1, A2, C2, A3, B3, C3
        = Done
        set_option view Square
        ? No player named Square. There are: Cross, Circle.
        """
    )


def test_pictures_show_what_the_viewer_knows() -> None:
    book = phantom("Circle", show_table="on")
    book.lay("play Cross A1", "force_play Circle B2")
    assert "O" not in "".join(book.since(0, "| "))
