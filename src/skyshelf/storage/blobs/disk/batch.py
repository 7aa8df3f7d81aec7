"""Many new blobs on disk that wait for it together.

Each file is written aside, as put does. Sealing syncs the bytes of all, gives all their names, and syncs the names: two
waits for a whole batch where the system can wait for a file system at once, else one per file and one per folder.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock

from skyshelf.storage.blobs.disk.io import PIECE, written
from skyshelf.storage.blobs.disk.layout import DiskLayout, new_location, shard_of
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.blobs.protocols import BytesLike, LinkMode, StoredBlob, TakenFile, new_upload_id
from skyshelf.storage.blobs.streams import measured, nobody, pieces_of, regroup
from skyshelf.storage.errors import StorageError, StoreUnavailable


class DiskBatch:
    """A BlobBatch of DiskBlobs."""

    def __init__(self, files: DurableFiles, layout: DiskLayout) -> None:
        self._files = files
        self._layout = layout
        self._lock = Lock()
        # Open for as long as the batch: a file that is taken costs no walk to its folder.
        self._opened = ExitStack()
        self._uploads = self._opened.enter_context(layout.uploads())
        self._aside: dict[str, str | None] = {}
        """The name aside of each file, and the location that it will have; None while it is being taken."""
        self._named: list[str] = []
        """Return the files that have their names while sealing is under way."""

    def take(self, file: int, mode: LinkMode = "copy", *, progress: Callable[[int], None] = nobody) -> TakenFile:
        aside = self._begin()
        if mode == "hard" and self._files.link_open(file, self._uploads, aside):
            content = _digested(file, progress)
        else:
            content, mode = self._copied(aside, file, mode, progress)
        return TakenFile(self._taken(aside, content), mode)

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        aside, content = self._begin(), ContentHash()
        with self._files.closing(self._files.create(self._uploads, aside)) as file:
            written(self._files, file, regroup(measured(chunks, expected_size), PIECE), content.begin)
        return self._taken(aside, content)

    def _begin(self) -> str:
        aside = new_upload_id()
        with self._lock:
            self._aside[aside] = None
        return aside

    def _taken(self, aside: str, content: ContentHash) -> StoredBlob:
        blob = StoredBlob(
            new_location(content.sha256, content.size), content.size, content.md5, content.sha256, content.sample
        )
        with self._lock:
            self._aside[aside] = blob.location
        return blob

    def _copied(
        self, aside: str, file: int, mode: LinkMode, progress: Callable[[int], None]
    ) -> tuple[ContentHash, LinkMode]:
        with self._files.closing(self._files.create(self._uploads, aside)) as copy:
            if mode == "reflink" and self._files.clone(file, copy):
                # The clone is read and not the source: somebody may be writing to that.
                return _digested(copy, progress), "reflink"
            content = ContentHash()
            written(self._files, copy, pieces_of(file, progress), content.begin)
            return content, "copy"

    def drop(self, location: str) -> None:
        with self._lock:
            dropped = [aside for aside, taken in self._aside.items() if taken == location]
            for aside in dropped:
                del self._aside[aside]
        for aside in dropped:
            self._files.remove(self._uploads, aside)

    def seal(self) -> None:
        with self._lock:
            ready = {aside: location for aside, location in self._aside.items() if location is not None}
        if not ready:
            return
        if not self._files.sync_all(self._uploads):
            self._sync_each(list(ready))
        shards = {shard_of(location) for location in ready.values()}
        with self._shards(shards) as opened:
            for aside, location in ready.items():
                self._name(aside, opened[shard_of(location)], location)
            if not self._files.sync_all(self._uploads):
                self._sync_names(opened)
        self._named = []

    def _name(self, aside: str, shard: int, location: str) -> None:
        try:
            self._files.rename(self._uploads, aside, shard, location)
        except FileNotFoundError as error:
            raise StoreUnavailable("A file of this batch was swept before the batch was sealed.") from error
        with self._lock:
            del self._aside[aside]
        self._named.append(location)

    def _sync_each(self, names: list[str]) -> None:
        for name in names:
            with self._files.closing(self._files.open(self._uploads, name, damaged=StoreUnavailable)) as file:
                self._files.sync_file(file)

    def _sync_names(self, shards: dict[str, int]) -> None:
        for shard in shards.values():
            self._files.sync_folder(shard)
        with self._layout.blobs() as blobs:
            self._files.sync_folder(blobs)

    @contextmanager
    def _shards(self, names: set[str]) -> Iterator[dict[str, int]]:
        opened: dict[str, int] = {}
        with ExitStack() as closed:
            with self._layout.blobs() as blobs:
                for name in sorted(names):
                    self._files.make_folder(blobs, name)
                    opened[name] = closed.enter_context(self._files.closing(self._files.open_folder(blobs, name)))
            yield opened

    def give_up(self) -> None:
        """Remove files that were taken and not sealed."""
        with self._lock:
            left, self._aside = list(self._aside), {}
        with self._opened, suppress(StorageError):
            for aside in left:
                self._files.remove(self._uploads, aside)
            for location in self._named:
                with self._layout.shard(shard_of(location)) as shard:
                    self._files.remove(shard, location)


def _digested(file: int, progress: Callable[[int], None]) -> ContentHash:
    content = ContentHash()
    for piece in pieces_of(file, progress):
        content.update(piece)
    return content
