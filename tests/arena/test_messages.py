"""Messages: values before and after the wire, and nothing else is taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import tictactoe

from ggtp.arena.messages import (
    Alive,
    Answer,
    Ask,
    Begin,
    Judge,
    Message,
    Moved,
    Order,
    Play,
    Played,
    Resize,
    Withdraw,
    Withdrawn,
    decode_news,
    decode_order,
    encode,
)
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Idle, Job

PLAN = GamePlan(12, 1, 1, 0, 0, 99, {"Cross": "A", "Circle": "B"})
JOB = Job(PLAN, 2, ("Cross A1", "Circle B2"), {"Cross": 3.5})
GAME = Game(
    PLAN,
    {"Cross": 1.0, "Circle": 0.0},
    moves=("Cross A1",),
    end="forfeit",
    reason="Circle: «schön»",
    faults=(FaultSeen("B", "Circle", "late", "12 ms", "loss", 1, "ouch", late_ms=12),),
    attempt=2,
    idle={"Cross": Idle(1.5, 0.25, 0.125)},
)


@pytest.mark.parametrize(
    "order", [Play(JOB), Withdraw(), Resize(3), Judge("12.1", {"Cross": 0.5}, "so"), Ask(1, "12.1", "play A1", "by x")]
)
def test_orders_survive_the_wire(order: Order) -> None:
    assert decode_order(encode(order)) == order


def test_a_whole_plan_survives_the_wire(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, sprt={"elo1": 7.5}, time={"move": 50})
    assert decode_order(encode(Begin(plan, 2))) == Begin(plan, 2)


@pytest.mark.parametrize(
    "news",
    [
        Alive(),
        Moved("12.1", 2, 1, ("Circle B2",), {}),
        Answer(1, "= done"),
        Withdrawn((JOB,)),
        Played(GAME, "# case\n"),
    ],
)
def test_news_survives_the_wire(news: Message) -> None:
    line = encode(news)
    assert b"\n" not in line
    assert decode_news(line) == news


@pytest.mark.parametrize(
    "line", [b"", b"3", b"{}", b'{"kind":"shout"}', b'{"kind":"resize"}', b'{"kind":"resize","slots":"3"}']
)
def test_nothing_else_is_an_order(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_order(line)


def test_news_is_no_order() -> None:
    with pytest.raises(ValueError, match="'alive'"):
        decode_order(encode(Alive()))


def test_what_is_no_text_is_shown_as_a_question_mark() -> None:
    """Names of files and programs may hold any bytes, which Python keeps as lone surrogates."""
    assert decode_news(encode(Answer(1, "? There is no file \udcff."))) == Answer(1, "? There is no file ?.")
