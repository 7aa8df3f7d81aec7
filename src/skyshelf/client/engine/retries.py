"""The retry policy: which failures are retried, how often, and after which wait.

A policy says what is retried; `Retries` counts the failures of one operation under it. Requests, chunked uploads,
resumed downloads, listings and bulk transfers all use these two:

    retries = Retries(policy)
    while True:
        try:
            return await operation()
        except SkyshelfError as error:
            delay = retries.delay_after(error)
            if delay is None:
                raise
            await asyncio.sleep(delay)

429, 5xx and network faults, unreadable responses included, are always retried; a policy can add other errors. A request
that must not happen twice is retried only when it certainly did not happen: the server throttled it, or the connection
was never opened. `Engine.once_only` retries those too, after a look at what has happened. Where no look can tell, the
error says so, and what to do about it.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import NetworkError, RateLimitError, ReadOnlyError, RequestFailedError, SkyshelfError
from skyshelf.wire.limits import CLIENT_RETRIES_DEFAULT, CLIENT_RETRY_WAIT_SECONDS

RETRY_AFTER_MAX_SECONDS: Final = 60.0
"""The longest wait that a server can ask for; a longer one is cut to this."""


def parse_retry_after(value: str | None, now: Callable[[], datetime] | None = None) -> float | None:
    """Return the seconds in a Retry-After header, which holds seconds or a date; None for anything else."""
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
    """How often to retry, and how long to wait: `wait × 2^attempt` seconds, attempts counted from 0.

    What a server asks for in Retry-After replaces that wait, up to `retry_after_max`. `jitter` is how far a wait may
    differ, as a share of it: many programs that failed together then do not return together.

    `errors` and `codes` are retried too, at once; `busy_codes` are retried after the usual wait.
    """

    retries: int = CLIENT_RETRIES_DEFAULT
    wait: float = CLIENT_RETRY_WAIT_SECONDS
    retry_after_max: float = RETRY_AFTER_MAX_SECONDS
    jitter: float = 0.0
    errors: tuple[type[SkyshelfError], ...] = ()
    codes: frozenset[str] = frozenset()
    busy_codes: frozenset[str] = frozenset()

    def covers(self, error: SkyshelfError) -> bool:
        """Whether the same operation may succeed after this error."""
        code = getattr(error, "code", None)
        return error.retryable or isinstance(error, self.errors) or code in self.codes or code in self.busy_codes

    def delay(
        self, error: SkyshelfError, attempt: int, *, repeatable: bool, noise: Callable[[], float] = random.random
    ) -> float | None:
        """Return the seconds until the next attempt; None when there is none."""
        if attempt >= self.retries or not self.covers(error):
            return None
        if not repeatable and not certainly_did_not_happen(error):
            return None
        if not error.retryable and getattr(error, "code", None) not in self.busy_codes:
            return 0.0
        retry_after = error.retry_after if isinstance(error, RequestFailedError) else None
        if retry_after is not None:
            # The server's wait is a lower bound, so the jitter only adds.
            return min(retry_after, self.retry_after_max) + self.jitter * noise() * self.wait
        return self.wait * 2.0**attempt * (1 + self.jitter * (2 * noise() - 1))


class Retries:
    """The failures of one operation so far."""

    def __init__(self, policy: RetryPolicy, *, repeatable: bool = True) -> None:
        self._policy = policy
        self._repeatable = repeatable
        self._attempt = 0

    def progressed(self) -> None:
        """Forget earlier failures: the operation got further."""
        self._attempt = 0

    def delay_after(self, error: SkyshelfError) -> float | None:
        """Return the seconds until the next attempt; None when there is none."""
        delay = self._policy.delay(error, self._attempt, repeatable=self._repeatable)
        self._attempt += 1
        return delay


def certainly_did_not_happen(error: SkyshelfError) -> bool:
    """Whether a failed request cannot have changed anything."""
    if isinstance(error, NetworkError):
        return not error.may_have_happened
    return isinstance(error, RateLimitError | ReadOnlyError)


def leaves_unknown(error: SkyshelfError) -> bool:
    """Whether nobody can say, after this error, if a change was made."""
    return isinstance(error, RequestFailedError) and error.retryable and not certainly_did_not_happen(error)
