"""The catalogue: one object that finds rules and engines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from ggtp.catalogue.engine_file import EngineSpec
from ggtp.catalogue.engines import EngineEntry, EngineFinder
from ggtp.catalogue.paths import folders
from ggtp.catalogue.rules import RuleEntry, RuleFinder
from ggtp.game import Rules
from ggtp.game.guard import guarded


class Catalogue:
    """Finds guests by name or path, in the order of `ggtp.catalogue.paths`; the first hit wins.

    A guest that can't be used is an error when it is asked for by name, and a line with a
    `problem` in the lists. It never stops anything else.
    """

    def __init__(self, rules: RuleFinder, engines: EngineFinder) -> None:
        """Made of a finder for each kind; `from_environment` makes the usual ones."""
        self._rules = rules
        self._engines = engines

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Self:
        """A catalogue that looks where the environment says. Cheap: it looks at nothing until it is asked."""
        return cls(
            RuleFinder(folders(environ, "rules"), "ggtp.rules", environ),
            EngineFinder(folders(environ, "engines"), "ggtp.engines", environ),
        )

    def find_rules(self, name_or_path: str) -> Rules:
        """The rules of that name, or in the file of that path, as they are: for engines, searches and solvers.

        Python rules run now, with the user's rights. The same object is given again until
        its file changes.

        Raises:
            RulesNotFound: there are none; carries names that look like it.
            RulesError: there are, but they can't be used; placed as far as is known.
        """
        return self._rules.find(name_or_path)

    def guarded_rules(self, name_or_path: str) -> Rules:
        """The same with a guard around them, for whoever referees: where they fail, they raise `RuleFailed` alone.

        Raises:
            RulesNotFound, RulesError: as of `find_rules`.
            RuleFailed: they can't even tell what they are.
        """
        return guarded(self.find_rules(name_or_path))

    def locate_rules(self, name_or_path: str) -> Path | None:
        """The file in which `find_rules` would find them; None where there is none. Nothing is loaded."""
        return self._rules.locate(name_or_path)

    def list_rules(self) -> list[RuleEntry]:
        """All rules, by name, with the shadowed and the broken ones. No guest's code runs."""
        return self._rules.entries()

    def find_engine(self, name_or_path: str) -> EngineSpec:
        """The engine of that name, or described in the file of that path.

        Raises:
            EngineNotFound: there is none; carries names that look like it.
            EngineFileError: there is, but its description can't be used; placed as far as is known.
        """
        return self._engines.find(name_or_path)

    def list_engines(self) -> list[EngineEntry]:
        """All engines, by name, with the shadowed and the broken ones.

        Descriptions that packages offer as objects are imported for it; engines are not started.
        """
        return self._engines.entries()

    def bridge_kinds(self) -> list[str]:
        """The kinds of foreign programs that can stand for an engine, as `uci` in `uci:stockfish`."""
        return [entry.name for entry in self.list_engines() if entry.spec is not None and entry.spec.takes_command]
