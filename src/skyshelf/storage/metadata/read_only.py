"""Read-only mode: a fence that every write passes, whichever process or instance it comes from.

The mode is a row of the settings, and each store reads it inside the write's own transaction:

- SQLite has one writer at a time. A writer reads the row when it holds the lock, and so sees what was committed before.
- On PostgreSQL each write first takes a lock that all writes share, and then reads the row. Switching the mode on
  commits the row, and then waits until nobody holds the shared lock: every write that did not see the row has ended.

So once `switch_on` has returned, no write commits. A few writes are allowed nevertheless: the sessions and
throttles that a login needs. They are lost where the rows are being moved elsewhere.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, cast

import msgspec

from skyshelf.storage.errors import StoreReadOnly
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.store import MetadataStore, Unit

SETTING: Final = "store.read_only"
MOVE: Final = "store.move"
"""The setting that says which move has filled this store, or given it other blobs."""
_allowed: ContextVar[bool] = ContextVar("allowed while read-only", default=False)


class ReadOnly(msgspec.Struct, frozen=True):
    """Why nothing is written, and since when."""

    reason: str
    since: int
    move: str = ""
    """The id of the move that switched it on; empty for an operator."""


class MoveRecord(msgspec.Struct, frozen=True):
    """What a move leaves in the rows when it has switched over."""

    id: str
    to: str
    at: int
    left_out: list[str] = []
    """Sentences about contents that the old store had lost."""


@contextmanager
def even_while_read_only() -> Iterator[None]:
    """Writes of this block are allowed in read-only mode; they may be lost."""
    token = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(token)


def is_allowed() -> bool:
    return _allowed.get()


def refuse(value: bytes | None) -> None:
    """Raise StoreReadOnly for a write that is not allowed, given the row of the settings."""
    if value is not None and not _allowed.get():
        raise StoreReadOnly(decode(value).reason)


def decode(value: bytes) -> ReadOnly:
    return msgspec.json.decode(value, type=ReadOnly)


def read_only(store: MetadataStore) -> ReadOnly | None:
    """Return the mode right now; None while writes are accepted."""
    if isinstance(store, _ReadOnlyStore):
        return store.mode
    with store.read() as unit:
        return unit.settings.load(SETTING, ReadOnly)


def switch_on(store: MetadataStore, mode: ReadOnly, events: Sequence[AuditEvent] = ()) -> None:
    """No write commits after this has returned."""

    def work(unit: Unit) -> None:
        unit.settings.store(SETTING, mode)
        unit.audit.add(events)

    with even_while_read_only():
        store.write(work)
    store.wait_for_writes()


def switch_off(store: MetadataStore, events: Sequence[AuditEvent] = ()) -> bool:
    """Return whether the mode was on."""

    def work(unit: Unit) -> bool:
        was_on = unit.settings.get(SETTING) is not None
        unit.settings.delete(SETTING)
        if was_on:
            unit.audit.add(events)
        return was_on

    with even_while_read_only():
        return store.write(work)


def end_of_move(store: MetadataStore) -> None:
    """Accept writes again where a move of the blobs is complete: this is called with the new blobs, which match."""
    mode = read_only(store)
    if mode is None or not mode.move:
        return
    with store.read() as unit:
        moved = unit.settings.load(MOVE, MoveRecord)
    if moved is not None and moved.id == mode.move:
        switch_off(store)


def refusing_writes(store: MetadataStore, mode: ReadOnly) -> MetadataStore:
    """Return the store for a process that does not write to it, whatever others do."""
    return cast("MetadataStore", _ReadOnlyStore(store, mode))


class _ReadOnlyStore:
    def __init__(self, store: MetadataStore, mode: ReadOnly) -> None:
        self._store = store
        self.mode = mode

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        return partial(self._write, found) if name in {"write", "write_jointly", "submit_jointly"} else found

    def _write(self, write: Callable[..., Any], *arguments: object) -> Any:
        if not is_allowed():
            raise StoreReadOnly(self.mode.reason)
        return write(*arguments)

    def note_bulk_write(self) -> None:
        """Do nothing: there is none."""

    def analyze_grown_tables(self) -> None:
        """Do nothing: an instance that writes does it."""
