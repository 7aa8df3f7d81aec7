"""The six requests that we send to an object store, with typed errors.

Objects are written whole, under keys that are never written twice, and read in ranges. S3's own multipart uploads are
not used: what is left of an interrupted one cannot be listed here, and so would never be swept.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import ObjectStore

from skyshelf.storage.access import Access
from skyshelf.storage.errors import BlobCorrupt, ReadOnly, StoreFull, StoreUnavailable
from skyshelf.storage.watching import store_calls

_STATUS = re.compile(r"non-2xx status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,64})</Code>")
_OUT_OF_RANGE = re.compile(r"status code: 416|StartTooLarge")
_NO_ROOM = {"507", "QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"}
_REFUSED = {"401", "403"}
_DELETE_AT_ONCE = 1000
_OPERATIONS = {
    "writing": "put",
    "reading": "get",
    "finding an object": "head",
    "listing": "list",
    "deleting": "delete",
}


@dataclass(frozen=True, slots=True)
class ListedObject:
    key: str
    size: int
    modified_ms: int


class Objects:
    """One bucket, or one prefix in it."""

    def __init__(self, store: ObjectStore, access: Access = Access.SERVE) -> None:
        self._store = store
        self._access = access

    def put(self, key: str, data: bytes | memoryview) -> None:
        """Durable when it returns: that is what the object store's response means."""
        self._refuse_if_looking()
        with typed_errors("writing", missing_is_an_error=True):
            obstore.put(self._store, key, data, use_multipart=False)

    def get(self, key: str) -> bytes:
        """All of a small object; FileNotFoundError when it is not there."""
        with typed_errors("reading"):
            return bytes(obstore.get(self._store, key).bytes())

    def get_range(self, key: str, start: int, end: int, *, of_size: int) -> memoryview:
        """A range of an object that must be of_size long; BlobCorrupt when it is not."""
        with typed_errors("reading"):
            response = obstore.get(self._store, key, options={"range": (start, end)})
            found = response.meta["size"]
            data = memoryview(response.bytes()) if found == of_size else memoryview(b"")
        if len(data) != end - start:
            raise BlobCorrupt(f"The object {key} should have {of_size} bytes, and the store gave something else.")
        return data

    def size(self, key: str) -> int:
        """FileNotFoundError when it is not there."""
        with typed_errors("finding an object"):
            return obstore.head(self._store, key)["size"]

    def list(self, prefix: str) -> Iterator[ListedObject]:
        """Everything below the prefix, page by page."""
        with typed_errors("listing", missing_is_an_error=True):
            pages = iter(obstore.list(self._store, prefix, chunk_size=1000))
        while True:
            with typed_errors("listing", missing_is_an_error=True):
                page = next(pages, None)
            if page is None:
                return
            for found in page:
                yield ListedObject(found["path"], found["size"], int(found["last_modified"].timestamp() * 1000))

    def delete(self, keys: Sequence[str]) -> None:
        """Remove them all; those that are gone already do not matter."""
        self._refuse_if_looking()
        for first in range(0, len(keys), _DELETE_AT_ONCE):
            some = keys[first : first + _DELETE_AT_ONCE]
            with typed_errors("deleting"):
                try:
                    obstore.delete(self._store, list(some))
                except FileNotFoundError:
                    # Not every store shrugs at a key that is gone: then each on its own.
                    for key in some:
                        with suppress(FileNotFoundError):
                            obstore.delete(self._store, key)

    def _refuse_if_looking(self) -> None:
        if self._access.is_read_only:
            raise ReadOnly("The bucket was opened to look, and is not changed.")


@contextmanager
def typed_errors(doing: str, *, missing_is_an_error: bool = False) -> Iterator[None]:
    """The errors of a request in our own words; its time is noted."""
    with store_calls.timed("bucket", _OPERATIONS[doing]), _in_our_words(doing, missing_is_an_error=missing_is_an_error):
        yield


@contextmanager
def _in_our_words(doing: str, *, missing_is_an_error: bool) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        if missing_is_an_error or "NoSuchBucket" in str(error):
            raise StoreUnavailable(f"The bucket does not exist, or not for us ({doing}).") from error
        raise
    except BaseError as error:
        raise _typed(error, doing) from error


def _typed(error: BaseError, doing: str) -> StoreFull | StoreUnavailable | BlobCorrupt:
    """Our own sentence: what the store has to say is long, and may quote what we sent it."""
    text = str(error)
    status, code = (match[1] if match else "" for match in (_STATUS.search(text), _CODE.search(text)))
    reason = ", ".join(filter(None, (f"status {status}" if status else "", code))) or "no response"
    if _OUT_OF_RANGE.search(text):
        return BlobCorrupt("An object is shorter than it was when it was written.")
    if {status, code} & _NO_ROOM:
        return StoreFull(f"The object store has no space left ({doing}: {reason}).")
    if isinstance(error, PermissionDeniedError | UnauthenticatedError) or status in _REFUSED:
        return StoreUnavailable(f"The object store refuses our credentials ({doing}: {reason}).")
    return StoreUnavailable(f"The object store could not be used ({doing}: {reason}).")
