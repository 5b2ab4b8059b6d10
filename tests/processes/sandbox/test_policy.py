"""What an engine may do when its description and the supervisor want different things."""

from __future__ import annotations

import pytest

from ggtp.processes.sandbox.policy import Protection, Sandbox, agree


@pytest.mark.parametrize(
    ("asked", "allowed", "effective"),
    [
        (None, "standard", "standard"),
        (None, "off", "off"),
        (None, "strict", "strict"),
        ("strict", "off", "strict"),
        ("off", "off", "off"),
        ("off", "standard", "standard"),
        ("standard", "strict", "strict"),
        ("standard", "off", "standard"),
    ],
)
def test_the_stricter_level_holds(asked: str | None, allowed: str, effective: str) -> None:
    agreement = agree(Sandbox(), asked, allowed, "asked")
    assert agreement.sandbox.level == effective
    assert bool(agreement.overruled) == (asked is not None and asked != effective)


def test_the_network_is_for_those_who_ask_and_may() -> None:
    assert not agree(Sandbox(), None, "standard", "asked").sandbox.network
    assert agree(Sandbox(network=True), None, "standard", "asked").sandbox.network
    denied = agree(Sandbox(network=True), None, "standard", "off")
    assert not denied.sandbox.network
    assert denied.overruled == ("its description asks for the network, but the option engine_network is off",)


def test_a_strict_sandbox_lets_nothing_be_written() -> None:
    agreement = agree(Sandbox(writes=("/log",)), "strict", "standard", "asked")
    assert agreement.sandbox.writes == ()
    assert agreement.overruled == ("it may not write to /log in a strict sandbox",)


def test_a_protection_in_words() -> None:
    assert Protection("bubblewrap", "standard", network=False).sentence() == "bubblewrap, no network"
    assert Protection("none", "off", network=True).sentence() == "none"
    bounded = Protection("bubblewrap", "standard", network=True, bounded=("memory", "processes"))
    assert bounded.sentence() == "bubblewrap, network, kernel limits for memory and processes"
