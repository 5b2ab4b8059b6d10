"""Lines to one engine go together, and news waits a moment for company."""

from __future__ import annotations

import asyncio

from ggtp.driver.outbox import Outbox


class Post:
    """Where lines arrive, and in which order engines were asked."""

    def __init__(self) -> None:
        self.came: list[tuple[int, list[bytes]]] = []
        self.asked: list[int] = []
        self.news = asyncio.Event()
        self.box = Outbox(self._deliver, lambda number, _at: self.asked.append(number))

    def _deliver(self, number: int, lines: list[bytes]) -> None:
        self.came.append((number, lines))
        self.news.set()


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
        post.box.send_to(1)  # there is nothing any more
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
