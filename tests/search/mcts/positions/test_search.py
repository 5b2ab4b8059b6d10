"""Searches over positions of rules in Python: each setting by its effect, in games whose values are known."""

import random
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from support.compiled_trees import COIN, MATRIX, THREE
from support.small_secrets import ME
from support.small_trees import DOOMED, HOARD, TWICE, Hoard, deal

from ggtp.catalogue import Catalogue
from ggtp.game import CHANCE, Move, Position, Rules, Standing
from ggtp.gdl.play.rules import load_text
from ggtp.search.mcts.options import DECOUPLED, JOINT, VISITS, Settings
from ggtp.search.mcts.positions.search import MOST_JOINT, PositionSearch
from ggtp.search.mcts.positions.tree import NODE_BYTES
from ggtp.search.mcts.positions.values import result_values
from ggtp.search.playouts.policy import Context, Mover, Values
from ggtp.search.tree import statistics
from ggtp.search.tree.policy import UCT, TreePolicy
from ggtp.search.tree.rave import Rave


@dataclass(frozen=True, slots=True)
class Keeper(TreePolicy):
    """Writes down at every node what it was told, and takes memory for that."""

    learns: ClassVar[bool] = True

    def learn(
        self,
        node: statistics.Node,
        edges: Mapping[int, Mapping[Any, statistics.Edge]],
        later: Sequence[AbstractSet[Move]],
        values: Sequence[float],
    ) -> int:
        kept = node.kept = node.kept or {}
        kept[len(kept)] = (set(edges), [set(made) for made in later])
        return 1


def find(name: str) -> Rules:
    return Catalogue.from_environment({}).find_rules(name) if "(" not in name else load_text(name, "tiny")


def searched(name: str, *moves: str, playouts: int = 2_000, options=None, **settings) -> PositionSearch:
    rules = find(name)
    values = rules.complete(options or {})
    position = rules.begin(values)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    made = Settings(seconds=None, playouts=playouts, **settings)
    search = PositionSearch(rules, values, made, random.Random(1))
    search.begin(position)
    search.run(lambda: False)
    return search


def visits(search: PositionSearch, player: str) -> dict[str, int]:
    return {choice.move: int(choice.visits) for choice in search.decision(player).choices}


@pytest.mark.slow
def test_tic_tac_toe_is_proven_drawn() -> None:
    decision = searched("TicTacToe", playouts=20_000).decision("Cross")
    assert decision.solved
    assert set(decision.values.values()) == {0.5}


def test_without_the_solver_it_is_not() -> None:
    search = searched("TicTacToe", "A1", "A2", "B1", "B2", playouts=800, solver=False)
    assert not search.decision("Cross").solved
    assert search.decision("Cross").chosen(VISITS).move == "C1"


def test_a_move_that_wins_at_once_is_found_without_a_search() -> None:
    search = searched("TicTacToe", "A1", "A2", "B1", "B2", playouts=1)
    assert search.winning("Cross") == "C1"
    assert searched("TicTacToe", playouts=1).winning("Cross") is None


def test_exploration_spreads_visits() -> None:
    curious = visits(searched("ConnectFour", exploration=20.0, playouts=700), "Yellow")
    greedy = visits(searched("ConnectFour", exploration=0.0, first_play=0.4, playouts=700), "Yellow")
    assert min(curious.values()) > 80
    assert max(greedy.values()) > 400


def test_a_move_never_tried_waits_where_its_urgency_is_low() -> None:
    eager = visits(searched("ConnectFour", playouts=10, first_play=5.0), "Yellow")
    patient = visits(searched("ConnectFour", playouts=60, first_play=-1.0, exploration=0.1), "Yellow")
    assert min(eager.values()) == 1
    assert min(patient.values()) == 0


def test_later_moves_tell_of_moves_never_tried() -> None:
    """With few playouts, what was made later anywhere is known of every move."""
    search = searched("ConnectFour", playouts=40, selection=Rave(500))
    assert all(edge.rave_visits >= 10 for edge in search.root.edges.values())
    plain = searched("ConnectFour", playouts=40)
    assert all(edge.rave_visits == 0 for edge in plain.root.edges.values())


def all_kept(search: PositionSearch) -> list[tuple[int, list[tuple[set[int], list[set[str]]]]]]:
    """The playouts through each node where somebody has chosen, and what was kept there."""
    nodes = search._table._reachable(search.root, 0)
    return [(node.visits, list(node.kept.values())) for node in nodes if node.kept is not None]


@pytest.mark.parametrize(
    ("rule", "simultaneous", "choosers"),
    [("TicTacToe", JOINT, [{0}, {1}]), ("Skirmish", JOINT, [set()]), ("Skirmish", DECOUPLED, [{0, 1}])],
)
def test_a_policy_learns_once_from_each_playout_at_each_node_where_somebody_chose(
    rule: str, simultaneous: str, choosers: list[set[int]]
) -> None:
    options = {"ticks": "10"} if rule == "Skirmish" else {}
    search = searched(rule, playouts=60, options=options, selection=Keeper(), solver=False, simultaneous=simultaneous)
    found = all_kept(search)
    assert found[0][0] == 60
    assert len(found[0][1]) == 60
    assert all(visits - 1 <= len(kept) <= visits for visits, kept in found), "all but the first, when it was a leaf"
    assert all(seats in choosers for _, kept in found for seats, _ in kept)
    assert all(later[0] or later[1] for _, kept in found for _, later in kept)
    assert search._table.used == sum(node.bytes() for node in search._table._reachable(search.root, 0))


def test_where_players_choose_each_for_themselves_later_moves_tell_of_them_too() -> None:
    search = searched("Skirmish", playouts=60, options={"ticks": "10"}, selection=Rave(50), simultaneous=DECOUPLED)
    for table in search.root.tables.values():
        assert sum(edge.rave_visits for edge in table.values()) > search.root.visits


def test_a_playout_policy_is_told_what_playouts_have_given_whatever_is_certain_above(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = searched("TicTacToe", "A1", "B2", playouts=1)
    given: list[Values] = []
    told: list[Values] = []

    class Listener(Mover):
        learns = True

        def learn(self, made: Sequence[AbstractSet[Move]], values: Values) -> None:
            told.append(values)

    context = Context(("Cross", "Circle"), random.Random(1), lambda result: result_values(result, ("Cross", "Circle")))
    search._mover = Listener(context)
    evaluate = search._evaluate

    def noted(position: Position, later: Sequence[set[Move]], played: list[Move]) -> Values:
        given.append(evaluate(position, later, played))
        return given[-1]

    monkeypatch.setattr(search, "_evaluate", noted)
    while not search.settled:
        before = len(given)
        search._simulate()
        assert len(given) == before or told[-1] == given[-1]
    assert len(given) > 100


def test_moves_that_are_good_whenever_they_are_made_are_found_by_games_in_which_they_were_made_later() -> None:
    """Of a hundred games three are begun by each move; but each is made in ten of thirty."""
    shares: dict[TreePolicy, float] = {}
    for selection in (UCT, Rave(50)):
        found = 0
        for seed in range(5):
            settings = Settings(seconds=None, playouts=100, selection=selection, solver=False)
            search = PositionSearch(HOARD, {}, settings, random.Random(seed))
            search.begin(HOARD.begin({}))
            search.run(lambda: False)
            found += sum(count for move, count in visits(search, ME).items() if move in Hoard.rings)
        shares[selection] = found / 500
    assert shares[UCT] < 0.3
    assert shares[Rave(50)] > 0.7


def test_widening_looks_at_few_moves_first() -> None:
    few = visits(searched("Breakthrough", playouts=20, widening=1), "White")
    more = visits(searched("Breakthrough", playouts=400, widening=1), "White")
    assert sum(map(bool, few.values())) <= 4
    assert sum(map(bool, few.values())) < sum(map(bool, more.values())) <= 20


def test_equal_positions_are_one_node_where_that_is_wanted() -> None:
    one = searched("TicTacToe", playouts=3_000, solver=False)
    many = searched("TicTacToe", playouts=3_000, solver=False, transpositions=False)

    def nodes(search: PositionSearch) -> int:
        return len(search._table._reachable(search.root, 0))

    assert nodes(one) < 0.9 * nodes(many)


def test_the_tree_is_kept_also_after_undo_and_redo() -> None:
    search = searched("ConnectFour", playouts=500)
    start = search._position
    assert start is not None
    before = visits(search, "Yellow")
    best = max(before, key=before.__getitem__)
    after = start.play({"Yellow": best}).position
    search.begin(after)
    assert sum(visits(search, "Red").values()) >= before[best] - 1
    search.begin(start)
    assert visits(search, "Yellow") == before
    search.begin(after)
    assert sum(visits(search, "Red").values()) >= before[best] - 1
    search.begin(start, replace(search.settings, reuse=False))
    assert not search.root.edges


def test_a_tree_that_another_policy_has_learned_in_is_not_kept() -> None:
    search = searched("ConnectFour", playouts=20, selection=Keeper())
    start = search._position
    assert start is not None
    search.begin(start, replace(search.settings, exploration=0.2))
    assert search.known
    search.begin(start, replace(search.settings, selection=Rave(20)))
    assert not search.known
    assert len(search._table) == 1


@pytest.mark.slow
def test_with_chance_the_tree_is_kept_until_something_is_drawn() -> None:
    rules = find("CantStop")
    values = rules.complete({})
    search = PositionSearch(rules, values, Settings(seconds=None, playouts=200), random.Random(1))
    start = rules.begin(values).play({CHANCE: "1 2 3 4"}).position
    (player,) = start.turn().players
    search.begin(start)
    search.run(lambda: False)
    before = visits(search, player)
    best = max(before, key=before.__getitem__)
    after = start.play({player: best}).position
    search.begin(after)
    assert sum(visits(search, player).values()) == before[best] - 1, "all but the one that made it"
    search.run(lambda: False)
    assert sum(visits(search, player).values()) == before[best] - 1 + 200
    rolled = after.play({player: "roll"}).position.play({CHANCE: "1 1 2 2"}).position
    search.begin(rolled)
    assert not search.known
    search.begin(after)
    assert not search.known, "there is one tree"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "options", "simultaneous"),
    [("ConnectFour", {}, JOINT), ("Skirmish", {"ticks": "10"}, JOINT), ("Skirmish", {"ticks": "10"}, DECOUPLED)],
)
def test_memory_stays_below_its_ceiling(rule: str, options: dict[str, str], simultaneous: str) -> None:
    search = searched(rule, playouts=1_500, megabytes=1, options=options, solver=False, simultaneous=simultaneous)
    assert search._table.used <= search._table.ceiling + 20 * NODE_BYTES
    kept = search._table._reachable(search.root, 0)
    assert sum(node.bytes() for node in kept) <= search._table.ceiling + 20 * NODE_BYTES
    assert search.root.visits == 1_500


def test_chance_is_sampled_on_every_way_down() -> None:
    decision = searched(COIN, playouts=4_000).decision("hero")
    values = {choice.move: choice.value for choice in decision.choices}
    assert decision.chosen(VISITS).move == "good"
    assert values["good"] == pytest.approx(0.75, abs=0.05)
    assert not decision.solved


def test_dice_in_a_real_game() -> None:
    decision = searched("CantStop", playouts=60).decision(find("CantStop").players(find("CantStop").complete({}))[0])
    assert decision.playouts == 60


def test_moves_at_the_same_time() -> None:
    joint = searched(MATRIX, playouts=1_000).decision("row")
    assert joint.chosen(VISITS).move == "up"
    assert {choice.move: choice.value for choice in joint.choices} == pytest.approx({"up": 0.7, "down": 0.575})
    apart = searched(MATRIX, playouts=3_000, simultaneous=DECOUPLED)
    assert apart.decision("row").chosen(VISITS).move == "down"
    assert apart.decision("col").chosen(VISITS).move == "right"


MANY = tuple(f"m{number}" for number in range(70))
assert len(MANY) ** 2 > MOST_JOINT


@pytest.mark.parametrize("simultaneous", [JOINT, DECOUPLED])
@pytest.mark.parametrize("widening", [0, 1])
@pytest.mark.parametrize(
    "rules",
    [
        deal(left=("x", "y"), right=("y", "z")),
        deal(few=("x", "y"), many=MANY),  # each for itself in one of them
        deal(both=("x", "y"), alone=("x", "z")),
    ],
)
def test_what_there_is_to_choose_at_the_same_time_may_depend_on_chance(
    rules: Rules, widening: int, simultaneous: str
) -> None:
    settings = Settings(seconds=None, playouts=300, simultaneous=simultaneous, widening=widening)
    search = PositionSearch(rules, {}, settings, random.Random(1))
    search.begin(rules.begin({}))
    search.run(lambda: False)
    assert sum(visits(search, ME).values()) == 300


def test_three_players_follow_their_own_values() -> None:
    decision = searched(THREE, playouts=200).decision("ann")
    assert decision.chosen(VISITS).move == "y"
    assert decision.values == {"ann": 0.5, "bob": 0.6, "cid": 0.0}


def test_one_player_follows_the_best_playout() -> None:
    rules = find("gdl/buttons")
    values = rules.complete({})
    position = rules.begin(values)
    search = PositionSearch(rules, values, Settings(seconds=None, playouts=400), random.Random(3))
    (player,) = rules.players(values)
    best = 0.0
    while position.result() is None:
        search.begin(position)
        search.run(lambda: False)
        decision = search.decision(player)
        assert decision.best is not None
        assert decision.best >= best
        best = decision.best
        position = position.play({player: decision.chosen(VISITS).move}).position
    result = position.result()
    assert result is not None
    assert result.scores[player] == round(100 * best)


def lost_games(player: str, minimax: float, playouts: int) -> tuple[int, int]:
    """Of all games that an opponent can play, how many are lost, and how many there are."""
    rules = find("TicTacToe")
    values = rules.complete({})
    settings = Settings(seconds=None, playouts=playouts, minimax=minimax)
    lost = count = 0
    ways = [rules.begin(values)]
    while ways:
        position = ways.pop()
        if (result := position.result()) is not None:
            lost += result.standings[player] is Standing.LOSS
            count += 1
            continue
        (mover,) = position.turn().players
        moves = position.moves(mover)
        if mover == player:
            search = PositionSearch(rules, values, settings, random.Random(1))
            search.begin(position)
            search.look_ahead(player, None, lambda: False)
            search.run(lambda: False)
            moves = [search.decision(player).chosen(VISITS).move]
        ways += [position.play({mover: move}).position for move in moves]
    return lost, count


@pytest.mark.parametrize(("player", "least"), [("Cross", 50), ("Circle", 300)])
def test_whatever_the_other_does_tic_tac_toe_is_not_lost_with_sixty_playouts(player: str, least: int) -> None:
    lost, count = lost_games(player, 0.8, 60)
    assert lost == 0
    assert count > least


def test_without_a_look_ahead_it_would_be() -> None:
    assert lost_games("Circle", 0.0, 60)[0] > 0


def test_what_the_look_ahead_proves_is_settled() -> None:
    search = searched("TicTacToe", "A1", playouts=1)
    search.begin(search._position)
    told: list[int] = []
    search.look_ahead("Circle", 60.0, lambda: False, lambda: told.append(1))
    decision = search.decision("Circle")
    assert {choice.move for choice in decision.choices if choice.proven and choice.value == 0} == {
        "B1", "C1", "A2", "C2", "A3", "B3", "C3",
    }  # fmt: skip
    assert decision.chosen(VISITS).move == "B2"
    assert decision.sounded >= 6
    assert told
    won = searched("TicTacToe", "A1", "A2", playouts=1)
    won.look_ahead("Cross", 60.0, lambda: False)
    assert won.settled
    assert won.decision("Cross").values == {"Cross": 1.0, "Circle": 0.0}


@pytest.mark.parametrize(
    ("rule", "settings", "seconds"),
    [
        ("TicTacToe", {"minimax": 0.0}, 60.0),
        ("TicTacToe", {"solver": False}, 60.0),
        ("TicTacToe", {"playouts": None}, None),
        ("CantStop", {}, 60.0),
    ],
)
def test_nobody_looks_ahead_where_that_is_not_wanted(rule: str, settings: dict, seconds: float | None) -> None:  # type: ignore[type-arg]
    rules = find(rule)
    values = rules.complete({})
    search = PositionSearch(rules, values, Settings(**{"playouts": 1, **settings}), random.Random(1))
    search.begin(rules.begin(values))
    player = rules.players(values)[0]
    search.look_ahead(player, seconds, lambda: False)
    assert search.decision(player).sounded == 0


def test_it_stops_in_the_middle_of_a_playout() -> None:
    rules = find("ConnectFour")
    values = rules.complete({})
    search = PositionSearch(rules, values, Settings(seconds=None), random.Random(1))
    search.begin(rules.begin(values))
    asked = iter(range(10_000))
    search.run(lambda: next(asked) > 5)
    assert search.playouts == 0
    assert search.decision("Yellow").choices


@pytest.mark.parametrize(
    ("rules", "first", "then", "value"), [(TWICE, "b", {"c"}, 1.0), (DOOMED, "a", {"b", "c"}, 0.0)]
)
def test_who_moves_twice_knows_the_second_move_of_what_was_proven(
    rules: Rules, first: str, then: set[str], value: float
) -> None:
    """The look ahead says of a first move what it is worth, and not by which second move."""
    search = PositionSearch(rules, {}, Settings(seconds=None, playouts=20), random.Random(1))
    start = rules.begin({})
    search.begin(start)
    search.look_ahead(ME, None, lambda: False)
    assert search.settled
    search.begin(start.play({ME: first}).position)
    assert not search.settled
    assert not search.known
    assert search.decision(ME).values[ME] == value, "which is not forgotten"
    search.look_ahead(ME, None, lambda: False)
    assert search.settled
    assert search.decision(ME).solved
    choice = search.decision(ME).chosen(VISITS)
    assert (choice.proven, choice.value) == (True, value)
    assert choice.move in then, "a loss is as late as it can be"
    assert search.playouts == 0


def test_without_another_look_ahead_playouts_find_the_second_move() -> None:
    search = PositionSearch(TWICE, {}, Settings(seconds=None, playouts=200), random.Random(1))
    start = TWICE.begin({})
    search.begin(start)
    search.look_ahead(ME, None, lambda: False)
    search.begin(start.play({ME: "b"}).position)
    search.run(lambda: False)
    choice = search.decision(ME).chosen(VISITS)
    assert (choice.move, choice.proven) == ("c", True)
    assert search.settled


def test_a_game_that_is_over_is_settled() -> None:
    search = searched("TicTacToe", "A1", "A2", "B1", "B2", "C1", playouts=5)
    assert search.playouts == 1
    assert search.settled
