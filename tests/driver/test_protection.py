"""Which protection an engine is going to have: told without starting it, and true when it is started."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from ggtp.catalogue import Catalogue
from ggtp.driver.link import EngineLink
from ggtp.driver.protection import expected, is_private, sandboxes
from ggtp.processes.sandbox.policy import Protection
from ggtp.referee.effects import Bounds


@pytest.mark.process
@pytest.mark.parametrize("level", ["standard", "strict", "off"])
def test_what_is_expected_holds_when_the_engine_runs(level: str) -> None:
    spec = Catalogue.from_environment(os.environ).find_engine("Random")

    async def protection() -> Protection | None:
        bounds = Bounds(2**20, 2**32, 64, 30.0, sandbox=level)
        link = EngineLink(spec, bounds, lambda _line, _at: None, lambda *_: None)
        await link.start()
        await link.stop(kindly=True)
        return link.protection

    found = expected(spec, os.environ, level)
    assert found.protection == asyncio.run(protection())
    assert found.private is (level != "off")


@pytest.mark.process
def test_a_wish_that_is_not_granted_is_told() -> None:
    spec = replace(Catalogue.from_environment(os.environ).find_engine("Random"), network=True)
    assert expected(spec, os.environ).protection.network
    found = expected(spec, os.environ, network="off")
    assert not found.protection.network
    assert len(found.overruled) == 1


@pytest.mark.process
def test_every_sandbox_is_there_or_says_why_not() -> None:
    found = sandboxes()
    assert [name for name, _, _ in found] == ["bubblewrap", "Landlock", "control groups"]
    assert all(bool(text) is not bool(missing) for _, text, missing in found)


def test_only_namespaces_without_network_and_without_files_are_private() -> None:
    assert is_private(Protection("bubblewrap", "standard", network=False), ())
    assert not is_private(Protection("bubblewrap", "standard", network=False), ("/srv",))
    assert not is_private(Protection("bubblewrap", "standard", network=True), ())
    assert not is_private(Protection("landlock", "standard", network=False), ())
    assert not is_private(Protection("none", "off", network=True), ())
