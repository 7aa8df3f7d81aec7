"""A store that remembers every statement that was run on it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.recording import RecordingSql, Statement

from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.store import Done

T = TypeVar("T")
Item = TypeVar("Item")


class RecordingStore:
    """A MetadataStore in front of another; `statements` holds what was run, until somebody clears it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.statements: list[Statement] = []
        self.check, self.close, self.is_in_use = store.check, store.close, store.is_in_use
        self.space, self.ballast = store.space, store.ballast
        self.wait_for_writes, self.figures = store.wait_for_writes, store.figures
        self.connection_limits = store.connection_limits
        self.note_bulk_write, self.analyze_grown_tables = store.note_bulk_write, store.analyze_grown_tables

    def version(self) -> None:
        """None, as from a store over a network: then no session is remembered, and each call has all its statements."""

    def versions(self) -> None:
        """None: the same for a store over a network."""

    def _recorded(self, unit: Unit) -> Unit:
        recording = RecordingSql(unit.sql)
        recording.statements = self.statements
        return Unit(recording)

    @contextmanager
    def read(self) -> Iterator[Unit]:
        with self._store.read() as unit:
            yield self._recorded(unit)

    @contextmanager
    def snapshot(self) -> Iterator[Unit]:
        with self._store.snapshot() as unit:
            yield self._recorded(unit)

    def write(self, work: Callable[[Unit], T]) -> T:
        return self._store.write(lambda unit: work(self._recorded(unit)))

    def write_jointly(self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item) -> T:
        return self._store.write_jointly(lambda unit, items: joint(self._recorded(unit), items), item)

    def submit_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        self._store.submit_jointly(lambda unit, items: joint(self._recorded(unit), items), item, done)
