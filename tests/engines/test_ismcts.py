"""ISMCTS as an engine: told of moves, asked for moves, in every kind of game."""

import random

import pytest
from ggtp.engines.determinized import Determinized
from ggtp.engines.ismcts import Ismcts

from ggtp.game import CHANCE, Refused, Standing, TurnKind
from ggtp.game.hidden.sampling import observed
from ggtp.protocol.messages import AnswerKind, Command

QUICK = {"Time": "0", "Playouts": "150", "seed": "1"}


def play(sit, rules, rule, player, settings=QUICK, seed=0, engine=Ismcts):
    """A game of the engine against one who moves at random; the result, and what the engine complained about."""
    rng = random.Random(seed)
    seat = sit(engine(), rule, player, settings=settings)
    position = rules(rule).start({})
    while (turn := position.turn()).kind is not TurnKind.OVER:
        movers = [rng.choice(turn.players)] if turn.kind is TurnKind.RACE else turn.players
        moves = {
            mover: position.draw(rng)
            if mover == CHANCE
            else seat.choose()
            if mover == player
            else rng.choice(position.moves(mover))
            for mover in movers
        }
        verdict = position.play(moves)
        for item in observed(position, verdict, player):
            if isinstance(item, Refused):
                seat.tell("illegal_move", f"{item.move} {item.reason}".strip())
            else:
                seat.tell("made_move", item.actor, item.text)
        position = verdict.position
    return position.result(), seat.logged


@pytest.mark.slow
def test_it_beats_random_at_phantom_tic_tac_toe(sit, rules):
    results = [play(sit, rules, "PhantomTicTacToe", "Cross", seed=seed) for seed in range(12)]
    assert all(not logged for _, logged in results)
    assert sum(result.standings["Cross"] is Standing.WIN for result, _ in results) >= 9


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule",
    ["ConnectFour", "CantStop", "RockPaperScissors", "TicTacToe", "gdl/phantomtictactoe", "openspiel/kuhn_poker"],
)
def test_it_plays_all_kinds_of_games_to_their_ends(sit, rules, rule):
    player = rules(rule).players(rules(rule).complete({}))[0]
    result, logged = play(sit, rules, rule, player, {**QUICK, "Playouts": "10"})
    assert result is not None
    assert logged == []


@pytest.mark.parametrize("engine", [Ismcts, Determinized])
@pytest.mark.parametrize("rule", ["PhantomTicTacToe", "KuhnPoker", "RockPaperScissors"])
def test_it_follows_the_playout_policy_that_was_set(sit, rules, rule, engine):
    player = rules(rule).players(rules(rule).complete({}))[0]
    result, logged = play(sit, rules, rule, player, {**QUICK, "Playouts": "30", "Policy": "mast"}, engine=engine)
    assert result is not None
    assert logged == []


def test_it_wins_at_once_where_it_can(sit):
    seat = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings=QUICK)
    for player, move in (("Cross", "A1"), ("Circle", "?"), ("Cross", "B1"), ("Circle", "?")):
        seat.tell("made_move", player, move)
    assert seat.choose() == "C1"


def test_every_table_is_a_position_that_explains_what_was_seen(sit):
    seat = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings={**QUICK, "Tables": "8"})
    seat.tell("made_move", "Cross", "A1")
    seat.tell("made_move", "Circle", "?")
    seat.choose()
    tables = [seat.tell("get_table", str(number)) for number in range(8)]
    assert len(set(tables)) > 1
    assert all(table.startswith("X") and "Cross 1 Circle 1 Cross to move" in table for table in tables)
    answer = seat.session.answer(Command("get_table", ("8",)))
    assert answer.kind is AnswerKind.INVALID_TABLE_NUMBER


def test_what_refutes_a_table_mends_it(sit):
    seat = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings={**QUICK, "Tables": "8"})
    seat.tell("made_move", "Cross", "A1")
    seat.tell("made_move", "Circle", "?")
    seat.choose()
    seat.tell("illegal_move", "B2 the square is taken")
    for number in range(8):
        assert "Cross found B2" in seat.tell("get_table", str(number))
        assert "B2" not in seat.tell("list_possible_moves", str(number))
        assert seat.tell("get_result", str(number)) == "none"


def test_it_reports_what_it_found(sit):
    seat = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings=QUICK)
    assert seat.tell("get_option", "last_search") == "none"
    move = seat.choose()
    told = seat.last_search()
    assert told["move"] == move
    assert told["playouts"] == "150"
    assert int(told["tables"]) >= 1


def test_one_tree_or_many(sit):
    many = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings=QUICK)
    one = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings={**QUICK, "Trees": "single"})
    many.choose()
    one.choose()
    assert int(many.last_search()["nodes"]) > int(one.last_search()["nodes"])


def test_it_suggests_what_is_best_so_far(sit):
    seat = sit(Ismcts(), "PhantomTicTacToe", "Cross", settings=QUICK)
    suggested = []
    game, budget = seat.session.asked(Command("have_to_play", ()), suggested.append)
    seat.engine.choose(game, budget)
    assert suggested
    assert set(suggested) <= set(game.moves())
