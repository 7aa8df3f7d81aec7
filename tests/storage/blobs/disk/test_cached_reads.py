"""Reads that do not wait: bytes in memory, or nothing."""

import os
from pathlib import Path

import pytest

from skyshelf.storage.blobs import durable_files as cached
from skyshelf.storage.blobs.disk.store import DiskBlobs
from skyshelf.storage.blobs.durable_files import is_cached, read_if_cached
from skyshelf.storage.errors import BlobCorrupt, BlobMissing

DATA = bytes(range(256)) * 400


def test_bytes_in_memory_are_read_with_the_fingerprint(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path)
    location = blobs.put([DATA]).location
    b"".join(blobs.read(location))
    for start, length in ((0, len(DATA)), (0, 0), (7, 100), (len(DATA) - 1, 1)):
        assert blobs.read_if_cached(location, start, length) == (
            blobs.fingerprint(location),
            DATA[start : start + length],
        )


def test_what_is_missing_or_cut_short_is_an_error(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path)
    location = blobs.put([DATA]).location
    path = blobs.local_path(location)
    path.chmod(0o600)
    path.write_bytes(DATA[:-1])
    with pytest.raises(BlobCorrupt):
        blobs.read_if_cached(location, 0, 10)
    path.unlink()
    with pytest.raises(BlobMissing):
        blobs.read_if_cached(location, 0, 10)


def test_bytes_that_have_to_be_waited_for_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_in_memory(*_: object) -> int:
        raise BlockingIOError

    blobs = DiskBlobs(tmp_path)
    location = blobs.put([DATA]).location
    monkeypatch.setattr(os, "preadv", not_in_memory)
    assert blobs.read_if_cached(location, 0, 10) is None


@pytest.mark.parametrize("missing", [0, len(DATA) - 1])
def test_a_file_without_its_first_or_last_byte_in_memory_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    def partly(_file: int, _into: list[bytearray], at: int, _flags: int) -> int:
        if at == missing:
            raise BlockingIOError
        return 1

    blobs = DiskBlobs(tmp_path)
    location = blobs.put([DATA]).location
    opened = blobs.open_if_cached(location)
    assert opened is not None
    assert (opened[0], os.pread(opened[1], len(DATA) + 1, 0)) == (blobs.fingerprint(location), DATA)
    os.close(opened[1])
    monkeypatch.setattr(os, "preadv", partly)
    assert blobs.open_if_cached(location) is None


def test_an_empty_file_has_no_byte_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not every file system has the flag.
    monkeypatch.setattr(os, "preadv", lambda file, into, at, _flags: os.readv(file, into) if at >= 0 else 1)
    (tmp_path / "empty").touch()
    descriptor = os.open(tmp_path / "empty", os.O_RDONLY)
    assert is_cached(descriptor, 0) is False
    os.close(descriptor)


def test_where_it_cannot_be_known_only_a_file_system_in_memory_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> int:
        raise OSError(95, "Operation not supported")

    file = tmp_path / "a"
    file.write_bytes(DATA)
    descriptor = os.open(file, os.O_RDONLY)
    device = os.fstat(descriptor).st_dev
    monkeypatch.setattr(os, "preadv", unsupported)
    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr(cached, "_MOUNTS", mounts)
    for kind, expected in (("tmpfs", True), ("nfs4", False), ("overlay", False)):
        mounts.write_text(f"36 35 {os.major(device)}:{os.minor(device)} / /data rw - {kind} none rw\n")
        cached._is_in_memory.cache_clear()
        assert (read_if_cached(descriptor, 0, 10) == DATA[:10]) is expected
        assert is_cached(descriptor, len(DATA)) is expected
    mounts.unlink()
    cached._is_in_memory.cache_clear()
    assert read_if_cached(descriptor, 0, 10) is None
    cached._is_in_memory.cache_clear()
    os.close(descriptor)
