"""When a request is repeated, and after which wait.

Repeated are 429, 5xx and transport faults, an answer that nobody can read among them, and nothing else. A request that
must not happen twice is repeated only when it certainly did not happen: the server throttled it, or the connection was
never made.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import NetworkError, RateLimitError, RequestFailedError
from skyshelf.wire.limits import CLIENT_RETRIES_DEFAULT, CLIENT_RETRY_WAIT_SECONDS

JITTER: Final = 0.2
"""How far a wait may lie from its middle, as a part of it: workers that failed together should not return together."""

LONGEST_WAIT_SECONDS: Final = 120.0
"""A server that asks for more patience than this gets none: the error is raised at once, and tells how long."""


def parse_retry_after(value: str | None, now: Callable[[], datetime] | None = None) -> float | None:
    """The seconds of a Retry-After header, which holds seconds or a date; None for anything else."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    current = now() if now else datetime.now(UTC)
    return max(0.0, (moment - current).total_seconds())


class RetryPolicy(Struct, frozen=True):
    """How often, and how long to wait: `wait × 2^attempt` seconds, attempts counted from 0."""

    retries: int = CLIENT_RETRIES_DEFAULT
    wait: float = CLIENT_RETRY_WAIT_SECONDS
    longest_wait: float = LONGEST_WAIT_SECONDS

    def delay(
        self,
        error: RequestFailedError,
        attempt: int,
        *,
        repeatable: bool,
        noise: Callable[[], float] = random.random,
    ) -> float | None:
        """Seconds until the request is sent again; None when it is not."""
        if attempt >= self.retries or not error.retryable:
            return None
        if not repeatable and not _certainly_did_not_happen(error):
            return None
        jitter = 1 + JITTER * (2 * noise() - 1)
        if error.retry_after is not None:
            # The server's word is a lower bound, so that the jitter only adds.
            return None if error.retry_after > self.longest_wait else error.retry_after + JITTER * noise() * self.wait
        return min(self.wait * 2.0**attempt * jitter, self.longest_wait)


def _certainly_did_not_happen(error: RequestFailedError) -> bool:
    if isinstance(error, NetworkError):
        return not error.may_have_happened
    return isinstance(error, RateLimitError)
