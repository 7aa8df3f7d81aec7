"""Exports by an operator: the parts are written into a folder or a bucket, unpacked or as ZIP files.

A part counts once all of it is durable. The export can be continued then with the next one: its state is in the
destination until the last part is there.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Final, Protocol

import msgspec

from skyshelf.service.archives.archive import Archive, archive_bytes, open_entry
from skyshelf.service.archives.zip_writer import ZipEntry
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.exporting.parts import Part, divide, plan_part
from skyshelf.service.history.logs import log_now
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.accounts import Account

STATE: Final = "unfinished-export.json"


class DestinationRefused(StorageError):
    """The destination has something else."""


class Destination(Protocol):
    """Where an export is written; names have slashes."""

    def is_empty(self) -> bool: ...

    def get(self, name: str) -> bytes | None:
        """Return a small file; None if there is none."""

    def put(self, name: str, pieces: Iterable[bytes], modified_ms: int) -> None:
        """Write a file whole or not at all; it is durable after `seal`."""

    def add_folder(self, name: str) -> None: ...

    def seal(self) -> None:
        """Everything that was put is durable when this returns."""

    def delete(self, name: str) -> None: ...


class WrittenExport(msgspec.Struct, rename="camel"):
    """The result of an export. Contents that are missing are damaged in the store, and named in the metadata."""

    parts: int = 0
    files: int = 0
    bytes: int = 0
    missing: int = 0
    begun: int = 0


class _State(msgspec.Struct):
    begun: int
    is_zipped: bool
    parts: list[Part]
    done: list[int] = []
    written: WrittenExport = msgspec.field(default_factory=WrittenExport)


Progress = Callable[[str, int], None]
"""Called with a file and its size, once it is written."""


def write_export(
    ctx: ServiceContext,
    account: Account,
    destination: Destination,
    *,
    part_bytes: int,
    as_zip: bool,
    progress: Progress,
) -> WrittenExport:
    """Export an account, or continue an export that was interrupted. The event is recorded when it begins."""
    state = _begun(ctx, account, destination, part_bytes, as_zip=as_zip)
    written = state.written
    for part in state.parts:
        if part.number in state.done:
            continue
        planned = plan_part(ctx, account, part)
        archive = planned.archive
        if state.is_zipped:
            with closing(archive_bytes(ctx, account.account_id, archive)) as pieces:
                destination.put(archive.name, pieces, part.begun)
            progress(archive.name, archive.length)
            written.bytes += archive.length
        else:
            written.bytes += _write_files(ctx, archive, destination, progress)
        destination.seal()
        written.files += sum(1 for entry in archive.entries if not entry.name.endswith("/"))
        written.missing += planned.missing
        written.parts += 1
        state.done.append(part.number)
        _save(destination, state)
    destination.delete(STATE)
    destination.seal()
    return written


def _begun(ctx: ServiceContext, account: Account, destination: Destination, part_bytes: int, *, as_zip: bool) -> _State:
    kept = destination.get(STATE)
    if kept is not None:
        try:
            state = msgspec.json.decode(kept, type=_State)
        except msgspec.MsgspecError as wrong:
            raise DestinationRefused(f"{STATE} in the destination cannot be read: name an empty one") from wrong
        if state.parts and state.parts[0].account_key == account.account_key:
            return state
        raise DestinationRefused("the destination has an unfinished export of another account: name an empty one")
    if not destination.is_empty():
        raise DestinationRefused("the destination is not empty: name a new folder, or another prefix of the bucket")
    now = ctx.clock.now()
    recorded(ctx, lambda _: None, new_event(ctx, kinds.EXPORTED, account))
    log_now(ctx, account.account_id)
    parts = [one.part for one in divide(ctx, account, now, part_bytes)]
    state = _State(now, as_zip, parts, written=WrittenExport(begun=now))
    _save(destination, state)
    return state


def _save(destination: Destination, state: _State) -> None:
    destination.put(STATE, (msgspec.json.encode(state),), state.begun)
    destination.seal()


def _write_files(ctx: ServiceContext, archive: Archive, destination: Destination, progress: Progress) -> int:
    written = 0
    for entry in archive.entries:
        if entry.name.endswith("/"):
            destination.add_folder(entry.name.rstrip("/"))
            continue
        destination.put(entry.name, _pieces(ctx, archive, entry), entry.modified_ms)
        progress(entry.name, entry.size)
        written += entry.size
    return written


def _pieces(ctx: ServiceContext, archive: Archive, entry: ZipEntry) -> Iterator[bytes]:
    if entry.size:
        with closing(open_entry(ctx, archive, entry)) as stream:
            yield from stream
