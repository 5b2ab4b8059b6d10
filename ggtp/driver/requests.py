"""What the referee requests and has to wait for: rules, engines, files, tournaments, the door to other machines.

Every request has a ticket, and ends as one event: `Granted` with what was found, or `Denied` with a sentence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar, assert_never

from ggtp.catalogue import Catalogue
from ggtp.driver.journal import read_text
from ggtp.driver.remote.waiting_room import Porch, remote_engine
from ggtp.driver.screen import Tournaments
from ggtp.driver.tasks import in_thread, spawn
from ggtp.errors import GgtpError
from ggtp.play.play import REMOTE
from ggtp.referee.effects import (
    AnyWish,
    EngineDescription,
    FindEngine,
    FindRules,
    FoundEngine,
    FoundRules,
    ListConnections,
    Listen,
    ListEngines,
    ListRules,
    ManageTournament,
    OpenJournal,
    Pause,
    ReadFile,
    StartEngine,
    StopListening,
    Wish,
)
from ggtp.referee.events import Denied, Event, Granted

T = TypeVar("T")


class Errands:
    """Carries out requests, each as a task or in a thread, so that the prompt stays alive."""

    def __init__(
        self,
        catalogue: Catalogue,
        porch: Porch,
        tournaments: Tournaments,
        inform: Callable[[str], None],
        post: Callable[[Event], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """Somebody who runs errands for one driver.

        Args:
            catalogue: finds rules and engines.
            porch: the door to other machines.
            tournaments: runs one beside the table.
            inform: tells the supervisor something.
            post: takes the events in which requests end.
            fail: takes what went wrong and is no answer to anything.
        """
        self.catalogue = catalogue
        self._porch = porch
        self._inform = inform
        self._post = post
        self._fail = fail
        self._tournaments = tournaments

    def request(self, ticket: int, wish: AnyWish) -> None:
        """Carry out a request, unless it is to start an engine or to open the play file: those are the driver's."""
        match wish:
            case FindRules(name):
                self._in_thread(ticket, wish, partial(self._find_rules, name))
            case ListRules():
                self._in_thread(ticket, wish, self._rules)
            case FindEngine(name):
                self._in_thread(ticket, wish, partial(self._find_engine, name))
            case ListEngines():
                self._in_thread(ticket, wish, self._engines)
            case ReadFile(path):
                self._in_thread(ticket, wish, partial(read_text, path))
            case Pause():
                self.fulfil(ticket, wish, partial(asyncio.sleep, 0))
            case ManageTournament(command, words):
                self.fulfil(ticket, wish, partial(self._tournaments.manage, command, words))
            case Listen():
                self.fulfil(ticket, wish, partial(self._porch.listen, wish))
            case StopListening():
                self.fulfil(ticket, wish, self._porch.stop_listening)
            case ListConnections():
                self.fulfil(ticket, wish, self._porch.list_connections)
            case StartEngine() | OpenJournal():
                raise AssertionError("these are carried out by the driver")
            case _:
                assert_never(wish)

    def _in_thread(self, ticket: int, wish: Wish[T], work: Callable[[], T]) -> None:
        """Do some work that may take a while in a thread, and post what comes of it."""
        self.fulfil(ticket, wish, partial(in_thread, work))

    def fulfil(self, ticket: int, wish: Wish[T], work: Callable[[], Awaitable[T]]) -> None:
        """Do the work that answers a wish, an async function, and post what comes of it."""
        spawn(self._fulfil(ticket, work))

    def interrupt(self) -> None:
        """Give up what goes on although nobody waits for it any more."""
        self._tournaments.interrupt()

    async def close(self) -> None:
        """End the tournament that was begun here, if any."""
        await self._tournaments.close()

    async def _fulfil(self, ticket: int, work: Callable[[], Awaitable[object]]) -> None:
        try:
            value = await work()
        except GgtpError as error:
            self._post(Denied(ticket, str(error), time.monotonic()))
        except (OSError, ValueError) as error:
            self._post(Denied(ticket, os_words(error), time.monotonic()))
        except MemoryError:
            self._post(Denied(ticket, "There is not enough memory for that.", time.monotonic()))
        except Exception as error:  # noqa: BLE001 - raised in a task, it would end as a log line of asyncio
            self._fail(error)
        else:
            self._post(Granted(ticket, value, time.monotonic()))

    def _find_rules(self, name: str) -> FoundRules:
        rules = self.catalogue.guarded_rules(name)
        return FoundRules(rules, _reference(name, rules.name))

    def _rules(self) -> list[str]:
        return [entry.name for entry in self.catalogue.list_rules() if not entry.shadowed_by and not entry.problem]

    def _find_engine(self, name: str) -> FoundEngine:
        if name.casefold().startswith(REMOTE):
            return remote_engine(name)
        spec = self.catalogue.find_engine(name)
        return FoundEngine(spec, _reference(name, spec.name))

    def _engines(self) -> list[EngineDescription]:
        found: list[EngineDescription] = [
            entry.spec for entry in self.catalogue.list_engines() if entry.usable and entry.spec is not None
        ]
        return found + [remote_engine(f"{REMOTE}{name}").engine for name in self._porch.engines()]


def _reference(asked: str, name: str) -> str:
    """What to write into a play file: the name, or the whole path where a path was given."""
    return str(Path(asked).resolve()) if asked.casefold() != name.casefold() and Path(asked).exists() else name


def os_words(error: OSError | ValueError) -> str:
    """An operating system's error as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return f"{error}."
