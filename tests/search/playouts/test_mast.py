"""MAST: averages of moves over playouts, and moves by them."""

import random

import pytest
from support.small_secrets import COIN, ME, PENNIES, PLAYERS, SNATCH
from support.small_trees import HOARD, Hoard

from ggtp.catalogue import Catalogue
from ggtp.game import Rules, Standing, advice
from ggtp.game.options import complete
from ggtp.search.hidden.options import Settings as HiddenSettings
from ggtp.search.hidden.search import InformationSearch, Trees
from ggtp.search.hidden.worlds import Worlds
from ggtp.search.mcts.options import VISITS, Settings
from ggtp.search.mcts.positions.search import PositionSearch
from ggtp.search.playouts.mast import KEPT, Mast, MastMover
from ggtp.search.playouts.policies import playout_options, playout_policy
from ggtp.search.playouts.policy import RANDOM, Context


def mover(epsilon: float = 0.0, players: tuple[str, ...] = PLAYERS) -> MastMover:
    return MastMover(Context(players, random.Random(1), lambda result: (0.0, 0.0)), epsilon)


def find(name: str) -> Rules:
    return Catalogue.from_environment({}).find_rules(name)


def searched(name: str, playouts: int, policy: Mast) -> PositionSearch:
    rules = find(name)
    values = rules.complete({})
    settings = Settings(seconds=None, playouts=playouts, policy=policy)
    search = PositionSearch(rules, values, settings, random.Random(1))
    position = rules.begin(values)
    while not position.turn().players or position.turn().players == ("Chance",):
        position = position.play({"Chance": position.draw(random.Random(1))}).position
    search.begin(position)
    search.run(lambda: False)
    return search


def learned(search: PositionSearch) -> MastMover:
    assert isinstance(search._mover, MastMover)
    return search._mover


def test_a_move_is_worth_what_its_player_got_on_average() -> None:
    made = mover()
    made.learn([{"a", "b"}, {"a"}], [100.0, -100.0])
    made.learn([{"a"}, set()], [40.0, -40.0])
    assert made.means == [{"a": 70.0, "b": 100.0}, {"a": -100.0}]
    assert made.weights == [{"a": 2, "b": 1}, {"a": 1}]


def test_in_the_next_search_what_is_known_counts_less() -> None:
    made = mover()
    for _ in range(10):
        made.learn([{"a"}, set()], [1.0, 0.0])
    made.begin()
    assert made.means[0] == {"a": 1.0}
    assert made.weights[0] == {"a": pytest.approx(10 * KEPT)}
    made.learn([{"a"}, set()], [0.0, 1.0])
    assert made.means[0]["a"] == pytest.approx(10 * KEPT / (10 * KEPT + 1))


def test_the_best_move_is_made_and_one_never_made_before_it() -> None:
    position = HOARD.begin({})
    made = mover()
    for thing in Hoard.things:
        made.learn([{thing}, {thing}], [float(thing == "t9"), float(thing == "t3")])
    assert {made.choose(position, ME) for _ in range(20)} == {"t9"}
    del made.means[0]["r1"], made.means[0]["r2"]
    assert {made.choose(position, ME) for _ in range(40)} == {"r1", "r2"}, "each of equals"


def test_any_move_is_made_as_often_as_was_said() -> None:
    position = HOARD.begin({})
    made = mover(0.3)
    for thing in Hoard.things:
        made.learn([{thing}, set()], [float(thing == "t9"), 0.0])
    chosen = [made.choose(position, ME) for _ in range(1_000)]
    assert chosen.count("t9") == pytest.approx(1_000 * (0.7 + 0.3 / 30), abs=50)
    assert set(chosen) == set(Hoard.things)


def test_moves_that_are_not_worth_a_thought_are_not_made() -> None:
    class Cautious(type(HOARD.begin({}))):
        def likely(self, player: str) -> tuple[str, ...]:
            return ("t1", "t2")

    made = mover(0.5)
    made.learn([{"t9", "t1"}, set()], [1.0, 0.0])
    assert {made.choose(Cautious(), ME) for _ in range(40)} == {"t1", "t2"}


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_in_a_searcher_moves_go_by_their_texts(epsilon: float) -> None:
    rules = find("ConnectFour")
    searcher = advice.searcher(rules.begin(rules.complete({})))
    assert searcher is not None
    made = mover(epsilon, rules.players(rules.complete({})))
    columns = {searcher.text(number) for number in searcher.legal()}
    made.learn([columns, columns], [0.0, 1.0])
    made.learn([{"D"}, set()], [1.0, 0.0])
    picked = {searcher.text(made.pick(searcher, 0, searcher.legal())) for _ in range(100)}
    assert picked == ({"D"} if epsilon == 0 else columns)


def test_all_who_move_at_the_same_time_go_by_what_is_theirs() -> None:
    position = PENNIES.begin({})
    made = mover()
    made.learn([{"heads", "tails"}, {"heads", "tails"}], [0.0, 0.0])
    made.learn([{"heads"}, {"tails"}], [1.0, 1.0])
    moves, after = made.step(position, position.turn())
    assert moves == {PLAYERS[0]: "heads", PLAYERS[1]: "tails"}
    assert after.result() is not None


@pytest.mark.parametrize("rule", ["TicTacToe", "ConnectFour", "CantStop", "RockPaperScissors", "ChineseCheckers"])
def test_a_search_teaches_it_every_playout(rule: str) -> None:
    """With a searcher and without, with chance, with moves at the same time, with many players."""
    found = learned(searched(rule, 25, Mast(0.4)))
    assert len(found.means) == len(found.context.players)
    assert sum(map(len, found.means)) > 1
    assert all(0 <= mean <= 1 for means in found.means for mean in means.values())
    for weights in found.weights:
        assert max(weights.values()) <= 25, "a playout counts once, however often a move was made"
        assert sum(weights.values()) >= 25, "everybody has moved in each"


def test_a_search_finds_out_what_is_good_whenever_it_is_made() -> None:
    """Of things that players take in turn, three rings win; playouts at random take each as often as any other."""
    settings = Settings(seconds=None, playouts=200, policy=Mast(0.4), solver=False)
    search = PositionSearch(HOARD, {}, settings, random.Random(1))
    search.begin(HOARD.begin({}))
    search.run(lambda: False)
    found = learned(search)
    for means in found.means:
        assert set(sorted(means, key=means.__getitem__, reverse=True)[:3]) == set(Hoard.rings)
    rings = sum(found.choose(HOARD.begin({}), ME) in Hoard.rings for _ in range(100))
    assert rings > 50, "and not ten"


def test_at_breakthrough_it_beats_random_playouts() -> None:
    """Twenty games on a small board at 40 playouts a move, half of them as the first player."""
    rules = find("Breakthrough")
    values = rules.complete({"columns": "6", "rows": "6"})
    players = rules.players(values)
    won = 0
    for game in range(20):
        policies = (Mast(), RANDOM) if game % 2 else (RANDOM, Mast())
        searches = {
            player: PositionSearch(
                rules, values, Settings(seconds=None, playouts=40, policy=policy), random.Random(game)
            )
            for player, policy in zip(players, policies, strict=True)
        }
        position = rules.begin(values)
        while (result := position.result()) is None:
            (player,) = position.turn().players
            searches[player].begin(position)
            searches[player].run(lambda: False)
            move = searches[player].decision(player).chosen(VISITS).move
            position = position.play({player: move}).position
        won += result.standings[players[policies.index(Mast())]] is Standing.WIN
    assert won >= 14


@pytest.mark.parametrize("trees", list(Trees))
@pytest.mark.parametrize("rules", [COIN, PENNIES, SNATCH])
def test_searches_with_secrets_teach_it_too(rules: Rules, trees: Trees) -> None:
    rng = random.Random(1)
    position = rules.begin({})
    if rules is COIN:
        position = position.play({"Chance": "heads"}).position
    moves = position.moves(ME)
    settings = HiddenSettings(seconds=None, playouts=100, policy=Mast(0.4), rave=0, early=False)
    worlds = Worlds(ME, position, iter(()), 1, rng, None)
    search = InformationSearch(rules, {}, ME, moves, worlds, trees, settings, rng)
    search.run(lambda: False)
    found = search._mover
    assert isinstance(found, MastMover)
    root = search._roots[ME]
    for move in moves:
        edge = root.edge(ME, move)
        assert edge is not None, "which is never made later in these games"
        assert found.weights[0][move] == edge.visits
        assert found.means[0][move] == pytest.approx(edge.mean())
    assert sum(found.weights[0][move] for move in moves) == 100


def test_it_learns_anew_in_a_search_with_another_option_only() -> None:
    search = searched("ConnectFour", 30, Mast(0.4))
    position = search._position
    assert position is not None
    before = learned(search)
    weights = before.weights[0]["D"]
    search.begin(position)
    assert learned(search) is before
    assert before.weights[0]["D"] == pytest.approx(KEPT * weights)
    search.begin(position, Settings(seconds=None, playouts=30, policy=Mast(0.2)))
    assert learned(search) is not before
    assert not learned(search).means[0]


def test_it_is_read_from_its_options() -> None:
    assert playout_policy(complete(playout_options(), {"Policy": "mast"})) == Mast() == Mast(0.4)
    assert playout_policy(complete(playout_options(), {"Policy": "mast", "MastEpsilon": "15"})) == Mast(0.15)
    assert not Mast.machine_code


def test_equal_seeds_make_equal_searches() -> None:
    first, second = (searched("ConnectFour", 60, Mast(0.4)).decision("Yellow").choices for _ in range(2))
    assert first == second
