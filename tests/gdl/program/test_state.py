from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.lanes import networks, run_code
from support.networks import evaluate

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import RANDOM
from ggtp.gdl.program.state import FIRST_FACT, build_state


@given(networks(), st.lists(st.integers(0, 31), min_size=1, max_size=4), st.data())
def test_code_says_what_the_network_says(network: Network, states: list[int], data: st.DataObject) -> None:
    program = build_state(network)
    moves = [[data.draw(st.integers(0, len(own) - 1)) for own in network.moves] for _ in states]
    everybody = (1 << len(states)) - 1
    memory = [0] * program.slots
    for fact in range(len(network.facts)):
        memory[FIRST_FACT + fact] = sum((state >> fact & 1) << lane for lane, state in enumerate(states))
    for lane, chosen in enumerate(moves):
        first = program.first_move
        for role, move in enumerate(chosen):
            memory[first + move] |= 1 << lane
            first += len(network.moves[role])
    looked, moved = list(memory), list(memory)
    run_code(program.look, looked, everybody, lambda: 0)
    run_code(program.move, moved, everybody, lambda: 0)
    for lane, state in enumerate(states):
        facts = [fact for fact in range(len(network.facts)) if state >> fact & 1]
        expected = evaluate(network, facts, moves[lane])
        bits = [slot >> lane & 1 for slot in looked[program.first_result :]]
        legal = [move for own in expected.legal for move in own]
        found = []
        for own in network.moves:
            found += [move for move in range(len(own)) if bits.pop(0)]
        assert found == legal
        goals = []
        for pairs in network.goals:
            goals.append(max((value for value, _ in pairs if bits.pop(0)), default=0))
        assert tuple(goals) == expected.goals
        assert bits[0] == expected.terminal
        then = [slot >> lane & 1 for slot in moved[program.first_result :]]
        assert [fact for fact in range(len(network.facts)) if then[fact]] == list(expected.next)


def test_looking_draws_no_random_bits() -> None:
    from support.networks import tictactoe

    program = build_state(tictactoe())
    assert RANDOM not in program.look.opcodes
    assert RANDOM not in program.move.opcodes
    assert program.move_count == 20
    assert program.goal_count == 6
