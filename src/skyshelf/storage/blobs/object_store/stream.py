"""The bytes of one or many objects, fetched a little ahead of the reader."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass

from skyshelf.storage.blobs.object_store.layout import ObjectOfPart
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.errors import BlobCorrupt

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
    """The requests that give the content from start to end. The first is small, so the response begins soon."""
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
        if not self._now:
            self._take()
            if not self._now:
                raise StopIteration
        piece, self._now = self._now[:PIECE], self._now[PIECE:]
        return bytes(piece)

    def close(self) -> None:
        self._requests = iter(())
        self._now = memoryview(b"")
        while self._coming:
            self._coming.popleft().cancel()

    def _take(self) -> None:
        if self._coming:
            with self._errors():
                self._now = self._coming.popleft().result()
            self._look_ahead()

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
