"""What every kernel needs around a game's code, written once in LLVM's language for any number of lanes.

Loops over steps, counting, moving states between rows of bits (one state after the other) and
slots (one fact after the other), and the interpreter of the tables of `kernel.table`.

A lane's number is 64 times the number of its word in a slot, plus the number of its bit. A game's
code is a list of *entries*: pairs of the address of a function and its second argument; the first
is the address of the slots.
"""

from __future__ import annotations

from ggtp.gdl.kernel.llvm import splat, vector_type
from ggtp.gdl.kernel.writer import Writer
from ggtp.gdl.program.code import AND, AND_NOT, OR, RANDOM, XOR
from ggtp.gdl.program.step import ACTIVE, COUNTER_BITS, DRAIN, FIRST_FACT, GENERATOR, STEPS_PER_COUNT

LENGTH_BITS = 32
"""Digits of the length of a game; as many bits of a word are left for goals."""

RUN_FROM_ARGUMENTS = (
    "memory",
    "step",
    "step_entries",
    "observe",
    "observe_entries",
    "facts",
    "fact_count",
    "rows",
    "row_words",
    "count",
    "scratch",
    "first_counter",
    "counters",
    "goals",
    "goal_count",
    "roles",
    "goals_out",
    "lengths_out",
    "max_steps",
    "lag",
    "waiting",
)
"""What the words of the argument of `run_from` mean, in order."""


def runtime_text(words: int) -> str:
    """The module for playouts, for slots of so many words."""
    return shared_text(words) + "\n".join((_load_states(words), _play(words), _run_from(words)))


def shared_text(words: int) -> str:
    """What other modules need too: declarations, `transpose` and `table`."""
    vector = vector_type(words)
    declarations = ""
    if words > 1:
        declarations = (
            f"declare i64 @llvm.vector.reduce.add.v{words}i64({vector})\n"
            f"declare i64 @llvm.vector.reduce.or.v{words}i64({vector})\n"
        )
    declarations += "".join(
        f"declare {kind} @llvm.{name}.{kind}({kind}, {kind})\n" for kind in ("i32", "i64") for name in ("smin", "smax")
    )
    suffix = "i64" if words == 1 else f"v{words}i64"
    declarations += f"declare {vector} @llvm.ctpop.{suffix}({vector})\n"
    return declarations + "\n".join((_transpose(words), _table(words)))


def call_entries(w: Writer, memory: str, entries: str, count: str) -> None:
    """Runs a game's code once."""
    with w.loop(0, count) as i:
        entry = w.at(entries, i, "[2 x ptr]")
        function = w.set(f"load ptr, ptr {entry}, align 8")
        argument = w.set(f"load ptr, ptr {w.at(entry, 1)}, align 8")
        w.do(f"call void {function}(ptr {memory}, ptr {argument})")


def _transpose(words: int) -> str:
    """Swaps rows and columns of 64 slots, seen as one matrix of 64 times 64 bits for each word of a slot."""
    w = Writer("transpose", "ptr %planes", words)
    for size in (32, 16, 8, 4, 2, 1):
        mask = splat(words, sum(1 << bit for bit in range(64) if not bit & size))
        shift = splat(words, size)
        with w.loop(0, 64, 2 * size) as base, w.loop(base, w.num("add", base, size)) as row:
            above, below = w.slot("%planes", row), w.slot("%planes", w.num("add", row, size))
            a, b = w.load(above), w.load(below)
            swap = w.vec("and", w.vec("xor", w.vec("lshr", a, shift), b), mask)
            w.store(w.vec("xor", a, w.vec("shl", swap, shift)), above)
            w.store(w.vec("xor", b, swap), below)
    return w.text()


def _load_states(words: int) -> str:
    """Rows of bits into the slots of facts; lanes beyond the last row get a copy of it."""
    arguments = "ptr %memory, ptr %rows, i64 %width, i64 %count, ptr %facts, i64 %fact_count, ptr %scratch"
    w = Writer("load_states", arguments, words)
    last = w.num("sub", "%count", 1)
    with w.loop(0, "%width") as column:
        planes = w.slot("%scratch", w.num("mul", column, 64))
        with w.loop(0, 64) as bit:
            row = w.slot(planes, bit)
            for word in range(words):
                lane = w.num("add", bit, 64 * word)
                lane = w.set(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {last})")
                value = w.word("%rows", w.num("add", w.num("mul", lane, "%width"), column))
                w.do(f"store i64 {value}, ptr {w.at(row, word)}, align 8")
        w.do(f"call void @transpose(ptr {planes})")
    with w.loop(0, "%fact_count") as i:
        fact = w.word("%facts", i)
        w.store(w.load(w.slot("%scratch", fact)), w.slot("%memory", w.num("add", i, FIRST_FACT)))
    return w.text()


def _play(words: int) -> str:
    """Plays blocks of steps, and adds the counters to totals after each.

    Where lanes are draining it stops when none is active, and returns how many steps active lanes made.
    """
    arguments = (
        "ptr %memory, ptr %entries, i64 %entry_count, i64 %blocks, i64 %first_counter, i64 %counters, "
        "ptr %totals, i64 %draining"
    )
    w = Writer("play", arguments, words, "i64")
    steps = w.variable("i64", "0")
    draining = w.set("icmp ne i64 %draining, 0")
    block = w.variable("i64", "0")
    with w.loop_while() as stop_unless:
        stop_unless(w.set(f"icmp slt i64 {w.get('i64', block)}, %blocks"))
        with w.when(draining):
            stop_unless(w.some(w.load(w.slot("%memory", ACTIVE))))
        with w.loop(0, STEPS_PER_COUNT):
            with w.when(draining):
                active = w.population(w.load(w.slot("%memory", ACTIVE)))
                w.do(f"store i64 {w.num('add', w.get('i64', steps), active)}, ptr {steps}")
            call_entries(w, "%memory", "%entries", "%entry_count")
        with w.loop(0, "%counters") as counter:
            total = w.at("%totals", counter)
            slot = w.slot("%memory", w.num("add", "%first_counter", w.num("mul", counter, COUNTER_BITS)))
            for digit in range(COUNTER_BITS):
                place = w.slot(slot, digit)
                amount = w.num("shl", w.population(w.load(place)), digit)
                w.store("0" if words == 1 else "zeroinitializer", place)
                w.do(f"store i64 {w.num('add', w.get('i64', total), amount)}, ptr {total}")
        w.do(f"store i64 {w.num('add', w.get('i64', block), 1)}, ptr {block}")
    return w.text(w.get("i64", steps))


def _run_from(words: int) -> str:
    """Plays one game from each given state to its end; see `RUN_FROM_ARGUMENTS`."""
    w = Writer("run_from", "ptr %arguments", words)
    arg = {}
    for i, name in enumerate(RUN_FROM_ARGUMENTS):
        arg[name] = w.word("%arguments", i)
    pointers = ("memory", "step", "observe", "facts", "rows", "scratch", "goals", "goals_out", "lengths_out")
    for name in pointers:
        arg[name] = w.set(f"inttoptr i64 {arg[name]} to ptr")
    planes = w.variable(w.vector, "", 64)
    with w.loop(0, arg["count"], 64 * words) as first:
        left = w.num("sub", arg["count"], first)
        lanes = w.set(f"call i64 @llvm.smin.i64(i64 {left}, i64 {64 * words})")
        _begin(w, arg, first, lanes)
        _to_the_end(w, arg, planes)
        _report(w, arg, planes, first, lanes)
    return w.text()


def _begin(w: Writer, arg: dict[str, str], first: str, lanes: str) -> None:
    memory = arg["memory"]
    rows = w.at(arg["rows"], w.num("mul", first, arg["row_words"]))
    w.do(
        f"call void @load_states(ptr {memory}, ptr {rows}, i64 {arg['row_words']}, i64 {lanes}, "
        f"ptr {arg['facts']}, i64 {arg['fact_count']}, ptr {arg['scratch']})"
    )
    active = w.slot(memory, ACTIVE)
    with w.loop(0, w.words) as word:
        more = w.num("sub", lanes, w.num("mul", word, 64))
        some = w.set(f"call i64 @llvm.smax.i64(i64 {more}, i64 0)")
        full = w.set(f"icmp sge i64 {more}, 64")
        part = w.num("sub", w.num("shl", 1, w.num("and", some, 63)), 1)
        mask = w.set(f"select i1 {full}, i64 -1, i64 {part}")
        w.do(f"store i64 {mask}, ptr {w.at(active, word)}, align 8")
    w.store(splat(w.words, -1), w.slot(memory, DRAIN))
    with w.loop(0, w.num("mul", arg["counters"], COUNTER_BITS)) as i:
        w.store(splat(w.words, 0), w.slot(memory, w.num("add", arg["first_counter"], i)))


def _to_the_end(w: Writer, arg: dict[str, str], planes: str) -> None:
    """Steps until no lane is active; the planes become the digits of the lanes' lengths.

    A step in which a lane waits counts for nothing: that is seen from the slot `waiting`, whose value changes then.
    Lanes that have made as many moves as they may are not active any more.
    """
    memory = arg["memory"]
    waiting = w.slot(memory, arg["waiting"])
    with w.loop(0, LENGTH_BITS) as i:
        w.store(splat(w.words, 0), w.slot(planes, i))
    call_entries(w, memory, arg["observe"], arg["observe_entries"])
    made = w.variable("i64", "0")
    with w.loop_while() as stop_unless:
        with w.when(w.set(f"icmp sge i64 {w.get('i64', made)}, {arg['max_steps']}")):
            _give_up(w, arg, planes)
        active = w.load(w.slot(memory, ACTIVE))
        stop_unless(w.some(active))
        before = w.load(waiting)
        call_entries(w, memory, arg["step"], arg["step_entries"])
        waited = w.vec("xor", before, w.load(waiting))
        moved = w.vec("and", active, w.vec("xor", waited, splat(w.words, -1)))
        stop_unless(w.some(moved))  # nobody ever would
        carry = w.variable(w.vector, moved)
        digit = w.variable("i64", "0")
        with w.loop_while() as stop_carry_unless:
            now = w.get(w.vector, carry)
            stop_carry_unless(w.some(now))
            place = w.slot(planes, w.get("i64", digit))
            old = w.load(place)
            w.store(w.vec("xor", old, now), place)
            w.do(f"store {w.vector} {w.vec('and', old, now)}, ptr {carry}")
            w.do(f"store i64 {w.num('add', w.get('i64', digit), 1)}, ptr {digit}")
        w.do(f"store i64 {w.num('add', w.get('i64', made), 1)}, ptr {made}")


def _give_up(w: Writer, arg: dict[str, str], planes: str) -> None:
    """Lanes that are as long as they may be are not active any more."""
    most = w.set(f"call i64 @llvm.smax.i64(i64 {arg['max_steps']}, i64 0)")
    full = w.variable(w.vector, splat(w.words, -1))
    with w.loop(0, LENGTH_BITS) as i:
        plane = w.load(w.slot(planes, i))
        missing = w.set(f"icmp eq i64 {w.num('and', w.num('lshr', most, i), 1)}, 0")
        same = w.vec(
            "xor", plane, w.set(f"select i1 {missing}, {w.vector} {splat(w.words, -1)}, {w.vector} {splat(w.words, 0)}")
        )
        w.do(f"store {w.vector} {w.vec('and', w.get(w.vector, full), same)}, ptr {full}")
    active = w.slot(arg["memory"], ACTIVE)
    w.store(w.vec("and", w.load(active), w.vec("xor", w.get(w.vector, full), splat(w.words, -1))), active)


def _report(w: Writer, arg: dict[str, str], planes: str, first: str, lanes: str) -> None:
    """Lengths and goals of the lanes. Thirty-two counters at a time stand above the digits of the lengths,
    and one transposition makes a word of each lane's column."""
    lengths = w.at(arg["lengths_out"], first, "i32")
    goals = w.at(arg["goals_out"], w.num("mul", first, arg["roles"]), "i32")
    with w.loop(0, arg["counters"], 64 - LENGTH_BITS) as group:
        with w.loop(0, 64 - LENGTH_BITS) as i:
            counter = w.num("add", group, i)
            # Counters of lanes that ended once have nothing above their lowest digit.
            clamped = w.set(f"call i64 @llvm.smin.i64(i64 {counter}, i64 {w.num('sub', arg['counters'], 1)})")
            slot = w.num("add", arg["first_counter"], w.num("mul", clamped, COUNTER_BITS))
            w.store(w.load(w.slot(arg["memory"], slot)), w.slot(planes, w.num("add", i, LENGTH_BITS)))
        w.do(f"call void @transpose(ptr {planes})")
        with w.when(w.set(f"icmp eq i64 {group}, 0")), w.loop(0, lanes) as lane:
            word = _column(w, planes, lane)
            ended = w.set(f"trunc i64 {w.num('lshr', word, LENGTH_BITS)} to i1")
            length = w.num("sub", w.num("and", word, (1 << LENGTH_BITS) - 1), arg["lag"])
            shown = w.set(f"trunc i64 {w.set(f'select i1 {ended}, i64 {length}, i64 -1')} to i32")
            w.do(f"store i32 {shown}, ptr {w.at(lengths, lane, 'i32')}, align 4")
        with w.loop(0, arg["goal_count"]) as i:
            entry = w.at(arg["goals"], w.num("mul", i, 4))
            role, value, counter, inverted = (w.word(entry, field) for field in range(4))
            place = w.num("sub", counter, group)
            with w.when(w.set(f"icmp ult i64 {place}, {64 - LENGTH_BITS}")), w.loop(0, lanes) as lane:
                word = _column(w, planes, lane)
                flag = w.num("xor", w.num("lshr", word, w.num("add", place, LENGTH_BITS)), inverted)
                length = w.set(f"load i32, ptr {w.at(lengths, lane, 'i32')}, align 4")
                holds = w.set(f"trunc i64 {flag} to i1")
                holds = w.set(f"and i1 {holds}, {w.set(f'icmp sge i32 {length}, 0')}")
                goal = w.at(goals, w.num("add", w.num("mul", lane, arg["roles"]), role), "i32")
                old = w.set(f"load i32, ptr {goal}, align 4")
                new = w.set(f"select i1 {holds}, i32 {w.set(f'trunc i64 {value} to i32')}, i32 {old}")
                best = w.set(f"call i32 @llvm.smax.i32(i32 {old}, i32 {new})")
                w.do(f"store i32 {best}, ptr {goal}, align 4")


def _column(w: Writer, planes: str, lane: str) -> str:
    word = w.num("add", w.num("mul", w.num("and", lane, 63), w.words), w.num("lshr", lane, 6))
    return w.word(planes, word)


def _table(words: int) -> str:
    """Runs a table: how many runs; for each its opcode, its length, and triples of offsets in bytes.

    Offsets are those of the result and of the operands.
    """
    w = Writer("table", "ptr noalias %memory, ptr noalias %table", words)
    cursor = w.variable("ptr", "%table")

    def take() -> str:
        now = w.get("ptr", cursor)
        w.do(f"store ptr {w.at(now, 1, 'i32')}, ptr {cursor}")
        return w.set(f"zext i32 {w.set(f'load i32, ptr {now}, align 4')} to i64")

    with w.loop(0, take()):
        opcode, length = take(), take()
        start = w.get("ptr", cursor)
        for number, word in ((AND, "and"), (OR, "or"), (XOR, "xor"), (AND_NOT, "and"), (RANDOM, "")):
            with w.when(w.set(f"icmp eq i64 {opcode}, {number}")), w.loop(0, length) as i:
                triple = w.at(start, i, "[3 x i32]")
                places = []
                for field in range(3):
                    offset = w.set(f"load i32, ptr {w.at(triple, field, 'i32')}, align 4")
                    places.append(w.at("%memory", w.set(f"zext i32 {offset} to i64"), "i8"))
                if number == RANDOM:
                    w.store(_random(w), places[0])
                    continue
                a, b = w.load(places[1]), w.load(places[2])
                if number == AND_NOT:
                    b = w.vec("xor", b, splat(words, -1))
                w.store(w.vec(word, a, b), places[0])
        w.do(f"store ptr {w.at(start, length, '[3 x i32]')}, ptr {cursor}")
    return w.text()


def _random(w: Writer) -> str:
    """One draw of xorshift128+ in every word."""
    low, high = w.slot("%memory", GENERATOR), w.slot("%memory", GENERATOR + 1)
    x, y = w.load(low), w.load(high)
    x = w.vec("xor", x, w.vec("shl", x, splat(w.words, 23)))
    shifted = w.vec("xor", w.vec("lshr", x, splat(w.words, 18)), w.vec("lshr", y, splat(w.words, 5)))
    new = w.vec("xor", w.vec("xor", x, y), shifted)
    w.store(y, low)
    w.store(new, high)
    return w.vec("add", new, y)
