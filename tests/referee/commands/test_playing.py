"""Commands that play: moves, undo and redo, and the tree."""

from __future__ import annotations

from support.playbook import Actor, Playbook


def test_a_human_plays() -> None:
    Playbook().run(
        """
        set_rule TicTacToe
        = Done
        play Cross A1
        ? The play is not started. Use start.
        start
        = Done
        play Circle A1
        ? It is not Circle's turn.
        play cross a1
        -> Cross plays A1
        = Done
        play Cross B1
        ? It is not Cross's turn.
        play Circle A1
        ? No move named A1 for player Circle.
        force_play Circle B1
        -> Circle plays B1
        = Done
        """
    )


def test_moves_with_blanks() -> None:
    Playbook().run(
        """
        set_rule Nim
        = Done
        start
        = Done
        play Left take  1 from  a
        -> Left plays take 1 from A
        = Done
        list_played_moves
        = Left take 1 from A
        """
    )


def test_a_seat_s_owner_plays_it_unless_the_supervisor_overrides() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "start")
    book.run(
        """
        play Cross A1
        ? Cross is played by Mute. Use force_play to move for it.
        force_play Cross A1
        -> Cross plays A1
        = Done
        """
    )


def test_a_play_to_its_end() -> None:
    book = Playbook(defaults={"show_when_play": "off"})
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "play Circle A2", "play Cross B1", "play Circle B2")
    book.run(
        """
        get_result
        = none
        play Cross C1
        -> Cross=win 100, Circle=loss 0 (three in a row)
        = Done
        get_result
        = Cross=win 100, Circle=loss 0
        play Circle C3
        ? The play is over.
        genmove
        ? The play is over.
        list_possible_moves
        = none
        undo
        -> Undoing a move
        = Done
        play Cross C3
        = Done
        get_result
        = none
        """
    )


def test_show_results_off_is_quiet() -> None:
    book = Playbook(defaults={"show_when_play": "off", "show_results": "off"})
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "play Circle A2", "play Cross B1", "play Circle B2")
    book.run("play Cross C1\n= Done")


def test_genmove_at_a_human_s_turn() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start")
    assert book.say("genmove") == "? It is a human's turn: Cross."


def test_undo_redo_and_branches() -> None:
    Playbook().run(
        """
        set_rule TicTacToe
        = Done
        start
        = Done
        undo
        ? There is no move to undo.
        play Cross A1
        -> Cross plays A1
        = Done
        play Circle B1
        -> Circle plays B1
        = Done
        redo
        ? There is no move to redo.
        undo
        -> Undoing a move
        = Done
        play Circle C1
        -> Circle plays C1
        = Done
        undo
        -> Undoing a move
        = Done
        list_branches
        = 2=Circle B1, 3=Circle C1
        redo
        -> Redoing a move
        = Done
        get_last_move
        = Circle C1
        goto_node 2
        = Done
        list_played_moves
        = Cross A1, Circle B1
        get_node
        = 2
        name_node blunder
        = Done
        get_node
        = 2 blunder
        comment_node never again
        = Done
        goto_node 0
        = Done
        get_last_move
        = none
        goto_node blunder
        = Done
        get_comment
        = never again
        show_tree
        -> 0 start, 1 Cross A1
        ->   2 Circle B1 [blunder] *
        ->     # 2: never again
        ->   3 Circle C1
        = Done
        """
    )


def test_going_to_a_node_tells_engines_the_way() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Circle Mute", "start")
    book.lay("force_play Cross A1", "force_play Circle B1", "undo", "force_play Circle C1", "force_play Cross A2")
    book.cast.clear()
    book.run(
        """
        goto_node 2
        1< undone_move
        1< undone_move
        1< made_move Circle B1
        = Done
        goto_node 4
        1< undone_move
        1< made_move Circle C1
        1< made_move Cross A2
        = Done
        undo
        -> Undoing a move
        1< undone_move
        = Done
        undo
        -> Undoing a move
        1< undone_move
        = Done
        redo
        -> Redoing a move
        1< redone_move
        = Done
        goto_node 4
        1< redone_move
        = Done
        """
    )


def test_a_forfeit_is_undone_like_a_move_and_engines_hear_nothing_of_it() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Circle Mute", "start", "force_play Cross A1")
    book.cast.clear()
    book.run(
        """
        forfeit Cross
        -> Cross forfeits
        -> Cross=loss, Circle=win (Cross forfeits)
        = Done
        get_result
        = Cross=loss, Circle=win
        get_last_move
        = Cross A1
        undo
        -> Undoing a move
        = Done
        get_result
        = none
        redo
        -> Redoing a move
        = Done
        get_result
        = Cross=loss, Circle=win
        """
    )


def test_start_begins_again_and_keeps_the_play_before() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "start", "play Cross B1")
    assert book.say("list_played_moves") == "= Cross B1"
    book.lay("goto_node 0")
    assert book.say("list_branches") == "= 1=Cross A1, 2=Cross B1"


def test_start_without_keeping() -> None:
    book = Playbook(defaults={"keep_plays": "off"})
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "start", "play Cross B1", "goto_node 0")
    assert book.say("list_branches") == "= 1=Cross B1"
