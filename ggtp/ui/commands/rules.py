"""`ggtp rules`: which rules there are, from where, what is shadowed and what is broken."""

from __future__ import annotations

import argparse

from ggtp.catalogue import Catalogue
from ggtp.ui.console import listing
from ggtp.ui.console.environment import Environment, ExitStatus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp rules`."""
    listing.add_arguments(parser, "rules")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """List the rules. None of their code runs."""
    listing.show(
        env,
        args,
        "rules",
        Catalogue.from_environment(env.variables).list_rules(),
        {
            "name": lambda entry: entry.name,
            "from": lambda entry: entry.source,
            "title": lambda entry: entry.title,
        },
        lambda entry: {},
    )
    return ExitStatus.DONE
