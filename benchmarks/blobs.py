"""Both blob stores: small and large blobs in and out, beside what the machine itself can do in the same run."""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, running_seaweedfs

from benchmarks.tables import print_table, short
from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.object_store import ObjectBlobs, s3_store
from skyshelf.storage.blobs.protocols import BlobStore, Part

KB, MIB = 1000, 1024 * 1024
CHUNK = 8 * MIB
NETWORK_CHUNK = 256 * 1024
AT_ONCE = 8
BUCKET = "benchmark"


def run(*, quick: bool) -> None:
    """Print the tables; quick is a first look with fewer and smaller blobs."""
    large = (64 if quick else 1024) * MIB
    count = 100 if quick else 1000
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, _s3() as s3:
        stores = {"disk": DiskBlobs(Path(folder) / "store"), "s3": s3}
        for name, size in (("small blobs", 10 * KB), ("medium blobs", 100 * KB)):
            _small_blobs(stores, Path(folder), size, count, name)
        _hashes(min(large, 512 * MIB))
        _large_blobs(stores, Path(folder), large)


@contextmanager
def _s3() -> Iterator[BlobStore]:
    with running_seaweedfs() as server:
        server.make_bucket(BUCKET)
        with ObjectBlobs(
            s3_store(BUCKET, endpoint=server.endpoint, access_key_id=ACCESS_KEY, secret_access_key=SECRET_KEY)
        ) as store:
            yield store


def _small_blobs(stores: dict[str, BlobStore], folder: Path, size: int, count: int, table: str) -> None:
    rows = [_row("plain file, write + fsync + close", *_per_second(_plain_writes(folder, size), count), size)]
    for name, store in stores.items():
        locations: list[str] = []

        def put(_: int, store: BlobStore = store, locations: list[str] = locations) -> None:
            locations.append(store.put([os.urandom(size)]).location)

        def get(number: int, store: BlobStore = store, locations: list[str] = locations) -> None:
            assert sum(map(len, store.read(locations[number % len(locations)]))) == size

        rows.append(_row(f"{name}: put", *_per_second(put, count), size))
        rows.append(_row(f"{name}: get", *_per_second(get, count), size))
        for location in locations:
            store.delete(location)
    heads = ["blobs of " + _size(size), "one at a time, /s", "MB/s", f"{AT_ONCE} at once, /s", "MB/s"]
    print_table(f"{count:,} blobs of {_size(size)}", heads, rows, name=table)


def _plain_writes(folder: Path, size: int) -> Callable[[int], None]:
    def write(number: int) -> None:
        file = os.open(folder / f"plain-{number}", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.write(file, os.urandom(size))
        os.fsync(file)
        os.close(file)

    return write


def _per_second(work: Callable[[int], None], count: int) -> tuple[float, float]:
    """How many a second, one at a time and several at once."""

    def all_of_them() -> None:
        for number in range(count):
            work(number)

    for number in range(count // 10):
        work(number)
    alone = count / _seconds(all_of_them)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        together = count / _seconds(lambda: list(threads.map(work, range(count))))
    return alone, together


def _row(name: str, alone: float, together: float, size: int) -> list[str]:
    return [name, short(alone), short(alone * size / 1e6), short(together), short(together * size / 1e6)]


def _hashes(size: int) -> None:
    block = os.urandom(MIB)

    def rate(*updates: Callable[[bytes], None]) -> str:
        def work() -> None:
            for _ in range(size // MIB):
                for update in updates:
                    update(block)

        return _rate(size, work)

    rows = [
        ["MD5 alone", rate(hashlib.md5(usedforsecurity=False).update)],
        ["SHA-256 alone", rate(hashlib.sha256().update)],
        ["both, one after the other", rate(hashlib.md5(usedforsecurity=False).update, hashlib.sha256().update)],
        ["both side by side, as we do", rate(ContentHash().update)],
    ]
    print_table(f"digests of {_size(size)} in blocks of 1 MiB", ["", "MB/s"], rows, name="hashes")


def _large_blobs(stores: dict[str, BlobStore], folder: Path, size: int) -> None:
    rows = [["plain file, write + fsync", short(size / _plain_large(folder / "plain", size) / 1e6)]]
    for name, store in stores.items():
        rows += [[f"{name}: {what}", figure] for what, figure in _large_blob(store, size)]
    print_table(f"one blob of {_size(size)}, arriving in pieces of 256 KiB", ["", "MB/s"], rows, name="large blobs")


def _large_blob(store: BlobStore, size: int) -> Iterator[tuple[str, str]]:
    stored: list[str] = []
    yield "put", _rate(size, lambda: stored.append(store.put(_stream(size)).location))
    yield "get", _rate(size, lambda: sum(map(len, store.read(stored[0]))))
    store.delete(stored.pop())
    upload_id, parts = uuid4().hex, list[Part]()
    yield "upload in chunks of 8 MiB", _rate(size, lambda: _append_all(store, upload_id, size, parts))
    finished = _seconds(lambda: stored.append(_finish(store, upload_id, parts, size)))
    yield "its finish, digests in memory (ms)", short(finished * 1000)
    store.delete(stored.pop())
    store.discard(upload_id)


def _plain_large(path: Path, size: int) -> float:
    def write() -> None:
        with path.open("wb", buffering=0) as file:
            for chunk in _stream(size):
                file.write(chunk)
            os.fsync(file.fileno())

    taken = _seconds(write)
    path.unlink()
    return taken


def _append_all(store: BlobStore, upload_id: str, size: int, parts: list[Part]) -> None:
    for _ in range(size // CHUNK):
        with store.uploading(upload_id) as upload:
            parts.append(upload.append(_stream(CHUNK), after=parts[-1] if parts else None))


def _finish(store: BlobStore, upload_id: str, parts: list[Part], size: int) -> str:
    with store.uploading(upload_id) as upload:
        return upload.finish(parts, size).location


_PIECES = [os.urandom(NETWORK_CHUNK) for _ in range(16)]


def _stream(size: int) -> Iterator[bytes]:
    for number in range(size // NETWORK_CHUNK):
        yield _PIECES[number % len(_PIECES)]


def _rate(size: int, work: Callable[[], object]) -> str:
    return short(size / _seconds(work) / 1e6)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _size(size: int) -> str:
    if size % MIB == 0:
        return f"{size // MIB:,} MiB"
    return f"{size // KB} KB"
