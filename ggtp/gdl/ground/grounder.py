"""Rulesheets → ground programs: all instances of all rules that can ever matter, found by clingo's grounder.

`ground` is a pure function that stops only at too many ground rules. Where time and memory must
be bounded, it runs in a child process with limits (`ground.child`), which can be killed.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import clingo
import numpy as np
import numpy.typing as npt

from ggtp.errors import GgtpError, RulesError
from ggtp.gdl.ground.inline import inline
from ggtp.gdl.ground.program import GroundProgram, RuleTable
from ggtp.gdl.ground.split import is_guard, split
from ggtp.gdl.ground.translate import (
    GOAL,
    INIT,
    NEXT,
    ROLE,
    ROOTS,
    SEES,
    TERMINAL,
    Translation,
    relevant,
    translate,
)
from ggtp.gdl.language.demand import for_grounding
from ggtp.gdl.language.normalise import Program, normalise
from ggtp.gdl.language.syntax import DOES, TRUE, Rulesheet

Ints = npt.NDArray[np.int64]

MAX_RULES = 6_000_000
"""More ground rules than this give a network that nobody can use; the largest useful games have two million."""

ASK_EVERY = 4096
"""How many ground rules pass between two reports of progress, and looks at the limit."""


class GroundingStopped(GgtpError):
    """Grounding was given up: it took more than it may."""


def ground(
    rules: Rulesheet | Program,
    *,
    max_rules: int = MAX_RULES,
    progress: Callable[[int], None] | None = None,
) -> GroundProgram:
    """The ground program of a game.

    Facts and moves are in the order of their canonical texts. Both are supersets of what can
    really happen: conditions are taken one by one, not together.

    Args:
        rules: the game, which should have no faults.
        max_rules: how many ground rules there may be.
        progress: is told how many ground rules there are, every few thousand.

    Raises:
        RulesError: the rules can't be grounded, because variables have no values or `init` depends on the state.
        GroundingStopped: there are too many rules.
    """
    program = normalise(rules) if isinstance(rules, Rulesheet) else rules
    needed = Program(tuple(relevant(program.clauses)), program.roles)
    translation = translate(split(for_grounding(inline(needed, ROOTS), ROOTS)))
    record = _Record(translation.relations, max_rules, progress)
    control = clingo.Control(["--warn=none"], logger=lambda code, message: None)
    control.register_observer(record, replace=True)
    try:
        control.add("base", [], translation.text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise RulesError(f"The rules can't be grounded: {error}.") from error
    return _Assembler(record, translation, program).program()


@dataclass(slots=True)
class _Record(clingo.Observer):
    """Notes what the grounder says, as it says it."""

    relations: Mapping[str, tuple[str, int]]
    max_rules: int
    progress: Callable[[int], None] | None
    heads: array[int] = field(default_factory=lambda: array("i"))
    """The heads of the rules with a body."""
    ends: array[int] = field(default_factory=lambda: array("i"))
    """Where the body of each rule ends among `literals`."""
    literals: array[int] = field(default_factory=lambda: array("i"))
    always: list[int] = field(default_factory=list)
    """Atoms that always hold."""
    chosen: dict[int, list[int]] = field(default_factory=dict)
    """For each input the atoms that allow it; 0 stands for always."""
    shown: dict[tuple[str, int], list[tuple[str, int]]] = field(default_factory=dict)
    """For each relation its atoms as texts with their numbers; 0 stands for one that always holds."""
    _count: int = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count += 1
        if not self._count % ASK_EVERY:
            self._ask()
        if choice:
            self.chosen.setdefault(head[0], []).append(body[0] if body else 0)
        elif not body:
            self.always += head
        else:
            self.heads.append(head[0])
            self.literals.extend(body)
            self.ends.append(len(self.literals))

    def _ask(self) -> None:
        if self.progress is not None:
            self.progress(self._count)
        if self._count > self.max_rules:
            raise GroundingStopped(f"The game has more than {self.max_rules} ground rules.")

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        text = str(symbol)
        name, _, rest = text.partition("(")
        self.shown.setdefault(self.relations[name], []).append((rest[:-1], atom))


class _Assembler:
    """Puts together a ground program from what the grounder said."""

    def __init__(self, record: _Record, translation: Translation, program: Program) -> None:
        self.record = record
        # Guards only told the grounder where to look.
        for functor in [functor for functor in record.shown if is_guard(functor)]:
            record.always += [atom for _, atom in record.shown.pop(functor) if atom]
        self.speller = _Speller(translation)
        self.roles = self._roles(program)
        self.true = self._inputs(TRUE)
        self.facts = sorted(self.true)
        self.does: dict[str, dict[str, int]] = {role: {} for role in self.roles}
        for text, atom in record.shown.get(DOES, ()):
            role, move = self.speller.pair(text)
            self.does[role][move] = atom
        self.moves = [sorted(self.does[role]) for role in self.roles]

    def _roles(self, program: Program) -> tuple[str, ...]:
        found = sorted(self.speller.spell(text) for text, _ in self.record.shown.get(ROLE, ()))
        if not found:
            raise RulesError("The rules name no role.")
        written = [str(role) for role in program.roles if str(role) in found]
        return tuple(dict.fromkeys((*written, *found)))

    def _inputs(self, functor: tuple[str, int]) -> dict[str, int]:
        return {self.speller.spell(text): atom for text, atom in self.record.shown.get(functor, ())}

    def program(self) -> GroundProgram:
        record, speller = self.record, self.speller
        inputs = [self.true[fact] for fact in self.facts]
        inputs += [self.does[role][move] for role, moves in zip(self.roles, self.moves, strict=True) for move in moves]
        number = self._numbering(inputs)
        always = set(number[np.array(record.always, dtype=np.int64)].tolist()) if record.always else set()
        always_atom = int(number.max(initial=0)) + 1
        """One more atom, for everything that needs one that always holds."""

        def atom_of(atom: int) -> int:
            return int(number[atom]) if atom else always_atom

        next_of = {speller.spell(text): atom_of(atom) for text, atom in record.shown.get(NEXT, ())}
        legal = tuple(
            tuple(atom_of(record.chosen[self.does[role][move]][0]) for move in moves)
            for role, moves in zip(self.roles, self.moves, strict=True)
        )
        terminal = [atom_of(atom) for _, atom in record.shown.get(TERMINAL, ())]
        positions = {fact: index for index, fact in enumerate(self.facts)}
        return GroundProgram(
            roles=self.roles,
            facts=tuple(self.facts),
            moves=tuple(tuple(moves) for moves in self.moves),
            initial=tuple(sorted(positions[fact] for fact in self._initial())),
            atoms=always_atom,
            rules=self._rules(number),
            next=tuple(next_of.get(fact, 0) for fact in self.facts),
            legal=legal,
            terminal=terminal[0] if terminal else 0,
            goals=self._goals(atom_of),
            always=frozenset(always | {always_atom}),
            sees=self._sees(atom_of),
        )

    def _numbering(self, inputs: Sequence[int]) -> Ints:
        """For each atom of the grounder its number in the program, inputs first; unused ones are left out."""
        record = self.record
        literals = np.abs(np.array(record.literals, dtype=np.int32))
        heads = np.array(record.heads, dtype=np.int32)
        shown = [atom for atoms in record.shown.values() for _, atom in atoms]
        other = [*shown, *chain.from_iterable(record.chosen.values()), *record.always, 0]
        used = np.zeros(max(literals.max(initial=0), heads.max(initial=0), max(other)) + 1, dtype=bool)
        used[literals] = used[heads] = True
        used[np.array(shown, dtype=np.int64)] = True
        used[np.array([0, *chain.from_iterable(record.chosen.values())], dtype=np.int64)] = True
        used[np.array([0, *inputs], dtype=np.int64)] = False
        number = np.zeros(len(used), dtype=np.int64)
        derived = np.flatnonzero(used)
        number[derived] = np.arange(len(inputs) + 1, len(inputs) + 1 + len(derived))
        number[np.array(inputs, dtype=np.int64)] = np.arange(1, len(inputs) + 1)
        return number

    def _rules(self, number: Ints) -> RuleTable:
        record = self.record
        literals = np.array(record.literals, dtype=np.int32)
        renamed = (number[np.abs(literals)] * np.sign(literals)).astype(np.int32)
        heads = number[np.array(record.heads, dtype=np.int32)].astype(np.int32)
        return RuleTable(heads, np.array(record.ends, dtype=np.int32), renamed)

    def _initial(self) -> list[str]:
        result = []
        for text, atom in self.record.shown.get(INIT, ()):
            fact = self.speller.spell(text)
            if atom and atom not in self.record.always:
                raise RulesError(f"Whether {fact} holds at the start depends on a state, and there is none yet.")
            result.append(fact)
        return result

    def _goals(self, atom_of: Callable[[int], int]) -> tuple[tuple[tuple[int, int], ...], ...]:
        goals: dict[str, list[tuple[int, int]]] = {role: [] for role in self.roles}
        for text, atom in self.record.shown.get(GOAL, ()):
            role, value = self.speller.pair(text)
            if role in goals:
                try:
                    goals[role].append((int(value), atom_of(atom)))
                except ValueError:
                    raise RulesError(f"A goal must be a number, and {value} is none.") from None
        return tuple(tuple(sorted(goals[role])) for role in self.roles)

    def _sees(self, atom_of: Callable[[int], int]) -> tuple[tuple[tuple[str, int], ...], ...]:
        if SEES not in self.record.shown:
            return ()
        sees: dict[str, list[tuple[str, int]]] = {role: [] for role in self.roles}
        for text, atom in self.record.shown[SEES]:
            role, percept = self.speller.pair(text)
            if role in sees:
                sees[role].append((percept, atom_of(atom)))
        return tuple(tuple(sorted(sees[role])) for role in self.roles)


class _Speller:
    """Gives numbers their names back."""

    def __init__(self, translation: Translation) -> None:
        self._functions = [f"({name}" for name in translation.functions]
        self._constants = translation.constants

    def spell(self, text: str) -> str:
        """The canonical text of a term."""
        return re.sub(r"f(\d+)\(|(\d+)|,", self._word, text)

    def _word(self, match: re.Match[str]) -> str:
        if match[2] is not None:
            return self._constants[int(match[2])]
        return f"{self._functions[int(match[1])]} " if match[1] is not None else " "

    def pair(self, text: str) -> tuple[str, str]:
        """The canonical texts of two terms, the first of them a constant or not."""
        depth = 0
        for index, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if letter == "," and not depth:
                return self.spell(text[:index]), self.spell(text[index + 1 :])
        raise AssertionError(text)
