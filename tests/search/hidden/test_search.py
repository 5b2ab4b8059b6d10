"""Searches of games with secrets: what is found, and what each setting changes."""

import random
from dataclasses import replace

import pytest
from support.small_secrets import COIN, ME, PENNIES, SNATCH, Coin

from ggtp.game import CHANCE
from ggtp.search.hidden.options import MIXED, VALUE, WIN, Settings
from ggtp.search.hidden.search import InformationSearch, Trees
from ggtp.search.hidden.selection import InformationSets
from ggtp.search.hidden.tree import EDGE_BYTES, NODE_BYTES
from ggtp.search.hidden.worlds import Worlds
from ggtp.search.playouts.policy import Mover, PlayoutPolicy


def search(rules, trees, position=None, player=ME, playouts=400, seed=1, stop=None, **settings):
    rng = random.Random(seed)
    position = position or rules.begin({})
    found = Settings(seconds=None, playouts=playouts, **settings)
    worlds = Worlds(player, position, iter(()), 1, rng, None)
    made = InformationSearch(rules, {}, player, position.moves(player), worlds, trees, found, rng)
    made.run(stop or (lambda: False))
    return made


def fallen():
    return Coin(((CHANCE, "heads"),))


def values(made):
    return {choice.move: choice.value * 100 for choice in made.decision().choices}


@pytest.mark.parametrize("trees", [Trees.SINGLE, Trees.MULTIPLE])
def test_what_nobody_can_know_is_not_counted_on(trees):
    made = search(COIN, trees, fallen(), playouts=2000)
    assert made.chosen(made.decision()) == "take"
    assert values(made)["guess"] < 30


def test_perfect_information_counts_on_it() -> None:
    # Strategy fusion: on every single table the right guess is known.
    made = search(COIN, Trees.OPEN, fallen(), playouts=2000)
    assert made.chosen(made.decision()) == "guess"
    assert values(made)["guess"] > 80


def test_tables_are_searched_by_turns_and_summed_up() -> None:
    rng = random.Random(1)
    tables = [Coin(((CHANCE, side),)) for side in ("heads", "tails")]
    worlds = Worlds(ME, tables[0], iter(tables[1:]), 2, rng, None)
    settings = Settings(seconds=None, playouts=100)
    made = InformationSearch(COIN, {}, ME, ("take", "guess"), worlds, Trees.OPEN, settings, rng)
    made.run(lambda: False)
    assert sum(choice.visits for choice in made.decision().choices) == 100
    # One for each table, and one for the move that is made on all of them.
    assert len(made._roots) == 3


def test_what_is_tried_on_one_table_counts_on_all_of_them() -> None:
    # With a choice for every table of its own, each would try both moves first: twenty playouts for nothing.
    rng = random.Random(1)
    tables = [Coin(((CHANCE, "heads"),)) for _ in range(10)]
    worlds = Worlds(ME, tables[0], iter(tables[1:]), 10, rng, None)
    settings = Settings(seconds=None, playouts=20, rave=0, exploration=0.0)
    made = InformationSearch(COIN, {}, ME, ("take", "guess"), worlds, Trees.OPEN, settings, rng)
    made.run(lambda: False)
    assert min(choice.visits for choice in made.decision().choices) < 10


def test_results_far_from_all_others_do_not_make_it_try_everything() -> None:
    made = search(COIN, Trees.OPEN, fallen(), playouts=0, stop=lambda: True)
    for value in [0.0, 1.0] * 50:
        made._back_up([], [value, -value], [])
    assert made._spread[0] == pytest.approx(0.5)
    made._back_up([], [5.0, -5.0], [])
    assert made._spread[0] < 1


@pytest.mark.parametrize("seed", range(4))
def test_moves_at_the_same_time_are_chosen_by_each_player_for_itself(seed):
    made = search(PENNIES, Trees.MULTIPLE, playouts=2000, seed=seed)
    shares = {choice.move: choice.visits / 2000 for choice in made.decision().choices}
    # In equilibrium I choose heads in one of three cases, and gain a third.
    assert shares["heads"] == pytest.approx(1 / 3, abs=0.1)
    assert made.decision().values[ME] * 100 == pytest.approx(1 / 3, abs=0.2)


@pytest.mark.parametrize("trees", list(Trees))
def test_in_a_race_it_takes_the_most(trees):
    made = search(SNATCH, trees)
    assert made.chosen(made.decision()) == "5"


def test_every_player_has_a_tree_or_all_have_one() -> None:
    assert len(search(PENNIES, Trees.MULTIPLE)._roots) == 2
    assert len(search(PENNIES, Trees.SINGLE)._roots) == 1


def test_many_outcomes_of_chance_share_a_node() -> None:
    def below(outcomes):
        root = search(COIN, Trees.OPEN, COIN.begin({}), player=CHANCE, outcomes=outcomes, playouts=50)._roots[0]
        return len(root.children)

    assert below(2) == 2
    assert below(1) == 1


def test_exploration_makes_it_look_at_bad_moves_more_often() -> None:
    def visits(exploration):
        made = search(SNATCH, Trees.SINGLE, exploration=exploration)
        return {choice.move: choice.visits for choice in made.decision().choices}["1"]

    assert visits(0.0) < visits(5.0)


def test_moves_made_later_count_where_that_is_wanted() -> None:
    def counted(rave):
        made = search(COIN, Trees.SINGLE, fallen(), rave=rave, playouts=50)
        return sum(edge.rave_visits for edge in made._roots[ME].tables[ME].values())

    assert counted(0) == 0
    assert counted(10) > 0


class Keeper(InformationSets):
    """Writes down at every node who chose there, and takes memory for that."""

    def learn(self, node, edges, later, values):
        kept = node.kept = node.kept or {}
        kept[len(kept)] = set(edges)
        return 1


@pytest.mark.parametrize(("trees", "choosers"), [(Trees.SINGLE, {0, 1}), (Trees.MULTIPLE, {0})])
def test_a_policy_learns_once_from_each_playout_at_a_node_and_pays_for_what_it_keeps(trees, choosers):
    made = search(PENNIES, trees, playouts=10, stop=lambda: True)
    made._policy = Keeper(1)
    made.run(lambda: False)
    assert made._roots[ME].kept == dict.fromkeys(range(10), choosers)
    assert made._roots[ME].visits == 10
    edges = 2 * 2  # of two players with two moves
    kept = sum(len(root.kept) for root in made._roots.values())
    assert made._forest.used == made._forest.nodes * NODE_BYTES + (edges + kept) * EDGE_BYTES


class Listener(Mover):
    """Writes down what it was told."""

    learns = True

    def __init__(self, context):
        super().__init__(context)
        self.heard = []

    def begin(self):
        self.heard.append("begin")

    def learn(self, made, values):
        self.heard.append(([set(moves) for moves in made], list(values)))


class Listening(PlayoutPolicy):
    def mover(self, context):
        return Listener(context)


@pytest.mark.parametrize("room", [True, False])
@pytest.mark.parametrize("trees", list(Trees))
def test_a_playout_policy_hears_of_the_search_and_of_all_moves_that_were_made(trees, room):
    made = search(COIN, trees, fallen(), playouts=60, policy=Listening(), rave=0, stop=lambda: True)
    assert made._mover.heard == ["begin"]
    if not room:
        # For the roots and their moves: of the second move, no tree has a node.
        made._forest.ceiling = NODE_BYTES * (1 if trees is Trees.SINGLE else 2) + 1
    made.run(lambda: False)
    told = made._mover.heard[1:]
    assert len(told) == 60
    for (mine, others), values in told:
        assert others == set()
        assert len(mine) == (1 if "take" in mine else 2)
        assert round(values[0]) in ((30,) if "take" in mine else (100, -100))
    assert sum("guess" in mine for (mine, _), _ in told) > 3


def test_only_who_wins_counts_where_that_is_the_aim() -> None:
    # Taking 30 is a sure win; guessing right is worth more points but wins only half of the time.
    made = search(COIN, Trees.SINGLE, fallen(), aim=WIN, playouts=500)
    assert values(made)["take"] == 100


def test_the_move_can_be_the_best_one_or_drawn_by_visits() -> None:
    made = search(PENNIES, Trees.MULTIPLE, final=VALUE)
    decision = made.decision()
    assert made.chosen(decision) == max(decision.choices, key=lambda choice: choice.value).move
    drawn = {
        (made := search(PENNIES, Trees.MULTIPLE, final=MIXED, seed=seed, playouts=300)).chosen(made.decision())
        for seed in range(12)
    }
    assert drawn == {"heads", "tails"}


def test_no_node_is_added_where_memory_is_used_up() -> None:
    made = search(COIN, Trees.MULTIPLE, fallen(), playouts=5)
    made._forest.ceiling = made._forest.used
    before = made._forest.nodes
    made._settings = Settings(seconds=None, playouts=500)
    made.run(lambda: False)
    assert made.playouts == 500
    assert made._forest.nodes == before


def test_it_stops_when_it_is_told_to() -> None:
    assert search(COIN, Trees.SINGLE, fallen(), stop=lambda: True).playouts == 0


def hurried(left, playouts=4000, **settings):
    """A search that would have so many playouts, and is told how long it may go on."""
    made = search(COIN, Trees.SINGLE, fallen(), playouts=1, **settings)
    made._settings = replace(made._settings, playouts=playouts)
    made.run(lambda: False, lambda: left(made.playouts))
    return made


def test_it_stops_when_no_other_move_can_have_more_visits() -> None:
    whole = search(COIN, Trees.SINGLE, fallen(), playouts=4000)
    made = hurried(lambda done: (4000 - done) / done)
    assert made.playouts < 4000
    first, second = sorted((choice.visits for choice in made.decision().choices), reverse=True)
    assert first - second > 4000 - made.playouts
    assert made.chosen(made.decision()) == whole.chosen(whole.decision())


@pytest.mark.parametrize("settings", [{"early": False}, {"final": VALUE}, {"final": MIXED}])
def test_it_goes_on_where_that_is_wanted_or_visits_do_not_decide(settings):
    assert hurried(lambda done: (4000 - done) / done, **settings).playouts == 4000


def test_it_goes_on_while_there_is_time_to_change_its_mind() -> None:
    assert hurried(lambda done: 1.0).playouts == 4000


def test_the_line_is_what_the_player_expects_to_see() -> None:
    assert search(COIN, Trees.SINGLE, fallen()).decision().line == ["take"]


def test_equal_seeds_make_equal_searches() -> None:
    first, second = (values(search(COIN, Trees.MULTIPLE, fallen(), seed=7)) for _ in range(2))
    assert first == second


def test_moves_that_are_not_worth_a_thought_are_never_tried() -> None:
    class Cautious(Coin):
        def likely(self, player):
            return [move for move in self.moves(player) if move != "guess"]

    made = search(COIN, Trees.OPEN, Cautious(((CHANCE, "heads"),)), playouts=50)
    assert [choice.move for choice in made.decision().choices] == ["take"]
