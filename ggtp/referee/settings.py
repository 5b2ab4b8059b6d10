"""The referee's own options: what `list_options` names and `set_option` sets."""

from __future__ import annotations

from collections.abc import Iterable

from ggtp.errors import OptionError
from ggtp.faults import (
    AGAIN,
    AT_PROMPTS,
    FAULTS,
    MOST_TRIES,
    POLICIES,
    Cost,
    fault_words,
    read_retry,
    retry_of,
)  # fmt: skip
from ggtp.game.chance import MOST_KEY
from ggtp.game.clock import AUTO_WINDOW, MOST_WINDOW_MS, TimeControl
from ggtp.game.durations import Control, read_control
from ggtp.game.options import Option, duration, find_option, number, switch
from ggtp.protocol.text import join_map, split_map
from ggtp.referee.effects import Bounds

_DAY_MS = 86_400_000

OPTIONS: tuple[Option, ...] = (
    # The paper's six.
    switch("show_command", False, "show every command that is carried out"),
    switch("show_when_play", True, "show every move that is played"),
    switch("show_possible_moves", False, "show the moves that can be played next, after every move"),
    switch("show_results", True, "show the result when the play is over"),
    switch("show_table", False, "draw the table after every move"),
    switch("genmove", True, "let engines move as soon as it is their turn"),
    # Ours.
    switch("chance", True, "draw chance as soon as it is its turn; off: on genmove, or force_play Chance"),
    number("seed", 0, 0, MOST_KEY, "what the draws of chance begin from"),
    Option("view", "auto", "whose knowledge is shown: auto, all, or a player", choices=()),
    switch("keep_plays", True, "keep the lines of earlier plays in the tree when the play is started again"),
    switch("show_between", True, "draw the table between the moves of two engines, too, while a person waits"),
    switch("forced_moves", False, "make the only move of a person here, in a turn that several share"),
    switch("wait", False, "let commands that need the engines' moves wait for them"),
    switch("compile", True, "compile rules in the Game Description Language in the background"),
    duration("time_start", 0, 0, _DAY_MS, "milliseconds that an engine may take to acknowledge start"),
    duration("time_move", 0, 0, _DAY_MS, "milliseconds for each move; 0: no limit"),
    duration("time_bank", 0, 0, _DAY_MS, "milliseconds for all moves of a player; 0: no limit"),
    duration("time_increment", 0, 0, _DAY_MS, "milliseconds added to the bank after each move"),
    Option("time_control", "0", "all three at once, such as 5+0.1 or 300ms"),
    Option("time_odds", "none", "the time controls of players who have another one, as in Cross=5+0.1, Circle=1s"),
    duration("time_margin", 100, 0, _DAY_MS, "milliseconds that an answer may be late without a fault"),
    Option(
        "secret_window",
        AUTO_WINDOW,
        "milliseconds after which others learn what was done in a turn whose time would tell a secret; 0: at once",
        low=0,
        high=MOST_WINDOW_MS,
        unit="ms",
        words=(AUTO_WINDOW,),
    ),
    duration("patience", 60_000, 100, _DAY_MS, "milliseconds to wait for a move that has no time limit"),
    duration("answer_time", 5_000, 50, _DAY_MS, "milliseconds to wait for an answer that is due at once"),
    duration("connect_time", 10_000, 50, _DAY_MS, "milliseconds that an engine may take to start and connect"),
    duration("reconnect_time", 60_000, 50, _DAY_MS, "milliseconds that a remote engine may take to connect again"),
    Option("away_clock", "run", "what the clock of a remote engine does while it is away", choices=("run", "hold")),
    duration(
        "network_silence", 10_000, 100, _DAY_MS, "milliseconds without a sign of life after which a connection is lost"
    ),
    number("line_limit", 16 * 2**20, 1024, 2**31 - 1, "bytes that a line of an engine may have"),
    number("engine_memory", 4096, 16, 2**24, "mebibytes of memory that an engine may use"),
    number("engine_processes", 64, 1, 65_536, "processes that an engine may consist of"),
    Option(
        "sandbox",
        "standard",
        "how far engines are kept from the rest of the machine; the stricter of this and an engine's own wish holds",
        choices=("standard", "strict", "off"),
    ),
    Option("engine_network", "asked", "which engines may use the network", choices=("asked", "off")),
    number("engine_threads", 1, 1, 4096, "threads that an engine is told to use"),
    number("restarts", 3, 0, 1000, "how often in a row a faulty engine is restarted"),
    *(
        Option(
            f"fault_{name}",
            cost.policy,
            f"what follows when {fault_words(name)}",
            choices=(*POLICIES, *((AGAIN,) if FAULTS[name].again else ())),
        )
        for name, cost in AT_PROMPTS.items()
    ),
)

VIEW_ALL, VIEW_AUTO = "all", "auto"
NO_ODDS = "none"
"""The value of `time_odds` where all players have the same clocks."""


CONTROLS = ("time_move", "time_bank", "time_increment")
"""The options that `time_control` sets together."""


class Settings:
    """The values of the referee's options. A copy is cheap."""

    __slots__ = ("_controls", "_seconds", "answer_time", "patience", "time_margin", "time_start", "values")

    def __init__(self, values: dict[str, str]) -> None:
        self.values = values
        # Asked for several times a move, so they are not worked out again each time.
        self._seconds: dict[str, float] = {}
        self._controls: dict[str, TimeControl] = {}
        self.answer_time = 0.0
        """This and the next three: the options of these names, in seconds."""
        self.patience = 0.0
        self.time_margin = 0.0
        self.time_start = 0.0
        self._work_out()

    def _work_out(self) -> None:
        self._seconds.clear()
        move, bank, increment = (int(self.values[name]) for name in CONTROLS)
        usual = Control(move, bank, increment)
        self.values["time_control"] = usual.text()
        odds = {} if self.values["time_odds"] == NO_ODDS else split_map(self.values["time_odds"])
        self._controls = {
            player: TimeControl(*(value / 1000 for value in control))
            for player, control in {"": usual, **{name: read_control(text) for name, text in odds.items()}}.items()
        }
        self.answer_time = self.seconds("answer_time")
        self.patience = self.seconds("patience")
        self.time_margin = self.seconds("time_margin")
        self.time_start = self.seconds("time_start")

    @classmethod
    def defaults(cls, changes: dict[str, str]) -> Settings:
        """Every option at its default, but for what a front end wants otherwise."""
        settings = cls({option.name: option.default for option in OPTIONS})
        for name, value in changes.items():
            settings.set(name, value)
        return settings

    def copy(self) -> Settings:
        """The same values, to be changed apart."""
        return Settings(dict(self.values))

    def set(self, name: str, value: str) -> tuple[str, str]:
        """Set an option and answer its canonical name and value.

        Raises:
            OptionError: no such option, or no such value.
        """
        option = find_option(OPTIONS, name)
        retry = read_retry(value, POLICIES, option.default) if AGAIN in option.choices else None
        if retry is None and AGAIN in option.choices and value.casefold().startswith(AGAIN):
            takes = f"{AGAIN}, {AGAIN}:N with N from 1 to {MOST_TRIES}, or {AGAIN}:N:POLICY with one of"
            raise OptionError(f"No value {value} for option {option.name}: it takes {takes} {', '.join(POLICIES)}.")
        canonical = option.canonical(value) if retry is None else retry.text()
        if option.name == "time_control":
            control = read_control(canonical)
            self.values.update(zip(CONTROLS, map(str, control), strict=True))
            canonical = control.text()
        elif option.name == "time_odds":
            canonical = odds_text(canonical)
        self.values[option.name] = canonical
        self._work_out()
        return option.name, canonical

    def get(self, name: str) -> str:
        """The value of an option.

        Raises:
            OptionError: no such option.
        """
        return self.values[find_option(OPTIONS, name).name]

    def on(self, name: str) -> bool:
        """Whether a switch is on."""
        return self.values[name] == "on"

    def number(self, name: str) -> int:
        """The value of a number."""
        return int(self.values[name])

    def seconds(self, name: str) -> float:
        """The value of a number of milliseconds, in seconds."""
        seconds = self._seconds.get(name)
        if seconds is None:
            seconds = self._seconds[name] = int(self.values[name]) / 1000
        return seconds

    def policy(self, fault: str) -> Cost:
        """What follows a fault of that class."""
        return POLICIES[retry_of(self.values[f"fault_{fault}"]).then]

    def tries(self, fault: str) -> int:
        """Return how often in a row an engine is asked again after a fault of that class before the policy follows."""
        return retry_of(self.values[f"fault_{fault}"]).times

    def time_control(self, player: str = "") -> TimeControl:
        """The clocks of a player, or of all who have no others."""
        return self._controls.get(player) or self._controls[""]

    def banks(self, players: Iterable[str]) -> dict[str, float]:
        """The full bank of each of these players who has one, in seconds."""
        return {player: bank for player in players if (bank := self.time_control(player).bank)}

    def secret_window(self, delay: float | None, *, people: bool) -> float:
        """Return the seconds after which others learn of a sealed turn, which has this delay of its own."""
        if self.values["secret_window"] == AUTO_WINDOW:
            return self.time_control().window(delay, people=people)
        return self.seconds("secret_window")

    def bounds(self) -> Bounds:
        """What an engine may use up."""
        return Bounds(
            line_bytes=self.number("line_limit"),
            memory_bytes=self.number("engine_memory") * 2**20,
            processes=self.number("engine_processes"),
            connect_seconds=self.seconds("connect_time"),
            sandbox=self.values["sandbox"],
            network=self.values["engine_network"],
        )


def odds_text(text: str) -> str:
    """The canonical value of `time_odds`.

    Raises:
        OptionError: it is none.
    """
    if text.casefold() in (NO_ODDS, ""):
        return NO_ODDS
    odds = split_map(text)
    if not all(odds) or not all(odds.values()):
        raise OptionError(
            f"No value {text} for option time_odds: write none, or PLAYER=TIME for some players, "
            "as in Cross=5+0.1, Circle=1s."
        )
    return join_map({player: read_control(control).text() for player, control in odds.items()})
