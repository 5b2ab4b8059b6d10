"""Random games as they were played."""

from __future__ import annotations

from support.compiled_trees import compiled

from ggtp.gdl.kernel.single import pack, rows
from ggtp.search.features.experiments import Laboratory
from ggtp.search.features.walks import LANES, Walk, Walks


def walks_of(name: str, count: int) -> tuple[Laboratory, list[Walk]]:
    lab = Laboratory(compiled(name).state_kernel())
    walks, found = Walks(lab, 1), list[Walk]()
    while len(found) < count:
        found += walks.step()
    return lab, found


def test_every_move_leads_to_the_next_state() -> None:
    lab, found = walks_of("tictactoe", 2 * LANES)
    network = compiled("tictactoe").network
    for walk in found:
        assert (walk.states[0] == rows([pack(network, network.initial)])[0]).all()
        assert len(walk.states) == len(walk.moves) + 1 == len(walk.movers) + 1
        for i, (move, mover) in enumerate(zip(walk.moves, walk.movers, strict=True)):
            before = walk.states[i : i + 1]
            assert lab.legal(lab.states.look_many(before), int(mover), int(move))[0]
            assert (lab.after(before, int(mover), int(move))[0] == walk.states[i + 1]).all()
        end = lab.states.look_many(walk.states[-1:])
        assert end.terminal[0]
        assert tuple(end.goals[0].tolist()) == walk.goals


def test_games_differ() -> None:
    _, found = walks_of("breakthrough_small", 20)
    assert len({walk.moves.tobytes() for walk in found}) == len(found)
