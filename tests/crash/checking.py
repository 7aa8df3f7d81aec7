"""The check after a kill: reopen the store and read everything."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import apsw
from tests.crash.comparing import strangers
from tests.crash.folder import blobs_in, metadata_in
from tests.crash.found import look
from tests.crash.hands import Hands
from tests.crash.invariants import broken_invariants
from tests.crash.journal import Journal
from tests.crash.sweeping import sweep
from tests.crash.whole_bytes import torn_blobs, torn_uploads, unreferred

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.storage.metadata.sqlite.store import SqliteStore

FAR_AHEAD_MS = 10 * 365 * 24 * 60 * 60 * 1000


@dataclass
class Findings:
    """What is wrong, as sentences, and which files nobody refers to, which is wrong only when they are too many."""

    wrong: list[str] = field(default_factory=list)
    unreferred: set[str] = field(default_factory=set)


@contextmanager
def opened(folder: Path, *, keep_wal: bool = False) -> Iterator[tuple[SqliteStore, DiskBlobs]]:
    """Both stores. keep_wal leaves the log as a killed process would, for the next one to recover."""

    def no_checkpoint(connection: apsw.Connection) -> None:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    if keep_wal:
        apsw.connection_hooks.append(no_checkpoint)
    try:
        metadata = SqliteStore(metadata_in(folder))
        try:
            with DiskBlobs(blobs_in(folder)) as blobs:
                yield metadata, blobs
        finally:
            metadata.close()
    finally:
        if keep_wal:
            apsw.connection_hooks.remove(no_checkpoint)


def check(metadata: SqliteStore, blobs: DiskBlobs, journal: Journal, now: int) -> Findings:
    """Everything that can be seen without changing anything."""
    with metadata.snapshot() as unit:
        found = look(unit)
        wrong = [
            *broken_invariants(unit, found, now),
            *journal.settle(found),
            *strangers(journal.shelves.values(), found),
            *torn_blobs(unit, blobs),
        ]
        return Findings(wrong, unreferred(unit, blobs))


def check_uploads(metadata: SqliteStore, blobs: DiskBlobs, journal: Journal) -> list[str]:
    """Whether every upload in progress could go on. This cuts off bytes that were never acknowledged."""
    return [
        wrong
        for shelf in journal.shelves.values()
        for wrong in torn_uploads(Hands(metadata, blobs, shelf.account_id, _nobody), shelf)
    ]


def check_sweep(metadata: SqliteStore, blobs: DiskBlobs, now: int) -> list[str]:
    """Sweep with a clock far ahead; what is left must be what somebody refers to, no more and no less."""
    sweep(metadata, blobs, now + FAR_AHEAD_MS)
    with metadata.snapshot() as unit:
        rows = unit.sql.all("SELECT b.location FROM blobs b WHERE b.content IN (SELECT content FROM versions)")
        referred = {location for (location,) in rows}
        there = {blob.location for blob in blobs.list()}
        uploads = [begun.upload_id for begun in blobs.list_uploads()]
        strays = set(uploads) - unit.uploads.known(uploads)
    return [
        *(f"the sweep took {location}" for location in sorted(referred - there)),
        *(f"the sweep left {name}" for name in sorted((there - referred) | strays)),
    ]


def check_quota(metadata: SqliteStore, journal: Journal, now: int) -> list[str]:
    """Whether the counters say what the journal says. Only after a purge: until then marked objects count as well."""
    wrong: list[str] = []
    for account_id in {shelf.account_id for shelf in journal.shelves.values()}:
        shelves = [shelf for shelf in journal.shelves.values() if shelf.account_id == account_id]
        used = sum(shelf.used for shelf in shelves)
        reserved = sum(upload.content.size for shelf in shelves for upload in shelf.uploads.values())
        with metadata.read() as unit:
            quota = unit.quotas.get(account_id, now)
        if (quota.used, quota.reserved) != (used, reserved):
            wrong.append(f"account {account_id} should use {used} and reserve {reserved}, and says {quota}")
        wrong += [f"still there: {key}" for shelf in shelves for key in sorted(shelf.given_up)]
    return wrong


def forget_changes(metadata: SqliteStore, journal: Journal) -> None:
    """Drop the feed that was compared, so a long campaign does not read it again and again."""

    def forget(unit: SqlUnit) -> None:
        for account_id in {shelf.account_id for shelf in journal.shelves.values()}:
            unit.changes.forget(account_id, unit.changes.newest(account_id))

    metadata.write(forget)
    for shelf in journal.shelves.values():
        shelf.feed.clear()


def _nobody(outcome: list[str]) -> None:
    """Nobody waits for an acknowledgement of the parent."""
