"""Blobs as files: written aside, synced, and only then given their name."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from os import DirEntry, fstat, scandir, stat, stat_result
from pathlib import Path
from stat import S_ISREG

from skyshelf.storage.access import Access
from skyshelf.storage.blobs import protocols
from skyshelf.storage.blobs.disk import layout
from skyshelf.storage.blobs.disk.batch import DiskBatch
from skyshelf.storage.blobs.disk.io import PIECE, FileStream, written
from skyshelf.storage.blobs.disk.uploads import DiskUpload, hold
from skyshelf.storage.blobs.durable_files import DurableFiles, LookingFiles, typed_errors
from skyshelf.storage.blobs.hashing import ContentHash, RunningHashes
from skyshelf.storage.blobs.streams import end_of_range, measured, regroup
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, UploadDamaged
from skyshelf.storage.space import Space, space_at


class DiskBlobs(protocols.BlobStore):
    """A blob store in one folder of a file system; see protocols for the contract."""

    def __init__(self, root: Path, files: DurableFiles | None = None, *, access: Access = Access.SERVE) -> None:
        self._files = files or (LookingFiles() if access.is_read_only else DurableFiles())
        self._is_read_only = access.is_read_only
        self._root = root.absolute()
        self._layout = layout.DiskLayout(root.absolute(), self._files)
        self._hashes = RunningHashes()
        self._files.give_to_owner_of(root.absolute())
        if access is Access.SERVE:
            self._layout.make()
        else:
            # A missing folder is not created: it would be an empty store where the operator expects a full one.
            with self._layout.blobs():
                pass

    def put(self, chunks: Iterable[protocols.BytesLike], *, expected_size: int | None = None) -> protocols.StoredBlob:
        aside, content = protocols.new_upload_id(), ContentHash()
        is_whole = isinstance(chunks, list) and sum(map(len, chunks)) <= PIECE
        with self._layout.uploads() as uploads, self._files.creating(uploads, aside) as file:
            if not is_whole:
                # Locked, so a sweeper that finds it knows that it is alive, however slow.
                self._files.lock(file)
            written(self._files, file, regroup(measured(chunks, expected_size), PIECE), content.begin)
            self._files.sync_file(file)
            location = layout.new_location(content.sha256, content.size, aside)
            with self._layout.place_for(location) as shard:
                self._files.rename(uploads, aside, shard, location)
        return protocols.StoredBlob(location, content.size, content.md5, content.sha256, content.sample)

    @contextmanager
    def batch(self) -> Iterator[DiskBatch]:
        batch = DiskBatch(self._files, self._layout)
        try:
            yield batch
        finally:
            batch.give_up()

    def read(self, location: str, start: int = 0, length: int | None = None) -> FileStream:
        end = end_of_range(layout.size_in(location), start, length)
        return FileStream(self._files, self._open(location), start, end)

    def size(self, location: str) -> int:
        self._files.close(self._open(location))
        return layout.size_in(location)

    def fingerprint(self, location: str) -> str:
        with self._files.closing(self._open(location)) as file:
            return _fingerprint(fstat(file))

    def read_if_cached(self, location: str, start: int, length: int) -> tuple[str, bytes] | None:
        try:
            found = self._files.read_if_cached(
                self._layout.kept_shard(layout.shard_of(location)), location, start, length
            )
        except FileNotFoundError:
            found = None
        # The state was looked at after the read: bytes that changed before it do not match what is remembered of it.
        if found is not None and found[1].st_size == layout.size_in(location):
            return _fingerprint(found[1]), found[0]
        self._files.close(self._open(location))
        return None

    def open_if_cached(self, location: str) -> tuple[str, int] | None:
        size = layout.size_in(location)
        try:
            opened = self._files.open_if_cached(self._layout.kept_shard(layout.shard_of(location)), location, size)
        except FileNotFoundError:
            return None
        return None if opened is None else (_fingerprint(opened[1]), opened[0])

    def recorded_sha256(self, location: str) -> str:
        layout.size_in(location)
        return location.partition("-")[0]

    def local_path(self, location: str) -> Path:
        self._files.close(self._open(location))
        return self._layout.path(location)

    def _open(self, location: str) -> int:
        size, shard = layout.size_in(location), layout.shard_of(location)
        try:
            try:
                file = self._files.open(self._layout.kept_shard(shard), location, damaged=BlobCorrupt)
            except FileNotFoundError:
                # A folder that is kept open may have been taken away, and another one put in its place.
                if not self._layout.reopen_if_replaced(shard):
                    raise
                file = self._files.open(self._layout.kept_shard(shard), location, damaged=BlobCorrupt)
        except FileNotFoundError as error:
            raise BlobMissing(f"There is no blob at {location}.") from error
        found = fstat(file).st_size
        if found != size:
            self._files.close(file)
            raise BlobCorrupt(f"The blob at {location} has {found} bytes.")
        return file

    def delete(self, location: str, *, keep_upload: bool = False) -> None:  # noqa: ARG002 - an upload has its own name
        layout.size_in(location)
        with suppress(FileNotFoundError), self._layout.shard(layout.shard_of(location)) as shard:
            self._files.remove(shard, location)

    def list(self) -> Iterator[protocols.ListedBlob]:
        with self._layout.blobs() as blobs:
            # A shard is the beginning of a location, so all come in order. The names of one shard are held at once.
            for name in sorted(entry.name for entry in _entries(blobs) if layout.is_shard(entry.name)):
                yield from self._list_shard(name)

    def list_all(self) -> Iterator[protocols.ListedBlob | protocols.ListedUpload]:
        yield from self.list()
        yield from self.list_uploads()

    def _list_shard(self, name: str) -> Iterator[protocols.ListedBlob]:
        with suppress(FileNotFoundError), self._layout.shard(name) as shard:
            for location in sorted(entry.name for entry in _entries(shard) if layout.is_location(entry.name)):
                state = _state_of(shard, location)
                if state is not None:
                    yield protocols.ListedBlob(location, state.st_size, _modified_ms(state))

    @contextmanager
    def uploading(self, upload_id: str) -> Iterator[DiskUpload]:
        file = hold(self._files, self._layout, protocols.check_upload_id(upload_id), create=True)
        with closing(DiskUpload(self._files, self._layout, self._hashes, upload_id, file)) as upload:
            yield upload

    def discard(self, upload_id: str) -> None:
        try:
            file = hold(self._files, self._layout, protocols.check_upload_id(upload_id), create=False)
        except FileNotFoundError:
            return
        with closing(DiskUpload(self._files, self._layout, self._hashes, upload_id, file)) as upload:
            upload.discard()

    def has_parts(self, upload_id: str, parts: Sequence[protocols.Part]) -> bool:
        protocols.check_upload_id(upload_id)
        end = parts[-1].end if parts else 0
        if self._lacks_uploads():
            return end == 0
        with self._layout.uploads() as uploads:
            try:
                file = self._files.open(uploads, upload_id, damaged=UploadDamaged)
            except (FileNotFoundError, UploadDamaged):
                return end == 0
            with self._files.closing(file):
                return fstat(file).st_size >= end

    def _lacks_uploads(self) -> bool:
        """A backup may be without the folder of unfinished uploads."""
        return self._is_read_only and not (self._root / layout.UPLOADS).exists()

    def list_uploads(self) -> Iterator[protocols.ListedUpload]:
        if self._lacks_uploads():
            return
        with self._layout.uploads() as uploads:
            for entry in _entries(uploads):
                state = _state_of(uploads, entry.name) if protocols.is_upload_id(entry.name) else None
                if state is not None:
                    yield protocols.ListedUpload(entry.name, state.st_size, _modified_ms(state))

    def identity(self) -> bytes | None:
        with self._layout.top() as root:
            try:
                file = self._files.open(root, layout.IDENTITY, damaged=BlobCorrupt)
            except FileNotFoundError:
                return None
            with self._files.closing(file):
                return self._files.read(file, PIECE, 0)

    def write_identity(self, value: bytes) -> None:
        aside = protocols.new_upload_id()
        with self._layout.top() as root, self._layout.uploads() as uploads:
            with self._files.creating(uploads, aside) as file:
                self._files.write(file, value, 0)
                self._files.sync_file(file)
                self._files.rename(uploads, aside, root, layout.IDENTITY)
            self._files.sync_folder(root)

    def check(self) -> None:
        """Makes a file where blobs begin, and takes it away again."""
        probe = protocols.new_upload_id()
        with self._layout.uploads() as uploads, self._layout.blobs():
            self._files.close(self._files.create(uploads, probe))
            self._files.remove(uploads, probe)

    def space(self) -> Space | None:
        return space_at(self._root)

    def close(self) -> None:
        """Folders are kept open between calls, and nothing else."""
        self._layout.close()


def _entries(folder: int) -> Iterator[DirEntry[str]]:
    with typed_errors("listing a folder"), scandir(folder) as entries:
        yield from entries


def _state_of(folder: int, name: str) -> stat_result | None:
    """Return the state of an existing regular file; anything else is not a blob."""
    try:
        with typed_errors("listing a folder"):
            state = stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return state if S_ISREG(state.st_mode) else None


def _modified_ms(state: stat_result) -> int:
    # The change time as well: an upload may be finished days after its last byte, and linking changes only that.
    return int(max(state.st_mtime, state.st_ctime) * 1000)


def _fingerprint(state: stat_result) -> str:
    return f"{state.st_dev}.{state.st_ino}.{state.st_mtime_ns}.{state.st_ctime_ns}"
