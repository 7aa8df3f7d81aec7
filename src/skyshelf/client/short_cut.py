"""A call beyond the interface that spares many others, for as long as the server does well at it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from skyshelf.client.engine import Engine
from skyshelf.client.errors import RequestFailedError

_FAILURES_MAX: Final = 3
"""Failures one after the other, after which the long way alone is gone."""


class ShortCut(Struct):
    """How a server has done so far. Whoever finds it closed goes the long way, which every server has."""

    is_proven: bool = False
    is_on_trial: bool = False
    failures: int = 0

    @staticmethod
    def of(engine: Engine, name: str) -> "ShortCut":
        """The one of that name, which all parts of a client share."""
        known = engine.learned.setdefault(name, ShortCut())
        assert isinstance(known, ShortCut)
        return known

    @property
    def is_open(self) -> bool:
        """Whether it may be tried now: one alone finds out whether a server has it."""
        return not self.is_given_up and not self.is_on_trial

    @property
    def is_given_up(self) -> bool:
        """Whether the server did so badly that it is not asked again."""
        return self.failures >= _FAILURES_MAX

    @contextmanager
    def tried(self) -> Iterator[None]:
        """Around one try. What goes wrong is remembered, and comes out."""
        self.is_on_trial = not self.is_proven
        try:
            yield
        except RequestFailedError as wrong:
            # A server that says no to the call itself will say so again.
            self.failures = self.failures + 1 if wrong.retryable else _FAILURES_MAX
            raise
        else:
            self.failures, self.is_proven = 0, True
        finally:
            self.is_on_trial = False
