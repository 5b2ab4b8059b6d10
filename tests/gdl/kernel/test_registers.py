from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.lanes import run_code
from support.straight import COLUMNS, EVERYBODY, FIRST, program, steps, targets

from ggtp.gdl.kernel.registers import Action, Compute, Item, Load, Save, Store, plan
from ggtp.gdl.program.code import AND, ONES, OR, XOR, Code


def items_of(code: Code) -> list[Item]:
    """The whole code; everything is stored as soon as it is known."""
    base = code.slots
    stores: dict[int, list[tuple[int, int]]] = {}
    for slot, value in code.stores:
        stores.setdefault(value - base, []).append((slot, value))
    return [
        Item(base + position, (code.left[position], code.right[position]), tuple(stores.get(position, ())))
        for position in range(len(code))
    ]


def run(code: Code, actions: list[Action], memory: list[int], places: int) -> None:
    values = {0: 0, ONES: EVERYBODY}
    own = [0] * places
    for action in actions:
        match action:
            case Load(value, place, mine):
                values[value] = own[place] if mine else memory[place]
            case Save(value, place):
                own[place] = values[value]
            case Store(slot, value):
                memory[slot] = values[value]
            case Compute(value):
                position = value - code.slots
                x, y = values[code.left[position]], values[code.right[position]]
                opcode = code.opcodes[position]
                values[value] = {AND: x & y, OR: x | y, XOR: x ^ y}.get(opcode, x & ~y)


def most_at_once(code: Code, actions: list[Action]) -> int:
    """How many registers the actions take: from where a value comes into one to where it is read from it last."""
    spans: list[list[int]] = []
    latest: dict[int, list[int]] = {}
    for time, action in enumerate(actions):
        read: tuple[int, ...] = ()
        match action:
            case Compute(value):
                read = (code.left[value - code.slots], code.right[value - code.slots])
            case Save(value, _) | Store(_, value):
                read = (value,)
        for value in read:
            if value > ONES:
                latest[value][1] = time
        if isinstance(action, Load | Compute):
            latest[action.value] = [time, time]
            spans.append(latest[action.value])
    return max((sum(start <= time < end for start, end in spans) for time in range(len(actions))), default=0)


@given(steps, targets, st.integers(4, 9))
def test_with_few_registers_the_same_is_computed(
    made: list[tuple[bool, int, int]], outputs: list[int], registers: int
) -> None:
    code, expected = program(made, outputs)
    slots = {slot: slot for slot in range(FIRST, code.slots)}
    actions, places = plan(items_of(code), slots, registers)
    memory = [0, EVERYBODY, *COLUMNS]
    run(code, actions, memory, places)
    plain = [0, EVERYBODY, *COLUMNS]
    run_code(code, plain, EVERYBODY, lambda: 0)
    assert memory == plain
    assert memory[FIRST:] == expected
    assert most_at_once(code, actions) <= registers


def test_the_farthest_goes_first() -> None:
    """Values 10 to 13 are made of what is in slot 2; the one that is used last leaves its register."""
    made = [Item(10 + i, (2, 2)) for i in range(4)]
    used = [Item(20, (13, 12)), Item(21, (20, 11)), Item(22, (21, 10), ((3, 22),))]
    actions, places = plan([*made, *used], {2: 2}, 3)
    assert places == 1
    assert [action for action in actions if isinstance(action, Save)] == [Save(10, 0)]
    assert [action for action in actions if isinstance(action, Load)] == [Load(2, 2, False), Load(10, 0, True)]


def test_what_is_in_a_slot_is_not_saved() -> None:
    made = [Item(10, (2, 2), ((5, 10),)), *(Item(11 + i, (2, 2)) for i in range(3))]
    used = [Item(20, (13, 12)), Item(21, (20, 11)), Item(22, (21, 10), ((3, 22),))]
    actions, places = plan([*made, *used], {2: 2}, 3)
    assert places == 0
    assert Load(10, 5, False) in actions


def test_the_old_value_of_a_slot_is_saved_for_who_asks_later() -> None:
    items = [Item(10, (2, 3), ((2, 10),)), Item(11, (2, 10), ((3, 11),))]
    for registers in (4, 100):
        actions, places = plan(items, {2: 2, 3: 3}, registers)
        assert places == 1
        assert actions.index(Save(2, 0)) < actions.index(Store(2, 10)) < actions.index(Compute(11))


def test_what_nobody_uses_takes_no_register() -> None:
    actions, places = plan([Item(10, ()), Item(-1, (), ((2, 0),))], {}, 1)
    assert actions == [Compute(10), Store(2, 0)]
    assert places == 0
