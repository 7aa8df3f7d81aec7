"""The scrub: every stored content is read and compared with its hash, once in a configurable period.

In the background it reads one content at a time, a piece at a time, and no faster than the period demands, within a
limit: users come first. Contents are read in the order of their hashes, which are evenly distributed, so the position
in that order is the only state: it is kept in the settings, all instances share it, and no upload or deletion pays.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Final

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage
from skyshelf.service.retention import retention
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.store import Unit, referred_contents
from skyshelf.wire.limits import MIB

_SETTING: Final = "scrub"
_HOUR: Final = 60 * 60 * 1000
RECENT_MS: Final = 24 * _HOUR
_MARK_EVERY_MS: Final = _HOUR
END: Final = "f" * 64
_log = logging.getLogger("skyshelf.background")

_DAY: Final = 24 * 60 * 60 * 1000
PAGE: Final = 200
BYTES_PER_SECOND: Final = 64 * MIB
"""The limit in the background: some 160 TiB in 30 days."""
_SAVE_MS: Final = 10 * 1000
_NICENESS: Final = 10


class ScrubRound(msgspec.Struct, kw_only=True):
    """One pass over all contents."""

    began: int
    ended: int = 0
    """When the last content was read; 0 while the round continues."""
    contents: int = 0
    size: int = 0
    damaged: int = 0


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """The position of the scrub at some time."""

    at: int
    position: str


class ScrubState(msgspec.Struct, kw_only=True):
    """The current round, and the previous one."""

    now: ScrubRound
    position: str = ""
    """The hash of the content that was read last; empty at the start."""
    previous: ScrubRound | None = None
    marks: list[Mark] = []
    """Positions during the last day, about one per hour."""

    @property
    def share(self) -> float:
        """The share of the round that is done, from 0 to 1."""
        return 1.0 if self.now.ended else share_of(self.position)

    def mark(self, at: int) -> None:
        """Record the position, and drop marks that are older than a day, except for the last of them."""
        if not self.marks or at - self.marks[-1].at >= _MARK_EVERY_MS:
            self.marks.append(Mark(at, self.position))
        while len(self.marks) > 1 and self.marks[1].at <= at - RECENT_MS:
            self.marks.pop(0)

    def has_read_lately(self, sha256: str, at: int) -> bool:
        """Whether content with that hash was read during the last day, if it was stored then."""
        first = next((mark for mark in self.marks if mark.at >= at - RECENT_MS), None)
        return first is not None and first.position < sha256 <= self.position

    def oldest(self, at: int) -> int:
        """Return the maximum age of the last read of the next content, in milliseconds."""
        if self.now.ended or self.previous is None:
            return at - self.now.began
        return at - self.previous.began - int(self.share * max(0, self.previous.ended - self.previous.began))


def share_of(sha256: str) -> float:
    """Return the share of all hashes up to this one."""
    return int(sha256[:12], 16) / 16**12 if sha256 else 0.0


def load_state(unit: Unit) -> ScrubState | None:
    return unit.settings.load(_SETTING, ScrubState)


def save_state(unit: Unit, state: ScrubState) -> None:
    unit.settings.store(_SETTING, state)


def period_ms(ctx: ServiceContext) -> int:
    """Return the period within which everything is read."""
    return retention(ctx).scrub_days * _DAY


# In the background


def scrub_due(ctx: ServiceContext) -> Iterator[None]:
    """Read what is due by now: after a tenth of the period, the first tenth of all hashes, and so on."""
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
                time.sleep(size / BYTES_PER_SECOND)
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
    """Return the current round, or a new one if it is due."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        state = load_state(unit)
    if state is None:
        state = ScrubState(now=ScrubRound(began=now))
        _save(ctx, state)
    elif state.now.ended and now - state.now.began >= period_ms(ctx):
        state = ScrubState(now=ScrubRound(began=now), previous=state.now)
        ctx.metadata.write(lambda unit: unit.damage.forget_healed())
        _save(ctx, state)
    return state


def _save(ctx: ServiceContext, state: ScrubState) -> None:
    state.mark(ctx.clock.now())
    with suppress(StorageError):
        ctx.metadata.write(lambda unit: save_state(unit, state))


def _step_back() -> None:
    """Lower the priority of this thread."""
    if threading.current_thread() is not threading.main_thread():
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


# At once


def scrub_all(ctx: ServiceContext, progress: Callable[[int, int], None]) -> ScrubRound:
    """Read everything now, as fast as possible; `progress` is called with the number of contents and bytes read."""
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
    """Return the progress of the scrub; None before it has begun."""
    with ctx.metadata.read() as unit:
        return load_state(unit)


def has_read_lately(ctx: ServiceContext, sha256: str) -> bool:
    """Whether the scrub of any instance has read this content during the last day and found it sound."""
    with ctx.metadata.read() as unit:
        state = load_state(unit)
        return (
            state is not None and state.has_read_lately(sha256, ctx.clock.now()) and not unit.damage.is_listed(sha256)
        )


# Reading


def _contents(ctx: ServiceContext, after: str) -> Iterator[StoredContent | None]:
    """Yield everything that files refer to, in the order of the hashes, and None at the end."""
    for page in referred_contents(ctx.metadata, after, limit=PAGE):
        yield from page
    yield None


def _verified(ctx: ServiceContext, done: ScrubRound, content: StoredContent) -> Generator[int, None, None]:
    """Read one content and record the result; yields the size of each piece."""
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
        # Raises if the whole store is unavailable. Otherwise only these bytes cannot be read, as on a bad sector.
        ctx.blobs.check()
        return damage.fault_of(problem)
    return None if found.sha256 == content.sha256 else "does not match its hash"


def _report_round(done: ScrubRound) -> None:
    log = _log.error if done.damaged else _log.info
    log("scrub: read %d contents, %d bytes; %d are damaged", done.contents, done.size, done.damaged)
