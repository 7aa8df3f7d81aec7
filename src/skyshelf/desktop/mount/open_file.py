"""A file that is open in a mounted drive."""

import os
import tempfile
import threading
from pathlib import Path

from skyshelf.client.local.names import safe_name
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount.contents import Content, ContentCache
from skyshelf.desktop.os_errors import as_os_errors


class OpenFile:
    """All handles of one path share it. Written content is local until it is flushed, and then uploaded whole."""

    def __init__(self, client: Client, cache: ContentCache, path: str, found: RemoteObject | None) -> None:
        self._client = client
        self._cache = cache
        self.path = path
        self.object = found
        self.handles = 0
        self.is_gone = False
        """Whether it was deleted while it is open: then nothing is uploaded."""
        self.written: Path | None = None
        self.is_dirty = found is None
        self._content: Content | None = None
        self._lock = threading.RLock()

    @property
    def size(self) -> int:
        """Its size as programs see it."""
        if self.written is not None:
            return self.written.stat().st_size
        return (self.object.size or 0) if self.object is not None else 0

    @property
    def modified_ns(self) -> int:
        """When it was last changed, as programs see it."""
        if self.written is not None:
            return self.written.stat().st_mtime_ns
        return ((self.object.modified_ms or 0) if self.object is not None else 0) * 1_000_000

    def read(self, offset: int, length: int) -> bytes:
        with self._lock:
            if self.written is not None:
                with self.written.open("rb") as opened:
                    opened.seek(offset)
                    return opened.read(length)
            if self._content is None:
                if self.object is None:
                    return b""
                self._content = self._cache.open(self.object)
            content = self._content
        return content.read(offset, length)

    def write(self, data: bytes, offset: int, folder: Path) -> int:
        """Write bytes at an offset; `folder` is where contents wait for their upload."""
        with self._lock:
            path = self.make_local(folder)
            with path.open("r+b") as opened:
                opened.seek(offset)
                opened.write(data)
            self.is_dirty = True
        return len(data)

    def truncate(self, length: int, folder: Path) -> None:
        with self._lock:
            path = self.make_local(folder, is_empty=length == 0)
            os.truncate(path, length)
            self.is_dirty = True

    def set_time(self, modified_ns: int, folder: Path) -> None:
        """Set the time that is uploaded with the content; that of a file that is not written cannot be changed."""
        with self._lock:
            if self.is_dirty:
                os.utime(self.make_local(folder), ns=(modified_ns, modified_ns))

    def make_local(self, folder: Path, *, is_empty: bool = False) -> Path:
        """Make the content a local file that may be written."""
        if self.written is None:
            # The name lets people find what could not be uploaded.
            descriptor, name = tempfile.mkstemp(dir=folder, prefix=f"{safe_name(self.path.rpartition('/')[2])[:80]}-")
            os.close(descriptor)
            path = Path(name)
            try:
                if self.object is not None and self.object.size and not is_empty:
                    with as_os_errors(self.path):
                        self._client.download(self.object, path, overwrite=True)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            self.written = path
        return self.written

    def flush(self, folder_key: str, name: str, folder: Path) -> bool:
        """Upload what was written; whether there was anything."""
        with self._lock:
            if not self.is_dirty or self.is_gone:
                return False
            path = self.make_local(folder)
            with as_os_errors(self.path):
                self.object = self._client.upload(path, folder_key, name=name).detached_copy()
            self.is_dirty = False
            return True

    def holds(self, found: RemoteObject) -> bool:
        """Whether its local file has the content of that object."""
        return (
            self.written is not None and not self.is_dirty and self.object is not None and self.object.key == found.key
        )

    def close(self) -> None:
        """Close the file after its last handle: what was uploaded stays in the cache."""
        with self._lock:
            if self._content is not None:
                self._cache.close(self._content)
                self._content = None
            if self.written is not None and not (self.is_dirty and not self.is_gone):
                if self.object is not None and self.object.md5 is not None and not self.is_gone:
                    self._cache.adopt(self.written, self.object.md5)
                self.written.unlink(missing_ok=True)
                self.written = None
