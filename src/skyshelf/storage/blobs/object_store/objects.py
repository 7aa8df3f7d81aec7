"""Opening a bucket, and the requests that we send to it, with typed errors.

Objects are written whole, under keys that are never written twice, and read in ranges. S3's own multipart uploads are
not used for stores: what is left of an interrupted one cannot be listed here, and so would never be swept. Exports use
them, because other programs read their objects.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, unquote

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import ObjectStore, S3Store

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.object_store.layout import ObjectOfPart
from skyshelf.storage.blobs.streams import regroup
from skyshelf.storage.errors import BlobCorrupt, ReadOnly, StorageError, StoreFull, StoreUnavailable
from skyshelf.storage.watching import store_calls

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config

_STATUS = re.compile(r"non-2xx status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,64})</Code>")
_OUT_OF_RANGE = re.compile(r"status code: 416|StartTooLarge")
_NO_ROOM = {"507", "QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"}
_REFUSED = {"401", "403"}
_DELETE_AT_ONCE = 1000
_BLOCK = 16 * 1024 * 1024
_WHOLE_BYTES_MAX = 256 * 1024 * 1024
"""Largest object that is read as a whole. The library allocates what the store announces, whether it comes or not."""
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

    def put_pieces(self, key: str, pieces: Iterable[bytes]) -> None:
        """Like put, for one object of any size, in bounded memory: by a multipart upload if it is large."""
        self._refuse_if_looking()
        blocks = (bytes(block) for block in regroup(pieces, _BLOCK))
        first = next(blocks, b"")
        second = next(blocks, None)
        if second is None:
            self.put(key, first)
            return
        with typed_errors("writing", missing_is_an_error=True):
            obstore.put(self._store, key, chain((first, second), blocks), chunk_size=_BLOCK, max_concurrency=2)

    def get(self, key: str) -> bytes:
        """Return all of a small object; FileNotFoundError when it is not there."""
        with typed_errors("reading"):
            response = obstore.get(self._store, key)
            if response.meta["size"] <= _WHOLE_BYTES_MAX:
                return bytes(response.bytes())
        raise BlobCorrupt(f"The object {key} is larger than anything that is kept in one object.")

    def get_range(self, key: str, start: int, end: int, *, of_size: int) -> memoryview:
        """Return a range of an object that must be of_size long; BlobCorrupt when it is not."""
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
        """Yield everything below the prefix, page by page."""
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
    except BaseException as error:
        # The library panics, or finds no such year, where a response is nothing that a store would send.
        if isinstance(error, BaseError | ValueError) or type(error).__name__ == "PanicException":
            raise _typed(error, doing) from error
        raise


def _typed(error: BaseException, doing: str) -> StoreFull | StoreUnavailable | BlobCorrupt:
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


# Opening a bucket with timeouts for a server: short enough to respond, long enough to ride out a hiccup


def store_at(
    url: SplitResult, what: str, refused: type[StorageError], known: Set[str] = frozenset({"endpoint", "region"})
) -> S3Store:
    """Open the bucket of `s3://bucket/prefix?endpoint=…&region=…`, with keys from the environment."""
    options = {name: values[-1] for name, values in parse_qs(url.query).items()}
    unknown = options.keys() - known
    if not url.netloc or unknown:
        wrong = f"does not know {', '.join(sorted(unknown))}" if unknown else "names no bucket"
        raise refused(f"the URL of the {what} {wrong}: write s3://bucket/prefix?endpoint=…&region=…")
    return s3_store(
        url.netloc,
        prefix=unquote(url.path).strip("/") or None,
        endpoint=options.get("endpoint"),
        region=options.get("region", "us-east-1"),
        bulk_delete=options.get("bulk_delete", "true") != "false",
    )


def s3_store(
    bucket: str,
    *,
    prefix: str | None = None,
    endpoint: str | None = None,
    region: str = "us-east-1",
    access_key_id: str | None = None,
    secret_access_key: str | None = None,
    bulk_delete: bool = True,
    patience: timedelta = timedelta(seconds=60),
) -> S3Store:
    """Return the library's store for a bucket.

    Without keys, they come from the environment or from the machine's role, as usual with S3. patience bounds one
    request with all its repetitions. bulk_delete is for the kin of S3 that cannot delete many keys in one request.
    """
    config: S3Config = {"region": region, "disable_bulk_delete": not bulk_delete}
    if endpoint is not None:
        config["endpoint"] = endpoint
    if access_key_id is not None and secret_access_key is not None:
        config["access_key_id"] = access_key_id
        config["secret_access_key"] = secret_access_key
    client: ClientConfig = {
        "connect_timeout": timedelta(seconds=5),
        "timeout": patience,
        # Plain HTTP only where the operator wrote it into the endpoint.
        "allow_http": (endpoint or "").startswith("http://"),
    }
    retry: RetryConfig = {
        "max_retries": 5,
        "retry_timeout": patience,
        "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=5), "base": 2},
    }
    return S3Store(bucket, prefix=prefix, config=config, client_options=client, retry_config=retry)


# The bytes of one or many objects, fetched a little ahead of the reader

PIECE = 1024 * 1024
FETCH = 4 * 1024 * 1024
AHEAD = 2


@dataclass(frozen=True, slots=True)
class Fetch:
    """One ranged request, small enough that a slow reader never keeps a connection waiting."""

    key: str
    start: int
    end: int
    of_size: int


def fetches(objects: Iterable[ObjectOfPart], start: int, end: int) -> Iterator[Fetch]:
    """Yield the requests that give the content from start to end. The first is small, so the response begins soon."""
    length = PIECE
    for found in objects:
        at, stop = max(start, found.offset), min(end, found.offset + found.size)
        if found.offset >= end:
            return
        while at < stop:
            until = min(stop, at + length)
            yield Fetch(found.key, at - found.offset, until - found.offset, found.size)
            at, length = until, FETCH


class ObjectStream:
    """Holds at most AHEAD + 1 responses in memory, whatever the size of the blob."""

    def __init__(self, objects: Objects, threads: Executor, requests: Iterator[Fetch]) -> None:
        self._objects = objects
        self._threads = threads
        self._requests = requests
        self._coming: deque[Future[memoryview]] = deque()
        self._now = memoryview(b"")
        first = next(requests, None)
        if first is not None:
            self._look_ahead()
            # Fetched here and now: a missing object is noticed at once and not in the middle of a response, and a
            # small blob, which is one request, needs no other thread.
            with self._errors():
                self._now = self._fetch(first)

    def __iter__(self) -> "ObjectStream":
        return self

    def __next__(self) -> bytes:
        if not self._now and self._coming:
            with self._errors():
                self._now = self._coming.popleft().result()
            self._look_ahead()
        if not self._now:
            raise StopIteration
        piece, self._now = self._now[:PIECE], self._now[PIECE:]
        return bytes(piece)

    def close(self) -> None:
        self._requests = iter(())
        self._now = memoryview(b"")
        while self._coming:
            self._coming.popleft().cancel()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """After an error nothing more comes."""
        try:
            yield
        except FileNotFoundError as error:
            self.close()
            raise BlobCorrupt("An object of a blob is gone.") from error
        except BaseException:
            self.close()
            raise

    def _look_ahead(self) -> None:
        while len(self._coming) < AHEAD and (request := next(self._requests, None)):
            self._coming.append(self._threads.submit(self._fetch, request))

    def _fetch(self, request: Fetch) -> memoryview:
        return self._objects.get_range(request.key, request.start, request.end, of_size=request.of_size)
