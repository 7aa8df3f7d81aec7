"""Where things are under the root of a disk store.

    blobs/ab/<sha256>-<nonce>.<size>    blobs, spread by the first two digits of their content's SHA-256
    uploads/<upload id>                 uploads in progress, and puts in progress under their own ids
    identity                            which store the blobs belong to

One level of 256 folders: a second level would make nearly every put of the first 65,000 blobs pay for a new folder
and its sync, and a folder of today's file systems holds hundreds of thousands of names.
"""

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock

from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.protocols import new_nonce
from skyshelf.storage.errors import BadLocation, StoreUnavailable

BLOBS = "blobs"
UPLOADS = "uploads"
IDENTITY = "identity"

_LOCATION = re.compile(r"[0-9a-f]{64}-[0-9a-f]{16}\.(0|[1-9][0-9]{0,18})")
_SHARD = re.compile(r"[0-9a-f]{2}")


def new_location(sha256: str, size: int, upload_id: str | None = None) -> str:
    """Return a new, unique location for this content; it also holds the size. The id of an upload may serve for it
    once."""
    nonce = new_nonce() if upload_id is None else upload_id[:16]
    return f"{sha256}-{nonce}.{size}"


@lru_cache(4096)
def size_in(location: str) -> int:
    """Return the size in the location; BadLocation for anything that this store did not give out."""
    match = _LOCATION.fullmatch(location)
    if match is None:
        raise BadLocation("This is not a location that the disk store gives out.")
    return int(match[1])


def is_location(name: str) -> bool:
    return _LOCATION.fullmatch(name) is not None


def is_shard(name: str) -> bool:
    return _SHARD.fullmatch(name) is not None


def shard_of(location: str) -> str:
    return location[:2]


class DiskLayout:
    """The folders of one store, opened one name at a time, so no link is followed."""

    def __init__(self, root: Path, files: DurableFiles) -> None:
        self.root = root
        self._top_path = str(root)
        self._files = files
        self._settled: set[str] = set()
        self._kept: dict[str, int] = {}
        # Apart from those that are read from: only these are known to be durable, and compared with their names.
        self._filled: dict[str, int] = {}
        self._uploads: int | None = None
        self._seen: dict[int, tuple[int, int]] = {}
        self._replaced: list[int] = []
        self._keeping = Lock()

    def make(self) -> None:
        """Make the folders that are missing, durably, from the root's own parents down."""
        try:
            missing = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
        except OSError as error:
            raise StoreUnavailable(f"The blob folder {self.root} cannot be reached: {error.strerror}.") from error
        for folder in reversed(missing):
            self._make_durably(folder.parent, folder.name)
        for name in (BLOBS, UPLOADS):
            self._make_durably(self.root, name)

    def _make_durably(self, parent: Path, name: str) -> None:
        with self._files.closing(self._files.open_root(parent)) as opened:
            self._files.make_folder(opened, name)
            self._files.sync_folder(opened)

    def path(self, location: str) -> Path:
        return self.root / BLOBS / shard_of(location) / location

    def top(self) -> AbstractContextManager[int]:
        """The root itself."""
        return self._files.closing(self._files.open_root(self.root))

    @contextmanager
    def uploads(self) -> Iterator[int]:
        kept = self._uploads
        if kept is not None and self._is_in_place(UPLOADS, kept):
            yield kept
            return
        with self._top(UPLOADS) as folder:
            with self._keeping:
                if self._uploads is not None:
                    self._replaced.append(self._uploads)
                self._uploads = os.dup(folder)
            yield folder

    def blobs(self) -> AbstractContextManager[int]:
        return self._top(BLOBS)

    @contextmanager
    def shard(self, name: str) -> Iterator[int]:
        """An open shard; FileNotFoundError when no blob was ever put into it."""
        with self.blobs() as blobs, self._files.closing(self._files.open_folder(blobs, name)) as shard:
            yield shard

    def kept_shard(self, name: str) -> int:
        """Return a shard that stays open, for reading; FileNotFoundError when no blob was ever put into it.

        To open one name by name takes longer than to read a small blob.
        """
        kept = self._kept.get(name)
        return self._keep(name) if kept is None else kept

    def reopen_if_replaced(self, name: str) -> bool:
        """Return whether the shard that is kept open was no longer the one in its place; now it is."""
        kept = self._kept.get(name)
        with self.shard(name) as shard:
            if kept is not None and os.path.sameopenfile(shard, kept):
                return False
        with self._keeping:
            # Somebody may be about to read by the old one, whose number nobody else may get.
            if kept is not None and self._kept.get(name) == kept:
                self._replaced.append(self._kept.pop(name))
        return True

    def close(self) -> None:
        """Give back what is kept open."""
        with self._keeping:
            kept = [self._uploads] if self._uploads is not None else []
            for folder in (*self._kept.values(), *self._filled.values(), *self._replaced, *kept):
                self._files.close(folder)
            self._uploads = None
            self._seen.clear()
            self._kept.clear()
            self._filled.clear()
            self._replaced.clear()

    def __del__(self) -> None:
        # A store that was never closed must not keep its descriptors for good.
        with suppress(Exception):
            self.close()

    def _is_in_place(self, name: str, kept: int) -> bool:
        """Return whether a folder that is kept open is still the one with that name: nothing is put into one that was
        moved away, or that another file system covers now."""
        try:
            named = os.lstat(f"{self._top_path}/{name}")
        except OSError:
            return False
        seen = self._seen.get(kept)
        if seen is None:
            state = os.fstat(kept)
            seen = self._seen[kept] = state.st_dev, state.st_ino
        return (named.st_dev, named.st_ino) == seen

    def _keep_open(self, name: str, shard: int) -> None:
        """Keep a second descriptor of a shard that blobs are put into."""
        with self._keeping:
            if name in self._filled:
                self._replaced.append(self._filled[name])
            self._filled[name] = os.dup(shard)

    def _keep(self, name: str) -> int:
        with self.blobs() as blobs, self._keeping:
            if name not in self._kept:
                self._kept[name] = self._files.open_folder(blobs, name)
            return self._kept[name]

    @contextmanager
    def place_for(self, location: str) -> Iterator[int]:
        """The folder that gets this blob; its new name there is durable when the block ends well."""
        name = shard_of(location)
        kept = self._filled.get(name)
        if kept is not None and self._is_in_place(f"{BLOBS}/{name}", kept):
            # Most of a small put was spent on opening folders, one name after the other.
            yield kept
            self._files.sync_folder(kept)
            return
        if kept is not None:
            self._settled.discard(name)  # another folder has that name now
        with self.blobs() as blobs:
            self._files.make_folder(blobs, name)
            with self._files.closing(self._files.open_folder(blobs, name)) as shard:
                yield shard
                self._files.sync_folder(shard)
                # An existing shard may be one that a process created and did not live to sync: each process
                # makes sure once, and does not trust what it finds.
                if name not in self._settled:
                    self._files.sync_folder(blobs)
                    self._settled.add(name)
                self._keep_open(name, shard)

    def _top(self, name: str) -> AbstractContextManager[int]:
        with self.top() as root:
            try:
                return self._files.closing(self._files.open_folder(root, name))
            except FileNotFoundError as error:
                raise StoreUnavailable(
                    f"The blob folder {self.root} has no folder {name}: is its disk mounted?"
                ) from error
