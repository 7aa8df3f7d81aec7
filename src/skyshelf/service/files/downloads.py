"""Downloads: the content of a file or one of its versions, and the contents of many small files in one response."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, code_of
from skyshelf.service.integrity import reading
from skyshelf.storage.errors import NotAFile, ObjectMissing, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.limits import CONTENTS_BYTES_MAX
from skyshelf.wire.resources.downloads import ContentHead

_log = logging.getLogger("skyshelf.service")
_encode = msgspec.json.Encoder().encode


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """A file's content and its metadata in a download. Times are epoch milliseconds."""

    account_id: int
    """Whose file it is."""
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
    """The content of a visible file: the current version, or the one with that number."""
    with ctx.metadata.read() as unit, suppress(ObjectMissing):
        if version is None:
            return _current(unit, caller.account_id, object_key)
        return original_of(unit, unit.tree.visible(caller.account_id, object_key), version)
    # A snapshot for both queries: the file may get new content in between.
    with ctx.metadata.snapshot() as unit:
        stored = visible_on_board(unit, caller, object_key)
        if version is not None:
            # A board shows only the current version; earlier ones are the owner's.
            raise ServiceError(codes.VERSION_NOT_FOUND)
        return original_of(unit, stored)


def visible_on_board(unit: Unit, caller: Caller, object_key: str) -> StoredObject:
    """Another account's file that a board shows to the caller; ObjectMissing otherwise."""
    owner_id = unit.board_items.owner_of(caller.account_id, object_key)
    if owner_id is None:
        raise ObjectMissing("no such object")
    return unit.tree.visible(owner_id, object_key)


def _current(unit: Unit, account_id: int, object_key: str) -> Original:
    """As original_of, for the caller's own file, with a single query."""
    try:
        name, version = unit.files.visible_version(account_id, object_key)
    except NotAFile:
        raise ServiceError(codes.FILE_EXPECTED) from None
    return _original(unit, account_id, object_key, name, version)


def original_of(unit: Unit, stored: StoredObject, number: int | None = None) -> Original:
    """The content of a file after its visibility was checked."""
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
    """A head and the content for each key. Only the caller's own files: files on boards are downloaded one by one."""
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
    """Read completely before the head is sent, so that an unreadable file is reported like a missing one."""
    try:
        stream = reading.read(ctx, version.sha256, version.location, version.size)
        try:
            pieces = list(stream)
        finally:
            stream.close()
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


def _error_head(key: str, error: ErrorCode) -> bytes:
    return _line(ContentHead(object_key=key, error_code=error.code, error_message=error.message))


def _line(head: ContentHead) -> bytes:
    return _encode(head) + b"\n"
