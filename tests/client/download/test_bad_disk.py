"""A disk that is full, or that may not be written to, is said in a sentence, and leaves nothing wrong behind."""

import asyncio
import errno
import os
from pathlib import Path

import pytest
from tests.client.downloading import client_of, engine_of, files_below

from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.download.file import download_object
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.transfers import TransferSummary
from skyshelf.testing.server import TestAccount

pytest_plugins = ["skyshelf.testing.fixtures"]

CONTENT = b"x" * 3_000_000


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """Large writes fail with the error that the test names; small ones, which are other people's, do not."""
    number: int = request.param
    write = os.write

    def failing_write(file: int, data: bytes) -> int:
        if len(data) > 100_000:
            raise OSError(number, os.strerror(number))
        return write(file, data)

    monkeypatch.setattr(os, "write", failing_write)
    return number


async def one(account: TestAccount, destination: Path) -> None:
    async with client_of(account.session) as client:
        remote = await client.get("/a.bin")
        await download_object(engine_of(client), remote.wire, destination)


async def all_of(account: TestAccount, destination: Path) -> TransferSummary:
    async with client_of(account.session) as client:
        return await BulkDownload(engine_of(client), account.root_key, destination).run()


@pytest.mark.parametrize("failing", [errno.ENOSPC], indirect=True)
def test_a_full_disk(skyshelf_account: TestAccount, failing: int, tmp_path: Path) -> None:
    skyshelf_account.add_files([("a.bin", CONTENT), ("b.bin", CONTENT + b"b")])
    with pytest.raises(DiskFullError, match="the disk is full"):
        asyncio.run(one(skyshelf_account, tmp_path / "one" / "a.bin"))
    assert "a.bin" not in files_below(tmp_path / "one")
    summary = asyncio.run(all_of(skyshelf_account, tmp_path / "all"))
    assert isinstance(summary.stopped_by, DiskFullError)
    assert not summary.ok
    assert summary.exit_code == summary.stopped_by.exit_code != 0
    assert all(path.endswith(".part") for path in files_below(tmp_path / "all"))


@pytest.mark.parametrize("failing", [errno.EACCES, errno.EIO], indirect=True)
def test_a_disk_that_refuses(skyshelf_account: TestAccount, failing: int, tmp_path: Path) -> None:
    skyshelf_account.add_files([("a.bin", CONTENT), ("small.bin", b"small")])
    with pytest.raises(LocalFileError, match=r"cannot write .*a\.bin"):
        asyncio.run(one(skyshelf_account, tmp_path / "one" / "a.bin"))
    summary = asyncio.run(all_of(skyshelf_account, tmp_path / "all"))
    assert [failure.path for failure in summary.failed] == ["a.bin"]
    assert (tmp_path / "all" / "small.bin").read_bytes() == b"small"
