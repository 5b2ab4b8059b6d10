"""The part of Python that becomes machine code, and the machine code of LLVM's language.

Inner loops that must not wait for the interpreter are functions in a small part of Python. They are translated into
LLVM's language (`compile`) and then into machine code (`machine`), which is kept in a cache. Whatever the translator
does not know it refuses with `NotNative`, which names file, line and function; nothing is taken for something else.

**Functions** have arguments with types and without default values: `int`, `float`, `bool` (an integer), pointers
(`Words` to 64-bit integers, `Halves` to 32-bit integers, `Reals`), arrays of numpy, which know their `.size` (`Ints` of
32 bits, `Longs` of 64, `Floats`), and records: named tuples of arrays and other records. A function returns a number, a
pointer, two integers (`tuple[int, int]`) or nothing, and returns it on all ways. It calls other such functions, those
of `language`, `min`, `max`, `abs`, `int`, `float`, `math.sqrt` and `math.log`, all without keywords. Numbers of its
module are constants, and so are the members of its enumerations of integers (`marked`).

**Statements** are assignments to a variable, an element, or several of these at once from as many values, `+=` and the
like, `if`, `while` and `for ... in range(...)` without `else`, `break`, `continue`, `pass` and `return`. A variable has
the kind of what is first assigned to it, and must certainly have a value where it is read.

**Operators** mean what they mean in Python, with these bounds:

- Integers have 64 bits with a sign, and wrap around. An integer that meets a floating-point number becomes one.
- `//` and `%` round down, as in Python. A division by 0 divides by 1: nothing checks it, but no program ends by it.
- `>>` repeats the sign, as in Python; `logical_shift` fills with zeros. A shift is by the count modulo 64.
- `/` is that of floating-point numbers, and by 0 it gives an infinity or no number (nan).
- `and`, `or`, `x if c else y` and chained comparisons compute only what is needed, and have Python's values.
- `int()` of what has no place in 64 bits is the nearest integer that has. A store to 32 bits keeps the last 32.
- `np.uint64(x)` is an integer without a sign, which meets only its like; `np.int64` takes it back.
- An index counts from the pointer on; nothing checks it, and a negative one does not count from the end.

**Elements that several threads change** are read and written with `get`, `put`, `add` and `swap` (`atomics`). A module
that is made for one thread does the same without waiting for others.

**The debug mode** (`checks`) makes machine code that checks what it does: each index against the size of its array, or
against the memory in which its pointer points, if the owner of that memory is watched (`Library.watch`); divisors,
counts of shifts, steps of loops, and conversions to integers. A failed check ends the call with `CheckFailed`, which
names file, line, function, index and bounds. `load(..., checked=True)` asks for it, or GGTP_CHECK_NATIVE=1 in the
environment for all machine code of a program.
"""
