"""Who moves in which kind of step: each player, or each stage of their turn, and nobody else."""

from __future__ import annotations

from support.compiled_trees import MATRIX, compiled

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.phases import Mover, movers
from ggtp.gdl.program.turns import find_turns, invariants


def found(name: str) -> tuple[Network, list[Mover]]:
    network = compiled(name).network
    known = invariants(network)
    return network, movers(network, known, find_turns(network, known))


def texts(network: Network, mover: Mover) -> set[str]:
    return {("not " if literal & 1 else "") + network.facts[(literal >> 1) - 1] for literal in mover.when}


def test_players_who_take_turns_have_a_step_each() -> None:
    _, both = found("tictactoe")
    assert [mover.player for mover in both] == [0, 1]
    (one,), (other,) = (mover.when for mover in both)
    assert one == other ^ 1


def test_who_puts_a_stone_and_then_turns_the_board_has_two() -> None:
    network, kinds = found("pentago")
    assert [mover.player for mover in kinds] == [0, 0, 1, 1]
    stages = [texts(network, mover) & {"(stage place)", "not (stage place)"} for mover in kinds]
    assert stages == [{"(stage place)"}, {"not (stage place)"}] * 2


def test_a_fact_that_rules_out_a_move_or_two_is_no_stage() -> None:
    assert len(found("connectfour")[1]) == 2


def test_who_choose_at_the_same_time_have_none() -> None:
    assert found(MATRIX)[1] == []
