"""Contents of a mounted drive on the local disk: bounded, fetched in blocks as they are read, and verified.

A content is complete when all its blocks have arrived; it is then hashed, and kept under its MD5 only if that is right.
A content from an earlier run is hashed again before its first use. Blocks of an incomplete content belong to the
described one, since ranges are requested under a condition, but only the whole can be verified.
"""

import errno
import hashlib
import itertools
import os
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from skyshelf.client.local.files import lock_file, md5_of, translate_os_errors
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.os_errors import as_os_errors

BLOCK_BYTES: Final = 1024 * 1024
AHEAD_BLOCKS: Final = 4
"""Blocks that are fetched in one request when a file is read from its start to its end."""


class Content:
    """One content, complete or not."""

    def __init__(self, client: Client, found: RemoteObject, path: Path, *, is_complete: bool) -> None:
        self._client = client
        self.object = found
        self.path = path
        self.size = found.size or 0
        self.is_complete = is_complete
        self.users = 0
        self._present: set[int] = set()
        self._last = -1
        self._lock = threading.Lock()

    @property
    def stored_bytes(self) -> int:
        """How much disk it takes."""
        return self.size if self.is_complete else len(self._present) * BLOCK_BYTES

    def read(self, offset: int, length: int) -> bytes:
        """Read bytes from an offset; fewer at the end."""
        end = min(offset + length, self.size)
        if end <= offset:
            return b""
        with self._lock:
            if not self.is_complete:
                self._fetch(offset // BLOCK_BYTES, (end - 1) // BLOCK_BYTES)
        with self.path.open("rb") as stored:
            stored.seek(offset)
            return stored.read(end - offset)

    def _fetch(self, first: int, last: int) -> None:
        """Fetch those of these blocks that are missing, and some ahead where the file is read in order."""
        count = -(-self.size // BLOCK_BYTES)
        if first <= self._last + 1:
            last = min(max(last, first + AHEAD_BLOCKS - 1), count - 1)
        self._last = last
        missing = [number for number in range(first, last + 1) if number not in self._present]
        while missing:
            start = missing[0]
            stop = start
            while stop + 1 in missing and stop - start < AHEAD_BLOCKS:
                stop += 1
            with as_os_errors(self.object.name):
                piece = self._client.read(self.object, start * BLOCK_BYTES, (stop + 1) * BLOCK_BYTES)
            with self.path.open("r+b") as stored:
                stored.seek(start * BLOCK_BYTES)
                stored.write(piece)
            self._present.update(range(start, stop + 1))
            missing = [number for number in missing if number not in self._present]
        if len(self._present) == count:
            self._verify()

    def _verify(self) -> None:
        if self.object.md5 is not None and md5_of(self.path) != self.object.md5:
            self._present.clear()
            raise OSError(errno.EIO, "the content is not what the server announced: try again", self.object.name)
        self.is_complete = True


class LargeContent(Content):
    """A content that is larger than the whole cache: only the last blocks that were read are kept, in memory."""

    def __init__(self, client: Client, found: RemoteObject, path: Path) -> None:
        super().__init__(client, found, path, is_complete=False)
        self._window = b""
        self._start = 0

    def read(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        with self._lock:
            if not self._start <= offset <= end <= self._start + len(self._window):
                with as_os_errors(self.object.name):
                    stop = max(end, offset + AHEAD_BLOCKS * BLOCK_BYTES)
                    self._window, self._start = self._client.read(self.object, offset, stop), offset
            return self._window[offset - self._start : max(offset, end) - self._start]


class ContentCache:
    """All contents on the local disk, at most `size_max` bytes of them; those in use are kept."""

    def __init__(self, client: Client, folder: Path, size_max: int) -> None:
        self._client = client
        self._size_max = size_max
        self._kept = folder / "contents"
        self._parts = folder / "parts"
        shutil.rmtree(self._parts, ignore_errors=True)
        for made in (self._kept, self._parts):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._number = 0
        self._verified: set[str] = set()
        self._contents: OrderedDict[str, Content] = OrderedDict()
        self._sizes: OrderedDict[str, int] = OrderedDict(
            (path.name, path.stat().st_size)
            for path in sorted(self._kept.iterdir(), key=lambda path: path.stat().st_mtime)
        )

    def open(self, found: RemoteObject) -> Content:
        """Return the content of a file as it was described. Release it with `close`."""
        name = found.md5 or f"{found.key}-{found.version}-{found.modified_ms}"
        with self._lock:
            content = self._contents.get(name)
            if content is None:
                content = self._stored(name, found) or self._new(found)
                self._contents[name] = content
            self._contents.move_to_end(name)
            content.users += 1
            return content

    def close(self, content: Content) -> None:
        """Release a content: keep it if it is complete, and delete the oldest ones beyond the bound."""
        with self._lock:
            content.users -= 1
            md5 = content.object.md5
            if content.is_complete and md5 is not None and content.path.parent == self._parts:
                with suppress(OSError):
                    content.path = content.path.rename(self._kept / md5)
                    self._verified.add(md5)
                    self._sizes[md5] = content.size
            self._make_room()

    def adopt(self, written: Path, md5: str) -> None:
        """Keep a file that was just uploaded, so reading it costs no download."""
        with self._lock, suppress(OSError):
            size = written.stat().st_size
            if size <= self._size_max:
                written.replace(self._kept / md5)
                self._verified.discard(md5)
                self._sizes[md5] = size
                self._make_room()

    def whole(self, found: RemoteObject) -> Path | None:
        """Return the path of the whole content, verified; None where it is not here."""
        with self._lock:
            if found.md5 is None or found.md5 not in self._sizes:
                return None
            stored = self._stored(found.md5, found)
            return None if stored is None else stored.path

    @property
    def stored_bytes(self) -> int:
        """How much disk all contents take."""
        with self._lock:
            return self._total()

    def _total(self) -> int:
        parts = sum(one.stored_bytes for one in self._contents.values() if one.path.parent == self._parts)
        return sum(self._sizes.values()) + parts

    def _stored(self, name: str, found: RemoteObject) -> Content | None:
        path = self._kept / name
        if found.md5 is None or name not in self._sizes:
            return None
        if name not in self._verified:
            try:
                is_right = md5_of(path) == name
            except OSError:
                is_right = False
            if not is_right:
                path.unlink(missing_ok=True)
                del self._sizes[name]
                return None
            self._verified.add(name)
        self._sizes.move_to_end(name)
        return Content(self._client, found, path, is_complete=True)

    def _new(self, found: RemoteObject) -> Content:
        self._number += 1
        path = self._parts / str(self._number)
        path.touch(mode=0o600)
        if (found.size or 0) > self._size_max:
            return LargeContent(self._client, found, path)
        return Content(self._client, found, path, is_complete=not found.size)

    def _make_room(self) -> None:
        for name, content in list(self._contents.items()):
            if not content.users:
                del self._contents[name]
                if content.path.parent == self._parts:
                    content.path.unlink(missing_ok=True)
        in_use = {content.path.name for content in self._contents.values()}
        for name in list(self._sizes):
            if self._total() <= self._size_max:
                return
            if name not in in_use:
                (self._kept / name).unlink(missing_ok=True)
                del self._sizes[name]


@contextmanager
def cache_root(folder: Path, client: Client) -> Iterator[Path]:
    """Yield a folder for an account's cache, readable by its owner alone; two mounts at once have two."""
    user = client.credentials.user_id.lower() if client.credentials else "nobody"
    name = f"mount-{hashlib.sha256(user.encode()).hexdigest()[:16]}"
    for number in itertools.count(1):
        made = folder / (name if number == 1 else f"{name}-{number}")
        with translate_os_errors("cannot create", made):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
            made.chmod(0o700)
            lock = os.open(made / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if lock_file(lock):
                yield made
                return
        finally:
            os.close(lock)
