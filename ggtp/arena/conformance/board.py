"""A game in which one player is the engine that is looked at, and the others move at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggtp.arena.conformance.talk import Broken, Talk
from ggtp.errors import MoveError
from ggtp.game import CHANCE, Move, Player, Position, Rules, TurnKind
from ggtp.game.chance import Chance

MOST_TRIES = 200
"""The most moves of an engine that may be refused in a game: in some games one learns by trying."""


@dataclass(frozen=True, slots=True)
class Step:
    """Moves that were made together, and the position that they were made in."""

    before: Position
    after: Position
    made: tuple[tuple[Player, Move], ...]


class Board:
    """The game as the engine was told it, move by move."""

    def __init__(self, talk: Talk, rules: Rules, values: Mapping[str, str], player: Player, rng: Chance) -> None:
        """A game that has not begun, for the engine's `player`."""
        self._talk = talk
        self._rules = rules
        self._values = values
        self._rng = rng
        self.player = player
        self.position = rules.begin(values)
        self.steps: list[Step] = []
        self.hidden = 0
        """The number of moves that the engine was told otherwise than they were made."""
        self._tries = 0

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.position.turn().kind is TurnKind.OVER

    @property
    def its_turn(self) -> bool:
        """True if the engine has to move."""
        return self.player in self.position.turn().players

    async def begin(self, seconds: float) -> None:
        """Begin the game, for which the engine may take some seconds to prepare."""
        self.position = self._rules.begin(self._values)
        self.steps = []
        await self._talk.ask("start", seconds=seconds)

    async def others(self) -> None:
        """Let chance and the other players move until it is the engine's turn, or the game has ended."""
        while not self.over and not self.its_turn:
            await self._play({player: self._any(player) for player in self._movers()})

    async def select(self, text: str) -> Move:
        """Make the move that the engine has selected, with any moves of the others who move at the same time.

        Raises:
            Broken: it is no legal move. The engine was not told of it.
        """
        try:
            move = self.position.parse(self.player, text)
            others = {player: self._any(player) for player in self._movers() if player != self.player}
            await self._play({**others, self.player: move})
        except MoveError as error:
            raise Broken(f"select_move {text}: {error}") from None
        return move

    async def any_move(self) -> None:
        """Make a move of the engine's player at random, as a supervisor may."""
        await self.select(self._any(self.player))

    async def back(self) -> None:
        """Take the last step back."""
        step = self.steps[-1]
        for _ in step.made:
            await self._talk.ask("undone_move")
        self.steps.pop()
        self.position = step.before

    async def forward(self, step: Step) -> None:
        """Make a step again that was taken back."""
        for _ in step.made:
            await self._talk.ask("redone_move")
        self.steps.append(step)
        self.position = step.after

    def _movers(self) -> tuple[Player, ...]:
        turn = self.position.turn()
        return (CHANCE,) if turn.kind is TurnKind.CHANCE else turn.movers(self._rng, self.player)

    def _any(self, player: Player) -> Move:
        if player == CHANCE:
            return self.position.draw(self._rng)
        moves = self.position.moves(player)
        return moves[int(self._rng.random() * len(moves))]

    async def _play(self, moves: Mapping[Player, Move]) -> None:
        before = self.position
        verdict = before.play(moves)
        for actor, move in verdict.made:
            seen = before.seen(actor, move, self.player)
            self.hidden += seen != move
            await self._talk.ask("made_move", actor, seen)
        for refusal in verdict.refused:
            if refusal.player == self.player:
                self._tries += 1
                if self._tries > MOST_TRIES:
                    raise Broken(f"it has tried {MOST_TRIES} moves in vain.")
                await self._talk.ask("illegal_move", f"{refusal.move} {refusal.reason}".rstrip())
        self.position = verdict.position
        if verdict.made:
            self.steps.append(Step(before, verdict.position, verdict.made))
