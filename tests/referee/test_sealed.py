"""Sealed turns: when others learn of a move does not depend on what its player could do, nor on how often it tried."""

from __future__ import annotations

import importlib
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from support.paths import RULES
from support.playbook import Actor, Playbook, phantom

from ggtp.game import CHANCE, Move, Player, Position, TurnKind
from ggtp.referee.effects import Tell
from ggtp.referee.events import EngineSaid, SupervisorSaid, TimePassed

STEMS = sorted(path.stem for path in RULES.glob("*.py") if path.stem != "__init__")
STEMS += sorted(path.parent.name for path in RULES.glob("*/__init__.py"))
SECRETIVE = [
    rules.name
    for stem in STEMS
    if hasattr(module := importlib.import_module(f"ggtp.rules.{stem}"), "RULES")
    and ((rules := module.RULES).traits.hidden or rules.traits.race)
]
"""Every rule with secrets or races."""
SEALED = {
    "Kriegspiel", "MahJong", "PhantomGo", "PhantomGomoku", "PhantomHex", "PhantomOthello", "PhantomTicTacToe", "Uno"
}  # fmt: skip
"""Those of them that have sealed turns."""
MOVES = 250
"""How many moves of a rule are looked at."""
FEW = 4
"""How many tries that are refused a deciding engine has time for in a window; more take a few windows."""
PASSED = 0.0002
"""The seconds after which an engine answers that has nothing to decide."""


@dataclass
class Heard:
    """What an engine was told, and when."""

    at: float
    line: str


class Table:
    """Simulated engines at the pure referee; each takes as long to answer as `think` says, by the simulated clock."""

    def __init__(self, rule: str, think: Callable[[Position, Player, int, float], float], **options: str) -> None:
        """A game that has begun.

        Args:
            rule: of the game.
            think: returns an engine's seconds, given the position, its player, how often it has been refused in this
                turn, and the seconds that it was told it has.
            options: of the referee.
        """
        self.think = think
        self.rng = random.Random(rule)
        book = self.book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", **options})
        book.lay(f"set_rule {rule}")
        players = book.referee.view.play.players
        book.lay(*(f"set_engine {player} Mute" for player in players))
        self.players = {link: player for player, link in book.seated().items()}
        book.cast.clear()
        self.heard: dict[Player, list[Heard]] = {player: [] for player in players}
        self.tries: dict[Player, int] = defaultdict(int)
        self.asked: dict[Player, float] = {}
        self._coming: list[tuple[float, int, str]] = []
        self.now = book.now
        self.handle(SupervisorSaid("start", self.now))

    @property
    def position(self) -> Position:
        return self.book.referee.view.play.position

    def handle(self, event: EngineSaid | SupervisorSaid | TimePassed) -> None:
        for effect in self.book.referee.handle(event):
            if isinstance(effect, Tell):
                self._tell(effect)

    def _tell(self, tell: Tell) -> None:
        player, line = self.players[tell.link], tell.line.decode()
        self.heard[player].append(Heard(self.now, line))
        words = line.split()
        if words[0] != "have_to_play":
            self.tries[player] = self.tries[player] + 1 if words[0] == "illegal_move" else 0
            self._coming = [one for one in self._coming if one[1] != tell.link or one[2] == "acknowledge"]
            self._coming.append((self.now, tell.link, "acknowledge"))
            return
        self.book.referee.asked(tell.link, self.now)
        limit = int(words[1]) / 1000 if len(words) > 1 else float("inf")
        moves = self.position.moves(player)
        seconds = self.think(self.position, player, self.tries[player], limit)
        self._coming.append((self.now + seconds, tell.link, f"select_move {self.rng.choice(moves)}"))

    def step(self) -> bool:
        """Let the next thing happen; False once nothing does any more."""
        due = self.book.referee.next_due()
        first = min(self._coming, key=lambda one: one[0], default=None)
        if first is not None and (due is None or first[0] <= due):
            self._coming.remove(first)
            self.now = first[0]
            self.handle(EngineSaid(first[1], first[2].encode(), self.now))
            return True
        if due is None:
            return False
        self.now = due
        self.handle(TimePassed(due))
        return True

    def turns(self) -> Iterator[tuple[Position, float, float, Mapping[Player, int]]]:
        """Every turn that was made: the position before, when it began, when it was told, the tries of each player."""
        for _ in range(MOVES):
            record = self.book.referee.view.play.record
            assert record is not None
            cursor, position, began, tries = record.cursor, self.position, self.now, 0
            mover = position.turn().players[:1]
            while record.cursor is cursor or not record.cursor.made:
                tries = max([tries, *(self.tries[player] for player in mover)])
                if position.turn().kind is TurnKind.OVER or not self.step():
                    return
            yield position, began, self.now, dict.fromkeys(mover, tries)


def deciding(position: Position, player: Player, tries: int, limit: float) -> float:
    """An engine that decides at leisure if it has a choice, within the time that it was told."""
    return PASSED if len(position.moves(player)) == 1 else min(0.5, 0.9 * limit)


def test_every_rule_with_sealed_turns_is_known() -> None:
    assert set(SECRETIVE) >= SEALED


@pytest.mark.parametrize("rule", SECRETIVE)
def test_time_tells_nothing_of_a_sealed_turn(rule: str) -> None:
    window = 40
    table = Table(rule, deciding, secret_window=str(window), time_move="1000")
    instants: dict[bool, set[float]] = {False: set(), True: set()}
    for position, began, told, tries in table.turns():
        turn = position.turn()
        if not turn.sealed:
            continue
        assert CHANCE not in turn.players
        if turn.kind is TurnKind.SINGLE:
            # What the first try took is the player's own; how many more there were, time does not tell.
            after = round(told - began - deciding(position, turn.players[0], 0, 1.0), 6)
            assert round(after * 1000 / window, 3).is_integer()
            if sum(tries.values()) <= FEW:
                instants[any(tries.values())].add(after)
        else:
            secret = any(len(position.moves(player)) > 1 for player in turn.players)
            instants[secret].add(round(told - began, 6))
    if rule in SEALED:
        assert instants == {False: {window / 1000}, True: {window / 1000}}
    else:
        assert instants == {False: set(), True: set()}


@pytest.mark.parametrize("rule", ["MahJong", "PhantomTicTacToe", "Uno"])
def test_without_a_window_time_tells(rule: str) -> None:
    table = Table(rule, deciding, secret_window="0", time_move="1000")
    instants = {round(told - began, 6) for position, began, told, _ in table.turns() if position.turn().sealed}
    assert len(instants) > 1


def test_the_order_of_passes_in_a_race_tells_nothing() -> None:
    orders = set()
    for slow in ("Bob", "Cid"):

        def think(position: Position, player: Player, tries: int, limit: float, slow: Player = slow) -> float:
            return 0.01 if player == slow else PASSED

        table = Table("Uno", think, secret_window="40")
        for position, _, _, _ in table.turns():
            if position.turn().sealed and set(position.turn().players) >= {"Bob", "Cid"}:
                break
        orders.add(tuple(one.line for one in table.heard["Ann"]))
    assert len(orders) == 1


def test_the_first_claim_of_a_race_counts_whatever_the_window() -> None:
    fastest = []

    def think(position: Position, player: Player, tries: int, limit: float) -> float:
        return {"Ann": 0.004, "Bob": 0.003, "Cid": 0.002}.get(player, 0.005)

    table = Table("Uno", think, secret_window="40")
    for position, _, _, _ in table.turns():
        turn = position.turn()
        claimants = [player for player in turn.players if len(position.moves(player)) > 1] if turn.sealed else []
        record = table.book.referee.view.play.need_record()
        actor, move = record.cursor.made[0]
        if move != "pass" and claimants:
            fastest.append((actor, claimants))
    assert fastest
    for actor, claimants in fastest:
        assert actor in claimants


@pytest.mark.parametrize(("seconds", "told"), [(0.030, 0.040), (0.045, 0.080), (0.081, 0.120)])
def test_an_engine_that_is_slower_than_the_window_is_waited_for_in_whole_windows(seconds: float, told: float) -> None:
    def think(position: Position, player: Player, tries: int, limit: float) -> float:
        return seconds if player == position.turn().players[0] else PASSED

    table = Table("MahJong", think, secret_window="40", time_move="1000")
    sealed = next(turn for turn in table.turns() if turn[0].turn().sealed)
    assert sealed[2] - sealed[1] == pytest.approx(told)
    assert not table.book.referee.view.faults


def test_engines_are_told_a_delay_that_ends_within_the_window() -> None:
    table = Table("MahJong", deciding, secret_window="400", time_move="2000", time_margin="100")
    next(turn for turn in table.turns() if turn[0].turn().sealed)
    asked = {one.line for heard in table.heard.values() for one in heard if one.line.startswith("have_to_play")}
    assert asked == {"have_to_play 2000", "have_to_play 300"}


def test_an_engine_is_late_by_its_clocks_not_by_the_window() -> None:
    table = Table("MahJong", lambda *_: 0.15, secret_window="40", time_move="100", time_margin="10")
    for _ in range(20):
        table.step()
    assert {fault.fault for fault in table.book.referee.view.faults} == {"late"}
    calm = Table("MahJong", lambda *_: 0.09, secret_window="40", time_move="100", time_margin="10")
    for _ in range(200):
        calm.step()
    assert not calm.book.referee.view.faults


def test_rules_without_secrets_are_not_slowed() -> None:
    table = Table("JungleSpeed", lambda *_: PASSED, secret_window="1000")
    assert max(told - began for _, began, told, _ in table.turns()) < 0.01


# At a prompt.


def test_a_choice_that_is_taken_back_is_forgotten() -> None:
    book = phantom("Circle", genmove="on", secret_window="100")
    book.lay("play Cross A1")
    book.cast.clear()
    book.engine(1, "select_move B2")
    assert not book.since(0, "-> Circle plays")
    assert not book.referee.settled()
    book.lay("undo")
    book.engine(1, "acknowledge", "acknowledge")
    book.wait(1)
    assert not book.since(0, "-> Circle plays")


def test_an_engine_that_ends_before_its_move_is_known_is_asked_again() -> None:
    book = phantom("Circle", genmove="on", secret_window="100", fault_exit="restart")
    book.lay("play Cross A1")
    book.engine(1, "select_move B2")
    book.fail(1)
    book.wait(1)
    assert not book.since(0, "-> Circle plays")
    book.engine(2, "select_move B3")
    book.wait(0.1)
    assert book.since(0, "-> Circle plays") == ["-> Circle plays ?"]


def uno() -> tuple[Playbook, Move]:
    """A window for jumping in at which Ann has the card that Bob, an engine, has just laid; the others are engines."""
    for seed in range(200):
        book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": str(seed), "secret_window": "100"})
        book.lay("set_rule Uno", *(f"set_engine {player} Mute" for player in ("Bob", "Cid", "Dee")), "start")
        play = book.referee.view.play
        while play.turn().kind is not TurnKind.OVER:
            turn = play.turn()
            if turn.kind is TurnKind.RACE and "Ann" in turn.players and len(play.position.moves("Ann")) > 1:
                return book, next(move for move in play.position.moves("Ann") if move != "pass")
            if turn.kind is TurnKind.RACE and len(book.referee.view.play.lines) > 60:
                break
            book.lay(f"force_play {turn.players[0]} {play.position.moves(turn.players[0])[0]}")
    raise AssertionError("Ann never has the card")


def test_a_person_who_jumps_in_is_first_at_the_end_of_the_window() -> None:
    book, card = uno()
    begin = len(book.log)
    book.lay(f"play Ann {card}")
    assert book.say("play Ann pass") == "? Ann has chosen already."
    assert not book.since(begin, "-> Ann plays")
    book.wait(0.1)
    assert book.since(begin, "-> Ann plays") == [f"-> Ann plays {card}"]


def test_what_the_supervisor_forces_counts_at_once() -> None:
    book, card = uno()
    begin = len(book.log)
    book.lay(f"force_play Ann {card}")
    assert book.since(begin, "-> Ann plays") == [f"-> Ann plays {card}"]


def test_others_are_not_told_that_a_player_has_chosen() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7"})
    book.lay("set_rule MahJong", "set_engine South Mute", "set_engine West Mute", "set_engine North person:ann")
    book.join(1, "ann")
    book.lay("start")
    book.lay(f"play East {book.referee.view.play.position.moves('East')[0]}")
    before = len(book.whispers[1])
    book.engine(1, "select_move pass")
    book.engine(2, "select_move pass")
    assert book.whispers[1][before:] == []
    assert not book.since(0, "-> South has chosen")


@pytest.mark.parametrize(("view", "seconds"), [("auto", 0.3), ("Cross", 0.3), ("Circle", 0.1), ("all", 0.1)])
def test_the_status_does_not_tell_that_another_was_asked_again(view: str, seconds: float) -> None:
    book = phantom("Circle", genmove="on")
    book.lay("play Cross A1", f"set_option view {view}")
    book.wait(0.2)
    book.engine(1, "select_move A1")
    book.wait(0.1)
    (thinking,) = (seat.thinking for seat in book.referee.view.status(book.now).seats if seat.thinking is not None)
    assert thinking == pytest.approx(seconds)


def test_engines_that_have_answered_wait_for_a_person_and_nobody_waits_for_them() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7"})
    book.lay("set_rule MahJong", *(f"set_engine {player} Mute" for player in ("South", "West", "North")), "start")
    book.lay(f"play East {book.referee.view.play.position.moves('East')[0]}")
    book.engine(1, "select_move pass")
    assert not book.referee.settled()
    book.engine(2, "select_move pass")
    book.engine(3, "select_move pass")
    assert not book.referee.settled()
    book.wait(0.5)
    play = book.referee.view.play
    tile = next(
        move
        for move in play.position.moves("South")
        if len(play.position.play({"South": move}).position.moves("East")) == 1
    )
    book.engine(1, f"select_move {tile}")
    book.engine(2, "select_move pass")
    book.engine(3, "select_move pass")
    book.wait(5)
    assert book.referee.settled(), "only East is waited for"
    book.lay("play East pass")
    assert not book.referee.settled()
    book.wait(0.5)
    assert play.turn().players == ("West",)
