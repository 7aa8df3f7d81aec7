"""Pace: long work in steps that are short enough for others to hardly notice, and no shorter.

While a step is being done, others wait for the one writer of the embedded store, or for the account. What fits into the
aimed time differs between machines, and from minute to minute; so each step is as large as the last ones allow.
"""

import time
from collections.abc import Callable, Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.store import Unit

TARGET_SECONDS = 0.025
FIRST = 400
# Below the least, what every step costs by itself, most of all on PostgreSQL, makes the whole much longer.
LEAST, MOST = 200, 2000
# At once back to what fits, and slowly up again: a step that was too long is one that somebody waited for.
_UP, _DOWN = 1.25, 0.25


class AdaptiveBatchSize:
    """How many objects the next step may take."""

    def __init__(self) -> None:
        self.size = FIRST

    def took(self, seconds: float) -> None:
        """Note how long a step of that size held others up."""
        fits = TARGET_SECONDS / max(seconds, 1e-6)
        self.size = round(min(MOST, max(LEAST, self.size * min(_UP, max(_DOWN, fits)))))


def run_in_batches(
    ctx: ServiceContext, some: Callable[[Unit, int], object], now: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Repeat a work on at most so many objects, a transaction for each step, until it says that none is left."""
    pace = AdaptiveBatchSize()
    began = now()

    def step(unit: Unit) -> object:
        nonlocal began
        # Here and not before: to wait for others holds nobody up.
        began = now()
        return some(unit, pace.size)

    while ctx.metadata.write(step):
        pace.took(now() - began)
        yield
