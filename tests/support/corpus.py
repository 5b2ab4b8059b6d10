"""Recorded games that tests replay: a few of our own, and a further set where it lies beside the checkout.

Both have the same shape: `gdl` and `vgdl` each have a folder `games` and a file of traces, and `ggp-wire` has
conversations. Our own traces were recorded by the interpreters and read through by a person; to record them anew,
after a game was added: `PYTHONPATH=tests python -m support.corpus`.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from support.paths import SHARED, TESTS
from support.vgdl import LETTERS

from ggtp.catalogue.traces.vgdl_traces import VideoTrace, read_video_traces
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse
from ggtp.gdl.play.traces import sha1
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse as parse_video_game
from ggtp.vgdl.world.traces import Interpreted, checksum

OWN = TESTS / "corpus"
FURTHER = SHARED / "data"
CORPORA = (OWN, FURTHER)

PLAYOUTS = 3
STEPS = 20
TICKS = 60
GOING_ON = 4
"""How often other moves are drawn where moves would end the game."""
MOST_LISTED = 200
"""Of a larger set, a trace holds the hash."""


def traces_file(folder: Path) -> Path | None:
    """The traces of a folder, compressed or not; None if there are none."""
    return next((path for name in ("traces.jsonl", "traces.jsonl.gz") if (path := folder / name).is_file()), None)


def gdl_records() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every recorded game in GDL, our own first, with the path of its rules."""
    for folder in (corpus / "gdl" for corpus in CORPORA):
        path = traces_file(folder)
        if path is not None:
            with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
                for record in map(json.loads, lines):
                    yield folder / record["game"], record


def video_folders() -> list[Path]:
    """The folders that have recorded video games."""
    return [folder for folder in (corpus / "vgdl" for corpus in CORPORA) if traces_file(folder) is not None]


def video_traces(folder: Path) -> Iterator[VideoTrace]:
    """Our own recorded video games; of each game of the further set one, or all if `GGTP_ALL_TRACES` is set."""
    seen: set[str] = set()
    path = traces_file(folder)
    for trace in read_video_traces(path) if path is not None else ():
        if is_own(folder) or trace.game not in seen or "GGTP_ALL_TRACES" in os.environ:
            seen.add(trace.game)
            yield trace


def is_own(path: Path) -> bool:
    """Return whether a file or a folder is of our own corpus."""
    return OWN in path.parents


# -- recording ------------------------------------------------------------------------------------------------------


def record_gdl(path: Path) -> dict[str, Any]:
    """Random games of the interpreter, as a line of a trace file."""
    judge, rng = Interpreter(parse(path.read_text("utf-8"))), random.Random(path.stem)
    initial = sorted(map(str, judge.initial()))
    playouts = [{"steps": list(_steps(judge, rng))} for _ in range(PLAYOUTS)]
    return {
        "game": f"games/{path.name}",
        "roles": list(map(str, judge.roles)),
        "initial": initial,
        "playouts": playouts,
        "cpu_s": 0.0,
    }


def _steps(judge: Interpreter, rng: random.Random) -> Iterator[dict[str, Any]]:
    state, before = judge.initial(), None
    for number in range(STEPS + 1):
        facts = set(map(str, judge.facts(state)))
        step: dict[str, Any] = {"n": number, "facts": len(facts), "sha1": sha1(facts)}
        if before is not None:
            step |= {"add": sorted(facts - before), "del": sorted(before - facts)}
        step["terminal"] = judge.terminal(state)
        if step["terminal"]:
            values = {str(role): sorted(map(str, judge.goal_values(state, role))) for role in judge.roles}
            step["goals"] = {role: int(found[0]) if len(found) == 1 else found for role, found in values.items()}
        elif number < STEPS:
            legal = {role: sorted(judge.legal(state, role), key=str) for role in judge.roles}
            moves = {role: rng.choice(choices) for role, choices in legal.items()}
            for _ in range(GOING_ON):
                if not judge.terminal(judge.next(state, moves)):
                    break
                moves = {role: rng.choice(choices) for role, choices in legal.items()}
            step["legal"] = {str(role): _listed(list(map(str, choices))) for role, choices in legal.items()}
            step["move"] = list(map(str, moves.values()))
            state = judge.next(state, moves)
        yield step
        if step["terminal"]:
            break
        before = facts


def _listed(texts: Sequence[str]) -> object:
    return list(texts) if len(texts) <= MOST_LISTED else {"count": len(texts), "sha1": sha1(texts)}


def record_video_game(path: Path, level: int, seed: int) -> Iterator[dict[str, Any]]:
    """A game of the interpreter, as lines of a trace file: of the actions beside the level, or random ones."""
    game, identity = parse_video_game(path.read_text("utf-8")), f"{path.stem}_lvl{level}"
    ground = parse_level(path.with_name(f"{path.stem}_lvl{level}.txt").read_text("utf-8"), game)
    world, rng = Interpreted(game, ground, seed), random.Random(identity)
    places = world.places()
    yield {
        "k": "start", "id": identity, "game": path.stem, "level": level, "seed": seed,
        "block": ground.block, "w": ground.width, "h": ground.height,
        "types": [kind.name for kind in game.types],
        "sprite_order": [game.types[number].name for number in game.draw_order],
        "avatar": world.avatar(), "crc": checksum(places), "n": len(places), "state": sorted(places),
    }  # fmt: skip
    actions = path.with_name(f"{identity}.actions")
    letters = actions.read_text("ascii").strip() if actions.is_file() else rng.choices(list(LETTERS), k=TICKS)
    for number, letter in enumerate(letters):
        action, before = LETTERS[letter], Counter(world.places())
        world.advance(action)
        places, now = world.places(), Counter(world.places())
        figures = world.figures()
        ended = {"end": 1} if figures.pop("end") else {}
        yield {
            "k": "t", "id": identity, "t": number, "a": action.name, **figures, **ended, "avatar": world.avatar(),
            "del": sorted((before - now).elements()), "add": sorted((now - before).elements()),
            "crc": checksum(places), "n": len(places),
        }  # fmt: skip
        if ended:
            break


def main() -> None:
    """Record all of our own games anew."""
    games = sorted((OWN / "gdl" / "games").glob("*.kif"))
    _write(OWN / "gdl" / "traces.jsonl", map(record_gdl, games))
    levels = sorted((OWN / "vgdl" / "games").glob("*_lvl*.txt"))
    lines = []
    for seed, level in enumerate(levels, 1):
        stem, _, number = level.stem.rpartition("_lvl")
        lines += record_video_game(level.with_name(f"{stem}.txt"), int(number), seed)
    _write(OWN / "vgdl" / "traces.jsonl", iter(lines))


def _write(path: Path, records: Iterator[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main()
