"""Arrivals: what happens when content that is durable already gets a name."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from skyshelf.service.boards.items import BoardPlacement
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import Refused
from skyshelf.service.files.capture_dates import taken
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BytesLike
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import NameTaken, QuotaExceeded, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.names import category, split_mime
from skyshelf.wire.resources.uploads import FileToUpload, UploadMetadata


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that are durable and that nobody refers to yet."""

    blob: StoredBlob
    stored_at: int


def check_size(ctx: ServiceContext, size: int) -> None:
    if size > ctx.rules.max_file_size:
        raise Refused(codes.FILE_TOO_LARGE, f"A file may have {ctx.rules.max_file_size} bytes here")


def check_name_free(unit: Unit, caller: Caller, folder_key: str, name: str) -> StoredObject | None:
    """What has the name now: the file whose next version this will be, or None. NameTaken for a folder."""
    unit.tree.visible_folder(caller.account_id, folder_key)
    there = unit.tree.child_named(caller.account_id, folder_key, name)
    if there is not None and there.is_folder:
        raise NameTaken("a folder has that name")
    return there


def precheck_upload(ctx: ServiceContext, caller: Caller, metadata: UploadMetadata) -> None:
    """Everything that can be said about a file before its bytes come; the commit will look again."""
    check_size(ctx, metadata.size)
    now, placement = ctx.clock.now(), BoardPlacement(ctx, metadata)
    with ctx.metadata.read() as unit:
        placement.refuse(unit, caller)
        folder_key = placement.known_folder(unit, caller)
        there = None if folder_key is None else check_name_free(unit, caller, folder_key, metadata.name)
        keep = ctx.rules.versions_kept
        back = 0 if there is None else unit.files.bytes_freed_by_next_version(caller.account_id, there.object_key, keep)
        if metadata.size - back > unit.quotas.get(caller.account_id, now).free:
            raise QuotaExceeded(f"{metadata.size} more bytes do not fit")


def store(ctx: ServiceContext, caller: Caller, metadata: UploadMetadata | None, chunks: Iterable[BytesLike]) -> Content:
    """Make the bytes of a file durable. Where metadata comes behind them, only the room for them is known."""
    if metadata is not None:
        blob = ctx.blobs.put(chunks, expected_size=metadata.size)
    else:
        blob = ctx.blobs.put(_within_room(ctx, caller, chunks))
    return Content(blob=blob, stored_at=ctx.clock.now())


def _within_room(ctx: ServiceContext, caller: Caller, chunks: Iterable[BytesLike]) -> Iterator[BytesLike]:
    now, size = ctx.clock.now(), 0
    with ctx.metadata.read() as unit:
        free = unit.quotas.get(caller.account_id, now).free
    for chunk in chunks:
        size += len(chunk)
        check_size(ctx, size)
        if size > free:
            raise QuotaExceeded(f"more than {free} bytes do not fit")
        yield chunk


def give_up(ctx: ServiceContext, content: Content) -> None:
    """Delete content that will not get a name."""
    ctx.blobs.delete(content.blob.location)


def new_file(
    ctx: ServiceContext, caller: Caller, metadata: FileToUpload, *, location: str, sha256: str, now: int
) -> NewFile:
    """The file as it will be stored, but for a folder that is yet to be found; reads the date from its own
    metadata where it has one."""
    mime_type, mime_subtype = split_mime(metadata.name)
    taken_at, taken_day = taken(ctx, location, mime_type, mime_subtype) or (None, None)
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
        taken_at=taken_at,
        taken_day=taken_day,
    )


def commit_file(
    ctx: ServiceContext, caller: Caller, metadata: UploadMetadata, content: Content, *, upload_key: str | None = None
) -> StoredObject:
    """Give content its name, in one commit with the end of its upload; what is not referred to then is deleted."""
    try:
        outcome = _commit(ctx, caller, metadata, content, upload_key)
    except StoreUnavailable:
        # The commit may have happened: whether somebody refers to the blob is for the sweeper to find out.
        raise
    except (StorageError, Refused):
        give_up(ctx, content)
        raise
    if outcome.location != content.blob.location:
        give_up(ctx, content)
    return outcome.object


def _commit(
    ctx: ServiceContext, caller: Caller, metadata: UploadMetadata, content: Content, upload_key: str | None
) -> PutOutcome:
    blob = content.blob
    if blob.size != metadata.size:
        raise Refused(codes.CONTENT_SIZE_MISMATCH)
    if blob.md5 != metadata.hash:
        raise Refused(codes.CONTENT_HASH_MISMATCH)
    now, keep = ctx.clock.now(), ctx.rules.versions_kept
    file = new_file(ctx, caller, metadata, location=blob.location, sha256=blob.sha256, now=now)
    # The sweeper may judge a location that nobody has committed when the whole grace is over.
    if ctx.clock.now() - content.stored_at > SWEEP_GRACE_MS // 2:
        raise Refused(codes.INVALID_REQUEST, "The body did not arrive in time")
    placement = BoardPlacement(ctx, metadata)

    def work(unit: Unit) -> PutOutcome:
        landed = replace(file, parent_key=placement.folder(unit, caller))
        outcome = unit.files.put(caller.account_id, landed, now, keep_versions=keep, upload_key=upload_key)
        placement.show(unit, caller, outcome.object.object_key)
        return outcome

    return ctx.metadata.write(work)
