"""Backups in a bucket. Large objects are stored in parts, which a listing adds up again."""

import json
import os
import re
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Final

from skyshelf.backup.places import BackupRefused, PlaceEntry
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.streams import regroup
from skyshelf.storage.errors import StorageError

PART: Final = 16 * 1024 * 1024
_AHEAD: Final = 2
_LOCKS: Final = "lock/"
_RENEW_SECONDS: Final = 60
_STALE_SECONDS: Final = 600
_PART_NAME = re.compile(r"(.+)\.p[0-9]{6}")


class BucketPlace:
    """A Place in one bucket, or below one prefix of it."""

    writers = 8
    readers = 32

    def __init__(self, objects: Objects, shown: str) -> None:
        self._objects = objects
        self._threads = ThreadPoolExecutor(2 * self.writers, "backup-parts")
        self._shown = shown

    def put(self, name: str, data: bytes) -> None:
        self.add(name, (data,))

    @contextmanager
    def batch(self) -> Iterator["BucketPlace"]:
        """Each object is durable once it was added."""
        yield self

    def add(self, name: str, chunks: Iterable[bytes]) -> int:
        blocks = regroup(chunks, PART)
        first, second = next(blocks, b""), next(blocks, None)
        if second is None:
            self._objects.put(name, first)
            return len(first)
        size = 0
        sending: deque[Future[None]] = deque()
        try:
            for number, block in enumerate(chain((first, second), blocks)):
                while len(sending) >= _AHEAD:
                    sending.popleft().result()
                sending.append(self._threads.submit(self._objects.put, f"{name}.p{number:06d}", block))
                size += len(block)
            while sending:
                sending.popleft().result()
        except BaseException:
            for request in sending:
                request.exception()
            with suppress(StorageError):
                self._objects.delete([f"{name}.p{number:06d}" for number in range(size // PART + 1)])
            raise
        return size

    def seal(self) -> None:
        """Nothing waits."""

    def get(self, name: str) -> bytes:
        return self._objects.get(name)

    def read(self, name: str, size: int) -> Iterator[bytes]:
        if size <= PART:
            return iter((self._objects.get(name),))
        return self._parts(name, (size + PART - 1) // PART)

    def _parts(self, name: str, count: int) -> Iterator[bytes]:
        coming: deque[Future[bytes]] = deque()
        asked = 0
        while asked < count or coming:
            while asked < count and len(coming) < _AHEAD:
                coming.append(self._threads.submit(self._objects.get, f"{name}.p{asked:06d}"))
                asked += 1
            yield coming.popleft().result()

    def list(self, prefix: str) -> Iterator[PlaceEntry]:
        in_parts: dict[str, int] = {}
        for found in self._objects.list(prefix):
            if found.key.startswith(_LOCKS):
                continue
            if match := _PART_NAME.fullmatch(found.key):
                in_parts[match[1]] = in_parts.get(match[1], 0) + found.size
            else:
                yield PlaceEntry(found.key, found.size)
        for name, size in in_parts.items():
            yield PlaceEntry(name, size)

    def delete(self, names: Sequence[str]) -> None:
        """With all their parts: a listing of `blobs/ab/cd…` finds those that begin with the name."""
        self._objects.delete(list(names))
        in_parts = []
        for name in names:
            folder = name.rpartition("/")[0]
            if folder.startswith("blobs/"):
                in_parts.append(name)
        if not in_parts:
            return
        wanted = set(in_parts)
        for folder in {f"{name.rpartition('/')[0]}/" for name in in_parts}:
            parts = [
                found.key
                for found in self._objects.list(folder)
                if (match := _PART_NAME.fullmatch(found.key)) and match[1] in wanted
            ]
            self._objects.delete(parts)

    def local_path(self, name: str) -> None:
        """There are no files here."""

    @contextmanager
    def lock(self) -> Iterator[None]:
        """A bucket has no locks: each backup writes its own object and then looks for others. Two that begin at
        once see each other. The object is renewed every minute, and one that was not for ten minutes is stale."""
        mine = f"{_LOCKS}{secrets.token_hex(8)}"
        self._renew(mine)
        ended = threading.Event()
        renewing = threading.Thread(target=self._keep_renewing, args=(mine, ended), daemon=True)
        try:
            listed = list(self._objects.list(_LOCKS))
            if all(found.key != mine for found in listed):
                # A proxy's page reads like an empty listing, and what is missing there counts as gone.
                raise BackupRefused(
                    f"{self._shown} does not list what was just written to it: is it the right endpoint?"
                )
            for found in listed:
                if found.key != mine:
                    self._check_stale(found.key, found.modified_ms)
            renewing.start()
            yield
        finally:
            ended.set()
            with suppress(StorageError):
                self._objects.delete([mine])

    def _check_stale(self, key: str, modified_ms: int) -> None:
        try:
            holder = json.loads(self._objects.get(key))
        except (FileNotFoundError, ValueError):
            holder = {}
        age = time.time() - modified_ms / 1000
        here = holder.get("host") == socket.gethostname() and holder.get("boot") == _boot()
        if age > _STALE_SECONDS or (here and not _is_running(holder.get("process"))):
            self._objects.delete([key])
            return
        who = f"process {holder.get('process')} on {holder.get('host')}" if holder else "unknown"
        raise BackupRefused(
            f"another backup to {self._shown} is running ({who}): wait until it has finished;"
            f" if it was killed, {_STALE_SECONDS // 60} minutes"
        )

    def _renew(self, mine: str) -> None:
        holder = {"host": socket.gethostname(), "boot": _boot(), "process": os.getpid()}
        self._objects.put(mine, json.dumps(holder).encode())

    def _keep_renewing(self, mine: str, ended: threading.Event) -> None:
        while not ended.wait(_RENEW_SECONDS):
            with suppress(StorageError):
                self._renew(mine)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)


def _boot() -> str:
    """Distinguishes two starts of one machine, and two containers of one name."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return ""


def _is_running(process: object) -> bool:
    if not isinstance(process, int):
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # Somebody else's.
        pass
    return True
