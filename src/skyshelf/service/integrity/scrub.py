"""The scrub: every stored content is read and compared with its hash, once in a settable period.

In the background it reads one content at a time, a piece at a time, and no faster than the period demands, within a
limit: users come first. After a kill, another process continues from the last noted place.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Final

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage
from skyshelf.service.integrity.scrub_state import END, Mark, ScrubRound, ScrubState, load_state, save_state, share_of
from skyshelf.service.retention import retention
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import MIB

_log = logging.getLogger("skyshelf.background")

_DAY: Final = 24 * 60 * 60 * 1000
PAGE: Final = 200
BYTES_PER_SECOND: Final = 64 * MIB
"""The limit in the background: some 160 TiB in 30 days."""
_SAVE_MS: Final = 10 * 1000
_NICENESS: Final = 10


def period_ms(ctx: ServiceContext) -> int:
    """Within how much time everything is read."""
    return retention(ctx).scrub_days * _DAY


# In the background


def scrub_due(ctx: ServiceContext) -> Iterator[None]:
    """Read what is due by now: after a tenth of the period, the first tenth of all hashes."""
    _step_back()
    state, now = _current(ctx), ctx.clock.now()
    due = (now - state.now.began) / period_ms(ctx)
    if state.now.ended or state.share >= due:
        return
    saved = now
    try:
        for content in _contents(ctx, state.position):
            if content is not None and share_of(content.sha256) > due:
                return
            if content is None:
                state.now.ended = ctx.clock.now()
                _report_round(state.now)
                return
            for size in _verified(ctx, state.now, content):
                _rest(size)
                yield
            state.position = content.sha256
            if ctx.clock.now() - saved >= _SAVE_MS:
                saved = ctx.clock.now()
                _save(ctx, state)
            yield
    finally:
        # Also when the process is about to end.
        _save(ctx, state)


def _current(ctx: ServiceContext) -> ScrubState:
    """The round that is going on, or a new one when its time has come."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        state = load_state(unit)
    if state is None:
        state = ScrubState(now=ScrubRound(began=now))
        _save(ctx, state)
    elif state.now.ended and now - state.now.began >= period_ms(ctx):
        state = state.next_round(now)
        ctx.metadata.write(lambda unit: unit.damage.forget_healed())
        _save(ctx, state)
    return state


def _save(ctx: ServiceContext, state: ScrubState) -> None:
    state.mark(ctx.clock.now())
    with suppress(StorageError):
        ctx.metadata.write(lambda unit: save_state(unit, state))


def _step_back() -> None:
    """Let the system prefer every other thread."""
    if threading.current_thread() is not threading.main_thread():
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _rest(size: int) -> None:
    time.sleep(size / BYTES_PER_SECOND)


# At once


def scrub_all(ctx: ServiceContext, progress: Callable[[int, int], None]) -> ScrubRound:
    """Read everything now, as fast as it goes; `progress` hears how many contents and bytes were read."""
    done = ScrubRound(began=ctx.clock.now())
    for content in _contents(ctx, ""):
        if content is None:
            break
        for _ in _verified(ctx, done, content):
            progress(done.contents, done.size)
        progress(done.contents, done.size)
    done.ended = ctx.clock.now()

    def keep(unit: Unit) -> None:
        before = load_state(unit)
        previous = before.now if before else None
        save_state(unit, ScrubState(now=done, position=END, previous=previous, marks=[Mark(done.began, "")]))
        unit.damage.forget_healed()

    ctx.metadata.write(keep)
    return done


def state_of(ctx: ServiceContext) -> ScrubState | None:
    """How far the scrub is; None before it has begun."""
    with ctx.metadata.read() as unit:
        return load_state(unit)


def has_read_lately(ctx: ServiceContext, sha256: str) -> bool:
    """Whether the scrub has read this content during the last day, on whatever instance, and found it right."""
    with ctx.metadata.read() as unit:
        state = load_state(unit)
        return (
            state is not None and state.has_read_lately(sha256, ctx.clock.now()) and not unit.damage.is_listed(sha256)
        )


# Reading


def _contents(ctx: ServiceContext, after: str) -> Iterator[StoredContent | None]:
    """Everything that files refer to, in the order of the hashes; None at the end."""
    while True:
        with ctx.metadata.read() as unit:
            page = unit.inspection.contents(after, limit=PAGE)
        if not page:
            yield None
            return
        yield from (content for content in page if content.refs)
        after = page[-1].sha256


def _verified(ctx: ServiceContext, done: ScrubRound, content: StoredContent) -> Generator[int, None, None]:
    """Read one content and note what was found; yields the size of each piece."""
    fault = yield from _fault(ctx, content, done)
    done.contents += 1
    if fault is not None:
        if damage.note(ctx, content.sha256, content.location, fault):
            done.damaged += 1
        return
    damage.clear_if_listed(ctx, content.sha256)
    with suppress(StorageError):
        fingerprint = ctx.blobs.fingerprint(content.location)
        ctx.integrity.verified(content.location, fingerprint, ctx.clock.now())


def _fault(ctx: ServiceContext, content: StoredContent, done: ScrubRound) -> Generator[int, None, str | None]:
    try:
        found = ContentHash()
        stream = ctx.blobs.read(content.location)
        try:
            for piece in stream:
                found.update(piece)
                done.size += len(piece)
                yield len(piece)
        finally:
            stream.close()
    except (BlobMissing, BlobCorrupt, BadLocation) as problem:
        return damage.fault_of(problem)
    except StoreUnavailable as problem:
        # Raises where the store as a whole cannot be used. Otherwise these bytes cannot be read, as on a bad sector.
        ctx.blobs.check()
        return damage.fault_of(problem)
    return None if found.sha256 == content.sha256 else "does not match its hash"


def _report_round(done: ScrubRound) -> None:
    log = _log.error if done.damaged else _log.info
    log("scrub: read %d contents, %d bytes; %d are damaged", done.contents, done.size, done.damaged)
