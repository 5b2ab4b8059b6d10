"""The hybrid player: plans, when it stops to look for them, and every switch."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.corpus import video_folders
from support.hybrid import act, never, player, start

from ggtp.vgdl.kernel.model import Model
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.foresight import H_CAUTION, H_PRUNE, H_SPARED, LOSES, NOTHING_NEW, OFF_BOARD
from ggtp.vgdl.player.hybrid import Phase
from ggtp.vgdl.player.options import Interest
from ggtp.vgdl.world.world import WON

COINS = "wwwwwwww wA..c..w w......w wc....xw wwwwwwww"
FOES = "wwwwwwww wA.....w w......w w....f.w wwwwwwww"
ISLAND = "wwwwwwwwwwww wA.x...c.wcw w.c..c..cwww w...c..c...w wc...c...c.w wwwwwwwwwwww"


def test_nothing_until_there_is_a_plan_and_then_the_plan() -> None:
    state = start(COINS)
    actions = act(player(state), state, 300, advances=20)
    plan = [action for action in actions if action is not Action.NIL]
    assert state.winner == WON
    assert len(plan) < len(actions)
    assert actions == [Action.NIL] * (len(actions) - len(plan)) + plan


def test_it_wants_all_points_that_can_be_had() -> None:
    state = start(COINS)
    act(player(state), state, 300)
    assert state.winner == WON
    assert state.score == 2
    state = start("wwwwwww wAx..cw w....cw wwwwwww")
    hybrid = player(state)
    hybrid.prepare(state.copy(1), never, 400)
    assert hybrid.expected_score(state) == 2
    act(hybrid, state, 300)
    assert state.score == 2
    state = start("wwwwwww wAx..cw w....cw wwwwwww")
    act(player(state, first_win=True), state, 300, advances=10)
    assert state.winner == WON
    assert state.score < 2


def test_foes_end_the_search_after_the_first_three_ticks() -> None:
    state = start(FOES)
    hybrid = player(state)
    phases = []
    for _ in range(5):
        act(hybrid, state, 1)
        phases.append(hybrid.phase)
    assert phases == [Phase.SEARCH, Phase.SEARCH, Phase.SEARCH, Phase.TREE, Phase.TREE]
    assert hybrid.reason == "others act"
    state = start(FOES)
    hybrid = player(state, three_ticks=False)
    act(hybrid, state, 1)
    assert hybrid.phase is Phase.TREE


def test_where_nothing_moves_the_search_goes_on() -> None:
    state = start(ISLAND)
    hybrid = player(state)
    hybrid.prepare(state.copy(1), never, 600)
    act(hybrid, state, 12, advances=15)
    assert hybrid.phase is Phase.SEARCH


def test_what_moves_by_itself_ends_the_search() -> None:
    state = start(
        "wwwwwww wA..x.w w.m...w wwwwwww",
        "floor > Immovable\nexit > Door\nm > Missile orientation=RIGHT speed=1",
        "avatar wall > stepBack\nm wall > reverseDirection\nexit avatar > killSprite",
        "SpriteCounter stype=exit win=True",
        ". > floor\nx > exit\nm > m\n",
    )
    hybrid = player(state)
    act(hybrid, state, 5, advances=4)
    assert hybrid.phase is Phase.TREE
    assert "by themselves" in hybrid.reason or "by itself" in hybrid.reason


def test_a_win_with_too_few_points_is_played_when_just_enough_time_is_left() -> None:
    ends = "SpriteCounter stype=exit win=True\nSpriteCounter stype=avatar win=False\nTimeout limit=40 win=False\n"
    state = start(ISLAND, ends=ends)
    hybrid = player(state, give_up=1.0)
    hybrid.prepare(state.copy(1), never, 600)
    actions = act(hybrid, state, 100, advances=24)
    assert state.winner == WON
    assert 36 <= state.tick <= 39
    waited = next(index for index, action in enumerate(actions) if action is not Action.NIL)
    assert waited > 12


def test_most_of_the_time_is_over() -> None:
    ends = "SpriteCounter stype=exit win=True\nSpriteCounter stype=avatar win=False\nTimeout limit=160 win=False\n"
    state = start("wwwwwwwwwwww wA.....c.wxw w.c..c..cwww w...c..c...w wc...c...c.w wwwwwwwwwwww", ends=ends)
    hybrid = player(state)
    phases = []
    while not state.ended:
        act(hybrid, state, 1, advances=12)
        phases.append(hybrid.phase)
    assert phases.index(Phase.PLAN) in range(117, 122)
    assert phases[-1] is Phase.TREE
    assert state.score > 3  # the way with the most points was played first


def test_the_time_before_the_first_tick() -> None:
    state = start(COINS)
    hybrid = player(state)
    hybrid.prepare(state.copy(1), never, 200)
    assert hybrid.knowledge.rows_seen > 2
    assert hybrid.knowledge.movements.transitions > 20
    idle = player(state, pre_run=False)
    idle.prepare(state.copy(1), never, 200)
    assert idle.knowledge.rows_seen == 0


def test_without_the_search_it_is_all_tree_and_without_the_tree_it_waits() -> None:
    state = start(COINS)
    hybrid = player(state, search=False)
    act(hybrid, state, 3)
    assert hybrid.phase is Phase.TREE
    assert hybrid.explorer.iterations > 0
    state = start(FOES)
    hybrid = player(state, tree=False)
    assert set(act(hybrid, state, 8)) == {Action.NIL}
    assert hybrid.explorer.iterations == 0


def test_without_a_target_chooser_there_is_no_target() -> None:
    state = start(FOES.replace("w......w", "w....c.w"))
    with_one, without = player(state, search=False), player(state, search=False, target_chooser=False)
    for hybrid in (with_one, without):
        hybrid.prepare(state.copy(1), never, 2000)
        hybrid.act(state.copy(2), never, 100)
    assert with_one.target.kind >= 0
    assert without.target.kind == -1


def test_who_takes_risks_does_not_leave_out_what_might_lose() -> None:
    state = start(FOES.replace("w......w", "w....c.w"))
    hybrid = player(state, search=False)
    for setbacks, cautious in ((0, 1), (Interest().courage, 0)):
        hybrid.targets.choose(state)
        hybrid.targets.setbacks = setbacks
        hybrid.act(state.copy(2), never, 50)
        assert hybrid.knowledge.hints[H_CAUTION] == cautious


def test_pruning_can_be_switched_off() -> None:
    state = start(COINS)
    assert player(state).knowledge.hints[H_PRUNE] == 1
    assert player(state, kb_pruning=False).knowledge.hints[H_PRUNE] == 0


@pytest.mark.parametrize(
    ("settings", "spared"),
    [({}, 0), ({"prune_idle": False}, NOTHING_NEW), ({"prune_losing": False}, LOSES),
     ({"prune_outside": False, "prune_losing": False}, OFF_BOARD | LOSES)],
)  # fmt: skip
def test_each_kind_of_pruning_has_a_switch(settings, spared):
    assert player(start(COINS), **settings).knowledge.hints[H_SPARED] == spared


def test_who_does_not_wait_for_a_plan_acts_meanwhile() -> None:
    state = start(ISLAND)
    hybrid = player(state, wait=False)
    assert set(act(hybrid, state, 8, advances=60)) != {Action.NIL}
    assert hybrid.explorer.iterations > 0
    state = start(ISLAND)
    assert set(act(player(state), state, 8, advances=60)) == {Action.NIL}


@pytest.mark.parametrize("replay", [True, False])
def test_a_plan_is_played_to_its_end_or_made_anew_after_each_action(replay):
    state = start(COINS)
    hybrid = player(state, replay=replay)
    looked = []
    while not state.ended:
        act(hybrid, state, 1, advances=2000)
        looked.append(hybrid.advances)
    assert state.winner == WON
    # The first tick finds the plan; to follow it takes one look, to find another many.
    assert all((count == 1) is replay for count in looked[1:-1])


@pytest.mark.parametrize("switch", [True, False])
def test_who_never_goes_over_to_the_tree_looks_for_a_plan_to_the_end(switch):
    state = start(FOES)
    hybrid = player(state, switch=switch)
    act(hybrid, state, 6)
    assert hybrid.phase is (Phase.TREE if switch else Phase.SEARCH)
    assert bool(hybrid.reason) is switch


def test_a_plan_that_fails_is_made_anew() -> None:
    state = start(COINS)
    hybrid = player(state)
    while hybrid.phase is not Phase.PLAN:
        act(hybrid, state, 1)
    state.advance(Action.LEFT)  # somebody else has moved
    state.advance(Action.DOWN)
    act(hybrid, state, 200)
    assert state.winner == WON


def test_it_fights_its_way() -> None:
    wins = 0
    for seed in range(3):
        state = start("wwwwwwwww wA......w w.......w w..f..x.w wwwwwwwww").copy(seed)
        hybrid = player(state, seed)
        hybrid.prepare(state.copy(9), never, 600)
        act(hybrid, state, 150, advances=200)
        wins += state.winner == WON
    assert wins >= 2


PLAYED = {("lantern", 1): Phase.PLAN, ("bait", 1): Phase.PLAN, ("marsh", 1): Phase.TREE, ("zelda", 0): Phase.TREE}
"""Levels of recorded games, and the phase in which they are won."""


@pytest.mark.parametrize(
    ("path", "level", "phase"),
    [
        pytest.param(path, level, phase, id=name)
        for (name, level), phase in PLAYED.items()
        for folder in video_folders()
        if (path := folder / "games" / f"{name}.txt").is_file()
    ],
)
def test_recorded_games_are_won(path, level, phase):
    made = parse(path.read_text())
    model = Model(made, parse_level(path.with_name(f"{path.stem}_lvl{level}.txt").read_text(), made))
    state = model.start(1)
    hybrid = player(state)
    hybrid.prepare(state.copy(1), never, 4000)
    act(hybrid, state, 4, advances=300)
    assert hybrid.phase is phase
    act(hybrid, state, 600, advances=300)
    assert state.winner == WON


@pytest.mark.parametrize("look_ahead", [3, 0])
def test_without_looking_ahead_the_end_comes_as_a_surprise(look_ahead):
    ends = "SpriteCounter stype=exit win=True\nSpriteCounter stype=avatar win=False\nTimeout limit=40 win=False\n"
    state = start(ISLAND, ends=ends)
    hybrid = player(state, give_up=1.0, look_ahead=look_ahead)
    hybrid.prepare(state.copy(1), never, 600)
    act(hybrid, state, 100, advances=24)
    assert (state.winner == WON) is bool(look_ahead)
