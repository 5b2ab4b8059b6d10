"""Given states: legal moves, next states, ends and goals, for the nodes of a tree.

A state is bytes here: fact f is bit f % 8 of byte f // 8, and the length is a multiple of eight. As
rows of little-endian 64-bit words such states are what `PlayoutKernel.run_from` takes; `rows` and
`states` go from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import addressof, c_char_p, c_int32, c_int64, c_void_p, create_string_buffer
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ggtp.gdl.kernel.parts import Part, Parts, PartsMaker, entries_of, parts_of
from ggtp.gdl.kernel.single_runtime import PLAN, state_runtime_text
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import ONES, Code
from ggtp.gdl.program.state import StateProgram
from ggtp.native.machine import CodeCache, Effort, Library, object_code
from ggtp.native.memory import Longs, Slots

ONE_FUNCTION = 10_000
"""Operations up to which the game's own code is one function."""

_ALL = 0xFFFF_FFFF_FFFF_FFFF
_CHUNK = 1_000

if TYPE_CHECKING:
    # Loaded where there are arrays to work with: single states do without.
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.int32]


class Look(NamedTuple):
    """What holds in a state."""

    terminal: bool
    goals: list[int]
    """For each role the greatest value that holds; 0 where none does."""
    legal: list[list[int]]
    """For each role the indexes of its legal moves, in order."""


class Looks(NamedTuple):
    """What holds in many states: a row for each."""

    terminal: npt.NDArray[np.bool_]
    goals: Numbers
    legal: Words
    """Bit m % 64 of word m // 64 says that move m is legal; the moves of all roles follow each other."""


def row_words(network: Network) -> int:
    """How many 64-bit words a state has."""
    return max(1, -(-len(network.facts) // 64))


def pack(network: Network, facts: Iterable[int]) -> bytes:
    """The state in which these facts hold, by their indexes."""
    return sum(1 << fact for fact in facts).to_bytes(8 * row_words(network), "little")


def unpack(state: bytes) -> list[int]:
    """The indexes of the facts that hold."""
    bits = int.from_bytes(state, "little")
    return [fact for fact in range(bits.bit_length()) if bits >> fact & 1]


def rows(states: Sequence[bytes]) -> Words:
    """States as an array, a row each."""
    import numpy as np

    width = len(states[0]) // 8 if states else 1
    return np.frombuffer(b"".join(states), "<u8").astype(np.uint64).reshape(len(states), width)


def states(array: Words) -> list[bytes]:
    """The rows of an array as states."""
    import numpy as np

    data = np.ascontiguousarray(array, "<u8").tobytes()
    size = 8 * array.shape[1]
    return [data[i : i + size] for i in range(0, len(data), size)]


class StateKernel:
    """Answers questions about states; not for two threads at once.

    Args:
        compiled: compile the game's own code; otherwise a table is used, which is there at once but slower.
        kept: where machine code is kept.
        name: what the game has there and no other has; see `parts_of`.
    """

    def __init__(
        self, program: StateProgram, *, compiled: bool = True, kept: CodeCache | None = None, name: str = ""
    ) -> None:
        network = program.network
        self.program = program
        self.row_words = row_words(network)
        self._roles = len(network.roles)
        parts = _parts(program, compiled, kept, name)
        self._library = Library(parts.runtime)
        (look, move), keep = entries_of(parts.parts, self._library)
        self._memory = Slots(max(program.slots, parts.slots), 1)
        self._memory.fill(ONES, _ALL)
        self._values = Longs([value for pairs in network.goals for value, _ in pairs])
        move_counts = [len(moves) for moves in network.moves]
        sizes = Longs([*move_counts, *(len(pairs) for pairs in network.goals)])
        offsets = Longs([0, *accumulate(move_counts)])
        self._results = program.move_count + program.goal_count + 1
        plan = {
            "memory": self._memory.address(),
            "look": look.address,
            "look_entries": len(look),
            "move": move.address,
            "move_entries": len(move),
            "facts": len(network.facts),
            "row_words": self.row_words,
            "first_move": program.first_move,
            "first_result": program.first_result,
            "roles": self._roles,
            "sizes": sizes.address,
            "values": self._values.address,
            "offsets": offsets.address,
            "moves": program.move_count,
            "results": self._results,
        }
        self._plan = Longs([plan[name] for name in PLAN])
        self._keep: tuple[Any, ...] = (*keep, look, move, sizes, offsets)
        self._prepare()

    def _prepare(self) -> None:
        """Makes everything that calls need once: a call from Python costs more than the work behind it."""
        found = (c_int32 * (1 + 2 * self._roles + self.program.move_count))()
        moves = (c_int32 * self._roles)()
        self._next = create_string_buffer(8 * self.row_words)
        view = memoryview(found).cast("B").cast("i")
        self._head, self._body = view[: 1 + 2 * self._roles], view[1 + 2 * self._roles :]
        self._moves = moves
        self._size = 8 * self.row_words
        self._at = c_void_p(self._plan.address)
        self._found_at = c_void_p(addressof(found))
        self._moves_at = c_void_p(addressof(moves))
        self._next_at = c_void_p(addressof(self._next))
        function = self._library.function
        self._call_look = function("look", None, c_void_p, c_char_p, c_void_p)
        self._call_move = function("move", None, c_void_p, c_char_p, c_void_p, c_void_p)
        self._call_look_many = function("look_many", None, c_void_p, c_void_p, c_int64, c_void_p)
        self._call_move_many = function("move_many", None, c_void_p, c_void_p, c_void_p, c_int64, c_void_p)

    def look(self, state: bytes) -> Look:
        """Everything about a state."""
        if len(state) != self._size:
            raise ValueError(f"a state has {self._size} bytes, not {len(state)}")
        self._call_look(self._at, state, self._found_at)
        terminal, *numbers = self._head.tolist()
        ends = numbers[self._roles :]
        found = self._body[: ends[-1]].tolist()
        legal, start = [], 0
        for end in ends:
            legal.append(found[start:end])
            start = end
        return Look(bool(terminal), numbers[: self._roles], legal)

    def legal(self, state: bytes) -> list[list[int]]:
        """For each role the indexes of its legal moves."""
        return self.look(state).legal

    def next(self, state: bytes, moves: Sequence[int]) -> bytes:
        """The state after a joint move: for each role the index of its move.

        Raises:
            ValueError: the state is too short or too long, or there are more or fewer moves than roles.
        """
        if len(state) != self._size:
            raise ValueError(f"a state has {self._size} bytes, not {len(state)}")
        self._moves[:] = list(moves)
        self._call_move(self._at, state, self._moves_at, self._next_at)
        return self._next.raw

    def look_bits(self, array: Words) -> Words:
        """All `results` of many states: bit b % 64 of word b // 64 in a row for each."""
        import numpy as np

        array = self._checked(array)
        out = np.zeros((len(array), -(-self._results // 64)), np.uint64)
        self._call_look_many(self._at, array.ctypes.data, len(array), out.ctypes.data)
        return out

    def look_many(self, array: Words) -> Looks:
        """Everything about many states."""
        import numpy as np

        out = self.look_bits(array)
        values = np.array(self._values.numbers, np.int64)
        bits = np.unpackbits(out.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        moves = self.program.move_count
        goals = np.zeros((len(array), self._roles), np.int32)
        place = 0
        for role, pairs in enumerate(self.program.network.goals):
            own = bits[:, moves + place : moves + place + len(pairs)] * values[place : place + len(pairs)]
            if pairs:
                goals[:, role] = own.max(axis=1)
            place += len(pairs)
        legal = out[:, : max(1, -(-moves // 64))].copy()
        if moves % 64:
            legal[:, -1] &= np.uint64((1 << moves % 64) - 1)
        return Looks(bits[:, self._results - 1].astype(np.bool_), goals, legal)

    def next_many(self, array: Words, moves: npt.NDArray[np.integer[Any]]) -> Words:
        """The states after joint moves: a row of moves for each row."""
        import numpy as np

        array = self._checked(array)
        chosen = np.ascontiguousarray(moves, np.int32)
        if chosen.shape != (len(array), self._roles):
            raise ValueError(f"there are {self._roles} moves for each of {len(array)} states, not {chosen.shape}")
        out = np.zeros_like(array)
        self._call_move_many(self._at, array.ctypes.data, chosen.ctypes.data, len(array), out.ctypes.data)
        return out

    def entrance(self) -> tuple[int, int, int]:
        """Addresses for other machine code: the plan, `look_many` and `move_many`; only as long as the kernel lives."""
        address = self._library.address
        return self._plan.address, address("look_many"), address("move_many")

    @property
    def results(self) -> int:
        """How many bits a look has: legal moves, goals in the order of their values, and at last the end."""
        return self._results

    def _checked(self, array: Words) -> Words:
        import numpy as np

        array = np.ascontiguousarray(array, np.uint64)
        if array.ndim != 2 or array.shape[1] != self.row_words:
            raise ValueError(f"states have {self.row_words} words each, not {array.shape[1:]}")
        return array


def _parts(program: StateProgram, compiled: bool, kept: CodeCache | None, name: str) -> Parts:
    def part(maker: PartsMaker, code: Code) -> Part:
        if not compiled:
            return maker.table(code)
        return maker.functions(code, len(code) if len(code) <= ONE_FUNCTION else _CHUNK)

    def make(pieces: CodeCache | None) -> Parts:
        runtime = object_code(state_runtime_text(), Effort.PASSES, kept)
        maker = PartsMaker(1, Effort.PLAIN, pieces)
        parts = part(maker, program.look), part(maker, program.move)
        return Parts(runtime, maker.slots, maker.words, parts)

    return parts_of(kept, name, "states functions" if compiled else "states table", make)
