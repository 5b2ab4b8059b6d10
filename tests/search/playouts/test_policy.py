"""How the moves of playouts are chosen where nothing else is said."""

import random

from support.small_secrets import PLAYERS, WALK

from ggtp.catalogue import Catalogue
from ggtp.search.playouts.policy import RANDOM, Context

NONE = dict.fromkeys(PLAYERS, 0.0)


def test_moves_are_those_that_players_make_without_much_thought() -> None:
    class Stubborn(type(WALK.begin({}))):
        def casual(self, player, rng):
            return self.moves(player)[-1]

    position = Stubborn()
    mover = RANDOM.mover(Context(PLAYERS, random.Random(1), lambda result: (0.0, 0.0)))
    (player,) = position.turn().players
    for _ in range(5):
        moves, after = mover.step(position, position.turn())
        assert moves == {player: position.moves(player)[-1]}
        assert after.key() == position.play(moves).position.key()


def test_all_who_move_at_the_same_time_do() -> None:
    rules = Catalogue.from_environment({}).find_rules("RockPaperScissors")
    values = rules.complete({})
    players = rules.players(values)
    mover = RANDOM.mover(Context(players, random.Random(1), lambda result: (0.0, 0.0)))
    position = rules.begin(values)
    made = [mover.step(position, position.turn())[0] for _ in range(30)]
    assert all(moves.keys() == set(players) for moves in made)
    assert {moves[players[0]] for moves in made} == set(position.moves(players[0]))
