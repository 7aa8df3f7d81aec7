"""Adaptive batches: long work in transactions so short that others hardly notice.

While a batch runs, other requests wait for the embedded store's only writer, or for the account's lock. How many
objects fit into the target time depends on the machine and its load, so each batch is sized by how long the previous
ones took.
"""

import time
from collections.abc import Callable, Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.store import Unit

TARGET_SECONDS = 0.025
FIRST = 400
# With smaller batches the fixed cost of a transaction dominates, above all on PostgreSQL.
LEAST, MOST = 200, 2000
# Shrink at once and grow slowly: somebody waited for every batch that took too long.
_UP, _DOWN = 1.25, 0.25


class AdaptiveBatchSize:
    """The number of objects that the next batch may hold."""

    def __init__(self, least: int = LEAST) -> None:
        self.size = FIRST
        self._least = least

    def record(self, seconds: float) -> None:
        """Adjust the size after a batch of the current size took that long."""
        factor = TARGET_SECONDS / max(seconds, 1e-6)
        self.size = round(min(MOST, max(self._least, self.size * min(_UP, max(_DOWN, factor)))))


def run_in_batches(
    ctx: ServiceContext,
    work: Callable[[Unit, int], object],
    now: Callable[[], float] = time.monotonic,
    *,
    least: int = LEAST,
) -> Iterator[None]:
    """Run `work(unit, limit)` in a transaction per batch until it returns something false; yields between batches.

    `least` is the smallest batch that is worth a transaction; work that is slow per object sets it lower.
    """
    batch = AdaptiveBatchSize(least)
    began = now()

    def transaction(unit: Unit) -> object:
        nonlocal began
        # Measured from here: waiting for the writer delays nobody else.
        began = now()
        return work(unit, batch.size)

    while ctx.metadata.write(transaction):
        batch.record(now() - began)
        yield
