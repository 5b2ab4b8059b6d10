"""`ggtp arcade`: a person plays a video game with the arrow keys, or watches an engine, and the play is recorded.

The referee rules this play as any other: each tick is a `play` command with the key that was
pressed last. The clock is here, since a person's tick must not end early because a key was hit.
An engine has the referee's own clock, and the table is drawn as it goes.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from ggtp.catalogue import Catalogue
from ggtp.catalogue.vgdl_rules import SUFFIXES
from ggtp.driver.driver import Driver
from ggtp.driver.loop import run_loop
from ggtp.driver.tasks import spawn
from ggtp.errors import CommandError
from ggtp.game import Picture
from ggtp.game.guard import bare_position
from ggtp.protocol.text import quote
from ggtp.ui.console.arguments import MOST_KEY, milliseconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.new_driver import new_driver
from ggtp.ui.console.output import say
from ggtp.vgdl.world.picture import legend
from ggtp.vgdl.world.rules import VideoPosition

PLAYER = "Avatar"
KEYS = {"left": "left", "right": "right", "up": "up", "down": "down", "space": "use", "enter": "use"}
"""Which move a key means."""
HELP = "arrows move, space uses, p pauses, q leaves"
DELAY, ENGINE_DELAY = 100, 40
"""Milliseconds of a tick, for people and for engines."""
ROOM = 200
MOST_RECORDS = 10_000
"""How many plays of a game are kept where nobody says into which file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp arcade`."""
    parser.add_argument("game", metavar="GAME", help="a video game's name, such as stevedore, or the path of its file")
    parser.add_argument("--level", default="0", metavar="N|FILE", help="which level (default 0)")
    parser.add_argument(
        "--delay", type=milliseconds(10, 60_000), metavar="MS", help="milliseconds of a tick (default 100, engines 40)"
    )
    parser.add_argument("--engine", metavar="ENGINE", help="watch an engine play instead, such as Hybrid")
    parser.add_argument(
        "--record", metavar="FILE", help="where the play is written, as a play file (default: a new file of the user's)"
    )
    parser.add_argument("--seed", type=whole_number(0, MOST_KEY), metavar="N", help="begin the draws of chance from N")
    parser.epilog = f"Keys: {HELP}."


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play a game.

    Raises:
        CommandError: there is no terminal, or no such game or level.
    """
    if not env.interactive:
        raise CommandError("A person plays this at a terminal; scripts use set_rule and play.")
    return run_loop(play(env, args, _terminal))


class Quiet:
    """A screen that keeps the last refusal and shows nothing: the table is drawn as a whole."""

    def __init__(self) -> None:
        self.refusal = ""

    def respond(self, text: str) -> None:
        if text.startswith("?"):
            self.refusal = text.removeprefix("? ")

    def inform(self, text: str) -> None:
        pass

    def draw(self, picture: Picture) -> None:
        pass


class Arcade:
    """One play. `press` says what is wanted in the next tick, and `tick` plays it."""

    def __init__(self, driver: Driver, screen: Quiet) -> None:
        self._driver = driver
        self._screen = screen
        self._wish = "nil"
        self._engine = ""
        self.paused = False
        self.left = False

    async def set_up(self, rule: str, level: str, engine: str = "", delay: int = 0) -> None:
        """Set the table up; an engine has so many milliseconds for a tick.

        Raises:
            CommandError: there is no such game, level or engine.
        """
        self._engine = engine
        await self._say(f"set_rule {quote(rule)}")
        await self._say(f"set_rule_option level {quote(level)}")
        await self._say(f"set_rule_option delay {delay if engine else 0}")
        if engine:
            await self._say(f"set_engine {PLAYER} {quote(engine)}")

    async def begin(self) -> None:
        """Begin to play."""
        await self._say("start")

    async def ended(self) -> None:
        """Wait until an engine that plays has come to the end of the game."""
        await self._driver.settled(timers=True)

    async def record(self, path: str) -> None:
        """Write the play into a file from now on.

        Raises:
            CommandError: that can't be done.
        """
        await self._say(f"save_file {quote(path)}")

    def press(self, key: str) -> None:
        """A key was pressed."""
        if key in ("q", "escape"):
            self.left = True
        elif key == "p":
            self.paused = not self.paused
        else:
            self._wish = KEYS.get(key, self._wish)

    @property
    def over(self) -> bool:
        """Whether the game has a result."""
        return self._driver.view.play.position.result() is not None

    async def tick(self) -> None:
        """Play what was wanted, or nothing; an engine plays by itself."""
        if self.paused or self.over or self._engine:
            return
        wish, self._wish = self._wish, "nil"
        possible = self._driver.view.play.position.moves(PLAYER)
        await self._say(f"play {PLAYER} {wish if wish in possible else 'nil'}")
        await self._driver.settled()

    def picture(self) -> Picture:
        """The table as it is."""
        return self._driver.view.play.position.picture(PLAYER)

    @property
    def title(self) -> str:
        """What the game is about, as it says itself."""
        rules = self._driver.view.play.rules
        return "" if rules is None else rules.title or rules.name

    def legend(self) -> str:
        """What the letters on the table mean."""
        position = bare_position(self._driver.view.play.position)
        return legend(position.world) if isinstance(position, VideoPosition) else ""

    def footer(self) -> str:
        """What to tell below the table."""
        result = self._driver.view.play.position.result()
        if result is not None:
            return f"{result.reason}, score {result.scores[PLAYER]}: q leaves"
        if self._engine:
            return f"{self._engine} plays: q leaves"
        return "paused: p goes on" if self.paused else HELP

    async def _say(self, line: str) -> None:
        self._screen.refusal = ""
        await self._driver.command(line)
        if self._screen.refusal:
            raise CommandError(self._screen.refusal)


Show = Callable[[Arcade, float, bool], Awaitable[None]]
"""Shows a play until the player leaves, a tick every so many seconds; perhaps in ASCII only."""


async def play(env: Environment, args: argparse.Namespace, show: Show) -> ExitStatus:
    """Sets a table up and shows it until the player leaves."""
    screen = Quiet()
    driver = new_driver(env, screen, seed=args.seed, defaults={"show_table": "off", "show_when_play": "off"})
    arcade = Arcade(driver, screen)
    try:
        game = find_game(env, args.game)
        delay = args.delay or (ENGINE_DELAY if args.engine else DELAY)
        await arcade.set_up(game, args.level, args.engine or "", delay)
        record = args.record or new_record(env.state_folder / "arcade", Path(game).stem)
        try:
            await arcade.record(record)
        except CommandError as error:
            if args.record:
                raise
            record = ""
            say(env.stderr, f"This play is not recorded: {error}")
        await arcade.begin()
        await show(arcade, delay / 1000, env.ascii_only)
        driver.dismiss()
    finally:
        await driver.close()
    say(env.stdout, arcade.footer().removesuffix(": q leaves") if arcade.over else "left the game")
    if record:
        say(env.stdout, f"recorded in {record}, which load_file plays again and ggtp report makes a page of")
    return ExitStatus.DONE


def new_record(folder: Path, name: str) -> str:
    """A file for one more play of a game; where there are too many, the last one again."""
    with suppress(OSError):  # then it can't be written either, and that is told
        folder.mkdir(parents=True, exist_ok=True)
    paths = (folder / f"{name}-{number}.ggtp" for number in range(1, MOST_RECORDS))
    return str(next((path for path in paths if not path.exists()), folder / f"{name}-{MOST_RECORDS}.ggtp"))


def find_game(env: Environment, name: str) -> str:
    """The rule of a video game, which may be named without its folder.

    Raises:
        CommandError: there is none, or it is no video game.
    """
    catalogue = Catalogue.from_environment(env.variables)
    for candidate in (name, f"vgdl/{name}"):
        path = catalogue.locate_rules(candidate)
        if path is not None and path.suffix in SUFFIXES:
            return candidate
    raise CommandError(f"There is no video game {Path(name).name}.")


async def _terminal(arcade: Arcade, delay: float, ascii_only: bool) -> None:
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

    keys = KeyBindings()
    for name in ("left", "right", "up", "down", "space", "enter", "p", "q", "escape", "c-c"):

        def pressed(event: KeyPressEvent, key: str = name) -> None:
            arcade.press("q" if key == "c-c" else key)
            if arcade.left:
                event.app.exit()

        keys.add(name, eager=name == "escape")(pressed)
    control = FormattedTextControl(lambda: ANSI(frame(arcade, ascii_only)))
    app: Application[None] = Application(Layout(Window(control, wrap_lines=False)), key_bindings=keys, full_screen=True)

    async def clock() -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + delay
        while not arcade.left:
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = max(due + delay, loop.time())
            await arcade.tick()
            app.invalidate()

    ticking = spawn(clock())
    try:
        await app.run_async()
    finally:
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)


def frame(arcade: Arcade, ascii_only: bool) -> str:
    """The screen in colour, as text with escape sequences."""
    from rich.console import Console
    from rich.text import Text

    from ggtp.ui.drawing.render import picture_lines

    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", width=ROOM, highlight=False)
    lines = [
        Text(arcade.title, "bold"),
        *picture_lines(arcade.picture(), ROOM, ascii_only=ascii_only),
        Text(arcade.legend(), "dim"),
        Text(),
        Text(arcade.footer(), "dim"),
    ]
    console.print(Text("\n").join(lines), end="", markup=False, emoji=False)
    return stream.getvalue()
