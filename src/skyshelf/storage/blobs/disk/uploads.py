"""One upload in progress on disk: a file that grows, and that its writer holds locked.

finish gives the file a second name among the blobs instead of moving it there. A process that is killed between that
and the metadata commit leaves the upload exactly as it was: finish again, and there is one more name, which the
sweeper finds if nobody commits it. There is no state between, no marker to write and nothing to search for.

The price is one rule: a file that has a second name is never written again. If an upload must grow after it was
finished (its last chunk was never acknowledged and comes again), it continues in a copy.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from skyshelf.storage.blobs.disk.io import PIECE, written
from skyshelf.storage.blobs.disk.layout import DiskLayout, new_location
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.hashing import ChunkHash, RunningHashes
from skyshelf.storage.blobs.protocols import BytesLike, Part, StoredBlob, new_nonce, new_upload_id
from skyshelf.storage.blobs.streams import check_joined, measured, regroup
from skyshelf.storage.errors import StorageError, UploadBusy, UploadDamaged

_ATTEMPTS_TO_HOLD = 20


def hold(files: DurableFiles, layout: DiskLayout, upload_id: str, *, create: bool) -> int:
    """Open and lock the file of an upload; UploadBusy when somebody holds it, FileNotFoundError when it is gone."""
    for _ in range(_ATTEMPTS_TO_HOLD):
        with layout.uploads() as folder:
            file = files.open(folder, upload_id, damaged=UploadDamaged, writing=True, create=create)
            try:
                locked = files.lock(file)
                # Its former holder may have discarded or replaced it before we had the lock.
                if locked and _has_name(file, folder, upload_id):
                    return file
            except BaseException:
                files.close(file)
                raise
            files.close(file)
            if not locked:
                break
    raise UploadBusy(f"The upload {upload_id} is being written by another caller.")


def _has_name(file: int, folder: int, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return False


class DiskUpload:
    """An upload whose file we hold."""

    def __init__(
        self, files: DurableFiles, layout: DiskLayout, hashes: RunningHashes, upload_id: str, file: int
    ) -> None:
        self._files = files
        self._layout = layout
        self._hashes = hashes
        self._upload_id = upload_id
        self._file = file

    def append(self, chunks: Iterable[BytesLike], *, after: Part | None, expected_size: int | None = None) -> Part:
        offset = 0 if after is None else after.end
        self._cut_to(offset)
        hashing = ChunkHash(self._hashes.upto(self._upload_id, after))
        try:
            blocks = regroup(measured(chunks, expected_size), PIECE)
            end = written(self._files, self._file, blocks, hashing.begin, offset)
            self._files.sync_file(self._file)
            if offset == 0:
                with self._layout.uploads() as folder:
                    self._files.sync_folder(folder)
        except BaseException:
            # The next append would cut them off as well; doing it now frees space on a full disk.
            with suppress(StorageError):
                self._files.truncate(self._file, offset)
            raise
        part = Part(offset, end - offset, hashing.md5, new_nonce())
        if hashing.content is not None:
            self._hashes.remember(self._upload_id, part, hashing.content)
        return part

    def discard_part(self, part: Part) -> None:
        state = os.fstat(self._file)
        if state.st_nlink == 1 and state.st_size > part.offset:
            self._files.truncate(self._file, part.offset)

    def finish(self, parts: Sequence[Part], size: int) -> StoredBlob:
        check_joined(parts, size)
        if self._state().st_size != size:
            self._cut_to(size)
        content = self._hashes.furthest(self._upload_id, parts)
        while content.size < size:
            content.update(self._piece(content.size, min(size, content.size + PIECE)))
        self._files.sync_file(self._file)
        location = new_location(content.sha256, size)
        with self._layout.uploads() as uploads, self._layout.place_for(location) as shard:
            if not self._files.link(uploads, self._upload_id, shard, location):
                copied = self._copy(uploads, size)
                self._files.rename(uploads, copied, shard, location)
        return StoredBlob(location, size, content.md5, content.sha256, content.sample)

    def discard(self) -> None:
        self._hashes.forget(self._upload_id)
        with self._layout.uploads() as folder:
            self._files.remove(folder, self._upload_id)

    def close(self) -> None:
        self._files.close(self._file)

    def _state(self) -> os.stat_result:
        state = os.fstat(self._file)
        if state.st_nlink == 0:
            raise UploadDamaged(f"The upload {self._upload_id} was discarded.")
        return state

    def _cut_to(self, size: int) -> None:
        """Make the file end at size, and make sure that no blob shares what comes next."""
        state = self._state()
        if state.st_size < size:
            raise UploadDamaged(f"The upload {self._upload_id} has {state.st_size} of {size} acknowledged bytes.")
        if state.st_nlink > 1:
            self._go_on_in_a_copy(size)
        elif state.st_size > size:
            self._files.truncate(self._file, size)

    def _go_on_in_a_copy(self, size: int) -> None:
        with self._layout.uploads() as folder:
            name = self._copy(folder, size)
            copy = self._files.open(folder, name, damaged=UploadDamaged, writing=True)
            try:
                # Locked before it has the upload's name, so nobody can come in between.
                self._files.lock(copy)
                self._files.rename(folder, name, folder, self._upload_id)
                self._files.sync_folder(folder)
            except BaseException:
                self._files.close(copy)
                raise
        published, self._file = self._file, copy
        self._files.close(published)

    def _copy(self, folder: int, size: int) -> str:
        """Return a durable copy of the first bytes, under an id that only the sweeper would ever see."""
        name = new_upload_id()
        with self._files.creating(folder, name) as copy:
            for at in range(0, size, PIECE):
                self._files.write(copy, self._piece(at, min(size, at + PIECE)), at)
            self._files.sync_file(copy)
        return name

    def _piece(self, start: int, end: int) -> bytes:
        """Return all bytes of the range: one read may give less than it was asked for."""
        read = bytearray()
        while start + len(read) < end:
            piece = self._files.read(self._file, end - start - len(read), start + len(read))
            if not piece:
                raise UploadDamaged(f"The upload {self._upload_id} ended before byte {end} while it was read back.")
            if len(piece) == end - start:
                return piece
            read += piece
        return bytes(read)
