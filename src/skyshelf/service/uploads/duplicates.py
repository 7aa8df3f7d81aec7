"""Duplicates: when content is uploaded again, the stored copy is checked, and replaced if it is damaged.

The stored copy is trusted only after its presence, its length and its hashes were checked. Otherwise the new copy,
which was hashed while it arrived, replaces it for everybody who refers to the content.

This happens after the response: neither the check nor the deletion of a copy may reveal, by its duration, whether
another account has the content. The sweeper repeats interrupted checks.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from functools import partial

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage
from skyshelf.service.integrity.quarantine import set_aside_blobs
from skyshelf.service.integrity.scrub import has_read_lately
from skyshelf.storage.blobs.hashing import digests_of
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing
from skyshelf.storage.metadata.contracts.content import Reason, StoredContent
from skyshelf.storage.watching import store_calls
from skyshelf.wire.sizes import format_size

_log = logging.getLogger("skyshelf.storage")

INLINE_BYTES_MAX = 1 << 30
"""Larger content is not read just to save its upload: the bytes are sent again, unless it was verified recently."""
_WAITING_MAX = 10_000
_IDLE_SECONDS = 5.0


def is_sound(ctx: ServiceContext, sha256: str, size: int, location: str, *, may_read: bool = True) -> bool:
    """Whether a copy is sound; reads all of it unless this process has verified it recently.

    If it may not be read, the scrub of any instance must have read it recently.
    """
    now = ctx.clock.now()
    try:
        if ctx.blobs.size(location) != size:
            return False
        fingerprint = ctx.blobs.fingerprint(location)
        if ctx.integrity.is_verified(location, fingerprint, now):
            return True
        if not may_read:
            return has_read_lately(ctx, sha256)
        found, _ = digests_of(ctx.blobs.read(location))
    except (BlobMissing, BlobCorrupt, BadLocation):
        return False
    if found != sha256:
        return False
    ctx.integrity.verified(location, fingerprint, now)
    return True


def can_be_reused(ctx: ServiceContext, content: StoredContent) -> bool:
    """Whether content can become another file without sending its bytes."""
    may_read = content.size <= INLINE_BYTES_MAX
    sound = is_sound(ctx, content.sha256, content.size, content.location, may_read=may_read)
    if not sound and may_read:
        _log.error("content %s is damaged or missing: its next upload replaces it", content.sha256)
    return sound


def settle(
    ctx: ServiceContext, sha256: str, size: int, *, new: str, kept: str | None = None, reason: Reason = "released"
) -> None:
    """Settle two copies of a content: delete the new one if the kept one is sound, otherwise replace the kept one.

    Both are locations; without the kept one, it is looked up. If nothing refers to the content, or neither copy is
    sound, the new one goes to quarantine, with that reason.
    """
    if kept is None:
        with ctx.metadata.read() as unit:
            content = unit.content.get(sha256)
        kept = content.location if content is not None else None
    if kept == new:
        return
    if kept is not None and is_sound(ctx, sha256, size, kept):
        ctx.blobs.delete(new)
        return
    now = ctx.clock.now()
    if (
        kept is None
        or not is_sound(ctx, sha256, size, new)
        or not ctx.metadata.write(lambda unit: unit.content.relocate(sha256, kept, new, now))
    ):
        set_aside_blobs(ctx, {new: size}, reason)
        return
    damage.clear_if_listed(ctx, sha256)
    _log.error("content %s (%s) was damaged or missing, and is replaced by a new copy", sha256, format_size(size))


class Settler:
    """A thread that settles copies one after the other; it ends when it is idle for a while."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._is_running = False
        self._is_busy = False

    def submit(self, work: Callable[[], None]) -> None:
        """Schedule work. If too much is waiting already, it is left to the sweeper."""
        with self._changed:
            if len(self._waiting) >= _WAITING_MAX:
                store_calls.may_have_left()
                return
            self._waiting.append(work)
            self._changed.notify_all()
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="skyshelf-settle", daemon=True).start()

    def drain(self, seconds: float) -> bool:
        """Wait until everything is done; false if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_busy, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                if not self._changed.wait_for(lambda: bool(self._waiting), _IDLE_SECONDS):
                    self._is_running = False
                    return
                work = self._waiting.popleft()
                self._is_busy = True
            try:
                work()
            except Exception:  # noqa: BLE001 - the copy stays, and the sweeper checks it again
                store_calls.may_have_left()
                _log.warning("a copy of known content could not be checked", exc_info=True)


_settler = Settler()
drain = _settler.drain


def settle_later(ctx: ServiceContext, sha256: str, size: int, *, new: str, kept: str | None = None) -> None:
    _settler.submit(partial(settle, ctx, sha256, size, new=new, kept=kept))
