"""The record of a play: a tree with a cursor, which never loses a branch."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ggtp.errors import CommandError, IllegalMove
from ggtp.game import (
    OVER,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Standing,
    Turn,
    TurnKind,
    Verdict,
    result_by_scores,
)
from ggtp.game.record import Forfeit, GameRecord, Node, step_text

LEFT, RIGHT = "Left", "Right"
MOVES = ("a", "b", "c", "no")
DEPTH = 4


class Path(Position):
    """Where every line of play leads to a place of its own: the position is how it was reached.

    Both choose at once. A player who says `no` is refused, alone, and everything stays as it is.
    """

    def __init__(self, played: tuple[str, ...] = ()) -> None:
        self.played = played

    def turn(self) -> Turn:
        return Turn(TurnKind.JOINT, (LEFT, RIGHT)) if len(self.played) < DEPTH else OVER

    def moves(self, player: Player) -> Sequence[Move]:
        return MOVES if len(self.played) < DEPTH else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        for move in moves.values():
            if move not in self.moves(LEFT):
                raise IllegalMove(f"No move named {move}.")
        refused = tuple(Refusal(player, "no", "yes") for player, move in moves.items() if move == "no")
        if refused:
            return Verdict(Path((*self.played, "refused")), refused=refused)
        return Verdict(Path((*self.played, "".join(moves[p] for p in sorted(moves)))), tuple(sorted(moves.items())))

    def result(self) -> Result | None:
        return result_by_scores({LEFT: 1, RIGHT: 0}) if len(self.played) >= DEPTH else None

    def view(self, player: Player | None) -> str:
        return "/".join(self.played)

    def key(self) -> Hashable:
        return self.played


def record_of(*steps: str) -> GameRecord:
    """A record in which Left made these moves, Right always `a`."""
    record = GameRecord(Path())
    for step in steps:
        record.play({LEFT: step, RIGHT: "a"})
    return record


def gives_up(player: Player, reason: str = "") -> Forfeit:
    return Forfeit(player, reason, Result({LEFT: Standing.LOSS, RIGHT: Standing.WIN}))


def test_a_new_record_is_its_root() -> None:
    record = record_of()
    assert record.cursor is record.nodes[0]
    assert (record.cursor.number, record.cursor.depth, record.cursor.parent) == (0, 0, None)
    assert record.line() == []
    assert record.cursor.path() == []


def test_steps_are_numbered_in_order_of_creation() -> None:
    record = record_of("a", "b")
    record.undo()
    node = record.play({LEFT: "c", RIGHT: "a"})
    assert [n.number for n in record.nodes] == [0, 1, 2, 3]
    assert (node.number, node.depth) == (3, 2)
    assert record.line() == [(LEFT, "a"), (RIGHT, "a"), (LEFT, "c"), (RIGHT, "a")]


def test_the_order_of_a_joint_step_does_not_matter() -> None:
    record = record_of("b")
    first = record.cursor
    record.undo()
    assert record.play({RIGHT: "a", LEFT: "b"}) is first


def test_the_same_step_again_goes_to_the_node_that_is_there() -> None:
    record = record_of("a", "b")
    node = record.cursor
    record.undo()
    assert record.play({LEFT: "b", RIGHT: "a"}) is node
    assert len(record.nodes) == 3


def test_an_illegal_step_changes_nothing() -> None:
    record = record_of("a")
    record.undo()
    with pytest.raises(IllegalMove):
        record.play({LEFT: "z", RIGHT: "a"})
    assert len(record.nodes) == 2
    assert record.cursor is record.nodes[0]
    assert record.redo() is record.nodes[1]


def test_undo_and_redo_walk_the_line_last_left() -> None:
    record = record_of("a", "b")
    two, one = record.undo(), record.undo()
    assert (one.number, two.number) == (1, 2)
    record.play({LEFT: "c", RIGHT: "a"})
    record.undo()
    assert record.redo().number == 3, "the line that was left last, not the oldest"
    record.undo()
    record.play({LEFT: "a", RIGHT: "a"})
    assert record.redo() is two


def test_there_is_an_end_to_undo_and_redo() -> None:
    record = record_of("a")
    with pytest.raises(CommandError, match=r"^There is no move to redo\.$"):
        record.redo()
    record.undo()
    with pytest.raises(CommandError, match=r"^There is no move to undo\.$"):
        record.undo()
    assert record.cursor.number == 0


def test_goto_says_what_was_left_and_what_was_entered() -> None:
    record = record_of("a", "b", "c")
    record.goto(record.nodes[1])
    record.play({LEFT: "c", RIGHT: "a"})
    left, entered = record.goto(record.nodes[3])
    assert [node.number for node in left] == [4]
    assert [node.number for node in entered] == [2, 3]
    left, entered = record.goto(record.nodes[3])
    assert (left, entered) == ([], [])
    left, entered = record.goto(record.nodes[0])
    assert [node.number for node in left] == [3, 2, 1]
    assert [record.redo().number for _ in range(3)] == [1, 2, 3], "redo follows the line that was left"


def test_a_forfeit_is_a_step() -> None:
    record = record_of("a")
    node = record.forfeit(gives_up(LEFT, "tired"))
    assert node.result() == Result({LEFT: Standing.LOSS, RIGHT: Standing.WIN})
    assert node.position is record.nodes[1].position
    assert record.undo() is node
    assert record.cursor.result() is None
    assert record.forfeit(gives_up(LEFT, "tired")) is node
    record.undo()
    assert record.forfeit(gives_up(LEFT, "late")) is not node
    assert record.line() == [(LEFT, "a"), (RIGHT, "a")]


def test_a_refused_try_is_a_step_without_a_move() -> None:
    record = GameRecord(Path())
    node = record.play({LEFT: "no", RIGHT: "no"})
    assert node.made == ()
    assert record.line() == []
    assert step_text(node) == "Left tries no + Right tries no"


def test_steps_as_text() -> None:
    record = record_of("b")
    assert step_text(record.nodes[0]) == ""
    assert step_text(record.cursor) == "Left b + Right a"
    assert step_text(record.forfeit(gives_up(RIGHT))) == "Right forfeits"


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("2", 2), ("02", 2), ("here", 1)])
def test_nodes_are_found_by_number_or_name(text: str, number: int) -> None:
    record = record_of("a", "b")
    record.nodes[1].name = "here"
    assert record.find(text).number == number


@pytest.mark.parametrize("text", ["3", "-1", "there", "", "HERE", "1.0", "²", "٢", "9" * 5000, "twice"])
def test_other_texts_find_no_node(text: str) -> None:
    record = record_of("a", "b")
    record.nodes[1].name = "here"
    with pytest.raises(CommandError, match=r"^No node .* in the play tree\.$"):
        record.find(text)


def test_a_long_line_does_not_exhaust_the_stack() -> None:
    class Endless(Path):
        def play(self, moves: Mapping[Player, Move]) -> Verdict:
            return Verdict(self, tuple(moves.items()))

    record = GameRecord(Endless())
    for _ in range(5000):
        record.play({LEFT: "a"})
    assert len(record.line()) == 5000
    assert len(record.goto(record.nodes[0])[0]) == 5000


class RecordMachine(RuleBasedStateMachine):
    """The record against a dictionary of all lines that were ever played."""

    def __init__(self) -> None:
        super().__init__()
        self.record = GameRecord(Path())
        self.cursor: tuple[str, ...] = ()
        self.lines: dict[tuple[str, ...], Node] = {(): self.record.nodes[0]}
        self.last: dict[tuple[str, ...], tuple[str, ...]] = {}
        """For each place that was gone on from, the place that was gone to last."""

    def enter(self, place: tuple[str, ...]) -> None:
        self.cursor = place
        for end in range(1, len(place) + 1):
            self.last[place[: end - 1]] = place[:end]

    def ended(self) -> bool:
        return len(self.cursor) >= DEPTH or self.cursor[-1:] == ("forfeit",)

    @precondition(lambda self: not self.ended())
    @rule(left=st.sampled_from("abc"), right=st.sampled_from("ab"))
    def play(self, left: str, right: str) -> None:
        node = self.record.play({LEFT: left, RIGHT: right})
        place = (*self.cursor, left + right)
        assert self.lines.setdefault(place, node) is node
        self.enter(place)

    @rule(left=st.sampled_from("xyz"))
    def play_nonsense(self, left: str) -> None:
        with pytest.raises(IllegalMove):
            self.record.play({LEFT: left, RIGHT: "a"})

    @precondition(lambda self: not self.ended())
    @rule()
    def forfeit(self) -> None:
        node = self.record.forfeit(gives_up(LEFT))
        place = (*self.cursor, "forfeit")
        assert self.lines.setdefault(place, node) is node
        self.enter(place)

    @rule()
    def undo(self) -> None:
        if not self.cursor:
            with pytest.raises(CommandError):
                self.record.undo()
            return
        assert self.record.undo() is self.lines[self.cursor]
        self.last[self.cursor[:-1]] = self.cursor
        self.cursor = self.cursor[:-1]

    @rule()
    def redo(self) -> None:
        if self.cursor not in self.last:
            with pytest.raises(CommandError):
                self.record.redo()
            return
        self.cursor = self.last[self.cursor]
        assert self.record.redo() is self.lines[self.cursor]

    @rule(data=st.data())
    def goto(self, data: st.DataObject) -> None:
        place = data.draw(st.sampled_from(sorted(self.lines)))
        left, entered = self.record.goto(self.lines[place])
        shared = 0
        while self.cursor[: shared + 1] == place[: shared + 1] and shared < min(len(self.cursor), len(place)):
            shared += 1
        assert left == [self.lines[self.cursor[:end]] for end in range(len(self.cursor), shared, -1)]
        assert entered == [self.lines[place[:end]] for end in range(shared + 1, len(place) + 1)]
        self.enter(place)

    @invariant()
    def nothing_is_lost(self) -> None:
        assert len(self.record.nodes) == len(self.lines)
        assert {id(node) for node in self.record.nodes} == {id(node) for node in self.lines.values()}
        assert [node.number for node in self.record.nodes] == list(range(len(self.lines)))

    @invariant()
    def the_cursor_is_where_it_should_be(self) -> None:
        assert self.record.cursor is self.lines[self.cursor]
        assert self.record.cursor.depth == len(self.cursor)
        assert self.record.position is self.record.cursor.position
        assert self.record.position.key() == tuple(step for step in self.cursor if step != "forfeit")
        assert self.record.cursor.path() == [self.lines[self.cursor[:end]] for end in range(1, len(self.cursor) + 1)]


TestRecordMachine = RecordMachine.TestCase
TestRecordMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_who_still_holds_a_node_of_a_record_that_was_let_go_knows_the_way_back() -> None:
    record = GameRecord(Path())
    first = record.play({LEFT: "a", RIGHT: "b"})
    second = record.play({LEFT: "b", RIGHT: "b"})
    record.let_go()
    assert second.path() == [first, second]
    assert (first.children, first.latest) == ({}, None)
