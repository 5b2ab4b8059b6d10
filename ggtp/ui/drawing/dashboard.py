"""What people look at while a tournament runs: running games with small boards, the table, rate, time left, faults."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, JustifyMethod, OverflowMethod, RenderableType
from rich.live import Live as LiveDisplay
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ggtp.arena.runner import Live, Runner
from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.game import Picture
from ggtp.play.play import Play
from ggtp.play.replay import begun, make
from ggtp.protocol.text import one_line
from ggtp.tournament.columns import duration
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, GamePlan
from ggtp.tournament.standings.standings import Standings
from ggtp.tournament.standings.table import HEADS, cells, sprt_words
from ggtp.ui.console.environment import Environment
from ggtp.ui.drawing.render import picture_lines

MOST_BOARDS = 12
BOARD_ROWS = 12
"""A board that is taller is not drawn: its last moves are."""
LOG_LINES = 5
ROWS = 20
"""How many rows of the table are shown."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is shown, at one moment."""

    plan: Plan
    standings: Standings
    running: Sequence[Live]
    total: int | None
    rate: float
    state: str
    log: Sequence[str] = ()
    test: str = ""


def scene_of(runner: Runner) -> Scene:
    """How a tournament stands that runs here."""
    ledger = runner.ledger
    state = "ending" if runner.finishing else "paused" if runner.paused else "running"
    test = ""
    if ledger.test is not None:
        test = f"{ledger.test.verdict or 'test'}: {sprt_words(ledger.test)}"
    return Scene(
        runner.plan, ledger.standings, list(runner.running.values()), ledger.total, runner.rate,
        "ended" if runner.ended else state, list(runner.log), test,
    )  # fmt: skip


@dataclass(slots=True)
class Boards:
    """The positions of running games, played on as their moves come."""

    catalogue: Catalogue
    plan: Plan
    _plays: dict[str, tuple[int, int, Play]] = field(default_factory=dict)

    def picture(self, live: Live) -> Picture | None:
        """The board of a game; None where it can't be drawn."""
        key, job = live.job.id, live.job
        attempt, count, play = self._plays.get(key, (0, 0, None))
        try:
            if play is None or attempt != job.attempt or count > len(job.moves):
                play, count = self._begin(job.game), 0
            for move in job.moves[count:]:
                make(play, move)
            self._plays[key] = (job.attempt, len(job.moves), play)
            return play.position.picture(None)
        except (GgtpError, ValueError):
            return None

    def _begin(self, game: GamePlan) -> Play:
        rule = self.plan.rules[game.rule]
        return begun(self.catalogue.guarded_rules(rule.rule), rule.rule, game.options(self.plan))

    def forget(self, running: Iterable[Live]) -> None:
        """Keep only the games that still run."""
        keys = {live.job.id for live in running}
        for key in [key for key in self._plays if key not in keys]:
            del self._plays[key]


def draw(
    scene: Scene, boards: Boards, now: float, *, width: int, height: int, ascii_only: bool = False
) -> RenderableType:
    """The whole screen."""
    boards.forget(scene.running)
    table = _table(scene, min(ROWS, max(3, height // 3)), ascii_only)
    parts: list[RenderableType] = [_head(scene), table, *_faults(scene), *_restless(scene, ascii_only)]
    room = height - min(len(scene.standings.rows), ROWS) - 12
    if scene.running and room >= 5:
        parts.append(_games(scene, boards, now, width, room, ascii_only))
    parts += [
        Text(one_line(line), "dim", overflow="crop" if ascii_only else "ellipsis", no_wrap=True)
        for line in list(scene.log)[-LOG_LINES:]
    ]
    return Group(*parts)


def _head(scene: Scene) -> Text:
    standings = scene.standings
    done = standings.games + standings.skipped
    of = f" of {scene.total}" if scene.total is not None else ""
    text = Text.assemble((scene.plan.name, "bold"), f"  {scene.plan.format}, {scene.state}: {done}{of} games")
    text.append(f", {scene.rate:.1f} a second" if scene.rate >= 1 else f", {60 * scene.rate:.1f} a minute")
    if scene.total is not None and scene.rate > 0 and scene.state == "running":
        text.append(f", {duration((scene.total - done) / scene.rate)} left")
    if standings.distinct_blocks() < standings.complete_blocks():
        blocks = f"{standings.distinct_blocks()} of {standings.complete_blocks()} blocks count"
        text.append(f", {standings.repeats} repeated: {blocks}", "yellow")
    if scene.test:
        text.append(f"  {scene.test}")
    return text


def _table(scene: Scene, rows: int, ascii_only: bool) -> Table:
    table = Table(box=box.ASCII if ascii_only else box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    cut: OverflowMethod = "crop" if ascii_only else "ellipsis"
    for column, head in enumerate(HEADS):
        justify: JustifyMethod = "left" if column in (0, len(HEADS) - 1) else "right"
        table.add_column(Text(head, overflow=cut), justify=justify, no_wrap=True, overflow=cut)
    ranked = scene.standings.table()
    for row in ranked[:rows]:
        texts = cells(scene.standings, row, ascii_only=ascii_only)
        table.add_row(*(Text(one_line(text), overflow=cut) for text in texts))
    if len(ranked) > rows:
        table.add_row(Text(f"and {len(ranked) - rows} more", "dim"))
    return table


def _faults(scene: Scene) -> list[Text]:
    standings = scene.standings
    if not standings.faults:
        return []
    texts = [f"{player or 'nobody'}: {fault} {count}" for (player, fault), count in standings.faults.most_common(6)]
    void = f"; {standings.void} void" if standings.void else ""
    return [Text(f"faults: {', '.join(texts)}{void}", "red")]


def _restless(scene: Scene, ascii_only: bool) -> list[Text]:
    cut: OverflowMethod = "crop" if ascii_only else "ellipsis"
    found = scene.standings.restless().items()
    return [Text(f"warning: {idle.warning(name)}", "yellow", overflow=cut, no_wrap=True) for name, idle in found]


def _games(scene: Scene, boards: Boards, now: float, width: int, room: int, ascii_only: bool) -> RenderableType:
    panels = []
    for live in scene.running[:MOST_BOARDS]:
        lines = _board(live, boards, min(room - 3, BOARD_ROWS), width, ascii_only)
        job = live.job
        who = " - ".join(job.game.seats.values())
        last = job.moves[-1] if job.moves else "begins"
        rule = scene.plan.rules[job.game.rule].rule.rpartition("/")[2]
        seconds = max(0.0, now - live.since)
        foot = Text(f"{len(job.moves)}: {one_line(last)}", "dim")
        panels.append(
            Panel(
                Group(*lines, foot),
                title=Text(f"{job.id} {rule}, {seconds:.0f} s", overflow="crop"),
                subtitle=Text(one_line(who), overflow="crop"),
                box=box.ASCII if ascii_only else box.ROUNDED,
                expand=False,
            )
        )
    more = len(scene.running) - len(panels)
    columns = Columns(panels, padding=(0, 1))
    return Group(columns, Text(f"and {more} more games", "dim")) if more > 0 else columns


def _board(live: Live, boards: Boards, rows: int, width: int, ascii_only: bool) -> list[Text]:
    picture = boards.picture(live)
    if picture is None:
        return []
    lines = list(picture_lines(picture, max(12, width // 2), ascii_only=ascii_only))
    return lines if len(lines) <= rows else [Text(one_line(move)) for move in live.job.moves[-max(1, rows) :]]


class Dashboard:
    """A live screen of a runner, or of whatever tells a scene."""

    def __init__(self, env: Environment, catalogue: Catalogue) -> None:
        self._console = Console(highlight=False, _environ=env.variables, file=env.stdout)
        self._ascii = env.ascii_only
        self._catalogue = catalogue
        self._scene: Callable[[], Scene] | None = None
        self._boards: Boards | None = None
        self._live: LiveDisplay | None = None

    def begin(self, runner: Runner) -> None:
        """Show a tournament that runs here."""
        self.show(lambda: scene_of(runner), runner.plan)

    def show(self, scene: Callable[[], Scene], plan: Plan) -> None:
        """Show whatever tells a scene."""
        self._scene = scene
        self._boards = Boards(self._catalogue, plan)
        self._live = LiveDisplay(
            self._picture(), console=self._console, auto_refresh=False, transient=True, vertical_overflow="crop"
        )
        self._live.start()

    def result(self, game: Game) -> None:
        """The next picture shows it."""

    def log(self, text: str) -> None:
        """The next picture shows it."""

    def refresh(self) -> None:
        """Draw it again."""
        if self._live is not None:
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        assert self._scene is not None
        assert self._boards is not None
        size = self._console.size
        scene = self._scene()
        self._boards.plan = scene.plan  # it may have grown
        return draw(scene, self._boards, time.monotonic(), width=size.width, height=size.height, ascii_only=self._ascii)

    def end(self) -> None:
        """Take the screen away."""
        if self._live is not None:
            self._live.stop()
            self._live = None
