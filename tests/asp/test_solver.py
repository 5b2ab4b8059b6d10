"""The solver's narrow door."""

from __future__ import annotations

import pytest

from ggtp.asp.solver import CONFIGURATIONS, EASY, Answer, Solver


def choices(solver: Solver, count: int) -> list[int]:
    atoms = [solver.atom() for _ in range(count)]
    for atom in atoms:
        solver.choice(atom, [])
    return atoms


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_questions_with_assumptions(configuration: str) -> None:
    solver = Solver(configuration)
    with solver.writing():
        one, two = choices(solver, 2)
        both = solver.atom()
        solver.rule(both, [one, two])
        solver.at_most_one([one, two])
    assert solver.solve([both]) is Answer.NO
    found: list[tuple[bool, bool]] = []
    assert solver.solve([one], on_model=lambda holds: found.append((holds(one), holds(-two)))) is Answer.YES
    assert found == [(True, True)]


def test_rules_can_be_added_between_questions() -> None:
    solver = Solver()
    with solver.writing():
        (one,) = choices(solver, 1)
    assert solver.solve([one]) is Answer.YES
    with solver.writing():
        solver.never([one])
    assert solver.solve([one]) is Answer.NO
    assert solver.solve() is Answer.YES


def test_better_answers_come_last() -> None:
    solver = Solver()
    with solver.writing():
        one, two = choices(solver, 2)
        solver.never([-one, -two])
        solver.minimise([(one, 5), (two, 2)])
    found: list[tuple[bool, bool]] = []
    assert solver.solve(on_model=lambda holds: found.append((holds(one), holds(two)))) is Answer.YES
    assert found[-1] == (False, True)


def pigeons(solver: Solver, holes: int) -> None:
    """One more pigeon than holes: no solver of this kind refutes that soon."""
    place = {(bird, hole): solver.atom() for bird in range(holes + 1) for hole in range(holes)}
    for atom in place.values():
        solver.choice(atom, [])
    for bird in range(holes + 1):
        solver.never([-place[bird, hole] for hole in range(holes)])
    for hole in range(holes):
        for bird in range(holes + 1):
            for other in range(bird):
                solver.never([place[bird, hole], place[other, hole]])


def test_what_the_first_conflicts_do_not_tell_is_found_out_all_the_same() -> None:
    solver = Solver()
    with solver.writing():
        pigeons(solver, 6)
    limited = Solver("tweety", f"--solve-limit={EASY}")
    with limited.writing():
        pigeons(limited, 6)
    assert not limited.refutes([])
    assert solver.solve() is Answer.NO
    assert solver.solve() is Answer.NO


def test_a_hard_question_can_be_stopped() -> None:
    solver = Solver()
    with solver.writing():
        pigeons(solver, 14)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 1

    assert solver.solve(should_stop=stop) is Answer.STOPPED
    assert len(asked) == 2


def test_refuting_is_certain_or_not_claimed() -> None:
    solver = Solver("tweety", "--solve-limit=50")
    with solver.writing():
        pigeons(solver, 12)
    assert not solver.refutes([])
    easy = Solver("tweety", "--solve-limit=50")
    with easy.writing():
        pigeons(easy, 2)
    assert easy.refutes([])


def test_rules_belong_into_writing() -> None:
    with pytest.raises(RuntimeError, match="inside writing"):
        Solver().atom()
