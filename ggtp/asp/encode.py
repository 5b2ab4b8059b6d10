"""The rules of a one-player game as an answer set program about its plays, as Thielscher and Centurio map them.

What a state decides gets one more argument, the time; everything else stays as it is. At each
time that the play has not ended before, one legal move is made, and none afterwards. The text
has three parts: `base`, what holds always, and how the play begins; `observe(t)`, what the
state at time t decides; `act(t)`, a move at time t and the state after it.

Nothing of the rules' spelling is in the text: see `gdl.translate`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ggtp.gdl.graph import dependencies, reachable
from ggtp.gdl.ground_demand import static_relations
from ggtp.gdl.normalise import Clause, normalise
from ggtp.gdl.relation import Functor
from ggtp.gdl.syntax import Rulesheet
from ggtp.gdl.translate import DOES, GOAL, INIT, LEGAL, NEXT, ROLE, TERMINAL, TRUE, Translator, relevant

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


def encode(sheet: Rulesheet) -> Encoding:
    """The program of a game.

    Its atom `ends(t)` says that the play ends at time t, and `won(g,t)` that it does so with at least the goal g.

    Raises:
        RulesError: a variable of a clause can never get a value.
    """
    return _Encoder().encode(relevant(normalise(sheet).clauses))


class _Encoder(Translator):
    """Writes each part with the arguments that it needs."""

    def __init__(self) -> None:
        super().__init__()
        self._static: set[Functor] = set()

    def more_arguments(self, functor: Functor) -> Sequence[str]:
        return () if functor in self._static else (TIME,)

    def encode(self, clauses: Sequence[Clause]) -> Encoding:
        self._static = static_relations(clauses) - {TRUE, DOES, LEGAL, GOAL, TERMINAL, NEXT} | {ROLE, INIT}
        known = {_functor(clause) for clause in clauses} | {TRUE, DOES}
        acting = _users(clauses, DOES)
        base = self._part((clause for clause in clauses if _functor(clause) in self._static), known)
        observe = self._part(
            (item for item in clauses if _functor(item) not in self._static and _functor(item) not in acting), known
        )
        act = self._part((clause for clause in clauses if _functor(clause) in acting), known)
        name = {item: f"p{self.relations[item]}" for item in (ROLE, INIT, TRUE, NEXT, LEGAL, DOES, TERMINAL, GOAL)}
        base.append(f"{name[TRUE]}(F,0) :- {name[INIT]}(F).")
        observe += [
            "over(t) :- over(t-1).",
            f"ends(t) :- {name[TERMINAL]}(t), not over(t-1)." if TERMINAL in known else "",
            "over(t) :- ends(t).",
        ]
        goals = _goal_values(clauses, self.constants)
        for value in goals:
            number = self.constants[str(value)]
            observe.append(f"won(V,t) :- ends(t), {name[GOAL]}(R,{number},t), worth({number},V).")
        base += [f"worth({self.constants[str(one)]},{other})." for one in goals for other in goals if one >= other]
        act += [
            f"1 {{{name[DOES]}(R,M,t) : {name[LEGAL]}(R,M,t)}} 1 :- {name[ROLE]}(R), not over(t).",
            f"{name[TRUE]}(F,t+1) :- {name[NEXT]}(F,t).",
        ]
        parts = (("base.", base), ("observe(t).", observe), ("act(t).", act))
        lines = [line for head, part in parts for line in (f"#program {head}", *part) if line]
        shown = [f"#show {name[DOES]}/3.", "#show won/2."]
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


def _users(clauses: Sequence[Clause], relation: Functor) -> set[Functor]:
    """The relations that depend on this one."""
    users: dict[Functor, list[Functor]] = {}
    for functor, targets in dependencies(clauses).items():
        for target in targets:
            users.setdefault(target, []).append(functor)
    return reachable(users, [relation]) - {relation}


def _goal_values(clauses: Sequence[Clause], constants: Collection[str]) -> list[int]:
    """What goals may be worth: the values in the rules' heads, or every number where a head has a variable."""
    heads = [clause.head.args[1] for clause in clauses if _functor(clause) == GOAL]
    texts = {str(value) for value in heads} if all(value.ground for value in heads) else set(constants)
    return sorted((int(text) for text in texts if text.isdigit() and text in constants), reverse=True)


def _functor(clause: Clause) -> Functor:
    return clause.head.name, len(clause.head.args)
