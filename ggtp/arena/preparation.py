"""Makes a plan complete: rules are found, engines looked for, start positions played through."""

from __future__ import annotations

import glob
import os
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ggtp.arena.openings import is_book, read_book
from ggtp.catalogue import Catalogue
from ggtp.catalogue.gdl_rules import load_told
from ggtp.catalogue.paths import open_regular, read_regular
from ggtp.driver.journal import read_text
from ggtp.driver.protection import expected
from ggtp.errors import (
    CommandError,
    EngineFileError,
    NotFound,
    OptionError,
    PlayFileError,
    RemoteProtocolError,
    RulesError,
)  # fmt: skip
from ggtp.game import Rules
from ggtp.game.remedies import cannot_play
from ggtp.play.replay import SLICE, Say, begun, make, make_all, replay, silent
from ggtp.tournament.journal.journal import looks_like_journal
from ggtp.tournament.opening import random_opening
from ggtp.tournament.plan.match import Match
from ggtp.tournament.plan.places import line_of, word_lines
from ggtp.tournament.plan.plan import SAME_MEETINGS, Plan, PlanError, RulePlan, Start, plan_from
from ggtp.tournament.schedule.schedule import check_seats

MOST_BYTES = 16 * 2**20
"""How large a plan may be."""
MANY = 100
"""After so many start positions there is a word about how many there are."""
MOST_STARTS = 10_000
"""How many start positions a plan takes of books: each is replayed, and the journal has them all."""
MOST_PLIES = 10_000
"""How many moves of a game a start position may have."""


def expand_starts(data: Mapping[str, object], folder: Path) -> dict[str, object]:
    """A plan's mapping in which every start position that is a `file` is as many as its pattern finds, with moves.

    Raises:
        PlanError: a pattern finds nothing, or a file can't be followed.
    """
    result = dict(data)
    rules = data.get("rule", [])
    if not isinstance(rules, list):
        return result
    result["rule"] = [_expand(rule, folder) if isinstance(rule, Mapping) else rule for rule in rules]
    return result


def _expand(rule: Mapping[str, object], folder: Path) -> dict[str, object]:
    starts = rule.get("start", [])
    found: list[object] = []
    for given in starts if isinstance(starts, list) else [starts]:
        start = {"file": given} if isinstance(given, str) else given
        if not isinstance(start, Mapping) or "file" not in start:
            found.append(start)
            continue
        pattern = start["file"]
        plies = start.get("plies", 0)
        if not isinstance(pattern, str) or set(start) - {"file", "plies"}:
            raise PlanError("A start position with a file has nothing but plies besides, and the file is a text.")
        if isinstance(plies, bool) or not isinstance(plies, int) or not 0 <= plies <= MOST_PLIES:
            raise PlanError(f"plies of the start positions in {pattern} must be an integer from 0 to {MOST_PLIES}.")
        paths = sorted(glob.glob(str(folder / pattern)))
        if not paths:
            raise PlanError(f"No file is called {folder / pattern}.")
        found += [{"name": Path(path).stem, "file": path, **({"plies": plies} if plies else {})} for path in paths]
    return {**rule, "start": found} if "start" in rule else dict(rule)


def prepare(data: Mapping[str, object], catalogue: Catalogue, folder: Path, say: Say = silent) -> dict[str, object]:
    """A plan's mapping with all that only rules can tell: seats, secrets, and the moves of start positions.

    `say` is told now and then how far it is, and may raise a `GgtpError` to give it up.

    Raises:
        GgtpError: a rule is not found, or a start position can't be reached.
    """
    result = expand_starts(data, folder)
    rules, players = result.get("rule", []), result.get("player", [])
    if isinstance(players, list):
        result["player"] = [
            {"name": Path(player["engine"]).stem, **player, "engine": _reference(player["engine"], folder)}
            if isinstance(player, Mapping) and isinstance(player.get("engine"), str)
            else player
            for player in players
        ]
    if isinstance(rules, list):
        result["rule"] = [
            _prepare_rule(dict(rule), catalogue, folder, say, _most_starts(data)) if isinstance(rule, Mapping) else rule
            for rule in rules
        ]
    return result


def _most_starts(data: Mapping[str, object]) -> int:
    """How many start positions of each rule there are blocks for, as far as that is known before."""
    blocks = data.get("blocks", 1)
    known = data.get("format", SAME_MEETINGS[0]) in SAME_MEETINGS and isinstance(blocks, int)
    return min(blocks, MOST_STARTS) if known and isinstance(blocks, int) else MOST_STARTS


def _prepare_rule(
    rule: dict[str, object], catalogue: Catalogue, folder: Path, say: Say, most: int
) -> dict[str, object]:
    name = rule.get("rule")
    if not isinstance(name, str):
        return rule
    reference = _reference(name, folder)
    rule["rule"] = reference
    given, chosen = rule.get("start"), rule.get("options")
    # The reader of plans refuses values of the wrong kind.
    options = {str(key): str(value) for key, value in chosen.items()} if isinstance(chosen, Mapping) else {}
    starts: list[object] = []
    for start in given if isinstance(given, list) else ():
        left = most - len(starts)
        if isinstance(start, Mapping) and "file" in start:
            plies = start.get("plies", 0)
            if is_book(start["file"]):
                if left <= 0:
                    continue  # there are no blocks for it
                starts += read_book(start["file"], catalogue.guarded_rules(reference), options, plies, left)
                continue
            moves = moves_of_file(start["file"], catalogue, reference, options, say)
            starts.append({"name": start["name"], "moves": list(moves[: plies or None])})
        else:
            starts.append(start)
    if starts:
        rule["start"] = starts
    return rule


def complete(plan: Plan, catalogue: Catalogue, say: Say = silent) -> Plan:
    """The plan with seats and canonical moves, checked as far as nothing has to be started; `say` as for `prepare`.

    Raises:
        GgtpError: a rule or an engine is not found, can't play, or a start position can't be reached.
    """
    rules = tuple(_complete_rule(rule, number, catalogue, say) for number, rule in enumerate(plan.rules, 1))
    check_seats(replace(plan, rules=rules))
    # The same engine may play thousands of times.
    first: dict[str, int] = {}
    for number, player in enumerate(plan.players, 1):
        first.setdefault(player.engine, number)
    for engine, number in first.items():
        with _about(f"player {number}.engine"):
            spec = catalogue.find_engine(engine)
        for rule in rules:
            found = catalogue.guarded_rules(rule.rule)
            values = found.complete(rule.options)
            if not spec.can_play(found, values):
                raise PlanError(
                    cannot_play(spec.name, found, able(catalogue, found, values)), f"player {number}.engine"
                )
    chosen = plan.deals if plan.deals != "auto" else ""
    return replace(plan, rules=tuple(replace(rule, deals=chosen if rule.telling else "common") for rule in rules))


def settle_deals(plan: Plan, catalogue: Catalogue, environ: Mapping[str, str]) -> Plan:
    """The plan in which it is settled which games share deals, as far as it leaves that to us.

    It is tried which sandbox there is; engines are not started.

    Raises:
        GgtpError: an engine is not found.
    """
    if all(rule.deals for rule in plan.rules):
        return plan
    specs = [catalogue.find_engine(name) for name in dict.fromkeys(player.engine for player in plan.players)]
    private = all(expected(spec, environ, plan.sandbox, plan.network).private for spec in specs)
    deals = "common" if private else "own"
    return replace(plan, rules=tuple(replace(rule, deals=rule.deals or deals) for rule in plan.rules))


def able(catalogue: Catalogue, rules: Rules, values: Mapping[str, str]) -> list[str]:
    """The engines that can play, as far as their descriptions say."""
    specs = (entry.spec for entry in catalogue.list_engines() if entry.shadowed_by is None)
    return [spec.name for spec in specs if spec is not None and spec.can_play(rules, values)]


@contextmanager
def _about(place: str) -> Iterator[None]:
    """Say with an error that the plan is wrong at this place."""
    try:
        yield
    except (NotFound, EngineFileError, RulesError, OptionError) as error:
        raise PlanError(str(error), place) from error


def match_plan(match: Match, catalogue: Catalogue, folder: Path, say: Say = silent) -> Plan:
    """The plan of a match, complete; `say` as for `prepare`.

    Raises:
        GgtpError: it can't be played.
    """
    return match.sized(complete(plan_from(prepare(match.data(), catalogue, folder, say)), catalogue, say))


def _complete_rule(rule: RulePlan, number: int, catalogue: Catalogue, say: Say) -> RulePlan:
    with _about(f"rule {number}.rule"):
        rules = catalogue.guarded_rules(rule.rule)
    values = _complete_options(rules, rule.options, f"rule {number}.options")
    if rule.scramble:
        _check_scramble(rules)
    starts = []
    for count, start in enumerate(rule.starts, 1):
        if count % MANY == 0:
            say(f"start position {count} of {len(rule.starts)} is replayed")
        starts.append(_complete_start(start, rules, rule, say))
    if rule.random_moves:
        play = begun(rules, rule.rule, {**rule.options, **starts[0].options})
        make_all(play, starts[0].moves)
        if random_opening(play.position, play.players, rule.random_moves, 0.5, 0) is None:
            raise PlanError(
                f"{rules.name} is over after fewer than {rule.random_moves} random moves.",
                f"rule {number}.random_moves",
            )
    seats, traits = tuple(rules.players(values)), rules.traits
    return replace(rule, seats=seats, hidden=traits.hidden, chance=traits.chance, starts=tuple(starts))


def _complete_options(rules: Rules, options: Mapping[str, str], place: str) -> dict[str, str]:
    """Every option of a rule with its value.

    Raises:
        PlanError: one of them is none, or does not take its value, or they don't go together.
    """
    try:
        return rules.complete(options)
    except OptionError as error:
        for name, value in options.items():
            with _about(f"{place}.{name}"):
                rules.complete({name: value})
        raise PlanError(str(error), place) from error


def _check_scramble(rules: Rules) -> None:
    """See that a rule can be told in other words, and that it is then still the same game.

    Raises:
        PlanError: it can't.
    """
    from ggtp.foreign.disguise import NAME, Disguise  # only those who want it pay for it

    if rules.traits.hidden:
        raise PlanError(f"{rules.name} has secrets: what players perceive can't be told in other words.")
    try:
        if rules.text is None:
            raise RulesError("there is no text")
        told = load_told(Disguise(rules.text, 1).text, NAME)
    except (RulesError, RemoteProtocolError):
        raise PlanError(f"{rules.name} is no rulesheet in GDL: its words can't be scrambled.") from None
    assert len(told.players(told.complete({}))) == len(rules.players(rules.complete({})))


def _complete_start(start: Start, rules: Rules, rule: RulePlan, say: Say) -> Start:
    values = _complete_options(rules, {**rule.options, **start.options}, f"start position {start.name or 'of options'}")
    if rules.players(values) != rules.players(rules.complete(rule.options)):
        raise PlanError(f"Start position {start.name or 'of options'}: its options make others the players.")
    play = begun(rules, rule.rule, {**rule.options, **start.options})
    for number, text in enumerate(start.moves, 1):
        if number % SLICE == 0:
            say(f"start position {start.name}: move {number} of {len(start.moves)} is replayed")
        try:
            make(play, text)
        except CommandError as error:
            raise PlanError(f"Start position {start.name or text}, move {number}: {error}") from None
    if play.result() is not None:
        fewer = ": take fewer moves of it, with plies" if start.moves else ""
        raise PlanError(f"Start position {start.name or 'of moves'}: the play is over there{fewer}.")
    return Start(start.name, tuple(play.moves), {name: values[name] for name in start.options})


def moves_of_file(
    path: str, catalogue: Catalogue, rule: str, options: Mapping[str, str], say: Say = silent
) -> tuple[str, ...]:
    """The moves that lead to the last position of a play file, each `PLAYER MOVE`; `say` as for `prepare`.

    Raises:
        PlanError: it can't be read or followed, or is of another rule.
    """
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise PlanError(f"{path}: {(isinstance(error, OSError) and error.strerror) or error}.") from None
    try:
        play = replay(text, catalogue.guarded_rules, path, say).play
    except PlayFileError as error:
        raise PlanError(str(error)) from None
    if play.rules is None or play.record is None:
        raise PlanError(f"{path}: it starts no play.")
    if play.record.cursor.forfeit is not None:
        raise PlanError(f"{path}: it ends with a forfeit, and a game that is over is no start position.")
    rules = catalogue.guarded_rules(rule)
    if play.rules.name != rules.name:
        raise PlanError(f"{path}: it is of {play.rules.name}, not of {rules.name}.")
    if play.option_values() != rules.complete(options):
        raise PlanError(f"{path}: its rule has other options than the plan.")
    moves = []
    for node in play.record.cursor.path():
        moves += [f"{player} {move}" for player, move in node.made]
        moves += [f"{refusal.player} {refusal.move}" for refusal in node.verdict.refused]
    return tuple(moves)


def _reference(name: str, folder: Path) -> str:
    """A guest's name, or the whole path of its file or foreign program where that is given from the plan's folder."""
    kind, colon, program = name.partition(":")
    if colon and "/" in program and "/" not in kind and (folder / program).is_file():
        return f"{kind}:{shlex.quote(str((folder / program).resolve()))}"
    return str((folder / name).resolve()) if "/" in name and (folder / name).exists() else name


def place_in_file(path: Path, place: str) -> str:
    """A plan's file with the line of a place, as `plan.toml:12`; the file alone where no line is known."""
    try:
        line = line_of(place, word_lines(path.read_text("utf-8-sig")))
    except (OSError, UnicodeDecodeError):  # it was removed since it was read
        line = 0
    return f"{path}:{line}" if line else str(path)


def is_journal(path: Path) -> bool:
    """Whether a file looks like a journal.

    Raises:
        OSError: it can't be read.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        return looks_like_journal(file.read(1))


def read_plan(path: Path, catalogue: Catalogue, say: Say = silent) -> Plan:
    """A plan from its file, complete; `say` as for `prepare`.

    Raises:
        OSError: it can't be read.
        GgtpError: it can't be followed; the sentence has the file in it.
    """
    try:
        data = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise PlanError(f"{path}: {error}.") from None
    if not data:
        raise PlanError(
            f"{path}: the file is empty. If it is the journal of a run that was killed, name the plan again."
        )
    try:
        loaded: dict[str, object] = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PlanError(f"{path}: not UTF-8.") from None
    except ValueError as error:  # no TOML, or an integer too long for Python
        raise PlanError(f"{path}: {error}.") from None
    except RecursionError:
        raise PlanError(f"{path}: it is nested too deep.") from None
    try:
        prepared = prepare({"name": path.stem, **loaded}, catalogue, path.parent, say)
        return complete(plan_from(prepared), catalogue, say)
    except PlanError as error:
        raise PlanError(f"{place_in_file(path, error.place)}: {error}", error.place) from None
