"""Results and scores as text: what `get_result` answers, for the referee and for engines alike."""

from __future__ import annotations

from ggtp.game.model import Player, Result, Score


def format_score(score: Score) -> str:
    """`100`, `0.5`, `1/3`: a decimal where it is exact, else a fraction in lowest terms."""
    numerator, denominator = score.numerator, score.denominator
    places = _decimal_places(denominator)
    if places is None:
        return f"{numerator}/{denominator}"
    if places == 0:
        return str(numerator)
    digits = f"{abs(numerator) * 10**places // denominator:0{places + 1}}"
    return f"{'-' if numerator < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _decimal_places(denominator: int) -> int | None:
    """How many decimals show 1/denominator exactly; None where no number of them does."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    return max(twos, fives) if denominator == 1 else None


def standing_pairs(result: Result) -> dict[Player, str]:
    """`{"Cross": "win 100", "Circle": "loss 0"}`; the score is left out where the rule gives none."""
    pairs = {}
    for player, standing in result.standings.items():
        score = result.scores.get(player)
        pairs[player] = standing.value if score is None else f"{standing.value} {format_score(score)}"
    return pairs


def format_result(result: Result | None) -> str:
    """`Cross=win 100, Circle=loss 0`, or `none` while the play goes on."""
    if result is None:
        return "none"
    return ", ".join(f"{player}={text}" for player, text in standing_pairs(result).items())
