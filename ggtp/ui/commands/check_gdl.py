"""What `ggtp check` tells of rules in the Game Description Language: faults in the text, and the network."""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ggtp.catalogue.compile.compiler import Compiled, Compiler, Limits
from ggtp.catalogue.gdl_rules import decode
from ggtp.catalogue.paths import read_file
from ggtp.errors import CommandError, NotCompiled, RulesError
from ggtp.game import Rules
from ggtp.game.checks.contract import Finding
from ggtp.gdl.language.faults import Fault, as_error, errors
from ggtp.gdl.language.validate import validate_text
from ggtp.gdl.play.agree import compare
from ggtp.gdl.play.rules import GdlRules

COMPARING = 5.0
"""Seconds at most in which the network is compared with the interpreter."""


class GdlCheck:
    """Order of operations: make it, and the text is validated; `compile`, if it is `playable`; `data` or `report`."""

    def __init__(self, path: Path, args: argparse.Namespace) -> None:
        """Read a file and list its faults.

        Raises:
            RulesError: it can't be read at all.
        """
        self.path = path
        self.text = decode(path, read_file(path, RulesError))
        self.faults = validate_text(self.text, str(path))
        self._args = args
        self._figures: dict[str, Any] | None = None
        self._interpreted = ""
        """Why the interpreter plays."""

    @property
    def playable(self) -> bool:
        """Whether no fault forbids playing."""
        return not errors(self.faults)

    def compile(self, rules: Rules, compiler: Compiler, say: Callable[[str], None]) -> list[Finding]:
        """Compile the rules, and let the compiled machine play them; the interpreter plays on where that can't be.

        Raises:
            CommandError: this kernel can't play every game.
        """
        assert isinstance(rules, GdlRules)
        kernel = self._args.kernel
        if kernel == "network":
            raise CommandError("The network, gate by gate, is there for --traces only.")
        if kernel == "interpreter":
            self._interpreted = "It was asked for."
            return []
        until = time.monotonic() + self._args.time
        limits = Limits(self._args.time, self._args.memory)
        try:
            compiled = compiler.compile(rules.text or "", limits, progress=say)
        except (NotCompiled, RulesError) as error:
            if kernel is not None:
                raise
            self._interpreted = str(error)
            return []
        say("compiling")
        own = compiled.game.own_code if kernel is None else kernel == "single"
        began = time.monotonic()
        machine = compiled.game.machine(compiled=own)
        self._measure(compiled, own, time.monotonic() - began, until)
        say("comparing the network with the interpreter")
        until = time.monotonic() + COMPARING
        agreement = compare(
            rules.game.machine, machine, random.Random(0), should_stop=lambda: time.monotonic() > until
        )  # fmt: skip
        assert self._figures is not None
        self._figures |= {"compared_states": agreement.states, "agrees": agreement.difference is None}
        if agreement.difference is not None:
            return [Finding("network", agreement.difference)]
        rules.use(machine)
        return []

    def _measure(self, compiled: Compiled, own: bool, state_s: float, until: float) -> None:
        game = compiled.game
        began = time.monotonic()
        figures = game.figures()
        compile_s: float | None
        try:
            from ggtp.gdl.kernel.playouts import Cancelled

            game.best(lambda: time.monotonic() > until)
            compile_s = round(time.monotonic() - began, 3)
        except Cancelled:
            compile_s = None
        usage = resource.getrusage(resource.RUSAGE_SELF)
        self._figures = {
            **figures,
            "states": "single" if own else "table",
            "ground_s": compiled.ground_s,
            "build_s": compiled.build_s,
            "states_s": round(state_s, 3),
            "compile_s": compile_s,
            "memory_mib": round(max(compiled.memory_mib, usage.ru_maxrss / 1024)),
            "cached": compiled.kept,
        }

    def data(self) -> dict[str, object]:
        """All of it for programs."""
        return {
            "faults": [
                {
                    "severity": fault.severity.value,
                    "message": fault.message,
                    "remedy": fault.remedy,
                    "line": fault.line,
                    "column": fault.column,
                }
                for fault in self.faults
            ],
            "network": self._figures,
            "interpreted": self._interpreted,
        }

    def report(self) -> list[str]:
        """All of it for people."""
        lines = [line for fault in self.faults for line in fault_lines(fault, self.text, str(self.path))]
        if self._figures is not None:
            lines += figure_lines(self._figures)
        elif self._interpreted:
            lines.append(f"The interpreter plays these rules, not a network. {self._interpreted}")
        return lines


def fault_lines(fault: Fault, text: str, path: str) -> list[str]:
    """A fault with its place, its line and a caret under it, and what to do."""
    error = as_error(fault, text, path)
    place = f"{error.place()}: " if error.place() else ""
    remedy = [f"    {fault.remedy}"] if fault.remedy else []
    return [f"{place}{fault.severity.value}: {fault.message}", *error.caret(), *remedy]


def figure_lines(figures: Mapping[str, Any]) -> list[str]:
    """The figures of a network."""
    moves = " + ".join(f"{count:,}" for count in figures["moves"])
    compiled = "not compiled in the time" if figures["compile_s"] is None else f"compiled in {figures['compile_s']:g} s"
    cached = ", kept from an earlier run" if figures["cached"] else ""
    lines = [
        f"network: {figures['facts']:,} facts, {moves} moves, {figures['ground_rules']:,} ground rules; "
        f"{figures['gates']:,} gates ({figures['gates_before']:,} at first), {figures['depth']} deep",
        f"grounded in {figures['ground_s']:g} s, built in {figures['build_s']:g} s{cached}; "
        f"at most {figures['memory_mib']:,} MiB",
        f"playouts: {figures['ops']:,} operations a step, kernel {figures['kernel']}, {compiled}; "
        f"single states: {figures['states']}, {figures['states_s']:g} s",
    ]
    if figures["agrees"]:
        lines.append(f"the network and the interpreter agree in {figures['compared_states']} states")
    return lines
