import random

from ggtp.foreign.expressions import read_all
from ggtp.foreign.renaming import KEYWORDS, scrambled, small_letters, words_of

RULES = read_all(
    "(role X) (role random) (init (Cell 1 b)) (<= (next (cell ?x o)) (does ?P (mark ?x)) (true (cell ?x b)))"
)


def test_scrambled_rules_have_other_words_for_all_but_keywords_and_numbers() -> None:
    renaming = scrambled(RULES, random.Random(1))
    other = tuple(map(renaming.apply, RULES))
    for word, made in zip(words_of(RULES), words_of(other), strict=True):
        if word.lower() in KEYWORDS or word.isdigit():
            assert made == word
        else:
            assert made.lower() != word.lower()
            assert made.startswith("?") == word.startswith("?")
    assert len(set(words_of(other))) == len(set(words_of(RULES)))
    assert tuple(map(renaming.undo, other)) == RULES


def test_a_player_may_answer_scrambled_words_in_any_case() -> None:
    renaming = scrambled(RULES, random.Random(1))
    move = renaming.apply(("mark", "1"))
    assert renaming.undo(tuple(word.upper() for word in move)) == ("mark", "1")  # type: ignore[union-attr]


def test_equal_seeds_scramble_equally_and_others_do_not() -> None:
    one, same, other = (scrambled(RULES, random.Random(seed)).apply(RULES) for seed in (1, 1, 2))
    assert one == same != other


def test_small_letters_keep_words_apart_that_differ_in_case_only() -> None:
    rules = read_all("(ROLE White) (legal White (Mark 1)) (legal White (mark 1)) (legal White (MARK 1))")
    renaming = small_letters(rules)
    moves = [renaming.apply(rule)[2] for rule in rules[1:]]
    assert moves == [("mark_2", "1"), ("mark", "1"), ("mark_3", "1")]
    assert [renaming.undo(move) for move in moves] == [("Mark", "1"), ("mark", "1"), ("MARK", "1")]
    assert renaming.apply(("ROLE", "White")) == ("role", "white")


def test_rules_in_small_letters_stay_as_they_are() -> None:
    rules = read_all("(role x) (init (a 1))")
    assert small_letters(rules).apply(rules) == rules
