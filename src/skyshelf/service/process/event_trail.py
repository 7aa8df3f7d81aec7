"""Events that would be too many, or that have no transaction to join: counted, and written in groups.

The first of events that repeat (downloads by one link, failures from one network) is recorded at once. The others are
counted for a quarter of an hour, and the count becomes one more event. Different events of one group have a limit, too,
beyond which they are counted together: a popular link cannot flood the trail.
"""

import logging
import threading
import time
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from skyshelf.storage.errors import StorageError, StoreReadOnly
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.store import MetadataStore

_log = logging.getLogger("skyshelf.audit")

WINDOW_SECONDS: Final = 15 * 60
FLUSH_SECONDS: Final = 1.0
RETRY_SECONDS: Final = 5.0
GROUPS_MAX: Final = 1000
EVENTS_OF_GROUP_MAX: Final = 20
WAITING_MAX: Final = 10_000
_AT_ONCE: Final = 200
_OTHERS: Final = "others"

_EventKey = tuple[str, int, str, str, str, str]


@dataclass(slots=True)
class _RepeatedEvent:
    """An event, when it happened last, and how often again."""

    event: AuditEvent
    last: int
    again: int = 0


class Trail:
    """A process's events that are not written yet. Safe for use by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._groups: dict[str, dict[_EventKey, _RepeatedEvent]] = {}
        self._window_ends = 0.0
        self._waiting: list[AuditEvent] = []
        self._lost = 0
        self.counts: dict[str, int] = {}
        """Number of repeatable events by kind: failures, and uses of links."""
        self._store: MetadataStore | None = None
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        self._stopping = threading.Event()

    @property
    def waiting(self) -> int:
        """Number of events waiting to be written."""
        return len(self._waiting)

    def is_first(self, store: MetadataStore, event: AuditEvent, group: str) -> bool:
        """Whether the caller should record this event; otherwise it has been counted."""
        with self._lock:
            self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
            self._end_window(only_if_over=True)
            if not self._groups:
                self._window_ends = time.monotonic() + WINDOW_SECONDS
            events = self._groups.get(group)
            if events is None:
                if len(self._groups) >= GROUPS_MAX:
                    group = _OTHERS
                events = self._groups.setdefault(group, {})
            same = _same(event)
            known = events.get(same)
            if known is None and len(events) < EVENTS_OF_GROUP_MAX:
                events[same] = _RepeatedEvent(event, event.at)
                return True
            if known is None:
                event = _without_particulars(event, keep_link=group != _OTHERS)
                known = events.setdefault(_same(event), _RepeatedEvent(event, event.at))
            known.again += 1
            known.last = event.at
            is_new = known.again == 1
        if is_new:
            self._ensure_thread(store)
            # The thread recomputes how long to wait.
            self._wake.set()
        return False

    def note(self, store: MetadataStore, event: AuditEvent, group: str = "") -> None:
        """Record an event within a second; with a group, its repetitions are counted."""
        if group and not self.is_first(store, event, group):
            return
        with self._lock:
            self._put([event])
        self._ensure_thread(store)
        self._wake.set()

    def flush(self, store: MetadataStore, *, end_window: bool = False) -> bool:
        """Write waiting events; false if the store refuses them now. Refused events are kept, up to a limit."""
        with self._writing:
            with self._lock:
                self._end_window(only_if_over=not end_window)
                pending, self._waiting = self._waiting, []
            while pending:
                now, rest = pending[:_AT_ONCE], pending[_AT_ONCE:]
                try:
                    store.write(lambda unit, now=now: unit.audit.add(now))  # type: ignore[misc]
                except StorageError as problem:
                    if not isinstance(problem, StoreReadOnly):
                        _log.warning("%d events wait for the store: %s", len(pending), problem)
                    with self._lock:
                        later, self._waiting = self._waiting, []
                        self._put(pending)
                        self._put(later)
                    return False
                pending = rest
        return True

    def close(self) -> None:
        """Write everything, including the counts, and stop."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        if self._store is not None and not self.flush(self._store, end_window=True):
            _log.error("%d events could not be recorded before the stop", len(self._waiting))

    def _put(self, events: list[AuditEvent]) -> None:
        room = max(0, WAITING_MAX - len(self._waiting))
        self._waiting += events[:room]
        if len(events) > room:
            self._lost += len(events) - room
            _log.error("%d events were not recorded: too many wait for the store", len(events) - room)

    def _end_window(self, *, only_if_over: bool) -> None:
        if only_if_over and (not self._groups or time.monotonic() < self._window_ends):
            return
        counted = [one for events in self._groups.values() for one in events.values() if one.again]
        self._groups.clear()
        self._put([replace(one.event, at=one.last, times=one.again) for one in counted])

    def _ensure_thread(self, store: MetadataStore) -> None:
        if self._thread is not None or self._stopping.is_set():
            return
        with self._lock:
            if self._thread is None:
                self._store = store
                self._thread = threading.Thread(target=self._run, args=(store,), name="skyshelf-audit", daemon=True)
                self._thread.start()

    def _run(self, store: MetadataStore) -> None:
        while not self._stopping.is_set():
            self._wake.wait(self._seconds_left())
            # Events within this time are written together. A stop does not wait: it writes the rest itself.
            if self._stopping.wait(FLUSH_SECONDS):
                return
            self._wake.clear()
            try:
                is_done = self.flush(store)
            except Exception:  # noqa: BLE001 - retried later
                _log.exception("events could not be recorded")
                is_done = False
            if not is_done:
                self._stopping.wait(RETRY_SECONDS)

    def _seconds_left(self) -> float | None:
        """Return the seconds until counts are due to be written; None if there are none."""
        with self._lock:
            if self._waiting:
                return 0
            if not any(one.again for events in self._groups.values() for one in events.values()):
                return None
            return max(0.0, self._window_ends - time.monotonic())


def _same(event: AuditEvent) -> _EventKey:
    return event.kind, event.account_id, event.account_key, event.link_key, event.object_key, event.address


def _without_particulars(event: AuditEvent, *, keep_link: bool) -> AuditEvent:
    """Reduce one of too many events: which object it was, or from where, is no longer distinguished."""
    return replace(
        event,
        object_key="",
        address="",
        device_key="",
        details={},
        link_key=event.link_key if keep_link else "",
        account_id=event.account_id if keep_link and event.link_key else 0,
        account_key=event.account_key if keep_link and event.link_key else "",
    )
