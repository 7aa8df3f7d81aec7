"""Downloads: the content of a file or one of its versions, and of many small files in one response. Also versions."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, code_of, codes, missing_as
from skyshelf.service.files.capture_dates import READ_DATES, known_date
from skyshelf.service.integrity import reading
from skyshelf.service.pages import projected
from skyshelf.service.retention import retention
from skyshelf.storage.errors import NotAFile, ObjectMissing, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.limits import CONTENTS_BYTES_MAX
from skyshelf.wire.resources.downloads import ContentHead
from skyshelf.wire.resources.objects import CloudObject, FileVersion, FileVersions, VersionAuthor, VersionRestoreRequest

_log = logging.getLogger("skyshelf.service")
_encode = msgspec.json.Encoder().encode


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """A file's content and its metadata in a download. Times are in epoch milliseconds."""

    account_id: int
    """The owner of the file."""
    name: str
    mime: str
    size: int
    md5: str
    location: str
    sha256: str
    modified_at: int
    arrived_at: int
    has_unique_date: bool
    """Whether no other kept version has the same modification date, to the second, as HTTP compares it."""


def original(ctx: ServiceContext, caller: Caller, object_key: str, version: int | None = None) -> Original:
    """Return the content of a visible file: the current version, or the one with that number."""
    with ctx.metadata.read() as unit, suppress(ObjectMissing):
        if version is None:
            return _current(unit, caller.account_id, object_key)
        return original_of(unit, unit.tree.visible(caller.account_id, object_key), version)
    # One snapshot for both queries: the file may get new content in between.
    with ctx.metadata.snapshot() as unit:
        stored = visible_on_board(unit, caller, object_key)
        if version is not None:
            # A board shows only the current version; earlier ones are the owner's.
            raise ServiceError(codes.VERSION_NOT_FOUND)
        return original_of(unit, stored)


def visible_on_board(unit: Unit, caller: Caller, object_key: str) -> StoredObject:
    """Return another account's file that a board shows to the caller; ObjectMissing otherwise."""
    owner_id = unit.board_items.owner_of(caller.account_id, object_key)
    if owner_id is None:
        raise ObjectMissing("no such object")
    return unit.tree.visible(owner_id, object_key)


def _current(unit: Unit, account_id: int, object_key: str) -> Original:
    """Return the current content of the caller's own file, with a single query."""
    try:
        name, version = unit.files.visible_version(account_id, object_key)
    except NotAFile:
        raise ServiceError(codes.FILE_EXPECTED) from None
    return _original(unit, account_id, object_key, name, version)


def original_of(unit: Unit, stored: StoredObject, number: int | None = None) -> Original:
    """Return the content of a file whose visibility was checked."""
    if stored.is_folder:
        raise ServiceError(codes.FILE_EXPECTED)
    try:
        version = unit.files.version(stored.account_id, stored.object_key, number)
    except ObjectMissing as missing:
        if number is None:
            raise
        raise ServiceError(codes.VERSION_NOT_FOUND) from missing
    # The content of a numbered version never changes.
    return _original(unit, stored.account_id, stored.object_key, stored.name, version, is_numbered=number is not None)


def _original(
    unit: Unit, account_id: int, object_key: str, name: str, version: Version, *, is_numbered: bool = False
) -> Original:
    # The first version cannot be confused with another.
    is_unique = is_numbered or version.version == 1 or _has_unique_date(unit, account_id, object_key, version)
    return Original(
        account_id=account_id,
        name=name,
        mime=f"{version.mime_type}/{version.mime_subtype}",
        size=version.size,
        md5=version.md5,
        location=version.location,
        sha256=version.sha256,
        modified_at=version.last_modified_at,
        arrived_at=version.created_at,
        has_unique_date=is_unique,
    )


def _has_unique_date(unit: Unit, account_id: int, object_key: str, version: Version) -> bool:
    second = version.last_modified_at // 1000
    versions = unit.files.versions(account_id, object_key)
    return [other.version for other in versions if other.last_modified_at // 1000 == second] == [version.version]


# Many small files in one response


def contents(ctx: ServiceContext, caller: Caller, object_keys: Sequence[str]) -> Iterator[bytes]:
    """Yield a head and the content for each key. Only the caller's own files: those on boards are fetched singly."""
    with ctx.metadata.read() as unit:
        found = unit.files.visible_versions(caller.account_id, object_keys)
    left = CONTENTS_BYTES_MAX
    for key in object_keys:
        version = found.get(key)
        if version is None:
            yield _error_head(key, codes.OBJECT_NOT_FOUND)
        elif version.size > left:
            yield _error_head(key, codes.CONTENT_LEFT_OUT)
        else:
            left -= version.size
            yield from _content(ctx, key, version)


def _content(ctx: ServiceContext, key: str, version: Version) -> Iterator[bytes]:
    """Read a file completely before its head is sent, so an unreadable file is reported like a missing one."""
    try:
        with closing(reading.read(ctx, version.sha256, version.location, version.size)) as stream:
            pieces = list(stream)
    except StoreUnavailable:
        # The other files would fail, too.
        raise
    except StorageError as problem:
        if not isinstance(problem, reading.DAMAGE):
            _log.error("storage failed: %s", problem, exc_info=problem)
        yield _error_head(key, code_of(problem))
        return
    yield _line(ContentHead(object_key=key, size_in_bytes=version.size, hash=version.md5))
    yield from pieces


def _error_head(key: str, error: codes.ErrorCode) -> bytes:
    return _line(ContentHead(object_key=key, error_code=error.code, error_message=error.message))


def _line(head: ContentHead) -> bytes:
    return _encode(head) + b"\n"


# Versions


def file_versions(ctx: ServiceContext, caller: Caller, object_key: str) -> FileVersions:
    """List the kept versions of a visible file, newest first."""
    with ctx.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        versions = unit.files.versions(caller.account_id, object_key)
    shown = [
        projected(
            FileVersion,
            one,
            display_version=f"V{one.version}",
            is_current_version=one.is_current,
            version_created_by=VersionAuthor(first_name=one.created_by),
            size_in_bytes=one.size,
            hash=one.md5,
            # A version never changes, so its creation is its last update.
            last_updated_date=one.created_at,
            last_updated_by=VersionAuthor(first_name=one.created_by),
        )
        for one in versions
    ]
    return FileVersions(total_versions=len(versions), obj_versions=shown)


def restore_version(ctx: ServiceContext, caller: Caller, request: VersionRestoreRequest, origin: str) -> CloudObject:
    """Make an earlier version's content the newest one; the current content stays as a version."""
    account_id, key, keep = caller.account_id, request.object_key, retention(ctx).versions_kept
    with ctx.metadata.read() as unit:
        wanted = original_of(unit, unit.tree.visible(account_id, key), request.version)
    # Read here, outside the transaction.
    date = known_date(ctx, wanted.location, wanted.size, *wanted.mime.split("/", 1), at_once=True)
    now = ctx.clock.now()

    def work(unit: Unit) -> StoredObject:
        with missing_as(codes.VERSION_NOT_FOUND, ObjectMissing):
            restored = unit.files.restore_version(
                account_id,
                key,
                request.version,
                now,
                keep_versions=keep,
                created_by=caller.first_name,
                taken=date.taken,
                needs_date=date.needs_date,
                facts=date.facts,
            )
        if date.needs_date:
            unit.outbox.put(READ_DATES, str(account_id), b"", now)
        return restored

    restored = ctx.write_as(caller, work)
    if date.needs_date:
        ctx.job_notifier.notify()
    return wire_object(restored, origin)
