"""Where operators export accounts to: a folder, or a bucket whose objects any program can read."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from skyshelf.backup.folder import our_errors, sync_all, sync_each, write_all
from skyshelf.backup.places import BackupRefused
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.object_store.objects import Objects, store_at
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.local_paths import sync_folder

_ASIDE: Final = ".unfinished-file"
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def open_destination(destination: str) -> "FolderDestination | BucketDestination":
    """Open a folder, or `s3://bucket/prefix?endpoint=…&region=…` with keys from the environment."""
    parts = urlsplit(destination)
    if parts.scheme == "s3":
        return BucketDestination(Objects(store_at(parts, "export", BackupRefused)))
    if parts.scheme == "file":
        return FolderDestination(Path(unquote(parts.path)).absolute())
    if "://" in destination:
        raise BackupRefused(f"cannot export to '{parts.scheme}://': name a folder, or s3://bucket/prefix")
    return FolderDestination(Path(destination).absolute())


class FolderDestination:
    """A folder of this machine, for its owner alone. Each file is written aside and then gets its name."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = DurableFiles()
        self._written: list[Path] = []

    def is_empty(self) -> bool:
        with self._our_errors():
            return not self._root.exists() or all(one.name == _ASIDE for one in self._root.iterdir())

    def get(self, name: str) -> bytes | None:
        path = self._root / name
        with self._our_errors():
            return path.read_bytes() if path.exists() else None

    def put(self, name: str, pieces: Iterable[bytes], modified_ms: int) -> None:
        aside, target = self._root / _ASIDE, self._root / name
        with self._our_errors():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(aside, _NEW, 0o600)
        try:
            for piece in pieces:
                with self._our_errors():
                    write_all(file, piece)
            with self._our_errors():
                os.utime(file, ns=(modified_ms * 1_000_000,) * 2)
                aside.replace(target)
        finally:
            os.close(file)
        self._written.append(target)

    def add_folder(self, name: str) -> None:
        with self._our_errors():
            (self._root / name).mkdir(mode=0o700, parents=True, exist_ok=True)

    def seal(self) -> None:
        written, self._written = self._written, []
        with self._our_errors():
            if sync_all(self._files, self._root):
                return
            sync_each(self._files, written)
            for folder in {path.parent for path in written} | {self._root}:
                sync_folder(folder)

    def delete(self, name: str) -> None:
        with self._our_errors():
            (self._root / name).unlink(missing_ok=True)

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            with our_errors(self._root, "export"):
                yield
        except FileNotFoundError as error:
            raise StoreUnavailable(f"the export at {self._root} cannot be used: {error.strerror}") from error


class BucketDestination:
    """A bucket, or a prefix in it. Each file is one object; folders without files are in the metadata alone."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def is_empty(self) -> bool:
        return next(iter(self._objects.list("")), None) is None

    def get(self, name: str) -> bytes | None:
        with suppress(FileNotFoundError):
            return self._objects.get(name)
        return None

    def put(self, name: str, pieces: Iterable[bytes], modified_ms: int) -> None:
        # A bucket keeps the date of the upload: that of the file is in the metadata.
        del modified_ms
        self._objects.put_pieces(name, pieces)

    def add_folder(self, name: str) -> None:
        """A bucket has no folders."""

    def seal(self) -> None:
        """An object is durable once it was put."""

    def delete(self, name: str) -> None:
        self._objects.delete([name])
