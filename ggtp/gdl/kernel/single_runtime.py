"""What `kernel.single` needs around a game's code, in LLVM's language; slots are single words here.

One state at a time it uses one lane and reads and writes bits; many states go 64 at a time, and rows
of bits become slots, and slots rows, by transposition.
"""

from __future__ import annotations

from ggtp.gdl.kernel.runtime import call_entries, shared_text
from ggtp.gdl.kernel.writer import Writer
from ggtp.gdl.program.state import FIRST_FACT

PLAN = (
    "memory",
    "look",
    "look_entries",
    "move",
    "move_entries",
    "facts",
    "row_words",
    "first_move",
    "first_result",
    "roles",
    "sizes",
    "values",
    "offsets",
    "moves",
    "results",
)
"""What the words of a plan mean, in order. `sizes`: how many moves each role has, then how many goals; `values`: those
of all goals; `offsets`: each role's first move among all moves; `moves`: how many moves all roles have together;
`results`: how many results a look has."""

_POINTERS = ("memory", "look", "move", "sizes", "values", "offsets")


def state_runtime_text() -> str:
    """The module."""
    return shared_text(1) + "\n".join((_look(), _move(), _look_many(), _move_many()))


def _plan(w: Writer) -> dict[str, str]:
    plan = {name: w.word("%plan", i) for i, name in enumerate(PLAN)}
    for name in _POINTERS:
        plan[name] = w.set(f"inttoptr i64 {plan[name]} to ptr")
    return plan


def _minimum(w: Writer, a: str, b: str | int) -> str:
    return w.set(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")


def _facts_from_bits(w: Writer, plan: dict[str, str]) -> None:
    facts = w.slot(plan["memory"], FIRST_FACT)
    with w.loop(0, plan["facts"]) as fact:
        word = w.word("%state", w.num("lshr", fact, 6))
        bit = w.num("and", w.num("lshr", word, w.num("and", fact, 63)), 1)
        w.do(f"store i64 {bit}, ptr {w.slot(facts, fact)}")


def _look() -> str:
    """Writes whether the game is over, the roles' goals, where each role's moves end, and the legal moves."""
    w = Writer("look", "ptr noalias %plan, ptr noalias %state, ptr noalias %out", 1)
    plan = _plan(w)
    roles = plan["roles"]
    _facts_from_bits(w, plan)
    call_entries(w, plan["memory"], plan["look"], plan["look_entries"])
    ends = w.at("%out", w.num("add", roles, 1), "i32")
    found = w.at(ends, roles, "i32")
    result = w.variable("ptr", w.slot(plan["memory"], plan["first_result"]))
    count = w.variable("i64", "0")

    def holds() -> str:
        place = w.get("ptr", result)
        w.do(f"store ptr {w.at(place, 1)}, ptr {result}")
        return w.num("and", w.word(place, 0), 1)

    with w.loop(0, roles) as role:
        with w.loop(0, w.word(plan["sizes"], role)) as move:
            legal = holds()
            now = w.get("i64", count)
            # Written always, kept if it is legal: no branch that nobody can foresee.
            number = w.set(f"trunc i64 {move} to i32")
            w.do(f"store i32 {number}, ptr {w.at(found, now, 'i32')}")
            w.do(f"store i64 {w.num('add', now, legal)}, ptr {count}")
        end = w.set(f"trunc i64 {w.get('i64', count)} to i32")
        w.do(f"store i32 {end}, ptr {w.at(ends, role, 'i32')}")
    value = w.variable("ptr", plan["values"])
    with w.loop(0, roles) as role:
        best = w.variable("i64", "0")
        with w.loop(0, w.word(plan["sizes"], w.num("add", roles, role))):
            worth = w.num("mul", holds(), w.word(w.get("ptr", value), 0))
            w.do(f"store ptr {w.at(w.get('ptr', value), 1)}, ptr {value}")
            most = w.set(f"call i64 @llvm.smax.i64(i64 {worth}, i64 {w.get('i64', best)})")
            w.do(f"store i64 {most}, ptr {best}")
        shown = w.set(f"trunc i64 {w.get('i64', best)} to i32")
        w.do(f"store i32 {shown}, ptr {w.at('%out', w.num('add', role, 1), 'i32')}")
    over = w.set(f"trunc i64 {holds()} to i32")
    w.do(f"store i32 {over}, ptr %out")
    return w.text()


def _each_choice(w: Writer, plan: dict[str, str], moves: str, lane: str, keep: bool) -> None:
    """Sets, or clears, a lane's bits of the chosen moves; numbers that are no moves count for nothing."""
    with w.loop(0, plan["roles"]) as role:
        number = w.set(f"load i32, ptr {w.at(moves, role, 'i32')}, align 4")
        move = w.set(f"zext i32 {number} to i64")
        with w.when(w.set(f"icmp ult i64 {move}, {w.word(plan['sizes'], role)}")):
            offset = w.num("add", plan["first_move"], w.num("add", w.word(plan["offsets"], role), move))
            slot = w.slot(plan["memory"], offset)
            new = w.num("or", w.word(slot, 0), w.num("shl", 1, lane)) if keep else "0"
            w.do(f"store i64 {new}, ptr {slot}")


def _move() -> str:
    """Writes the next state."""
    w = Writer("move", "ptr noalias %plan, ptr noalias %state, ptr noalias %moves, ptr noalias %out", 1)
    plan = _plan(w)
    _facts_from_bits(w, plan)
    _each_choice(w, plan, "%moves", "0", keep=True)
    call_entries(w, plan["memory"], plan["move"], plan["move_entries"])
    _each_choice(w, plan, "%moves", "0", keep=False)
    results = w.slot(plan["memory"], plan["first_result"])
    with w.loop(0, plan["row_words"]) as column:
        first = w.num("mul", column, 64)
        word = w.variable("i64", "0")
        with w.loop(0, _minimum(w, w.num("sub", plan["facts"], first), 64)) as bit:
            value = w.num("and", w.word(w.slot(results, w.num("add", first, bit)), 0), 1)
            w.do(f"store i64 {w.num('or', w.get('i64', word), w.num('shl', value, bit))}, ptr {word}")
        w.do(f"store i64 {w.get('i64', word)}, ptr {w.at('%out', column)}")
    return w.text()


def _rows_to_facts(w: Writer, plan: dict[str, str], planes: str, first: str, lanes: str) -> None:
    with w.loop(0, plan["row_words"]) as column:
        with w.loop(0, 64) as lane:
            row = w.num("add", first, _minimum(w, lane, w.num("sub", lanes, 1)))
            word = w.word("%rows", w.num("add", w.num("mul", row, plan["row_words"]), column))
            w.do(f"store i64 {word}, ptr {w.slot(planes, lane)}")
        w.do(f"call void @transpose(ptr {planes})")
        fact = w.num("mul", column, 64)
        target = w.slot(plan["memory"], w.num("add", fact, FIRST_FACT))
        with w.loop(0, _minimum(w, w.num("sub", plan["facts"], fact), 64)) as i:
            w.do(f"store i64 {w.word(w.slot(planes, i), 0)}, ptr {w.slot(target, i)}")


def _results_to_rows(w: Writer, plan: dict[str, str], planes: str, first: str, lanes: str, results: str) -> None:
    width = w.num("lshr", w.num("add", results, 63), 6)
    with w.loop(0, width) as column:
        start = w.num("mul", column, 64)
        source = w.slot(plan["memory"], w.num("add", plan["first_result"], start))
        there = _minimum(w, w.num("sub", results, start), 64)
        with w.loop(0, there) as i:
            w.do(f"store i64 {w.word(w.slot(source, i), 0)}, ptr {w.slot(planes, i)}")
        with w.loop(there, 64) as i:
            w.do(f"store i64 0, ptr {w.slot(planes, i)}")
        w.do(f"call void @transpose(ptr {planes})")
        with w.loop(0, lanes) as lane:
            place = w.num("add", w.num("mul", w.num("add", first, lane), width), column)
            w.do(f"store i64 {w.word(w.slot(planes, lane), 0)}, ptr {w.at('%out', place)}")


def _look_many() -> str:
    """Writes a row of results for each row."""
    w = Writer("look_many", "ptr noalias %plan, ptr noalias %rows, i64 %count, ptr noalias %out", 1)
    plan = _plan(w)
    planes = w.variable("i64", "", 64)
    with w.loop(0, "%count", 64) as first:
        lanes = _minimum(w, w.num("sub", "%count", first), 64)
        _rows_to_facts(w, plan, planes, first, lanes)
        call_entries(w, plan["memory"], plan["look"], plan["look_entries"])
        _results_to_rows(w, plan, planes, first, lanes, plan["results"])
    return w.text()


def _move_many() -> str:
    """Writes the next state for each row and its row of moves."""
    arguments = "ptr noalias %plan, ptr noalias %rows, ptr noalias %moves, i64 %count, ptr noalias %out"
    w = Writer("move_many", arguments, 1)
    plan = _plan(w)
    planes = w.variable("i64", "", 64)
    with w.loop(0, "%count", 64) as first:
        lanes = _minimum(w, w.num("sub", "%count", first), 64)
        _rows_to_facts(w, plan, planes, first, lanes)
        with w.loop(0, lanes) as lane:
            moves = w.at("%moves", w.num("mul", w.num("add", first, lane), plan["roles"]), "i32")
            _each_choice(w, plan, moves, lane, keep=True)
        call_entries(w, plan["memory"], plan["move"], plan["move_entries"])
        with w.loop(0, plan["moves"]) as move:
            w.do(f"store i64 0, ptr {w.slot(plan['memory'], w.num('add', plan['first_move'], move))}")
        _results_to_rows(w, plan, planes, first, lanes, plan["facts"])
    return w.text()
