"""Minimax over compiled games for tests, beside the same over positions that the interpreter plays."""

from support.compiled_trees import compiled

from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.play.rules import GdlRules
from ggtp.search.minimax.compiled import CompiledMinimax, SearchCode
from ggtp.search.minimax.plan import Plan, View
from ggtp.search.minimax.root import PositionMinimax
from ggtp.search.minimax.walk import partial_goals


def rules_of(name):
    """A bundled rulesheet by its name, or a text, as rules that the interpreter plays."""
    from support.compiled_trees import RULES

    text = name if "(" in name else (RULES / f"{name}.gdl").read_text("utf-8")
    return GdlRules("rules", parse_strictly(text))


def view_for(rules):
    """What the others want, as the engine sees it."""
    count = len(rules.players({}))
    return View.ALONE if count == 1 else View.OPPOSED if count == 2 and rules.traits.zero_sum else View.SELFISH


def in_code(name, me=0, plan=None, ceiling=1 << 24):
    """A search over the compiled game."""
    return CompiledMinimax(SearchCode(compiled(name)), me, plan or Plan().against(view_for(rules_of(name))), ceiling)


def in_python(name, me=0, plan=None, ceiling=1 << 26):
    """A search over the same game's positions."""
    rules = rules_of(name)
    players = rules.players({})
    plan = plan or Plan().against(view_for(rules))
    return PositionMinimax(rules.start(), players, players[me], plan, ceiling, partial_goals)


def never():
    return False


def ignore(finding):
    pass


def play_on(rules, code, moves):
    """The position and the state after so many random or given moves: `moves` chooses one of a list."""
    position = rules.start()
    while True:
        players = position.turn().players
        if not players:
            return position, code.state_of(position)
        chosen = {player: moves(position.moves(player)) for player in players}
        if None in chosen.values():
            return position, code.state_of(position)
        position = position.play(chosen).position
