"""Sums: rows of players, of pairs, of rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.ratings import rate
from ggtp.stats.results import GameResult, level_scores
from ggtp.stats.summary import Summary, summarise


def game(*players: str, points: list[int], rule: str = "r", block: int | None = None, size: int = 0) -> GameResult:
    return GameResult(players, level_scores(points), rule, block, size)


def test_players_and_pairs_are_added_up() -> None:
    found = summarise(
        [
            game("a", "b", points=[1, 0], block=1, size=2),
            game("b", "a", points=[1, 0], block=1, size=2),
            game("a", "b", points=[1, 1], block=2, size=2),
            game("b", "a", points=[0, 1], block=2, size=2),
            game("a", "b", points=[1, 0], block=3, size=2),
        ],
        ["a", "b", "idle"],
    )
    assert [row.player for row in found.players] == ["a", "b", "idle"]
    a = found.players[0]
    assert (a.tally.games, a.tally.wins, a.tally.draws, a.tally.losses) == (5, 3, 1, 1)
    assert a.tally.score == pytest.approx(0.7)
    assert (a.sample.units, a.sample.mean, a.sample.games) == (2, 0.625, 2), "the third block is not complete"
    pair, mirror = found.pair("a", "b"), found.pair("b", "a")
    assert pair is not None
    assert mirror is not None
    assert pair.sample.mean == pytest.approx(1 - mirror.sample.mean)
    assert (mirror.tally.wins, mirror.tally.draws, mirror.tally.losses, mirror.tally.points) == (1, 1, 3, 1.5)
    assert pair.elo.value == pytest.approx(-(mirror.elo.value or 0))
    assert pair.los == pytest.approx(1 - mirror.los)
    assert pair.nelo.value == pytest.approx(-(mirror.nelo.value or 0))
    assert found.pair("a", "idle") is None
    assert found.players[2].tally.score == 0.0


def test_a_pair_at_a_table_of_several_is_who_was_ahead() -> None:
    found = summarise([game("a", "b", "c", points=[9, 5, 1])])
    middle = found.pair("b", "c")
    assert middle is not None
    assert (middle.tally.wins, middle.tally.points) == (1, 1.0)
    assert [row.tally.wins for row in found.players] == [1, 0, 0]
    assert [row.tally.points for row in found.players] == [1.0, 0.5, 0.0]


def test_rules_have_scores_of_their_own() -> None:
    found = summarise([game("a", "b", points=[1, 0], rule="x"), game("a", "b", points=[0, 1], rule="y")])
    assert found.rule_scores() == {"x": {"a": 1.0, "b": 0.0}, "y": {"a": 0.0, "b": 1.0}}


def test_faults_are_counted_by_games() -> None:
    game_ = GameResult(("a", "b"), (0.0, 1.0), at_fault=("a", "a"))
    assert [row.faulty for row in summarise([game_, game_]).players] == [0, 2]


def test_nothing_is_a_summary_too() -> None:
    found = summarise([], ["a"])
    assert (found.players[0].interval().low, found.players[0].interval().high) == (0.0, 1.0)
    assert found.pairs == found.by_rule == {}


@given(
    st.lists(
        st.tuples(st.permutations(["a", "b", "c"]), st.lists(st.integers(0, 2), min_size=3, max_size=3)), max_size=30
    )
)
def test_what_one_wins_others_lose(drawn: list[tuple[list[str], list[int]]]) -> None:
    found = summarise([game(*players, points=points) for players, points in drawn])
    assert sum(row.tally.points for row in found.players) == pytest.approx(1.5 * len(drawn))
    for row in found.players:
        assert row.tally.wins + row.tally.draws + row.tally.losses == row.tally.games == len(drawn)
    for pair in found.pairs.values():
        assert pair.tally.games == len(drawn)
        mirror = found.pair(pair.other, pair.player)
        assert mirror is not None
        assert mirror.tally.points + pair.tally.points == pytest.approx(len(drawn))


def test_a_score_may_be_called_otherwise_than_it_compares() -> None:
    found = summarise([GameResult(("a", "b"), (1.0, 0.0), shown=(0.4, 0.3))])
    assert [row.tally.points for row in found.players] == [0.4, 0.3]
    assert [row.tally.wins for row in found.players] == [1, 0]
    assert found.players[0].sample.mean == pytest.approx(0.4)
    pair = found.pair("a", "b")
    assert pair is not None
    assert pair.sample.mean == 1.0


def test_blocks_that_repeat_one_another_are_no_new_evidence() -> None:
    def played(blocks: int, *, again: bool) -> Summary:
        games = []
        for number in range(blocks):
            mark = "" if again else f"{number}"
            games.append(GameResult(("a", "b"), (1.0, 0.0), "r", number, 2, fingerprint=f"x{mark}"))
            games.append(GameResult(("b", "a"), (0.5, 0.5), "r", number, 2, fingerprint=f"y{mark}"))
        return summarise(games)

    one, many, repeated = played(1, again=False), played(40, again=False), played(40, again=True)
    assert repeated.players[0].tally == many.players[0].tally
    assert repeated.players[0].sample.units == 1
    assert repeated.players[0].interval() == one.players[0].interval()
    pair, single = repeated.pair("a", "b"), one.pair("a", "b")
    assert pair is not None
    assert single is not None
    assert (pair.tally.games, pair.elo, pair.los) == (80, single.elo, single.los)
    assert many.players[0].interval().low > repeated.players[0].interval().low


def repeating(rule: str, count: int, *, fresh: bool, first: int = 0) -> list[GameResult]:
    """Blocks of two games: with repeats the first player wins both, without they win one each, or draw one."""
    found = []
    for number in range(first, first + count):
        for players in (("a", "b"), ("b", "a")):
            won = 1.0 if not fresh else (0.5 if number % 3 else 1.0)
            scores = (won, 1.0 - won) if players[0] == "a" or fresh else (0.0, 1.0)
            mark = f"{rule} {players}" + (f" {number}" if fresh else "")
            found.append(GameResult(players, scores, rule, number, 2, fingerprint=mark))
    return found


def test_repeats_of_one_rule_do_not_outweigh_another_in_pairs_and_joint_ratings() -> None:
    """Both are of the same evidence: one block of the first rule, and all of the second."""
    games = [*repeating("x", 50, fresh=False), *repeating("y", 50, fresh=True, first=50)]
    once = [*repeating("x", 1, fresh=False), *repeating("y", 50, fresh=True, first=50)]
    pair, single = summarise(games).pair("a", "b"), summarise(once).pair("a", "b")
    assert pair is not None
    assert single is not None
    assert pair.sample.units == pytest.approx(51)
    assert pair.sample.mean == pytest.approx(single.sample.mean)
    assert pair.elo.value == pytest.approx(single.elo.value)
    joint, other = rate(games).difference("a", "b"), rate(once).difference("a", "b")
    assert joint.value == pytest.approx(other.value, abs=0.5)
    assert joint.error == pytest.approx(other.error, rel=0.02)


def test_no_number_of_repeats_settles_anything() -> None:
    pair = summarise(repeating("x", 5, fresh=False)).pair("a", "b")
    assert pair is not None
    assert (pair.sample.units, pair.fresh, pair.games_to_settle) == (1.0, 0.0, None)
    one = summarise(repeating("x", 1, fresh=False)).pair("a", "b")
    assert one is not None
    assert one.games_to_settle
