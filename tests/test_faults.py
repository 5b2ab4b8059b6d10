"""The table of faults: whose they are and what they cost, at prompts and in tournaments."""

from __future__ import annotations

import pytest

from ggtp.faults import (
    ASK,
    AT_PROMPTS,
    COSTS,
    FAULTS,
    IN_TOURNAMENTS,
    LOSS,
    POLICIES,
    PRICES,
    RESTART,
    STOP,
    VOID,
    Retry,
    fault_words,
    read_retry,
    retry_of,
    with_restarts,
)

OF_ENGINES = {"exit", "lost", "silence", "protocol", "flood", "limit", "illegal", "late"}


def test_the_names_that_people_write() -> None:
    assert list(POLICIES) == ["ask", "restart", "random", "forfeit"]
    assert set(PRICES) == {"loss", "void", "random", "restart", "stop"}
    assert AT_PROMPTS.keys() == OF_ENGINES
    assert IN_TOURNAMENTS.keys() == OF_ENGINES - {"lost"} | {"start", "machine", "rule", "referee", "worker"}


def test_every_cost_and_every_class_can_be_met_somewhere() -> None:
    assert all(cost.policy or cost.price for cost in COSTS)
    assert FAULTS.keys() == AT_PROMPTS.keys() | IN_TOURNAMENTS.keys()


def test_what_is_no_engine_s_fault_costs_no_player_anything() -> None:
    nobodys = {name for name, fault in FAULTS.items() if not fault.engine}
    assert nobodys == {"machine", "rule", "referee", "worker"}
    for name in nobodys:
        assert FAULTS[name].allowed() == (VOID, STOP)
        assert name not in AT_PROMPTS, "at a prompt the play is held"
    assert set(FAULTS["exit"].allowed()) == set(PRICES.values())


def test_only_a_wrong_or_late_move_leaves_an_engine_that_can_be_talked_to() -> None:
    assert {name for name, fault in FAULTS.items() if fault.living} == {"illegal", "late"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_default_is_one_of_what_can_be_chosen(name: str) -> None:
    fault = FAULTS[name]
    assert fault.policy is None or fault.policy in POLICIES.values()
    assert fault.price is None or fault.price in fault.allowed()


def test_a_class_in_words() -> None:
    assert fault_words("exit") == "an engine ends when it should not"
    assert fault_words("rule") == "the rule fails, or computes without end"
    assert fault_words("nothing") == ""


@pytest.mark.parametrize("instead", [ASK, LOSS])
def test_restarts_come_to_an_end(instead: object) -> None:
    assert isinstance(instead, type(ASK))
    assert [with_restarts(RESTART, done, 2, instead) for done in range(4)] == [RESTART, RESTART, instead, instead]
    assert with_restarts(VOID, 9, 2, instead) is VOID


@pytest.mark.parametrize(
    ("text", "retry", "canonical"),
    [
        ("again", Retry(3, "ask"), "again:3:ask"),
        ("AGAIN:5", Retry(5, "ask"), "again:5:ask"),
        ("again:1:Random", Retry(1, "random"), "again:1:random"),
    ],
)
def test_an_engine_may_be_asked_again_first(text: str, retry: Retry, canonical: str) -> None:
    assert read_retry(text, POLICIES, "ask") == retry
    assert retry.text() == canonical
    assert retry_of(canonical) == retry


@pytest.mark.parametrize(
    "text", ["ask", "agian", "again:", "again:0", "again:101", "again:x", "again:2:loss", "again:2:ask:ask", "again:-1"]
)
def test_what_does_not_ask_again(text: str) -> None:
    assert read_retry(text, POLICIES, "ask") is None
    assert retry_of("random") == Retry(0, "random")
    assert retry_of("random").text() == "random"
