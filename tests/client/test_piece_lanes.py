"""Pieces that are hashed and written ahead: in their order, and none counted that is not there."""

import asyncio
import errno
import hashlib
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyshelf.client import piece_lanes
from skyshelf.client.local_files import DiskFullError, LocalFolder
from skyshelf.client.part_file import PartFile
from skyshelf.client.piece_lanes import PieceLanes

_RANDOM = random.Random(7)
PIECES = [_RANDOM.randbytes(_RANDOM.randint(1, 400_000)) for _ in range(40)]


@pytest.fixture
def part(tmp_path: Path) -> Iterator[PartFile]:
    folder = LocalFolder.open(tmp_path)
    opened = PartFile(folder, "a.part")
    yield opened
    opened.close()
    folder.close()


async def _stored(part: PartFile, pieces: list[bytes]) -> None:
    lanes = PieceLanes(part)
    try:
        for piece in pieces:
            await lanes.store(piece)
    finally:
        try:
            await lanes.settle()
        finally:
            lanes.close()


def test_all_pieces_are_there_in_their_order(part: PartFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece_lanes, "_SYNCED_BYTES", 1_000_000)
    part.append(b"before")
    asyncio.run(_stored(part, PIECES))
    whole = b"before" + b"".join(PIECES)
    assert (tmp_path / "a.part").read_bytes() == whole
    assert (part.length, part.md5) == (len(whole), hashlib.md5(whole).hexdigest())


def test_what_comes_after_a_piece_that_could_not_be_written_is_not_counted(
    part: PartFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, calls = os.write, [0]

    def failing_once(file: int, data: bytes) -> int:
        calls[0] += 1
        if calls[0] == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    monkeypatch.setattr(os, "write", failing_once)
    with pytest.raises(DiskFullError):
        asyncio.run(_stored(part, PIECES))
    assert part.length == len(PIECES[0]) + len(PIECES[1])


def test_a_disk_that_fails_while_it_is_synced_is_told(part: PartFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(file: int) -> None:
        raise DiskFullError("the disk is full")

    monkeypatch.setattr(piece_lanes, "sync_file", failing)
    monkeypatch.setattr(piece_lanes, "_SYNCED_BYTES", 1)
    with pytest.raises(DiskFullError):
        asyncio.run(_stored(part, PIECES[:1]))


def test_whoever_is_cancelled_leaves_no_thread_at_work(part: PartFile, tmp_path: Path) -> None:
    async def scenario() -> None:
        task = asyncio.create_task(_stored(part, PIECES * 10))
        while part.length < 1_000_000:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(scenario())
    there = (b"".join(PIECES) * 10)[: part.length]
    assert (tmp_path / "a.part").read_bytes() == there
    assert part.md5 == hashlib.md5(there).hexdigest()
