"""THE table of ways to misbehave, with what each must cost: a verdict that holds for every game, wire and seat.

A way is a function of its name in the module of its group. What may come of it is written as classes of faults; `-` is
none, so that the game goes on to its end. A class that is not among them, or a fault of the opponent, is a wrong
verdict.
"""

from __future__ import annotations

from typing import NamedTuple

ALL_WIRES = "zmq tcp stdio"
PLAYS_ON = "-"
START = "start"
"""What comes of ways that never get to a game."""


class Way(NamedTuple):
    """A row of the table."""

    name: str
    group: str
    at: str
    """The command at which it happens; empty for the very beginning."""
    summary: str
    outcome: str = PLAYS_ON
    """Classes of faults, any of which is right."""
    wires: str = ALL_WIRES
    raw: bool = False
    """Whether it can't be done with the library of ZeroMQ."""
    arguments: str = ""
    """What the program is told beside the way."""
    settings: str = ""
    """Options of the referee that are set before, as `name=value`."""
    impatient: bool = False
    """Whether only the referee's patience ends it, which is then made short once the engine is there."""
    asked: bool = False
    """Whether the supervisor has to ask for the engine's options."""
    outside: bool = False
    """Whether it harms what is outside of the engine, and only a sandbox prevents that."""

    @property
    def deed(self) -> str:
        """The function that does it, in the module of its group."""
        return self.name.partition("-at-")[0].replace("-", "_")

    @property
    def outcomes(self) -> frozenset[str]:
        """The classes of faults any of which is right; `PLAYS_ON` is among them if none is right, too."""
        return frozenset(self.outcome.split())


TURN, TOLD, BEGIN, ASKED = "have_to_play", "made_move", "start", "list_options"
SOON = "answer_time=1500"

CONNECTING = (
    Way("never-connects", "connecting", "", "does not connect", "start silence", settings="connect_time=700 answer_time=700"),
    Way("connects-late", "connecting", "", "connects after the time for it", "start", "zmq tcp", settings="connect_time=500", arguments="--delay-ms 12000"),
    Way("connects-then-closes", "connecting", "", "connects, hangs up and stays", "start exit", raw=True),
    Way("connects-twice", "connecting", BEGIN, "connects once more and moves there", "- protocol", "zmq tcp", raw=True),
    Way("exits-first", "connecting", "", "ends before it has connected", "start exit"),
    Way("wrong-protocol", "connecting", "", "talks HTTP", "start protocol"),
    Way("wrong-protocol-gtp", "connecting", "", "talks GTP", "start protocol"),
    Way("wrong-greeting", "connecting", "", "greets with random bytes", "start protocol", "zmq"),
    Way("endless-greeting", "connecting", "", "greets without end", "start protocol flood", "zmq"),
    Way("half-greeting", "connecting", "", "sends half of its greeting", "start", "zmq", settings="connect_time=700"),
    Way("other-socket", "connecting", "", "says that it is a socket of another kind", "start", "zmq"),
    Way("closes", "connecting", TURN, "hangs up and stays alive", "exit silence", impatient=True),
    Way("closes-writing", "connecting", TURN, "closes its half of the connection", "exit", "zmq tcp", raw=True),
    Way("closes-reading", "connecting", TOLD, "listens no more and goes on talking", "- silence exit", "zmq tcp", raw=True, impatient=True),
)  # fmt: skip
EXITS = tuple(
    Way(f"{deed}-at-{at}", "ending", at, f"{summary} at {at}", outcome)
    for deed, summary in (
        ("exit0", "ends with status 0"),
        ("exit1", "ends with status 1"),
        ("crash", "ends by SIGSEGV"),
    )
    for at, outcome in (
        ("connect_engine", "start exit"),
        ("list_options", "start exit"),
        ("set_option", "start exit"),
        ("start", "exit"),
        ("made_move", "exit"),
        ("disconnect_engine", "-"),
    )
)
ENDING = (
    Way("exit0", "ending", TURN, "ends with status 0", "exit"),
    Way("exit1", "ending", TURN, "ends with status 1 and words on standard error", "exit"),
    Way("crash", "ending", TURN, "ends by SIGSEGV", "exit"),
    Way("aborts", "ending", TURN, "ends by SIGABRT, with words", "exit"),
    Way("kills-itself", "ending", TURN, "ends by SIGKILL", "exit"),
    Way("answers-and-exits", "ending", TURN, "answers and ends at once", "exit"),
    Way("stops-itself", "ending", TURN, "stops itself", "silence", impatient=True),
    Way("hang", "ending", TURN, "never answers and never reads again", "silence", impatient=True),
    Way("deaf", "ending", BEGIN, "answers, then never reads again", "silence", impatient=True),
    Way("ignores-term", "ending", "disconnect_engine", "does not end", "-"),
    *EXITS,
)  # fmt: skip
TALKING = (
    Way("binary", "talking", TURN, "answers with random bytes", "protocol"),
    Way("nul", "talking", TURN, "answers with NULs", "protocol"),
    Way("carriage-returns", "talking", TURN, "ends its lines with CR alone", "protocol illegal silence", impatient=True),
    Way("empty-lines", "talking", TURN, "answers with empty lines before its answer", "- protocol"),
    Way("unasked", "talking", BEGIN, "says more than it was asked", "protocol"),
    Way("wrong-answer", "talking", TOLD, "gives an answer of the wrong kind", "protocol"),
    Way("answers-twice", "talking", TURN, "gives its move twice", "protocol"),
    Way("wrong-order", "talking", TOLD, "moves before it acknowledges", "protocol silence", impatient=True),
    Way("illegal", "talking", TURN, "selects a move that is not legal", "illegal"),
    Way("illegal-for-ever", "talking", TURN, "selects illegal moves without end", "illegal protocol"),
    Way("names-nobody", "talking", TURN, "selects a move without a name", "illegal protocol"),
    Way("moves-for-other", "talking", TURN, "selects a move of the other player", "illegal"),
    Way("moves-early", "talking", TOLD, "moves whenever something happens", "protocol"),
    Way("moves-none", "talking", TURN, "selects the move none", "illegal"),
    Way("huge-move", "talking", TURN, "selects a move of 1 MB", "illegal"),
    Way("tells", "talking", TURN, "tells messages where nobody listens", "protocol"),
    Way("refuses-everything", "talking", "set_option", "takes no value of any option", "start"),
    Way("wrong-table", "talking", TURN, "says that the table is unknown", "protocol"),
    Way("controls-in-move", "talking", TURN, "selects a move with escapes and turned text", "illegal protocol"),
    Way("controls-in-words", "talking", TURN, "ends with escapes and turned text in its last words", "exit"),
    Way("controls-in-answer", "talking", TURN, "answers with escapes and turned text", "protocol"),
    Way("long-words", "talking", TURN, "ends with a last word of 1 MB", "exit"),
    Way("controls-in-options", "options", ASKED, "has options with escapes and turned names", "- protocol start", asked=True),
    Way("million-options", "options", ASKED, "has a million options", "- protocol start", asked=True),
    Way("endless-options", "options", ASKED, "has options without end", "flood start silence", settings=f"line_limit=1048576 {SOON}", raw=True),
    Way("same-options", "options", ASKED, "has each option three times", "- protocol start", asked=True),
    Way("strange-options", "options", ASKED, "has options without names, or with the referee's", "- protocol start", asked=True),
    Way("lying-choices", "options", "list_option_choices", "names choices that it then refuses", "-", asked=True),
    Way("endless-choices", "options", "list_option_choices", "names a million choices", "-", asked=True),
    Way("huge-value", "options", "get_option", "has a value of 1 MB", "-", asked=True),
)  # fmt: skip
FLOODING = (
    Way("floods", "flooding", TURN, "sends lines without end", "protocol"),
    Way("floods-acknowledge", "flooding", BEGIN, "acknowledges without end", "protocol"),
    Way("floods-tell", "flooding", TURN, "tells messages without end", "protocol"),
    Way("floods-moves", "flooding", TURN, "moves without end", "protocol illegal"),
    Way("floods-empty", "flooding", TURN, "sends empty lines without end", "protocol silence", impatient=True),
    Way("long-line", "flooding", TURN, "sends a line of 1 GiB", "flood", raw=True),
    Way("half-line", "flooding", TURN, "sends half of its answer and hangs", "silence", raw=True, impatient=True),
    Way("half-line-exit", "flooding", TURN, "sends half of its answer and ends", "exit", raw=True),
    Way("stdout-noise", "flooding", "", "prints rubbish to standard output", "-", "zmq tcp"),
    Way("stdout-flood", "flooding", TOLD, "prints 64 MiB to standard output", "-", "zmq tcp"),
    Way("stderr-flood", "flooding", BEGIN, "writes 8 MiB to standard error", "-"),
    Way("stderr-300mb", "flooding", BEGIN, "writes 300 MiB to standard error", "-", settings="answer_time=60000"),
    Way("stderr-line", "flooding", BEGIN, "writes a line of 64 MiB to standard error", "-"),
    Way("drip", "flooding", "connect_engine", "sends its answers byte by byte", "-", raw=True),
    Way("drip-slowly", "flooding", BEGIN, "sends its answers byte by byte, slower than it may", "silence", raw=True, arguments="--delay-ms 500", impatient=True),
)  # fmt: skip
TIMING = (
    Way("late", "timing", TURN, "answers late", "late", settings="time_move=300 time_margin=50", arguments="--delay-ms 2500"),
    Way("late-by-a-little", "timing", TURN, "answers just after its time", "- late", settings="time_move=200 time_margin=100", arguments="--delay-ms 230"),
    Way("uses-its-bank", "timing", TURN, "uses its bank up", "late", settings="time_bank=700 time_margin=50", arguments="--delay-ms 500"),
    Way("slow-acknowledge", "timing", TOLD, "takes its time to acknowledge", "-", arguments="--delay-ms 150"),
    Way("slow-start", "timing", BEGIN, "starts later than it may", "silence late", settings=SOON, arguments="--delay-ms 7000"),
    Way("spin", "timing", TURN, "computes without end", "silence", impatient=True),
    Way("sleeps-for-ever", "timing", TURN, "never moves, and acknowledges what it is told", "silence", impatient=True),
)  # fmt: skip
RESOURCES = (
    Way("memory", "resources", TURN, "takes more and more memory", "limit", settings="engine_memory=100", arguments="--most-mb 220"),
    Way("memory-mapped", "resources", TURN, "maps more and more memory", "limit", settings="engine_memory=100", arguments="--most-mb 220"),
    Way("memory-shared", "resources", TURN, "fills /dev/shm", "- limit exit", settings="engine_memory=100", arguments="--most-mb 220", outside=True),
    Way("memory-file", "resources", TURN, "fills a file that is only in memory", "- limit exit", settings="engine_memory=100", arguments="--most-mb 220", outside=True),
    Way("memory-tmp", "resources", TURN, "fills the folder for temporary files", "- limit exit", settings="engine_memory=100", arguments="--most-mb 220", outside=True),
    Way("memory-of-child", "resources", TURN, "lets a child take memory", "limit", settings="engine_memory=100", arguments="--most-mb 220"),
    Way("many-descriptors", "resources", BEGIN, "opens 10,000 descriptors", "-"),
    Way("many-threads", "resources", BEGIN, "starts 400 threads", "- limit exit"),
    Way("fork-bomb", "resources", TURN, "forks 200 times", "limit exit", settings="engine_processes=20"),
    Way("zombies", "resources", BEGIN, "leaves 50 dead children", "- limit"),
    Way("leaps", "resources", TURN, "forks and ends, 100 times over", "exit limit", outside=True),
    Way("spins", "resources", BEGIN, "keeps a processor busy", "-"),
    Way("dumps-core", "resources", TURN, "wants a core file and crashes", "exit"),
)  # fmt: skip
REACHING = (
    Way("forks", "reaching", BEGIN, "leaves children behind", "-"),
    Way("daemon", "reaching", BEGIN, "leaves a daemon without its environment", "-"),
    Way("kills-parent", "reaching", TURN, "kills its referee", "- exit", outside=True),
    Way("terms-parent", "reaching", TURN, "tells its referee to end", "- exit", outside=True),
    Way("stops-parent", "reaching", TURN, "stops its referee", "- exit silence", outside=True),
    Way("kills-all", "reaching", TURN, "kills all that it may", "- exit", outside=True),
    Way("kills-group", "reaching", TURN, "kills its group", "exit"),
    Way("limits-parent", "reaching", TURN, "takes its referee's descriptors away", "-", outside=True),
    Way("reads-environment", "reaching", BEGIN, "reads the environment of others", "-", asked=True, outside=True),
    Way("reads-memory", "reaching", BEGIN, "reads its referee's memory", "-", asked=True, outside=True),
    Way("reads-files", "reaching", BEGIN, "reads play files and keys", "-", asked=True, outside=True),
    Way("reads-descriptors", "reaching", BEGIN, "opens what its referee has open", "-", asked=True, outside=True),
    Way("writes-to-referee", "reaching", TURN, "writes to its referee's output", "- protocol", outside=True),
    Way("calls-others", "reaching", BEGIN, "connects to sockets of others", "-", asked=True, outside=True),
)  # fmt: skip
PLANTING = (
    Way("plants-modules", "planting", "", "leaves modules that others could import", "-", outside=True),
    Way("plants-cache", "planting", "", "leaves rubbish where compiled rules are kept", "-", outside=True),
    Way("plants-links", "planting", "", "leaves links and FIFOs in its folder", "-", outside=True),
    Way("plants-files", "planting", "", "leaves files in the folders that all share", "-", outside=True),
)  # fmt: skip

WAYS: dict[str, Way] = {
    way.name: way
    for way in (
        *CONNECTING,
        *ENDING,
        *TALKING,
        *FLOODING,
        *TIMING,
        *RESOURCES,
        *REACHING,
        *PLANTING,
    )
}
"""All ways by name."""
