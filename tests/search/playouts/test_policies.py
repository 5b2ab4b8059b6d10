"""The registry of playout policies, and what engines make of it."""

import pytest

from ggtp.game.options import complete, find_option
from ggtp.search.hidden.options import OPTIONS as HIDDEN
from ggtp.search.mcts.options import OPTIONS as MCTS
from ggtp.search.playouts.greedy import Greedy
from ggtp.search.playouts.policies import PLAYOUT_POLICIES, playout_options, playout_policies, playout_policy
from ggtp.search.playouts.policy import RANDOM


def test_every_row_is_a_policy_with_a_name_of_its_own() -> None:
    assert len(playout_policies()) == len(PLAYOUT_POLICIES)
    assert all(policy.name == name for name, policy in playout_policies().items())


@pytest.mark.parametrize("options", [MCTS, HIDDEN])
def test_every_engine_offers_all_of_them(options) -> None:
    assert find_option(options, "Policy").choices == tuple(playout_policies())
    assert set(playout_options()) <= set(options)


def test_a_policy_is_chosen_by_its_name() -> None:
    assert playout_policy(complete(playout_options(), {})) == RANDOM
    assert playout_policy(complete(playout_options(), {"Policy": "greedy"})) == Greedy()
