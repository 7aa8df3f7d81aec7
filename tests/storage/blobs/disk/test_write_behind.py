"""The disk begins with a large file while it arrives."""

from pathlib import Path

import pytest

from skyshelf.storage.blobs.disk.store import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.blobs.protocols import new_upload_id

MIB = 1024 * 1024
BLOCKS = [bytes([number]) * MIB for number in range(20)]


class NotingFiles(DurableFiles):
    def __init__(self) -> None:
        self.begun: list[tuple[int, int]] = []

    def write_behind(self, file: int, start: int, end: int) -> None:
        self.begun.append((start // MIB, end // MIB))
        super().write_behind(file, start, end)


@pytest.fixture
def files() -> NotingFiles:
    return NotingFiles()


def test_of_a_large_file_every_few_mebibytes(tmp_path: Path, files: NotingFiles) -> None:
    blobs = DiskBlobs(tmp_path, files)
    stored = blobs.put(iter(BLOCKS))
    assert files.begun == [(0, 8), (8, 16)]
    assert b"".join(blobs.read(stored.location)) == b"".join(BLOCKS)


def test_of_an_upload_in_parts_from_where_the_part_begins(tmp_path: Path, files: NotingFiles) -> None:
    blobs = DiskBlobs(tmp_path, files)
    with blobs.uploading(new_upload_id()) as upload:
        first = upload.append(BLOCKS[:10], after=None)
        second = upload.append(BLOCKS[10:], after=first)
        stored = upload.finish([first, second], 20 * MIB)
    assert files.begun == [(0, 8), (10, 18)]
    assert b"".join(blobs.read(stored.location)) == b"".join(BLOCKS)


def test_not_of_a_small_file(tmp_path: Path, files: NotingFiles) -> None:
    DiskBlobs(tmp_path, files).put(BLOCKS[:7])
    assert files.begun == []
