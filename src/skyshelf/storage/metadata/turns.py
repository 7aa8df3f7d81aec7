"""Whose writes these are: a store lets people take turns at writing, however many writes one of them has waiting."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition
from typing import Protocol


class Turn(Protocol):
    """Somebody who writes; a server learns in the course of a request who it is."""

    @property
    def key(self) -> Hashable: ...


current_turn: ContextVar[Turn | None] = ContextVar("current_turn", default=None)


def whose_turn() -> Hashable:
    """The key of who writes now; None for the service itself."""
    turn = current_turn.get()
    return None if turn is None else turn.key


class Shares:
    """At most so many at once of one key. The service itself, which has no key, is not limited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[Hashable, int] = {}
        self._changed = Condition()

    @contextmanager
    def held(self, key: Hashable) -> Iterator[None]:
        """Wait for a share, and hold it."""
        if key is None:
            yield
            return
        with self._changed:
            self._changed.wait_for(lambda: self._held.get(key, 0) < self._most)
            self._held[key] = self._held.get(key, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
                self._changed.notify_all()
