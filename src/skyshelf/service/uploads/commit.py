"""Commit of an upload: durable content becomes a file in one transaction.

The same steps end every upload: content is stored as a blob (`store_content`, or an upload's last chunk), then
committed with its name (`commit_file`, or `commit_files` in batch.py for many at once). A blob that the commit does
not refer to is deleted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.capture_dates import enqueue_dates, known_date
from skyshelf.service.files.locks import Guard
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.retention import retention
from skyshelf.service.uploads.duplicates import settle_later
from skyshelf.storage import errors as storage
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BytesLike, StoredBlob
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Done, Unit
from skyshelf.storage.samples import UNSEEN, Sample
from skyshelf.wire.names import category, split_mime
from skyshelf.wire.resources.uploads import FileToUpload, UploadMetadata
from skyshelf.wire.sizes import format_size


class Placement:
    """The destination of one upload: the folder that the request names, and nothing else.

    Uploads to other places pass a factory of another class, such as the one in boards/items.py. An instance is
    created outside the transaction, which may run twice; its methods run inside one.
    """

    def __init__(self, folder_key: str) -> None:
        self._folder_key = folder_key

    def check(self, unit: Unit, caller: Caller) -> None:
        """Raise, before any byte arrives, what the commit would raise at the end."""

    def existing_folder(self, unit: Unit, caller: Caller) -> str | None:  # noqa: ARG002
        """Return the key of the target folder; None if it has yet to be created."""
        return self._folder_key

    def folder(self, unit: Unit, caller: Caller) -> str:  # noqa: ARG002
        """Return the key of the target folder; create it if it is missing."""
        return self._folder_key

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:
        """Act once the file exists, in the same transaction."""


PlacementFactory = Callable[[ServiceContext, UploadMetadata], Placement]


def in_folder(_ctx: ServiceContext, metadata: UploadMetadata) -> Placement:
    assert metadata.folder_key is not None, "an upload without a folder needs another placement"
    assert metadata.board_key is None, "an upload to a board needs the boards' placement"
    return Placement(metadata.folder_key)


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """Durable bytes that nothing refers to yet."""

    blob: StoredBlob
    stored_at: int


# Checks


def check_size(ctx: ServiceContext, size: int) -> None:
    if size > ctx.rules.max_file_size:
        raise ServiceError(codes.FILE_TOO_LARGE, f"A file can have at most {format_size(ctx.rules.max_file_size)} here")


def check_name_free(unit: Unit, caller: Caller, folder_key: str, name: str) -> StoredObject | None:
    """Return the file with that name, of which this will be the next version, or None. NameTaken for a folder."""
    unit.tree.visible_folder(caller.account_id, folder_key)
    existing = unit.tree.child_named(caller.account_id, folder_key, name)
    if existing is not None and existing.is_folder:
        raise storage.NameTaken("a folder has that name")
    return existing


def check_expected_version(metadata: FileToUpload, existing: StoredObject | None) -> None:
    """VersionChanged unless the file has the version that the request expects."""
    if metadata.expected_version not in (None, 0 if existing is None else existing.version):
        raise storage.VersionChanged("the file has another version")


def precheck_upload(
    ctx: ServiceContext,
    caller: Caller,
    metadata: UploadMetadata,
    reservation: Reservation,
    place: PlacementFactory = in_folder,
) -> None:
    """Check everything that is known before the bytes arrive, and reserve space for them; the commit checks again."""
    check_size(ctx, metadata.size)
    placement = place(ctx, metadata)

    def free() -> int:
        with ctx.metadata.read() as unit:
            placement.check(unit, caller)
            folder_key = placement.existing_folder(unit, caller)
            existing = None if folder_key is None else check_name_free(unit, caller, folder_key, metadata.name)
            check_expected_version(metadata, existing)
            freed = bytes_freed(ctx, unit, caller, existing)
            return freed + unit.quotas.get(caller.account_id, ctx.clock.now()).free

    reservation.cover(metadata.size, free)


def free_quota(ctx: ServiceContext, caller: Caller) -> int:
    with ctx.metadata.read() as unit:
        return unit.quotas.get(caller.account_id, ctx.clock.now()).free


def bytes_freed(ctx: ServiceContext, unit: Unit, caller: Caller, existing: StoredObject | None) -> int:
    """Return how much space the next version of a file frees by pushing out its oldest version."""
    if existing is None:
        return 0
    return unit.files.bytes_freed_by_next_version(caller.account_id, existing.object_key, retention(ctx).versions_kept)


def check_commit_in_time(ctx: ServiceContext, stored_at: int) -> None:
    """Refuse a late commit: the sweeper may delete an uncommitted location after the grace period."""
    if ctx.clock.now() - stored_at > SWEEP_GRACE_MS // 2:
        raise ServiceError(codes.INVALID_REQUEST, "The body did not arrive in time")


# Content


def store_content(
    ctx: ServiceContext,
    caller: Caller,
    metadata: UploadMetadata | None,
    chunks: Iterable[BytesLike],
    reservation: Reservation,
) -> Content:
    """Make the bytes of a file durable. Without metadata, which may follow later, only the quota limits them."""
    if metadata is not None:
        blob = ctx.blobs.put(reservation.counting(chunks), expected_size=metadata.size)
    else:
        blob = ctx.blobs.put(reservation.counting(_within_quota(ctx, caller, chunks, reservation)))
    return Content(blob=blob, stored_at=ctx.clock.now())


def _within_quota(
    ctx: ServiceContext, caller: Caller, chunks: Iterable[BytesLike], reservation: Reservation
) -> Iterator[BytesLike]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        check_size(ctx, size)
        reservation.cover(size, lambda: free_quota(ctx, caller))
        yield chunk


def discard_content(ctx: ServiceContext, content: Content, *, keep_upload: bool = False) -> None:
    """Delete content that will not become a file; an upload that continues keeps its bytes."""
    ctx.blobs.delete(content.blob.location, keep_upload=keep_upload)


def new_file(
    ctx: ServiceContext,
    caller: Caller,
    metadata: FileToUpload,
    *,
    location: str,
    sha256: str,
    now: int,
    at_once: bool = False,
    sample: Sample = UNSEEN,
) -> NewFile:
    """Build the row of a new file, with its capture date if that is easily read; the folder may be set later."""
    mime_type, mime_subtype = split_mime(metadata.name)
    date = known_date(ctx, location, metadata.size, mime_type, mime_subtype, at_once=at_once)
    return NewFile(
        object_key=ctx.new_key(),
        parent_key=metadata.folder_key or "",
        name=metadata.name,
        sha256=sha256,
        md5=metadata.hash,
        size=metadata.size,
        location=location,
        category=category(mime_type),
        mime_type=mime_type,
        mime_subtype=mime_subtype,
        file_created_at=now if metadata.file_created_date is None else metadata.file_created_date,
        last_modified_at=now if metadata.last_modified_date is None else metadata.last_modified_date,
        created_by=caller.first_name,
        source_name=metadata.source_name,
        source_folder=metadata.source_folder or "",
        app_code=metadata.appcode or "",
        taken_at=date.taken_at,
        taken_day=date.taken_day,
        needs_date=date.needs_date,
        facts=date.facts,
        sample=sample,
        expected_version=metadata.expected_version,
    )


# One file


def commit_file(
    ctx: ServiceContext,
    caller: Caller,
    metadata: UploadMetadata,
    content: Content,
    *,
    place: PlacementFactory = in_folder,
    upload_key: str | None = None,
    reservation: Reservation | None = None,
) -> StoredObject:
    """Turn content into a file, in one commit with the end of its upload."""
    placement = place(ctx, metadata)
    # If nothing was committed, the content's upload, if any, still exists and can be finished later.
    with discarding(ctx, content, keep_upload=upload_key is not None):
        file = _checked_file(ctx, caller, metadata, content)
        with reservation.committing() if reservation else nullcontext():
            outcome = _put_file(ctx, caller, file, placement, upload_key)
    return settled(ctx, content, file, outcome)


@contextmanager
def discarding(ctx: ServiceContext, content: Content, *, keep_upload: bool = False) -> Iterator[None]:
    """Delete the content if it cannot become a file."""
    try:
        yield
    except storage.StoreUnavailable:
        # The commit may have happened: the sweeper finds out whether the blob is referenced.
        raise
    except (storage.StorageError, ServiceError):
        discard_content(ctx, content, keep_upload=keep_upload)
        raise


def settled(ctx: ServiceContext, content: Content, file: NewFile, outcome: PutOutcome) -> StoredObject:
    """Return the committed file; a copy of known content is checked later, and a missing date read."""
    blob = content.blob
    if outcome.location != blob.location:
        settle_later(ctx, blob.sha256, blob.size, new=blob.location, kept=outcome.location)
    if file.needs_date:
        ctx.job_notifier.notify()
    return outcome.object


def _checked_file(ctx: ServiceContext, caller: Caller, metadata: UploadMetadata, content: Content) -> NewFile:
    blob = content.blob
    if blob.size != metadata.size:
        raise ServiceError(codes.CONTENT_SIZE_MISMATCH)
    if blob.md5 != metadata.hash:
        raise ServiceError(codes.CONTENT_HASH_MISMATCH)
    file = new_file(
        ctx, caller, metadata, location=blob.location, sha256=blob.sha256, now=ctx.clock.now(), sample=blob.sample
    )
    check_commit_in_time(ctx, content.stored_at)
    return file


def _put_file(
    ctx: ServiceContext, caller: Caller, file: NewFile, placement: Placement, upload_key: str | None
) -> PutOutcome:
    now, keep = ctx.clock.now(), retention(ctx).versions_kept
    # A refusal by a leave undoes the whole unit, so it must not be that of others as well.
    if type(placement) is Placement and upload_key is None and caller.leave is None:
        # new_file has set its folder.
        return ctx.metadata.write_jointly(put_together, _Put(caller.account_id, file, now, keep, caller.actor))

    def work(unit: Unit) -> PutOutcome:
        # It ends a resumable upload, or its folder may have to be created.
        placed = replace(file, parent_key=placement.folder(unit, caller))
        outcome = unit.files.put(caller.account_id, placed, now, keep_versions=keep, upload_key=upload_key)
        placement.stored(unit, caller, outcome.object.object_key)
        enqueue_dates(unit, caller.account_id, [file], now)
        return outcome

    return ctx.write_as(caller, work)


def begin_commit(
    ctx: ServiceContext,
    caller: Caller,
    metadata: UploadMetadata,
    content: Content,
    done: Done[StoredObject],
    *,
    guard: Guard | None = None,
) -> None:
    """Commit a file whose folder is known, without waiting for the store.

    If it fails, the caller keeps the content, unless the commit may have happened (StoreUnavailable). A guard runs
    before any of the files that are committed together, so it may check locks, but not other files.
    """
    assert metadata.folder_key is not None
    file = _checked_file(ctx, caller, metadata, content)

    def committed(outcome: PutOutcome | None, error: BaseException | None) -> None:
        if error is not None or outcome is None:
            done(None, error)
        else:
            done(settled(ctx, content, file, outcome), None)

    put = _Put(caller.account_id, file, ctx.clock.now(), retention(ctx).versions_kept, caller.actor, guard)
    ctx.metadata.submit_jointly(put_together, put, committed)


class _Put(NamedTuple):
    """An upload whose content is durable, and which only needs its name."""

    account_id: int
    file: NewFile
    now: int
    keep_versions: int
    actor: str
    guard: Guard | None = None


def put_together(unit: Unit, puts: Sequence[_Put]) -> list[PutOutcome | Exception]:
    """Commit uploads of any accounts at once, those of each session together."""
    alike: dict[tuple[int, int, str], list[int]] = {}
    for number, put in enumerate(puts):
        alike.setdefault((put.account_id, put.keep_versions, put.actor), []).append(number)
    outcomes: dict[int, PutOutcome | Exception] = {}
    for (account_id, keep, actor), numbers in alike.items():
        unit.act_as(actor)
        try:
            refused = _refused(unit, account_id, {number: puts[number].guard for number in numbers})
            outcomes |= refused
            left = [number for number in numbers if number not in refused]
            files, now = [puts[number].file for number in left], max(puts[number].now for number in numbers)
            put_files = unit.files.put_each(account_id, files, now, keep_versions=keep) if left else []
        except (
            storage.AccountMissing,
            storage.SessionPaused,
            storage.LimitReached,
        ) as refusal:  # before anything was written
            outcomes |= dict.fromkeys(numbers, refusal)
            continue
        enqueue_dates(unit, account_id, files, now)
        outcomes |= zip(left, put_files, strict=True)
    return [outcomes[number] for number in range(len(puts))]


def _refused(unit: Unit, account_id: int, guards: Mapping[int, Guard | None]) -> dict[int, Exception]:
    """Return the errors of guards, which run while the account is held."""
    refused: dict[int, Exception] = {}
    if any(guard is not None for guard in guards.values()):
        unit.locks.hold_account(account_id)
    for number, guard in guards.items():
        try:
            if guard is not None:
                guard(unit)
        except storage.StoreUnavailable:
            raise
        except (storage.StorageError, ServiceError) as refusal:
            refused[number] = refusal
    return refused
