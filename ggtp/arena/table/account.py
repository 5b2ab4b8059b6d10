"""What is written down of a tournament's game: its result, what engines were told, and a case where anything failed."""

from __future__ import annotations

import time
from hashlib import blake2b

from ggtp.arena.idleness import Watch
from ggtp.arena.programs import program_lines
from ggtp.arena.table.moment import Ending, Moment
from ggtp.arena.table.seating import Seating
from ggtp.driver.tasks import in_thread
from ggtp.errors import GgtpError, RuleFailed
from ggtp.game.building.symmetry import simplest
from ggtp.game.notation import format_score
from ggtp.referee.effects import LinkId
from ggtp.tournament.journal.case import case_text
from ggtp.tournament.journal.rulings import adjudicated
from ggtp.tournament.journal.told import Told
from ggtp.tournament.results import Game
from ggtp.tournament.standings.scoring import seat_scores

PATTERN_BYTES = 12


class Account:
    """Hears what goes over the wires of a table, and makes values of its games."""

    def __init__(self, seating: Seating, watch: Watch) -> None:
        self._seating = seating
        self._watch = watch
        self._told: dict[LinkId, Told] = {}

    def hear(self, moment: Moment | None, link: LinkId, to_engine: bool, line: bytes, at: float) -> None:
        """A line goes to an engine, or comes from it."""
        if to_engine:
            told = self._told.get(link)
            if told is None:
                told = self._told[link] = Told()
            told.hear(line)
        if moment is not None:
            # A line that may have waited for us is dated back, but not before what we had said or heard by then.
            last = moment.wire[-1][0] if moment.wire else 0.0
            moment.wire.append((max(last, at - moment.began), link, to_engine, line))

    def forget(self) -> None:
        """The engines are gone."""
        self._told.clear()

    def game(self, moment: Moment, ending: Ending) -> Game:
        """The game as it was played."""
        seating, result, job = self._seating, ending.result, moment.job
        links = seating.links
        moves = tuple(seating.moves()) if seating.driver is not None else job.moves
        thought = seating.driver.view.thought if seating.driver is not None else {}
        scores = {} if result is None else seat_scores(result, seating.plan.score)
        game = Game(
            plan=job.game,
            scores=scores,
            standings={} if result is None else {seat: word.value for seat, word in result.standings.items()},
            points={} if result is None else {seat: format_score(points) for seat, points in result.scores.items()},
            moves=moves[: ending.plies],
            facts=seating.facts()[: ending.plies],
            opened=seating.opened,
            end=ending.end,
            reason=ending.reason,
            faults=tuple(moment.faults),
            attempt=job.attempt,
            seconds=time.monotonic() - moment.began,
            thinking=dict(thought),
            lag_ms=seating.punctual.worst * 1000 if seating.punctual is not None else 0.0,
            pattern=self._pattern(moves[: ending.plies]),
            guards=dict(seating.guards),
            idle={links[link]: pair for link, pair in self._watch.take().items() if link in links},
            told={seat: self._told[link].seal for link, seat in links.items() if link in self._told},
        )
        return game if ending.scores is None else adjudicated(game, ending.scores, ending.reason)

    async def case(self, moment: Moment, game: Game) -> str:
        """The text of a case file, where anything went wrong."""
        if not moment.faults:
            return ""
        return case_text(self._seating.plan, game, moment.wire, await in_thread(self._programs))

    def _programs(self) -> dict[str, tuple[str, ...]]:
        """What is known of the players' programs, for a case file."""
        seating = self._seating
        found = {}
        for name in dict.fromkeys(seating.seats.values()):
            try:
                found[name] = program_lines(seating.catalogue.find_engine(seating.players[name].engine))
            except (GgtpError, OSError) as error:
                found[name] = (f"unknown, {error}",)
        return found

    def _pattern(self, moves: tuple[str, ...]) -> str:
        """A digest of the moves, for finding plays that are the same but for being turned or mirrored."""
        driver = self._seating.driver
        play = driver.view.play if driver is not None else None
        if play is None or play.rules is None or not moves:
            return ""
        try:
            symmetries = play.rules.symmetries(play.option_values())
        except RuleFailed:
            return ""
        if not symmetries:
            return ""
        text = "\n".join(simplest(symmetries, moves))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=PATTERN_BYTES).hexdigest()
