from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from support.vgdl import game

from ggtp.errors import IllegalMove, MalformedMove, OptionError, RulesError
from ggtp.game import CHANCE, Rules, Standing, TurnKind
from ggtp.game.checks.contract import check_rules
from ggtp.vgdl.world.rules import PLAYER, VideoPosition, VideoRules

LEVELS = {"0": "A.g", "1": "A..g", "bad": "A?"}


def rules(sprites: str = "", interactions: str = "", ends: str = "", levels: Mapping[str, str] = LEVELS) -> VideoRules:
    made = game(
        "g > Door\nf > Immovable\n" + sprites,
        "g avatar > killSprite scoreChange=2\navatar EOS > stepBack\n" + interactions,
        "SpriteCounter stype=g win=True\nSpriteCounter stype=avatar\n" + ends,
        "g > g\n. > f\nr > r f\n" if "RandomNPC" in sprites else "g > g\n. > f\n",
    )

    def read(name: str) -> tuple[str, str]:
        if name not in levels:
            raise RulesError("there is no such file")
        return levels[name], f"{name}.txt"

    return VideoRules("test", made, "", read, len(levels))


WALKER = "r > RandomNPC\n"


def walk(made: Rules, *moves: str) -> VideoPosition:
    position = made.start({"delay": "0"})
    for move in moves:
        position = position.play({PLAYER: move}).position
    assert isinstance(position, VideoPosition)
    return position


def test_a_turn_is_a_tick_with_a_delay_and_nil_is_played_when_it_is_over() -> None:
    turn = rules().start().turn()
    assert (turn.kind, turn.players, turn.delay, turn.default) == (TurnKind.SINGLE, (PLAYER,), 0.04, {PLAYER: "nil"})
    assert rules().start({"delay": "0"}).turn().delay is None
    assert rules().start({"delay": "250"}).turn().delay == 0.25


def test_moves_are_what_the_avatar_can_do() -> None:
    assert rules().start().moves(PLAYER) == ("left", "right", "up", "down", "nil")
    assert rules("avatar > FlakAvatar stype=f").start().moves(PLAYER) == ("left", "right", "use", "nil")
    dead = walk(rules(interactions="avatar f > killSprite", ends="Timeout limit=9"), "nil")
    assert dead.moves(PLAYER) == ("left", "right", "up", "down", "nil")


def test_a_win_is_worth_at_least_a_point() -> None:
    result = walk(rules(), "right", "right").result()
    assert result is not None
    assert (result.standings[PLAYER], result.scores[PLAYER], result.reason) == (Standing.WIN, 2, "won in 2 ticks")
    result = walk(rules(interactions="avatar f > stepBack scoreChange=-9\n"), "down").result()
    assert result is None


def test_a_loss() -> None:
    result = walk(rules(interactions="avatar f > killSprite scoreChange=-1\n"), "right").result()
    assert result is not None
    assert (result.standings[PLAYER], result.scores[PLAYER], result.reason) == (Standing.LOSS, -1, "lost in 1 tick")


def test_the_last_tick_is_a_time_out() -> None:
    position = walk(rules(), "nil")
    position.world.tick = 1999
    result = position.play({PLAYER: "nil"}).position.result()
    assert result is not None
    assert result.reason == "time-out after 2001 ticks"


def test_without_chance_there_are_no_turns_of_chance() -> None:
    assert not rules().traits.chance
    assert walk(rules(), "right").turn().players == (PLAYER,)


def test_chance_draws_the_seed_of_one_tick() -> None:
    made = rules(WALKER, "r EOS > stepBack\n", levels={"0": "Ar. ... ..g".replace(" ", "\n")})
    assert made.traits.chance
    position = made.start()
    asked = position.play({PLAYER: "nil"}).position
    assert asked.turn().players == (CHANCE,)
    assert asked.moves(PLAYER) == ()
    after = {asked.play({CHANCE: str(seed * 7**15 % 2**48)}).position.view(None) for seed in range(30)}
    assert len(after) > 2
    drawn = asked.draw(random.Random(4))
    assert asked.parse(CHANCE, drawn) == drawn
    assert asked.play({CHANCE: drawn}).position.key() == asked.play({CHANCE: drawn}).position.key()


@pytest.mark.parametrize("text", ["-1", "x", "", "07", str(2**48), "1" * 99])
def test_what_chance_can_not_draw(text: str) -> None:
    asked = rules(WALKER, levels={"0": "Arg"}).start().play({PLAYER: "nil"}).position
    with pytest.raises(MalformedMove):
        asked.parse(CHANCE, text)
    with pytest.raises(IllegalMove):
        asked.play({CHANCE: text})


def test_positions_do_not_change() -> None:
    start = rules().start()
    before = start.view(None)
    start.play({PLAYER: "right"})
    assert start.view(None) == before
    with pytest.raises(IllegalMove):
        start.play({PLAYER: "use"})
    with pytest.raises(IllegalMove):
        start.play({})


def test_a_level_that_is_not_there_is_refused_when_it_is_named() -> None:
    made = rules()
    assert made.start({"level": "1"}).view(None).startswith("@..g")
    with pytest.raises(OptionError, match="No level 7: there is no such file"):
        made.complete({"level": "7"})
    with pytest.raises(OptionError, match=r"the letter \? is not in the LevelMapping"):
        made.complete({"level": "bad"})


def test_the_contract() -> None:
    assert check_rules(rules(), rng=random.Random(1), games=4, max_turns=300) == []
    made = rules(WALKER, "r EOS > stepBack\navatar r > killSprite\n", "Timeout limit=20\n", {"0": "Ar.\n...\n..g"})
    assert check_rules(made, rng=random.Random(1), games=4, max_turns=300) == []


def test_there_is_a_start_clock_where_there_is_a_hurry() -> None:
    made = rules()
    assert made.start_clock(made.complete({})) == 1.0
    assert made.start_clock(made.complete({"delay": "0"})) == 0.0
