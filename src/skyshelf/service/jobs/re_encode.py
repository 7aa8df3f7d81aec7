"""Rewriting the wire JSON that an older release stored.

Every row says which encoding it is in, so the job may stop after any step and may run in several instances at once.
Once a pass over all objects finds no older row, the store is settled and later runs end immediately. An older release
that runs later, or beside this one during a rolling upgrade, unsettles the store, because it writes older rows.
"""

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.adaptive_batches import AdaptiveBatchSize
from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")


def is_unsettled(unit: Unit) -> bool:
    return unit.wire_cache.settled_encoding() != wire_cache.ENCODING_VERSION


def re_encode(ctx: ServiceContext) -> Iterator[None]:
    """Rewrite every row in an older encoding."""
    with ctx.metadata.read() as unit:
        settled = unit.wire_cache.settled_encoding()
    if settled < wire_cache.ENCODING_VERSION and (yield from _re_encode_stale(ctx)):
        return
    if settled != wire_cache.ENCODING_VERSION:
        ctx.metadata.write(lambda unit: unit.wire_cache.settle())


def _re_encode_stale(ctx: ServiceContext) -> Generator[None, None, int]:
    """One pass over all objects; returns how many were stale."""
    batch = AdaptiveBatchSize()
    after: WalkPosition | None = None
    found = 0
    while True:
        with ctx.metadata.read() as unit:
            walked = unit.wire_cache.stale(after, limit=batch.size)
        if walked.found:
            batch.record(ctx.metadata.write(partial(_re_encode_batch, stale=walked.found)))
            found += len(walked.found)
        yield
        if walked.next is None:
            break
        after = walked.next
    if found:
        _log.info("re-encoded %d objects for wire encoding %d", found, wire_cache.ENCODING_VERSION)
    return found


def _re_encode_batch(unit: Unit, stale: Sequence[WalkPosition]) -> float:
    """Returns the seconds for which it held up other writers."""
    began = time.monotonic()
    unit.wire_cache.re_encode(stale)
    return time.monotonic() - began
