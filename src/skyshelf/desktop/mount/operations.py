"""What a mounted drive does for each call of the system, without the system.

Paths start with a slash; errors are OSErrors. Writes are uploaded when a program closes or syncs the file, and the
program gets an error if that fails. What could not be uploaded stays in the cache folder under `unsaved`.
"""

import errno
import os
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.moves import move_and_rename
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount.contents import ContentCache
from skyshelf.desktop.mount.open_file import OpenFile
from skyshelf.desktop.mount.tree import LISTING_SECONDS, DriveTree, Node, name_of, parent_of
from skyshelf.desktop.os_errors import as_os_errors

UNSAVED: Final = "unsaved"
_BLOCK: Final = 4096
_UNLIMITED: Final = 1 << 50
_QUOTA_SECONDS: Final = 60.0


class DriveOperations:
    """The calls of a file system on a folder of the server. Safe to use from several threads."""

    def __init__(
        self,
        client: Client,
        root_key: str,
        folder: Path,
        *,
        cache_bytes: int,
        read_only: bool = False,
        listing_seconds: float = LISTING_SECONDS,
    ) -> None:
        self._client = client
        self.tree = DriveTree(client, root_key, seconds=listing_seconds)
        self.cache = ContentCache(client, folder, cache_bytes)
        self.unsaved = folder / UNSAVED
        self.unsaved.mkdir(mode=0o700, exist_ok=True)
        self._read_only = read_only
        self._lock = threading.RLock()
        self._number = 0
        self._handles: dict[int, OpenFile] = {}
        self._open: dict[str, OpenFile] = {}
        self._quota: tuple[float, dict[str, int]] = (0.0, {})

    # Metadata

    def getattr(self, path: str) -> dict[str, int]:
        """Return type, size and times of an item."""
        with self._lock:
            opened = self._open.get(path)
        if opened is not None:
            return self._attributes(is_folder=False, size=opened.size, modified_ns=opened.modified_ns)
        node = self.tree.find(path)
        return self._attributes(is_folder=node.is_folder, size=node.size, modified_ns=node.modified_ns)

    def _attributes(self, *, is_folder: bool, size: int, modified_ns: int) -> dict[str, int]:
        mode = (stat.S_IFDIR | 0o755) if is_folder else (stat.S_IFREG | 0o644)
        return {
            "st_mode": mode & ~0o222 if self._read_only else mode,
            "st_nlink": 2 if is_folder else 1,
            "st_size": size,
            "st_blocks": -(-size // 512),
            "st_mtime": modified_ns,
            "st_ctime": modified_ns,
            "st_atime": modified_ns,
            "st_uid": os.getuid() if hasattr(os, "getuid") else 0,
            "st_gid": os.getgid() if hasattr(os, "getgid") else 0,
        }

    def readdir(self, path: str) -> Iterator[str]:
        """Yield the names in a folder, including new files that are still being written."""
        node = self._folder(path)
        names = set(self.tree.children(node, path))
        with self._lock:
            names |= {name_of(one) for one in self._open if parent_of(one) == path}
        yield from (".", "..", *sorted(names))

    def _folder(self, path: str) -> Node:
        node = self.tree.find(path)
        if not node.is_folder:
            raise NotADirectoryError(errno.ENOTDIR, "it is a file", path)
        return node

    def statfs(self) -> dict[str, int]:
        """Report the quota as the size of the disk."""
        until, known = self._quota
        if until < time.monotonic():
            with as_os_errors("/"):
                quota = self._client.account.quota()
            total = quota.total_allocated_quota or quota.allocated_space or _UNLIMITED
            free = max(0, total - (quota.total_used_quota or quota.used_space or 0))
            known = {
                "f_bsize": _BLOCK,
                "f_frsize": _BLOCK,
                "f_blocks": total // _BLOCK,
                "f_bfree": free // _BLOCK,
                "f_bavail": free // _BLOCK,
                "f_namemax": 255,
            }
            self._quota = (time.monotonic() + _QUOTA_SECONDS, known)
        return known

    # Contents

    def open(self, path: str, flags: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            self._must_be_writable(path)
        with self._lock:
            opened = self._open.get(path)
            if opened is None:
                node = self.tree.find(path)
                if node.object is None or node.is_folder:
                    raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
                opened = OpenFile(self._client, self.cache, path, node.object)
                self._open[path] = opened
            handle = self._handle(opened)
        if flags & os.O_TRUNC:
            opened.truncate(0, self.unsaved)
        return handle

    def create(self, path: str) -> int:
        """Create an empty file and return its handle."""
        self._must_be_writable(path)
        self._folder(parent_of(path))
        with self._lock:
            opened = self._open.get(path)
            if opened is None:
                opened = OpenFile(self._client, self.cache, path, None)
                opened.make_local(self.unsaved)
                self._open[path] = opened
            return self._handle(opened)

    def _handle(self, opened: OpenFile) -> int:
        self._number += 1
        self._handles[self._number] = opened
        opened.handles += 1
        return self._number

    def read(self, handle: int, size: int, offset: int) -> bytes:
        return self._opened(handle).read(offset, size)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        """Write to an open file; others see it when it is flushed."""
        return self._opened(handle).write(data, offset, self.unsaved)

    def truncate(self, path: str, length: int, handle: int | None = None) -> None:
        self._must_be_writable(path)
        if handle:
            self._opened(handle).truncate(length, self.unsaved)
            return
        own = self.open(path, os.O_WRONLY)
        try:
            self._opened(own).truncate(length, self.unsaved)
            self.flush(own)
        finally:
            self.release(own)

    def set_time(self, path: str, modified_ns: int) -> None:
        """Set the time of a file that is being written; a server sets no time without a content."""
        with self._lock:
            opened = self._open.get(path)
        if opened is not None:
            opened.set_time(modified_ns, self.unsaved)

    def flush(self, handle: int) -> None:
        """Upload what was written."""
        self._flush(self._opened(handle))

    def _flush(self, opened: OpenFile) -> None:
        if not opened.is_dirty or opened.is_gone:
            return
        folder = self._folder(parent_of(opened.path))
        if opened.flush(folder.key, self._remote_name(opened, folder), self.unsaved):
            self.tree.forget(folder.key)

    def _remote_name(self, opened: OpenFile, folder: Node) -> str:
        """Return the server's name of an existing file, which may be one that no system can have."""
        known = self.tree.children(folder).get(name_of(opened.path))
        return name_of(opened.path) if known is None or known.object is None else known.object.name

    def release(self, handle: int) -> None:
        with self._lock:
            opened = self._handles.pop(handle)
            opened.handles -= 1
            if opened.handles:
                return
            if self._open.get(opened.path) is opened:
                del self._open[opened.path]
        opened.close()

    def _opened(self, handle: int) -> OpenFile:
        with self._lock:
            if handle not in self._handles:
                raise OSError(errno.EBADF, "the file is not open")
            return self._handles[handle]

    def close(self) -> list[Path]:
        """Upload what is still open at the end of a mount; returns the contents that could not be uploaded."""
        for opened in {id(one): one for one in self._handles.values()}.values():
            try:
                self._flush(opened)
            except OSError:
                continue
            opened.close()
        self._handles.clear()
        self._open.clear()
        return sorted(self.unsaved.iterdir())

    # Names

    def mkdir(self, path: str) -> None:
        self._must_be_writable(path)
        parent = self._folder(parent_of(path))
        with as_os_errors(path):
            self._client.create_folder(name_of(path), parent.key)
        self.tree.forget(parent.key)

    def rmdir(self, path: str) -> None:
        """Move an empty folder to the trash."""
        self._must_be_writable(path)
        node = self._folder(path)
        self.tree.forget(node.key)
        if self.tree.children(node, path):
            raise OSError(errno.ENOTEMPTY, "the folder is not empty", path)
        self._trash(path, node)

    def unlink(self, path: str) -> None:
        """Move a file to the trash."""
        self._must_be_writable(path)
        with self._lock:
            opened = self._open.pop(path, None)
        try:
            node: Node | None = self.tree.find(path)
        except FileNotFoundError:
            if opened is None:
                raise
            node = None
        if opened is not None:
            opened.is_gone = True
        if node is not None:
            if node.is_folder:
                raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
            self._trash(path, node)

    def rename(self, old: str, new: str) -> None:
        """Move or rename an item; a file that has the new name gets a new version, or goes to the trash."""
        self._must_be_writable(old)
        if old == new:
            return
        with self._lock:
            opened = self._open.get(old)
        if opened is not None:
            self._flush(opened)
        source = self.tree.find(old)
        assert source.object is not None
        folder, parent = self._folder(parent_of(new)), self._folder(parent_of(old))
        replaced = self.tree.children(folder, new).get(name_of(new))
        if replaced is not None:
            self._check_replaceable(source, replaced, new)
        if replaced is not None and self._becomes_version(source.object, replaced, folder):
            self._trash(old, source)
        else:
            if replaced is not None:
                self._trash(new, replaced)
            try:
                self._move(source.object, folder, name_of(new))
            except OSError:
                self._restore(replaced, folder)
                raise
        self.tree.forget(folder.key, parent.key)
        self._rename_open(old, new)

    def _check_replaceable(self, source: Node, replaced: Node, path: str) -> None:
        if replaced.is_folder and not source.is_folder:
            raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
        if source.is_folder and not replaced.is_folder:
            raise NotADirectoryError(errno.ENOTDIR, "it is a file", path)
        if replaced.is_folder and self.tree.children(replaced, path):
            raise OSError(errno.ENOTEMPTY, "the folder is not empty", path)

    def _becomes_version(self, source: RemoteObject, replaced: Node, folder: Node) -> bool:
        """Whether a file that another one is renamed over got a new version: programs save files this way."""
        content = None if source.is_folder else self.cache.whole(source)
        if content is None:
            with self._lock:
                content = next((one.written for one in self._open.values() if one.holds(source)), None)
        if content is None or replaced.object is None:
            return False
        with as_os_errors(source.name):
            self._client.upload(content, folder.key, name=replaced.object.name)
        return True

    def _move(self, moving: RemoteObject, folder: Node, name: str) -> None:
        with as_os_errors(name):
            target = folder.object or self._client.get(folder.key)
            move_and_rename(self._client, moving, target, name).raise_for_failures()

    def _rename_open(self, old: str, new: str) -> None:
        with self._lock:
            for path in list(self._open):
                if path == old or path.startswith(f"{old}/"):
                    opened = self._open.pop(path)
                    opened.path = new + path.removeprefix(old)
                    self._open[opened.path] = opened

    def _trash(self, path: str, node: Node) -> None:
        if node.object is None:
            raise OSError(errno.EBUSY, "the top folder cannot be deleted", path)
        with as_os_errors(path):
            self._client.move_to_trash([node.object])
        parent = self.tree.find(parent_of(path))
        self.tree.forget(parent.key, node.key)

    def _restore(self, replaced: Node | None, folder: Node) -> None:
        """Bring an item back that gave way to another one, which then was not moved."""
        if replaced is not None and replaced.object is not None:
            with suppress(SkyshelfError):
                self._client.restore([replaced.object])
            self.tree.forget(folder.key, replaced.key)

    def _must_be_writable(self, path: str) -> None:
        if self._read_only:
            raise OSError(errno.EROFS, "the drive is mounted read-only", path)
