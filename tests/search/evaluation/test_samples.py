"""Random games side by side: they follow the rules, end as the rules say, and can be played again."""

import numpy as np
import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel.single import states
from ggtp.search.evaluation import samples
from ggtp.search.evaluation.samples import EACH, RandomGames


def some(games, count, steps=400):
    """At least so many games that came to an end."""
    found = []
    for _ in range(steps):
        found += games.step()
        if len(found) >= count:
            return found
    raise AssertionError("games do not end")


def reachable(kernel, first):
    """All states of a small game."""
    seen, todo = {first}, [first]
    while todo:
        state = todo.pop()
        look = kernel.look(state)
        if look.terminal:
            continue
        for one in look.legal[0]:
            for two in look.legal[1]:
                after = kernel.next(state, [one, two])
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return seen


def test_they_go_through_positions_of_the_game_and_give_its_goals() -> None:
    kernel = compiled("tictactoe").state_kernel()
    games = RandomGames(kernel, 1)
    (first,) = states(games._first[None])
    known = reachable(kernel, first)
    played = some(games, 300)
    for game in played:
        rows = states(game.states)
        assert 5 <= len(rows) <= EACH
        assert set(rows) <= known
        assert not any(kernel.look(row).terminal for row in rows)
        assert sorted(game.goals.tolist()) in ([0, 100], [50, 50])
    assert {tuple(game.goals.tolist()) for game in played} == {(100, 0), (0, 100), (50, 50)}


def test_chance_begins_from_the_seed() -> None:
    kernel = compiled("tictactoe").state_kernel()

    def played(seed):
        return [(game.states.tolist(), game.goals.tolist()) for game in some(RandomGames(kernel, seed), 50)]

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_all_moves_are_as_likely() -> None:
    kernel = compiled("tictactoe").state_kernel()
    games = RandomGames(kernel, 3)
    counts = {}
    for _ in range(200):
        before = games._length == 0
        games.step()
        for row in states(games._now[before & (games._length == 1)]):
            counts[row] = counts.get(row, 0) + 1
    assert len(counts) == 9
    usual = sum(counts.values()) / 9
    assert all(0.8 * usual < count < 1.2 * usual for count in counts.values())


def test_a_game_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(samples, "LONGEST", 4)
    games = RandomGames(compiled("tictactoe").state_kernel(), 1)
    assert all(games.step() == [] for _ in range(50)), "nobody wins in four moves"
    assert int(games._length.max()) <= 4


@pytest.mark.parametrize("name", ["checkers", "amazons"])
def test_a_step_is_small_where_there_are_many_moves(name):
    games = RandomGames(compiled(name).state_kernel(), 1)
    moves = sum(len(moves) for moves in compiled(name).network.moves)
    assert len(games._now) * moves <= samples.FEWER
    games.step()
    assert np.all(games._length == 1)


def test_how_much_each_could_do_is_told_along() -> None:
    kernel = compiled("breakthrough_small").state_kernel()
    for played in some(RandomGames(kernel, 4), 20):
        assert played.choices.shape == (len(played.states), 2)
        for state, choices in zip(states(played.states), played.choices.tolist(), strict=True):
            legal = [len(moves) for moves in kernel.look(state).legal]
            mover = max((0, 1), key=lambda role: legal[role])
            if legal[mover] > 1:
                assert choices[mover] == legal[mover]
