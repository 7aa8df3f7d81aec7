"""Calls beyond the interface (`/x/v1`): not every server has them, and one that does not is told of in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError
from skyshelf.wire.error_codes import NOT_OFFERED, find


@contextmanager
def beyond(what: str) -> Iterator[None]:
    """Around a call that a server may not have: its absence becomes "this server does not offer ..."."""
    try:
        yield
    except RequestFailedError as error:
        if not is_absent(error):
            raise
        raise not_offered(error, what) from None


def is_absent(error: RequestFailedError) -> bool:
    """Whether the path itself is missing. A 404 with a code of our table is about a thing, and not about the path."""
    if isinstance(error, ObjectNotFoundError):
        row = find(error.code) if error.code else None
        return row is None or row is NOT_OFFERED
    return error.status in {405, 501}


def not_offered(error: RequestFailedError, what: str) -> NotOfferedError:
    """The same failure, as a sentence about the feature."""
    return NotOfferedError(
        f"this server does not offer {what}",
        status=error.status,
        code=error.code or NOT_OFFERED.code,
        method=error.method,
        path=error.path,
        request_id=error.request_id,
    )


# A call beyond the interface that spares many others, for as long as the server does well at it.

_FAILURES_MAX: Final = 3
"""Failures one after the other, after which the long way alone is gone."""


class OptionalEndpoint(Struct):
    """How a server has done so far. Whoever finds it closed goes the long way, which every server has."""

    is_proven: bool = False
    is_on_trial: bool = False
    failures: int = 0

    @staticmethod
    def of(engine: Engine, name: str) -> "OptionalEndpoint":
        """The one of that name, which all parts of a client share."""
        known = engine.learned.setdefault(name, OptionalEndpoint())
        assert isinstance(known, OptionalEndpoint)
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
