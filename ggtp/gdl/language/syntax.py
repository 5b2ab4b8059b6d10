"""Terms, literals, rules and the rulesheet, as values.

Terms say nothing of where they stand; literals and rules do, in `place`, which takes no part
in comparing them. `str` of anything is its canonical text: names as they are, one blank
between the elements of a list and none inside its parentheses. `(noop)` and `noop` are two
different terms, as they are to the reference player; as sentences, `(open)` and `open` are
the same, since nobody ever meant two relations by them.

Terms carry their hash and their text, so that using them as keys costs little, and all equal
terms of one rulesheet are one object (`TermTable`). Hashes differ from process to process;
pickled terms leave theirs behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self, TypeAlias

from ggtp.gdl.language.faults import Fault
from ggtp.gdl.language.reader import NOWHERE, Place, SList


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A term that is only a name: equal to those of its own class with the same name."""

    name: str
    _hash: int = field(init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, type(self)) and self.name == other.name)

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.name,)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Word):
    """A variable; its name begins with `?`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(("variable", self.name)))

    @property
    def ground(self) -> bool:
        """Whether there is no variable in it: there is."""
        return False


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Word):
    """A name without arguments: an object constant, number or not."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.name))

    @property
    def ground(self) -> bool:
        """Whether there is no variable in it: there is none."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    """A function applied to terms, or to none at all: `(cell 1 ?y b)`, `(noop)`."""

    name: str
    args: tuple[Term, ...]
    ground: bool = field(init=False, repr=False)
    """Whether there is no variable in it."""
    depth: int = field(init=False, repr=False)
    """How many compounds are nested: 1 when all arguments are constants or variables."""
    _hash: int = field(init=False, repr=False)
    _text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "ground", all(arg.ground for arg in self.args))
        set_field(self, "depth", 1 + max((depth(arg) for arg in self.args), default=0))
        set_field(self, "_hash", hash((self.name, self.args)))
        set_field(self, "_text", f"({' '.join((self.name, *map(str, self.args)))})")

    def __eq__(self, other: object) -> bool:
        # The texts of different compounds differ, because no name has blanks or parentheses.
        return self is other or (isinstance(other, Compound) and self._text == other._text)

    def __reduce__(self) -> tuple[type[Compound], tuple[str, tuple[Term, ...]]]:
        return Compound, (self.name, self.args)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self._text


Term: TypeAlias = Variable | Constant | Compound


def depth(term: Term) -> int:
    """How many compounds are nested in the term; 0 for constants and variables."""
    return term.depth if isinstance(term, Compound) else 0


def variables(term: Term) -> Iterator[Variable]:
    """The variables of the term from left to right, repeated as they are."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, Compound) and not term.ground:
        for arg in term.args:
            yield from variables(arg)


class TermTable:
    """Makes terms so that equal ones are the same object."""

    __slots__ = ("_compounds", "_constants", "_variables")

    def __init__(self) -> None:
        self._variables: dict[str, Variable] = {}
        self._constants: dict[str, Constant] = {}
        self._compounds: dict[tuple[str, tuple[Term, ...]], Compound] = {}

    def variable(self, name: str) -> Variable:
        """The variable of that name, with its question mark."""
        found = self._variables.get(name)
        return found if found is not None else self._variables.setdefault(name, Variable(name))

    def constant(self, name: str) -> Constant:
        """The constant of that name."""
        found = self._constants.get(name)
        return found if found is not None else self._constants.setdefault(name, Constant(name))

    def compound(self, name: str, args: tuple[Term, ...]) -> Compound:
        """The function applied to these terms."""
        found = self._compounds.get((name, args))
        return found if found is not None else self._compounds.setdefault((name, args), Compound(name, args))


Functor: TypeAlias = tuple[str, int]
"""The name of a relation or a function, and the number of its arguments."""

TRUE: Functor = ("true", 1)
DOES: Functor = ("does", 2)


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation between terms that holds or does not: `(true (cell 1 1 b))`, `terminal`."""

    name: str
    args: tuple[Term, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)
    bare: bool = field(default=True, compare=False)
    """Whether one without arguments was written without parentheses."""

    def __str__(self) -> str:
        return f"({' '.join((self.name, *map(str, self.args)))})" if self.args else self.name

    @property
    def functor(self) -> Functor:
        """The relation that it is about."""
        return self.name, len(self.args)


@dataclass(frozen=True, slots=True)
class Not:
    """A literal that must not hold, for any value of the variables that stand in it alone."""

    body: Literal
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(not {self.body})"


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of these holds."""

    options: tuple[Literal, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({' '.join(('or', *map(str, self.options)))})"


@dataclass(frozen=True, slots=True)
class And:
    """All of these hold. No word of the language, but old rule files have it inside `or` and `not`."""

    parts: tuple[Literal, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({' '.join(('and', *map(str, self.parts)))})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """The two terms are not the same."""

    left: Term
    right: Term
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


Literal: TypeAlias = Atom | Not | Or | And | Distinct


def literal_variables(literal: Literal) -> Iterator[Variable]:
    """The variables of the literal from left to right, repeated as they are."""
    match literal:
        case Atom():
            for arg in literal.args:
                yield from variables(arg)
        case Distinct():
            yield from variables(literal.left)
            yield from variables(literal.right)
        case Not():
            yield from literal_variables(literal.body)
        case Or():
            for part in literal.options:
                yield from literal_variables(part)
        case And():
            for part in literal.parts:
                yield from literal_variables(part)


def atoms(literal: Literal) -> Iterator[Atom]:
    """The atoms in the literal, from left to right."""
    match literal:
        case Atom():
            yield literal
        case Not():
            yield from atoms(literal.body)
        case Or():
            for part in literal.options:
                yield from atoms(part)
        case And():
            for part in literal.parts:
                yield from atoms(part)
        case Distinct():
            pass


@dataclass(frozen=True, slots=True)
class Rule:
    """The head holds if every literal of the body does; a fact has no body."""

    head: Atom
    body: tuple[Literal, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)
    source: SList | None = field(default=None, compare=False, repr=False)
    """The list that it was read from, where it was: for the places of single words."""

    def __str__(self) -> str:
        return f"({' '.join(('<=', str(self.head), *map(str, self.body)))})" if self.body else str(self.head)

    def variables(self) -> Iterator[Variable]:
        """The variables of head and body from left to right, repeated as they are."""
        yield from literal_variables(self.head)
        for literal in self.body:
            yield from literal_variables(literal)


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """The rules of one game, in the order of the text."""

    rules: tuple[Rule, ...]
    faults: tuple[Fault, ...] = field(default=(), compare=False)
    """What could not be understood, and is not among the rules."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))

    def of(self, name: str) -> Sequence[Rule]:
        """The rules and facts whose head has that name."""
        return [rule for rule in self.rules if rule.head.name == name]

    def roles(self) -> tuple[Term, ...]:
        """The players, in the order of the `role` facts."""
        found = (rule.head.args[0] for rule in self.of("role") if not rule.body and len(rule.head.args) == 1)
        return tuple(dict.fromkeys(role for role in found if role.ground))
