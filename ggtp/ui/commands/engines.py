"""`ggtp engines`: which engines there are, from where, what is shadowed and what is broken."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from ggtp.catalogue import Catalogue, EngineEntry
from ggtp.driver.protection import expected
from ggtp.ui.console import listing
from ggtp.ui.console.environment import Environment, ExitStatus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp engines`."""
    listing.add_arguments(parser, "engines")
    parser.add_argument("--protection", action="store_true", help="also tell what each engine is kept from")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """List the engines. None of them is started."""

    def protection(entry: EngineEntry) -> str:
        if entry.spec is None:
            return "-"
        found = expected(entry.spec, env.variables)
        return found.problem or found.protection.sentence()

    listing.show(
        env,
        args,
        "engines",
        Catalogue.from_environment(env.variables).list_engines(),
        {
            "name": _name,
            "from": lambda entry: entry.source,
            "rules": _rules,
            **({"protection": protection} if args.protection else {}),
            "title": lambda entry: entry.title,
        },
        lambda entry: _data(entry) | ({"protection": protection(entry)} if args.protection else {}),
    )
    return ExitStatus.DONE


def _name(entry: EngineEntry) -> str:
    """What to say for it; a bridge wants a program behind the colon."""
    return f"{entry.name}:" if entry.spec is not None and entry.spec.takes_command else entry.name


def _rules(entry: EngineEntry) -> str:
    patterns = () if entry.spec is None else entry.spec.rules
    return "all" if "*" in patterns else " ".join(patterns)


def _data(entry: EngineEntry) -> dict[str, object]:
    """How it is started and what it plays; `env` is left out, since it may hold what is nobody's business."""
    spec = entry.spec
    if spec is None:
        return {}
    return {
        "transport": spec.transport,
        "argv": spec.argv,
        "cwd": None if spec.cwd is None else str(spec.cwd),
        "rules": spec.rules,
        "plays": asdict(spec.plays),
        "options": dict(spec.options),
        "bridge": spec.bridge,
        "sandbox": spec.sandbox,
        "network": spec.network,
        "reads": list(spec.reads),
        "writes": list(spec.writes),
        "programs": list(entry.programs),
    }
