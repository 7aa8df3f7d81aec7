"""Pieces that are hashed and written ahead: in their order, and none counted that is not there."""

import asyncio
import errno
import hashlib
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyshelf.client.download import part_file
from skyshelf.client.download.part_file import HashingWriter, PartFile
from skyshelf.client.local.files import DiskFullError, LocalFolder

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
    lanes = HashingWriter(part)
    try:
        for piece in pieces:
            await lanes.store(piece)
    finally:
        try:
            await lanes.drain()
        finally:
            lanes.close()


def test_all_pieces_are_there_in_their_order(part: PartFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_file, "_SYNCED_BYTES", 1_000_000)
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


def test_a_disk_error_during_a_sync_is_reported(part: PartFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(file: int) -> None:
        raise DiskFullError("the disk is full")

    monkeypatch.setattr(part_file, "sync_file", failing)
    monkeypatch.setattr(part_file, "_SYNCED_BYTES", 1)
    with pytest.raises(DiskFullError):
        asyncio.run(_stored(part, PIECES[:1]))


def test_what_is_on_the_disk_leaves_memory_and_nothing_else_does(
    part: PartFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, int]] = []
    monkeypatch.setattr(part_file, "_SYNCED_BYTES", 1_000_000)
    monkeypatch.setattr(part_file, "sync_file", lambda _: steps.append(("synced", part.length)))
    monkeypatch.setattr(part_file, "drop_from_cache", lambda _, length: steps.append(("dropped", length)))
    asyncio.run(_stored(part, PIECES))
    assert steps
    assert [step for step, _ in steps] == ["synced", "dropped"] * (len(steps) // 2)
    lengths = [length for _, length in steps]
    # What was written while the disk was at work is left for the next time.
    assert all(dropped <= synced for synced, dropped in zip(lengths[::2], lengths[1::2], strict=True))
    assert lengths[1] >= 1_000_000


class _HeldPart(PartFile):
    """A part in which one of the two steps waits until it may go on, and may then fail."""

    def __init__(self, folder: LocalFolder, held: str, *, fails: bool) -> None:
        super().__init__(folder, "held.part")
        self._held = held
        self._fails = fails
        self.other_is_done = threading.Event()
        self.may_continue = threading.Event()

    def hash_next(self, piece: bytes | bytearray) -> None:
        self._wait("hash")
        super().hash_next(piece)
        self.other_is_done.set()

    def write_at(self, piece: bytes | bytearray | memoryview, at: int) -> None:
        self._wait("write")
        super().write_at(piece, at)
        self.other_is_done.set()

    def _wait(self, step: str) -> None:
        if step == self._held:
            assert self.may_continue.wait(60)
            if self._fails:
                raise DiskFullError("the disk is full")


@pytest.mark.parametrize("fails", [False, True], ids=["goes well", "fails"])
@pytest.mark.parametrize("cancelled", [False, True], ids=["waited for", "cancelled"])
@pytest.mark.parametrize("held", ["hash", "write"])
def test_nothing_is_drained_before_both_threads_are_done(
    tmp_path: Path, held: str, cancelled: bool, fails: bool
) -> None:
    piece = bytearray(b"some bytes")

    async def scenario(part: _HeldPart) -> BaseException | None:
        lanes = HashingWriter(part)
        await lanes.store(piece)
        settling = asyncio.create_task(lanes.drain())
        assert await asyncio.to_thread(part.other_is_done.wait, 60)
        if cancelled:
            settling.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        was_early = settling.done()
        part.may_continue.set()
        await asyncio.wait([settling])
        assert not was_early
        lanes.close()
        return None if settling.cancelled() else settling.exception()

    folder = LocalFolder.open(tmp_path)
    part = _HeldPart(folder, held, fails=fails)
    try:
        wrong = asyncio.run(scenario(part))
    finally:
        part.close()
        folder.close()
    assert part.length == (0 if fails else len(piece))
    assert isinstance(wrong, DiskFullError) or not fails or cancelled


def test_a_cancelled_download_leaves_no_thread_running(part: PartFile, tmp_path: Path) -> None:
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
