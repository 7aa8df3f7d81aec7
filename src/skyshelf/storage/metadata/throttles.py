"""Throttles: repeated failures close a door, for longer each time."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

# 2**40 times any pause is longer than every longest pause; larger powers would only cost.
_MOST_DOUBLINGS = 40


class ThrottleRule(msgspec.Struct, frozen=True, kw_only=True):
    """How forgiving a bucket is. All times are milliseconds."""

    free_failures: int
    """As many failures cost nothing."""
    first_pause: int
    """How long the first failure beyond them closes the bucket; each further one closes it twice as long."""
    longest_pause: int
    memory: int
    """After so long without a failure the counting starts anew."""

    def pause_after(self, failures: int) -> int:
        """How long the bucket closes at that many failures in a row."""
        beyond = failures - self.free_failures
        if beyond <= 0:
            return 0
        return min(self.longest_pause, self.first_pause << min(beyond - 1, _MOST_DOUBLINGS))


class Throttles(Protocol):
    """Buckets are digests of what is throttled (an account, an address), never the thing itself.

    Every count is exact, however many fail at once and on however many instances.
    """

    def failed(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count a failure; the time until which the bucket is closed, 0 when it is open."""

    def admit(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count an attempt as a failure before it is judged, so that many at once cannot slip through together.

        0 means: go on, and call succeeded if it was right. Otherwise the bucket is closed until the time
        that is returned, and nothing was counted.
        """

    def closed_until(self, buckets: Sequence[bytes], now: int) -> int:
        """The time at which the last of the buckets opens again; 0 when all are open."""

    def succeeded(self, bucket: bytes) -> None:
        """Forget the failures of a bucket."""

    def sweep(self, failed_before: int, limit: int) -> int:
        """Forget up to limit buckets that last failed before that time and had opened by then; how many went."""
