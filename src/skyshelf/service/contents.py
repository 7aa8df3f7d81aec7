"""Contents of many small files, one after the other: what downloads of each would give, for the price of one call."""

import logging
from collections.abc import Iterator, Sequence

import msgspec

from skyshelf.service.house import Caller, House
from skyshelf.service.refusals import code_of
from skyshelf.storage.errors import StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorCode
from skyshelf.wire.limits import CONTENTS_BYTES_MAX
from skyshelf.wire.resources.downloads import ContentHead

_log = logging.getLogger("skyshelf.service")
_encode = msgspec.json.Encoder().encode


def contents(house: House, caller: Caller, object_keys: Sequence[str]) -> Iterator[bytes]:
    """For each key its head and its content. Only files of the caller's own are told: boards show one at a time."""
    with house.metadata.read() as unit:
        found = unit.files.seen_together(caller.account_id, object_keys)
    room = CONTENTS_BYTES_MAX
    for key in object_keys:
        version = found.get(key)
        if version is None:
            yield _refused(key, codes.OBJECT_NOT_FOUND)
        elif version.size > room:
            yield _refused(key, codes.CONTENT_LEFT_OUT)
        else:
            room -= version.size
            yield from _content(house, key, version)


def _content(house: House, key: str, version: Version) -> Iterator[bytes]:
    """Read to its end before its head goes out: one that cannot be read is told of like one that is missing."""
    try:
        stream = house.blobs.read(version.location)
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
