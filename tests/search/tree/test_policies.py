"""The registry of tree policies, and what engines make of it."""

from ggtp.search.mcts.options import OPTIONS
from ggtp.search.tree.policies import TREE_POLICIES, tree_options, tree_policies, tree_policy
from ggtp.search.tree.policy import UCT, TreePolicy


def test_every_row_is_a_policy_with_options_of_its_own() -> None:
    found = tree_policies()
    assert len(found) == len(TREE_POLICIES)
    assert all(issubclass(policy, TreePolicy) and policy.options for policy in found)
    names = [option.name for option in tree_options()]
    assert len(names) == len(set(names))


def test_the_engine_offers_all_their_options() -> None:
    assert set(tree_options()) <= set(OPTIONS)


def test_all_are_off_where_nothing_is_said() -> None:
    assert tree_policy({option.name: option.default for option in tree_options()}) is UCT
