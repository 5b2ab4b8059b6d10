"""`ggtp check`: findings, their moves, options that are decided, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import OptionError, RulesError
from ggtp.game.checks.contract import Finding
from ggtp.game.model import Rules
from ggtp.ui.commands.check import MANY, decide, report

COUNTING = """
    from ggtp.game import *
    from ggtp.errors import IllegalMove
    from ggtp.game.model import Position, Rules, Verdict, single, OVER, result_by_winner
    from ggtp.game.options import number

    class Count(Position):
        def __init__(self, left, turn=0):
            self.left, self.number = left, turn
        def turn(self):
            return single("AB"[self.number % 2]) if self.left else OVER
        def moves(self, player):
            return ["one"] if self.left and player == "AB"[self.number % 2] else []
        def play(self, moves):
            for player, move in moves.items():
                if move not in self.moves(player):
                    raise IllegalMove("no")
            return Verdict(Count(self.left - 1, self.number + 1), tuple(moves.items()))
        def result(self):
            return None if self.left else result_by_winner(("A", "B"), "A" if self.number % 2 else "B")
        def view(self, player):
            FAULT
            return f"{self.left} {self.number}"
        def key(self):
            return self.left, self.number

    class Counting(Rules):
        name = "counting"
        own_options = (number("left", 3, 1, 6, "how many there are"), number("other", 1, 1, 2, "nothing"))
        def players(self, options):
            return ("A", "B")
        def begin(self, options):
            SEEN
            return Count(int(options["left"]))

    RULES = Counting()
"""


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def rule(fault: str = "pass", seen: str = "pass") -> str:
        path = tmp_path / "counting.py"
        path.write_text(dedent(COUNTING).replace("FAULT", fault).replace("SEEN", seen))
        return str(path)

    return rule


BROKEN = "if self.number == 2: return 'two\\nlines'"


def test_a_good_rule_is_status_0(run: Any) -> None:
    ran = run("check", "tictactoe", "--games", "2", "--seed", "5")
    assert (ran.status, ran.out) == (0, "TicTacToe: nothing wrong was found in 2 games with seed 5.\n")
    assert ran.err == ""


def test_a_rule_in_a_file(run: Any, make: Any) -> None:
    ran = run("check", make(), "--games", "3")
    assert (ran.status, ran.err) == (0, ""), ran.out


def test_findings_are_status_1_with_the_moves_that_lead_there(run: Any, make: Any) -> None:
    ran = run("check", make(BROKEN), "--games", "1")
    assert ran.status == 1
    assert "view: " in ran.out
    assert "    after A one, B one\n" in ran.out


def test_as_json(run: Any, make: Any) -> None:
    ran = run("check", make(BROKEN), "--games", "1", "--seed", "3", "--json")
    assert ran.status == 1
    (line,) = ran.out.splitlines()
    found = json.loads(line)
    assert (found["rule"], found["games"], found["seed"], found["options"]) == ("counting", 1, 3, {})
    assert ["A one", "B one"] in [finding["moves"] for finding in found["findings"]]
    assert all(finding["check"] and finding["message"] for finding in found["findings"])
    good = json.loads(run("check", make(), "--json", "--games", "1").out)
    assert good["findings"] == []


def test_what_a_rule_prints_is_kept_out_of_the_report(run: Any, make: Any) -> None:
    ran = run("check", make(seen="print('noise')"), "--games", "1", "--json")
    assert json.loads(ran.out)["findings"] == []
    assert "noise" in ran.err


def test_a_terminal_sees_what_is_done(run: Any, make: Any) -> None:
    err = run("check", make(), "--games", "1", terminal=True).err
    assert "\rgame 1 of 1: " in err
    assert err.endswith("\r")


def test_a_game_that_is_too_long_is_found(run: Any, make: Any) -> None:
    ran = run("check", make(), "--games", "1", "--max-turns", "2", "--option", "left=5")
    assert ran.status == 1
    assert "not over after 2 turns" in ran.out


def test_options_are_decided(run: Any, make: Any) -> None:
    path = make(seen="assert options['left'] == '4', options['left']")
    assert run("check", path, "--games", "5", "--option", "LEFT=4").status == 0
    assert run("check", path, "--games", "5").status == 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--option", "size=3"], 1, "No option named size."),
        (["--option", "left=9"], 1, "No value 9 for option left"),
        (["--option", "left"], 2, "left is not of the form NAME=VALUE"),
        (["--option", "=3"], 2, "=3 is not of the form NAME=VALUE"),
        (["--games", "0"], 2, "0 is no whole number"),
        (["--games", "many"], 2, "many is no whole number"),
    ],
)
def test_wrong_arguments(run: Any, make: Any, words: list[str], status: int, said: str) -> None:
    ran = run("check", make(), *words)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err


def test_rules_that_are_not_there_or_cannot_be_loaded(run: Any, tmp_path: Path) -> None:
    ran = run("check", "tictacto")
    assert (ran.status, ran.err) == (1, "ggtp: No rule named tictacto. Did you mean TicTacToe or gdl/tictactoe?\n")
    (tmp_path / "bad.py").write_text("x = 1\nRULES = = 2\n")
    ran = run("check", str(tmp_path / "bad.py"))
    assert ran.status == 1
    lines = ran.err.splitlines()
    assert lines[0].startswith(f"ggtp: {tmp_path / 'bad.py'}:2:9: ")
    assert lines[1:] == ["RULES = = 2", "        ^"]


def tictactoe(run: Any) -> Rules:
    return Catalogue.from_environment(run.variables).find_rules("TicTacToe")


def test_decided_options_are_gone_and_used(run: Any) -> None:
    rules = tictactoe(run)
    decided = decide(rules, {"Starting_Player": "circle"})
    assert [option.name for option in decided.options()] == [
        option.name for option in rules.options() if option.name != "starting_player"
    ]
    assert not decided.first_player_open
    assert decided.start().turn().players == ("Circle",)
    assert decided.players({}) == rules.players(rules.complete({}))
    assert (decided.name, decided.title, decided.traits) == (rules.name, rules.title, rules.traits)
    with pytest.raises(OptionError):
        decided.start({"starting_player": "Cross"})
    with pytest.raises(OptionError):
        decide(rules, {"starting_player": "nobody"})


def test_rules_that_fail_on_their_options(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tictactoe(run)

    def fail(values: object = None) -> Any:
        raise KeyError("x")

    monkeypatch.setattr(rules, "options", fail)
    with pytest.raises(RulesError, match="can't be asked for its options: KeyError"):
        decide(rules, {"a": "b"})


def test_long_games_are_cut_in_the_middle() -> None:
    moves = tuple(f"A m{index}" for index in range(MANY + 100))
    text = " ".join(" ".join(report("x", 1, 2, [Finding("end", "too long", moves)])).split())
    assert text.startswith("x: 1 finding in 1 game with seed 2. end: too long after A m0, A m1,")
    assert "... (100 more, which --json lists) ..." in text
    assert text.endswith(f"A m{MANY + 99}")


def test_a_finding_before_any_move() -> None:
    assert report("x", 2, 3, [Finding("names", "bad")]) == ["x: 1 finding in 2 games with seed 3.", "", "names: bad"]


CLONES = """
BasicGame square_size=10
    SpriteSet
        floor > Immovable
        avatar > MovingAvatar
        one > Passive
    LevelMapping
        . > floor
        A > floor avatar
        c > floor one
    InteractionSet
        one floor > cloneSprite
    TerminationSet
        Timeout limit=1000 win=True
"""


def test_a_video_game_whose_sprites_multiply_is_given_up(run: Any, tmp_path: Path) -> None:
    (tmp_path / "clones.vgdl").write_text(CLONES)
    (tmp_path / "clones_lvl0.txt").write_text("A.c\n")
    ran = run("check", str(tmp_path / "clones.vgdl"), "--games", "1")
    assert ran.status == 1
    said = " ".join(ran.out.split())
    assert "crash: a game raised RulesError: there are more than 10000 sprites in tick 14" in said


def test_all_games_together_take_no_longer_than_they_may(run: Any, make: Any) -> None:
    ran = run("check", make(), "--games", "1000000000", "--time", "0.5", "--json")
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["findings"] == []
    assert found["games"] < 1000000000
