"""Lines to one engine go together, and news waits a moment for company."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ggtp.driver.listeners import Listeners
from ggtp.driver.outbox import Outbox


class Link:
    """An engine that keeps what it is sent."""

    def __init__(self, number: int, post: Post) -> None:
        self._number = number
        self._post = post

    def send(self, lines: Sequence[bytes]) -> None:
        self._post.came.append((self._number, list(lines)))
        self._post.news.set()


class Post:
    """Where lines arrive, and in which order engines were asked. There are two."""

    def __init__(self, listeners: Listeners = Listeners()) -> None:  # noqa: B008 - it never changes
        self.came: list[tuple[int, list[bytes]]] = []
        self.asked: list[int] = []
        self.news = asyncio.Event()
        self.links = {number: Link(number, self) for number in (1, 2)}
        self.box = Outbox(self.links, lambda number, _at: self.asked.append(number), listeners)


def test_who_is_asked_gets_everything_at_once() -> None:
    async def main() -> Post:
        post = Post()
        post.box.lines = {1: [b"made_move", b"have_to_play"], 2: [b"made_move"]}
        asked, urgent = [1], [2]
        post.box.send(asked, urgent)
        assert (asked, urgent) == ([], [])
        post.box.close()
        return post

    post = asyncio.run(main())
    assert post.came == [(1, [b"made_move", b"have_to_play"]), (2, [b"made_move"])]
    assert post.asked == [1]


def test_news_comes_by_itself_after_a_moment() -> None:
    async def main() -> Post:
        post = Post()
        post.box.lines = {1: [b"made_move A"]}
        post.box.send([], [])
        assert post.came == []
        post.box.lines[1].append(b"made_move B")
        await post.news.wait()
        post.box.send([], [1])  # there is nothing any more
        post.box.close()
        return post

    assert asyncio.run(main()).came == [(1, [b"made_move A", b"made_move B"])]


def test_after_the_end_nothing_is_sent() -> None:
    async def main() -> Post:
        post = Post()
        post.box.lines = {1: [b"made_move A"]}
        post.box.send([], [])
        post.box.close()
        await asyncio.sleep(0)
        return post

    assert asyncio.run(main()).came == []


def test_an_engine_that_is_gone_is_sent_nothing() -> None:
    async def main() -> Post:
        post = Post()
        post.box.lines = {1: [b"set_option a b"], 2: [b"set_option c d"]}
        del post.links[1]
        post.box.send([], [1, 2])
        assert not post.box.lines
        return post

    assert asyncio.run(main()).came == [(2, [b"set_option c d"])]


def test_listeners_are_told_each_line_and_who_is_asked() -> None:
    wire: list[tuple[int, bool, bytes]] = []
    asked: list[int] = []

    async def main() -> None:
        listeners = Listeners(wire=lambda *what: wire.append(what[:3]), asked=asked.append)
        post = Post(listeners)
        post.box.lines = {1: [b"made_move A", b"have_to_play"], 2: [b"made_move A"]}
        post.box.send([1], [])
        post.box.close()

    asyncio.run(main())
    assert wire == [(1, True, b"made_move A"), (1, True, b"have_to_play")]
    assert asked == [1]
