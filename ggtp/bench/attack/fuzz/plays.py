"""Play files: refused at a line, or what is saved of them replays to the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ggtp.bench.attack.fuzz.rounds import fuzzing
from ggtp.bench.attack.fuzz.trial import Budget, Wrong
from ggtp.catalogue import Catalogue
from ggtp.play.replay import Replay, replay
from ggtp.play.writing import saved_lines

TICTACTOE = """\
# GGTP play file
set_option show_table off
set_option time_move 5000
set_rule TicTacToe
set_rule_option starting_player Cross
set_engine Circle Random
set_engine_option Circle Depth 3
start
force_play Cross A1
name_node corner
force_play Circle B2
comment_node a good answer
force_play Cross C3
goto_node corner
force_play Circle A2
undo
redo
goto_node 2
forfeit Cross it was tired
set_option keep_plays off
"""
OTHERS = (
    "# GGTP play file\nset_rule CantStop\nstart\nforce_play Chance 1 3 3 4\nforce_play Red 4 7\n",
    "set_rule RockPaperScissors\nset_rule_option rounds 3\nstart\nplay Left Rock\nforce_play Right Paper\nundo\n",
    "set_rule PhantomTicTacToe\nstart\nplay Cross A1\nplay Circle A1\nplay Circle B2\n",
    "set_rule Nim\nset_rule_option heaps 3 4\nstart\nlist_possible_moves Left\nget_table\nstart\n",
    "# GGTP play file\nset_rule Backgammon\nstart\nforce_play Chance",
    "set_rule Chess\nstart\nplay White e4\nplay Black e5\nplay White Nf3\nundo\nundo\ngoto_node 0\n",
)


ROUNDS = 20
begin = fuzzing("plays")


def seeds(_environ: Mapping[str, str]) -> Sequence[str]:
    """Games with everything that a play file may say."""
    return (TICTACTOE, *OTHERS)


def reader(environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
    """Replays files."""
    catalogue = Catalogue.from_environment(environ)

    def read(text: str, _budget: Budget) -> str:
        first = replay(text, catalogue.guarded_rules)
        saved = _saved(first)
        second = replay(saved, catalogue.guarded_rules)
        if _saved(second) != saved:
            raise Wrong("lost", "what was saved and replayed is saved as something else")
        if _tree(second) != _tree(first):
            raise Wrong("lost", "what was saved replays to another tree")
        return f"{first.play.rules and first.play.rules.name} {len(_tree(first)).bit_length()}"

    return read


def _saved(found: Replay[None]) -> str:
    return "".join(f"{line}\n" for line in saved_lines(found.play.lines, found.options))


def _tree(found: Replay[None]) -> list[tuple[object, ...]]:
    record = found.play.record
    if record is None:
        return []
    rows = [(node.made, node.name, node.comment, node.forfeit, node.position.key()) for node in record.nodes]
    return [*rows, (record.cursor.number, tuple(found.play.pending.items()))]
