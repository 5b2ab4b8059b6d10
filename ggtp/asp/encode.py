"""The rules of a one-player game as an answer set program about its plays, as Thielscher and Centurio map them.

What a state decides gets one more argument, the time; everything else stays as it is. At each
time that the play has not ended before, one legal move is made, and none afterwards. The text
has these parts: `base`, what holds always, and how the play begins; `observe(t)`, what the
state at time t decides; `act(t)`, a move at time t and the state after it; `aim(g,t)`, whether
the play ends at time t with at least the goal g; `reach(g,t)`, whether it does so by then, of all
steps that there are; `prefer`, that greater goals are better.

Nothing of the rules' spelling is in the text: see `gdl.translate`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ggtp.gdl.ground.translate import GOAL, INIT, LEGAL, NEXT, ROLE, TERMINAL, Translator, relevant
from ggtp.gdl.language.dependencies import dependents, static_relations
from ggtp.gdl.language.normalise import Clause, normalise
from ggtp.gdl.language.syntax import DOES, TRUE, Atom, Functor, Rulesheet, Term

TIME = "t"


@dataclass(frozen=True, slots=True)
class Encoding:
    """A program, and how to read its answers."""

    text: str
    does: str
    """The relation of moves: player, move, time."""
    goals: tuple[int, ...]
    """The goal values that the rules name, the greatest first."""
    functions: tuple[str, ...]
    constants: tuple[str, ...]


def encode(sheet: Rulesheet, start: Sequence[Term] | None = None) -> Encoding:
    """The program of a game, whose play begins where these facts hold; without any, where the game begins.

    Its atom `over(t)` says that the play has ended by time t, `got(g,t)` that it ends then with the goal g,
    `aim(g,t)` that it does so with at least this goal, and `reach(g,t)` that it does so then or before.

    Raises:
        RulesError: a variable of a clause can never get a value.
    """
    return _Encoder().encode(relevant(normalise(sheet).clauses), start)


class _Encoder(Translator):
    """Writes each part with the arguments that it needs."""

    def __init__(self) -> None:
        super().__init__()
        self._static: set[Functor] = set()

    def more_arguments(self, functor: Functor) -> Sequence[str]:
        return () if functor in self._static else (TIME,)

    def encode(self, clauses: Sequence[Clause], start: Sequence[Term] | None) -> Encoding:
        self._static = static_relations(clauses) - {TRUE, DOES, LEGAL, GOAL, TERMINAL, NEXT} | {ROLE, INIT}
        known = {clause.head.functor for clause in clauses} | {TRUE, DOES}
        acting = dependents(clauses, [DOES]) - {DOES}
        base = self._part((clause for clause in clauses if clause.head.functor in self._static), known)
        elsewhere = self._static | acting
        observe = self._part((clause for clause in clauses if clause.head.functor not in elsewhere), known)
        act = self._part((clause for clause in clauses if clause.head.functor in acting), known)
        name = {item: f"p{self.relations[item]}" for item in (ROLE, INIT, TRUE, NEXT, LEGAL, DOES, TERMINAL, GOAL)}
        if start is None:
            base.append(f"{name[TRUE]}(F,0) :- {name[INIT]}(F).")
        else:
            base += [f"{name[TRUE]}({self.term(fact, {})},0)." for fact in start]
        observe += [
            "over(t) :- over(t-1).",
            *([f"ends(t) :- {name[TERMINAL]}(t), not over(t-1)."] if TERMINAL in known else []),
            # Not by `ends`: where a counter ends the play for certain, the grounder sees that it is over.
            *([f"over(t) :- {name[TERMINAL]}(t)."] if TERMINAL in known else []),
        ]
        goals = _goal_values(clauses, self.constants)
        if goals:
            observe.append(f"got(V,t) :- ends(t), {name[GOAL]}(R,C,t), worth(C,V).")
        base += [f"worth({self.constants[str(value)]},{value})." for value in goals]
        act += [
            f"1 {{{name[DOES]}(R,M,t) : {name[LEGAL]}(R,M,t)}} 1 :- {name[ROLE]}(R), not over(t).",
            f"{name[TRUE]}(F,t+1) :- {name[NEXT]}(F,t).",
        ]
        parts = (
            ("base.", base),
            ("observe(t).", observe),
            ("act(t).", act),
            ("aim(g,t).", ["aim(g,t) :- got(V,t), V>=g."]),
            ("reach(g,t).", ["reach(g,t) :- got(V,T), V>=g."]),
            ("prefer.", ["#maximize {V : got(V,T)}."]),
        )
        lines = [line for head, part in parts for line in (f"#program {head}", *part) if line]
        shown = [f"#show {name[DOES]}/3.", "#show got/2."]
        return Encoding(
            "\n".join([*lines, "#program base.", *shown]) + "\n",
            name[DOES],
            tuple(goals),
            tuple(item for item, _ in self.functions),
            tuple(self.constants),
        )

    def _part(self, clauses: Iterable[Clause], known: set[Functor]) -> list[str]:
        self.lines = []
        for clause in clauses:
            self.clause(clause, known)
        return self.lines


def _goal_values(clauses: Sequence[Clause], constants: Collection[str]) -> list[int]:
    """What goals may be worth: the values in the rules' heads, and what plain facts say where those have a variable."""
    found: set[str] = set()
    for clause in clauses:
        if clause.head.functor == GOAL:
            value = clause.head.args[1]
            found |= {str(value)} if value.ground else _values(value, clause, clauses, constants)
    return sorted((int(text) for text in found if text.isdigit() and text in constants), reverse=True)


def _values(variable: Term, clause: Clause, clauses: Sequence[Clause], constants: Collection[str]) -> set[str]:
    """What a variable of a clause may be: by a condition that only facts fulfil, else any constant."""
    for item in clause.body:
        if isinstance(item, Atom) and variable in item.args:
            functor, place = item.functor, item.args.index(variable)
            heads = [other.head for other in clauses if other.head.functor == functor]
            if heads and all(head.args[place].ground for head in heads):
                return {str(head.args[place]) for head in heads}
    return set(constants)
