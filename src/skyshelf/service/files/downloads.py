"""Downloads: which bytes an object, or one of its versions, is."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, code_of
from skyshelf.storage.errors import NotAFile, ObjectMissing, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.limits import CONTENTS_BYTES_MAX
from skyshelf.wire.resources.downloads import ContentHead


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file, and what a download tells about it. Times are epoch milliseconds."""

    name: str
    mime: str
    size: int
    md5: str
    location: str
    modified_at: int
    arrived_at: int
    date_is_its_own: bool
    """Whether no other version that is kept has the same modification date, to the second of HTTP."""


def original(ctx: ServiceContext, caller: Caller, object_key: str, version: int | None = None) -> Original:
    """The content of a file that the caller can see: the current version, or the one of that number."""
    with ctx.metadata.read() as unit, suppress(ObjectMissing):
        if version is None:
            return _current(unit, caller.account_id, object_key)
        return original_of(unit, unit.tree.visible(caller.account_id, object_key), version)
    # One moment for both questions: what a board showed a moment ago may have other content by now.
    with ctx.metadata.snapshot() as unit:
        stored = visible_on_board(unit, caller, object_key)
        if version is not None:
            # What a board shows is the file as it is; what it was before is its owner's.
            raise ServiceError(codes.VERSION_NOT_FOUND)
        return original_of(unit, stored)


def visible_on_board(unit: Unit, caller: Caller, object_key: str) -> StoredObject:
    """Somebody else's file, if a board shows it to the caller right now; ObjectMissing otherwise."""
    owner_id = unit.board_items.owner_of(caller.account_id, object_key)
    if owner_id is None:
        raise ObjectMissing("no such object")
    return unit.tree.visible(owner_id, object_key)


def _current(unit: Unit, account_id: int, object_key: str) -> Original:
    """What original_of gives of the caller's own file, with one question to the database."""
    try:
        name, version = unit.files.seen(account_id, object_key)
    except NotAFile:
        raise ServiceError(codes.FILE_EXPECTED) from None
    return _original(unit, account_id, object_key, name, version)


def original_of(unit: Unit, stored: StoredObject, number: int | None = None) -> Original:
    """The content of a file that somebody was found to be allowed to see."""
    if stored.is_folder:
        raise ServiceError(codes.FILE_EXPECTED)
    try:
        version = unit.files.version(stored.account_id, stored.object_key, number)
    except ObjectMissing as missing:
        if number is None:
            raise
        raise ServiceError(codes.VERSION_NOT_FOUND) from missing
    # A number names content that never changes.
    return _original(unit, stored.account_id, stored.object_key, stored.name, version, is_named=number is not None)


def _original(
    unit: Unit, account_id: int, object_key: str, name: str, version: Version, *, is_named: bool = False
) -> Original:
    # The first version has no others to be taken for.
    is_alone = is_named or version.version == 1 or _is_alone(unit, account_id, object_key, version)
    return Original(
        name=name,
        mime=f"{version.mime_type}/{version.mime_subtype}",
        size=version.size,
        md5=version.md5,
        location=version.location,
        modified_at=version.last_modified_at,
        arrived_at=version.created_at,
        date_is_its_own=is_alone,
    )


def _is_alone(unit: Unit, account_id: int, object_key: str, version: Version) -> bool:
    second = version.last_modified_at // 1000
    versions = unit.files.versions(account_id, object_key)
    return [other.version for other in versions if other.last_modified_at // 1000 == second] == [version.version]


# Contents of many small files, one after the other: what downloads of each would give, for the price of one call.

_log = logging.getLogger("skyshelf.service")
_encode = msgspec.json.Encoder().encode


def contents(ctx: ServiceContext, caller: Caller, object_keys: Sequence[str]) -> Iterator[bytes]:
    """For each key its head and its content. Only files of the caller's own are told: boards show one at a time."""
    with ctx.metadata.read() as unit:
        found = unit.files.visible_versions(caller.account_id, object_keys)
    room = CONTENTS_BYTES_MAX
    for key in object_keys:
        version = found.get(key)
        if version is None:
            yield _refused(key, codes.OBJECT_NOT_FOUND)
        elif version.size > room:
            yield _refused(key, codes.CONTENT_LEFT_OUT)
        else:
            room -= version.size
            yield from _content(ctx, key, version)


def _content(ctx: ServiceContext, key: str, version: Version) -> Iterator[bytes]:
    """Read to its end before its head goes out: one that cannot be read is told of like one that is missing."""
    try:
        stream = ctx.blobs.read(version.location)
        try:
            pieces = list(stream)
        finally:
            stream.close()
    except StoreUnavailable:
        # It will be no better for the others.
        raise
    except StorageError as problem:
        _log.error("storage failed: %s", problem, exc_info=problem)
        yield _refused(key, code_of(problem))
        return
    yield _line(ContentHead(object_key=key, size_in_bytes=version.size, hash=version.md5))
    yield from pieces


def _refused(key: str, error: ErrorCode) -> bytes:
    return _line(ContentHead(object_key=key, error_code=error.code, error_message=error.message))


def _line(head: ContentHead) -> bytes:
    return _encode(head) + b"\n"
