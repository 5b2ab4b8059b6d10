"""OpenSpiel without its process: for tests that ask it a lot, and must not depend on how busy the machine is."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from support.paths import RULES

from ggtp.errors import CommandError
from ggtp.openspiel import imagine
from ggtp.openspiel.child import Library, answer
from ggtp.openspiel.link import LINK
from ggtp.openspiel.spec import GameSpec, read_spec

FOLDER = RULES / "openspiel"
LONG_SECONDS = 20.0
"""Of processor time: it is looked for as long as it takes, within reason."""


def specs() -> dict[str, GameSpec]:
    """Every game that is bundled."""
    return {path.stem: read_spec(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.spiel"))}


class Here:
    """Answers as the child would, through the same text."""

    def __init__(self) -> None:
        self._library = Library()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(answer(self._library, json.loads(json.dumps(request)))))
        if "error" in found:
            raise CommandError(f"{found['error']}.")
        return found


def at_home(patch: pytest.MonkeyPatch) -> None:
    """The library answers here, and takes the processor time that it needs to imagine something."""
    patch.setattr(LINK, "ask", Here().ask)
    patch.setattr(imagine, "SECONDS", LONG_SECONDS)
    patch.setattr(imagine, "clock", time.process_time)
