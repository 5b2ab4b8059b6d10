"""Rules in the Game Description Language → networks and machine code, kept on the disk between runs.

Grounding and building happen in a child process with limits, since some games grow without
bound. Machine code is made here, when it is asked for (`ggtp.gdl.play.compiled`). Both are kept in
the user's cache folder, under the hash of the rules' words, the compiler's version, and for code the processor and how
it is made; so what is there is found without reading the rules, and nothing of it is made again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ggtp.catalogue.compile.cache import DiskCache, usual_cache
from ggtp.errors import NotCompiled, RulesError, last_line
from ggtp.processes.child import End, Ended, Line, run_child

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.gdl.play.rules import GdlRules

CHILD = "ggtp.gdl.ground.child"
LIBRARIES = ("clingo", "llvmlite", "numpy")
"""What the compiler needs; the interpreter needs none of them."""
COMPILING = "compiling"
"""What `progress` is told when the network is there and machine code is made."""
STARTING = 5
"""Seconds on top of those that the game may take, for the process itself."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What making a network may take."""

    seconds: float = 60.0
    megabytes: int = 4096
    own_group: bool = True
    """See `run_child`."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A game's network, and what it took to make it."""

    game: CompiledGame
    ground_s: float
    build_s: float
    memory_mib: float
    """The most memory of the process that made it."""
    kept: bool
    """It was in the cache; the figures are those of the day when it was made."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A network as it is kept: for who hands it on and does not play it, so that nothing else has to be loaded."""

    data: bytes
    """The bytes of `gdl.ground_wire`."""
    name: str
    """What it has in the cache."""
    seconds: float
    """Of the processor, that it took to make it."""


def missing_libraries() -> list[str]:
    """The libraries that the compiler needs and that are not installed."""
    return [name for name in LIBRARIES if find_spec(name) is None]


def require_libraries() -> None:
    """Sees that the compiler can work.

    Raises:
        NotCompiled: it lacks libraries; says which, and how to get them.
    """
    missing = missing_libraries()
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        names = f"{', '.join(missing[:-1])} and {missing[-1]}" if len(missing) > 1 else missing[0]
        raise NotCompiled(
            f"{names} {verb} not installed, which compiling rules needs: pip install {' '.join(missing)}."
        )


class Compiler:
    """Compiles rules. Cheap to make: libraries are loaded when the first game is compiled."""

    def __init__(self, cache: DiskCache | None = None) -> None:
        """A compiler that keeps its work in the cache, if it has one."""
        self.cache = cache

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Compiler:
        """A compiler that keeps its work where the environment says."""
        return cls(usual_cache(environ))

    def compile(
        self,
        text: str,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        *,
        progress: Callable[[str], None] = lambda text: None,
        should_stop: Callable[[], bool] = lambda: False,
        keep_code: bool = True,
    ) -> Compiled:
        """The compiled game of a rulesheet.

        Args:
            text: the rulesheet.
            limits: what it may take.
            progress: is told in a few words what is being done.
            should_stop: is asked many times a second.
            keep_code: whether machine code is kept too, or compiled whenever it is needed.

        Raises:
            RulesError: the rules are at fault.
            NotCompiled: it would take more than it may, was stopped, or libraries are missing.
        """
        require_libraries()
        key = _key(text)
        loading = threading.Thread(
            target=_load_kernels, args=(self.cache if keep_code else None,), name="loading kernels", daemon=True
        )
        # Loading what plays the network takes as long as a small game does in the child: both at a time.
        head, data, known = self._network(text, key, limits, progress, should_stop, loading.start)
        if loading.ident is not None:
            loading.join()
        from ggtp.gdl.ground.wire import decode_built
        from ggtp.gdl.play.compiled import CompiledGame

        try:
            built = decode_built(data)
        except (ValueError, TypeError, KeyError) as error:
            raise NotCompiled(f"The network can't be read: {error}.") from error
        game = CompiledGame(built, self.cache if keep_code else None, key)
        return Compiled(game, head["ground_s"], head["build_s"], head["memory_mib"], known)

    def kept(self, text: str) -> Kept | None:
        """The network of a rulesheet, if it is in the cache."""
        key = _key(text)
        found = self._kept(key)
        return None if found is None else _told(key, *found)

    def network(
        self,
        text: str,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        *,
        progress: Callable[[str], None] = lambda text: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Kept:
        """The network of a rulesheet, for others to play.

        Raises:
            RulesError, NotCompiled: as `compile`.
        """
        require_libraries()
        key = _key(text)
        head, data, _ = self._network(text, key, limits, progress, should_stop, lambda: None)
        return _told(key, head, data)

    def _network(
        self,
        text: str,
        key: str,
        limits: Limits,
        progress: Callable[[str], None],
        should_stop: Callable[[], bool],
        meanwhile: Callable[[], None],
    ) -> tuple[dict[str, Any], bytes, bool]:
        """The figures and bytes of a network, and whether it was kept; `meanwhile` is called where it was not."""
        found = self._kept(key)
        if found is not None:
            return *found, True
        meanwhile()
        if self.cache is None:
            return *_built(text, limits, progress, should_stop), False
        # The referee and its engines begin with a game at the same time: one of them makes it, the others have it.
        with self.cache.claim(key, should_stop, limits.seconds) as waited:
            found = self._kept(key) if waited else None
            if found is not None:
                return *found, True
            head, data = _built(text, limits, progress, should_stop)
            self.cache.put(key, _packed(head, data))
            return head, data, False

    def _kept(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        kept = None if self.cache is None else self.cache.get(key)
        head, data = _unpacked(kept) if kept is not None else (None, b"")
        return None if head is None else (head, data)

    def equip(
        self,
        rules: GdlRules,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        *,
        progress: Callable[[str], None] = lambda text: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Compiled:
        """Compiles rules, and lets the compiled machine play all positions that begin from then on.

        Raises:
            RulesError, NotCompiled: as `compile`; the rules are then as they were.
        """
        compiled = self.compile(rules.text or "", limits, progress=progress, should_stop=should_stop)
        progress(COMPILING)
        rules.use(compiled.game.machine(threading.Lock()))
        return compiled


def _key(text: str) -> str:
    """What a rulesheet has in the cache; the same for all that differ in comments, blanks and capitals only."""
    from ggtp.gdl.language.reader import words
    from ggtp.gdl.network.network import VERSION

    return f"network {VERSION} {sha256(words(text).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _told(key: str, head: Mapping[str, float], data: bytes) -> Kept:
    return Kept(data, key, head["cpu_s"])


def _packed(head: Mapping[str, float], data: bytes) -> bytes:
    return json.dumps(dict(head)).encode() + b"\n" + data


def _unpacked(kept: bytes) -> tuple[dict[str, Any] | None, bytes]:
    line, _, data = kept.partition(b"\n")
    try:
        head = json.loads(line)
        found = {name: float(head[name]) for name in ("ground_s", "build_s", "memory_mib")}
        # Older ones have the seconds of the clock only.
        return {**found, "cpu_s": float(head.get("cpu_s", found["ground_s"] + found["build_s"]))}, data
    except (ValueError, TypeError, KeyError):  # another version of ours has written it
        return None, b""


def _built(
    text: str, limits: Limits, progress: Callable[[str], None], should_stop: Callable[[], bool]
) -> tuple[dict[str, Any], bytes]:
    """The bytes of the network, from a child, and the figures about it."""
    told: dict[str, float] = {}
    """The seconds that grounding took, and the rest."""
    failed: list[Line] = []

    def listen(line: Line) -> None:
        told.update((name, float(line[name])) for name in ("ground_s", "build_s", "cpu_s") if name in line)
        if "grounded" in line:
            progress(f"building the network of {line['grounded']:,} ground rules")
        elif "rules" in line:
            progress(f"grounding: {line['rules']:,} rules")
        elif "failed" in line:
            failed.append(line)

    progress("grounding")
    request = {"text": text, "cpu_seconds": max(1, round(limits.seconds)), "megabytes": limits.megabytes}
    ended = run_child(
        CHILD,
        request,
        seconds=limits.seconds + STARTING,
        on_line=listen,
        should_stop=should_stop,
        own_group=limits.own_group,
        bare=True,
    )
    if failed and failed[0].get("failed") == "rules":
        # Read here only now: where nothing is wrong, the child alone has to know what the words mean.
        from ggtp.gdl.language.parse import parse_strictly

        parse_strictly(text)
        raise RulesError(str(failed[0].get("message")))
    if ended.data is None or ended.status:
        raise NotCompiled(_reason(ended, failed, limits, "ground_s" in told))
    return {**told, "memory_mib": round(ended.memory_mib, 3)}, ended.data


def _load_kernels(cache: DiskCache | None) -> None:
    with suppress(Exception):  # it will be found out by who needs them
        import ggtp.gdl.program.build  # noqa: F401 - what makes kernels of a network
        from ggtp.gdl.play.compiled import prepare

        prepare(cache)


def _reason(ended: Ended, failed: list[Line], limits: Limits, grounded: bool) -> str:
    what = "Building its network" if grounded else "Grounding it"
    if ended.end is End.STOPPED:
        return f"{what} was stopped."
    if failed and failed[0].get("failed") == "memory":
        return f"{what} takes more than {limits.megabytes} MiB."
    if failed:
        return str(failed[0].get("message"))
    if ended.end is End.LATE or ended.status in (-9, -24):  # SIGKILL, SIGXCPU: its processor time is used up
        return f"{what} takes more than {limits.seconds:g} s."
    # clingo and numpy do not all say that they lack memory before they end.
    words = last_line(ended.last_words)
    if "MemoryError" in words or "bad_alloc" in ended.last_words or "allocat" in words:
        return f"{what} takes more than {limits.megabytes} MiB."
    return f"{what} failed: {words or f'status {ended.status}'}."
