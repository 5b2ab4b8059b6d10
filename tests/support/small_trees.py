"""Small open games with turns that few bundled rules have: two in a row."""

from support.small_secrets import ME, YOU, Game, Played

from ggtp.game import OVER
from ggtp.game import single as single_turn


class Twice(Played):
    """I move twice, then You and I once each. I win with b and then c; a and again a ends it sooner."""

    def turn(self):
        count = len(self.played)
        if count == 4 or (count == 3 and self._first_two() == ["a", "a"]):
            return OVER
        return single_turn((ME, ME, YOU, ME)[count])

    def _first_two(self):
        return [move for _, move in self.played[:2]]

    def moves(self, player):
        return ("a", "b", "c") if player in self.turn().players else ()

    def points(self):
        return 1 if self._first_two() == ["b", "c"] else -1


class Doomed(Twice):
    """The same, but whatever I do I lose."""

    def points(self):
        return -1


TWICE, DOOMED = Game(Twice), Game(Doomed)
