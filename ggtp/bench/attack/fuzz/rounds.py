"""Rounds of fuzzing: each mutates texts of a subject's corpus and has a child read them all."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from ggtp.bench.attack.fuzz.child import MODULE
from ggtp.bench.attack.fuzz.corpus import Corpus, corpus_folder
from ggtp.bench.attack.fuzz.mutation import mutated
from ggtp.bench.attack.fuzz.subjects import SUBJECTS, Subject
from ggtp.bench.attack.parts import Attempt, Site
from ggtp.processes.child import Child, End, Line
from ggtp.processes.forked import alone

TEXTS = 100
"""How many mutants a child reads: enough to be worth its start."""
MEGABYTES = 3072
"""The memory of a child: the modules and their libraries take a few hundred."""
GUARD = 600.0
"""Seconds in which a child has to end, however busy the machine: only code that hears no signal needs them."""


def fuzzing(name: str) -> Callable[[Site], AbstractContextManager[Attempt]]:
    """The `begin` of the part that fuzzes a subject, by its name."""
    return lambda site: _fuzzing(site, SUBJECTS[name])


@contextmanager
def _fuzzing(site: Site, subject: Subject) -> Iterator[Attempt]:
    corpus = Corpus(corpus_folder(site.variables, subject.name), subject.seeds(site.variables))
    if alone():
        subject.reader(site.variables)  # what is loaded now need not be loaded in each child
    began = time.monotonic()
    yield partial(_attempt, site, subject, corpus)
    site.tally.measured("corpus", len(corpus.texts))
    site.tally.measured("lines_per_s", site.tally.figures.get("lines", 0) / max(time.monotonic() - began, 1e-9))


def _attempt(site: Site, subject: Subject, corpus: Corpus, number: int, rng: random.Random) -> None:
    # The first round reads the texts of the project as they are: they are right.
    texts = corpus.texts
    mutants = list(corpus.seeds) if number == 0 else [mutated(corpus.choose(rng), rng, texts) for _ in range(TEXTS)]
    while mutants:
        read = _Reading(site, corpus, mutants)
        child = Child(MODULE, {"subject": subject.name, "texts": mutants, "megabytes": MEGABYTES}, copy=alone())
        ended = child.listen(seconds=GUARD, on_line=read.hear)
        if read.ended == len(mutants):
            return  # on a busy machine it may be killed while it leaves
        site.tally.found(
            "hung" if ended.end is End.LATE else "tracebacks",
            f"The child ended {ended.end.value} with status {ended.status} at {read.at_hand()}: {ended.last_words}",
        )
        mutants = mutants[read.begun + 1 :]


class _Reading:
    """What a child says of its mutants."""

    def __init__(self, site: Site, corpus: Corpus, mutants: list[str]) -> None:
        self._site = site
        self._corpus = corpus
        self._mutants = mutants
        self.begun = 0
        """The number of the mutant at hand."""
        self.ended = 0
        """How many were read."""

    def at_hand(self) -> str:
        """Where the mutant at hand is written down."""
        return str(self._corpus.finding(self._mutants[self.begun]))

    def hear(self, line: Line) -> None:
        """One more line."""
        tally = self._site.tally
        if "begin" in line:
            self.begun = line["begin"]
            tally.attempted()
            return
        self.ended += 1
        text = self._mutants[line["end"]]
        tally.add("characters", len(text))
        tally.add("lines", text.count("\n") + 1)
        if self._corpus.keep(text, line["shown"]):
            tally.add("fresh")
            # The same finding again is nothing new.
            if line["kind"] is not None:
                tally.found(line["kind"], f"{line['what']}: {self._corpus.finding(text)}")
        elif line["kind"] is not None:
            tally.add("known_findings")
