"""Where the inputs of a ground program are."""

from __future__ import annotations

from ggtp.gdl.ground.program import GroundProgram


def test_inputs_are_numbered_from_one_facts_first() -> None:
    program = GroundProgram(
        roles=("a", "b"),
        facts=("f", "g"),
        moves=(("x",), ("x", "y")),
        initial=(),
        atoms=5,
        rules=(),
        next=(0, 0),
        legal=((0,), (0, 0)),
        terminal=0,
        goals=((), ()),
    )
    assert [program.true_atom(fact) for fact in range(2)] == [1, 2]
    assert [program.does_atom(0, 0), program.does_atom(1, 0), program.does_atom(1, 1)] == [3, 4, 5]
