"""Chunks of a transfer that come in any order, at the same time, and again."""

import itertools
from collections.abc import Iterable, Iterator

import pytest
from tests.server.api import HeldClock, new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.jobs.maintenance import expire_uploads
from skyshelf.service.uploads import transfers
from skyshelf.service.uploads.chunked import hold_upload
from skyshelf.service.uploads.streamed import StreamedFile
from skyshelf.service.uploads.transfer_chunks import Chunks, TransferChunk
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.tree import StoredObject

ID = "web-1"
CHUNKS = {"1": b"one ", "2": b"two ", "3": b"three ", "4": b"four"}
WHOLE = b"".join(CHUNKS.values())


class Sending:
    """A client with one transfer."""

    def __init__(self, ctx: ServiceContext, caller: Caller, total: int | None = len(WHOLE)) -> None:
        self.ctx, self.caller = ctx, caller
        assert transfers.begin(ctx, caller, ID, total)

    def send(self, name: str, content: bytes | None = None, pieces: Iterable[bytes] | None = None) -> None:
        content = CHUNKS[name] if content is None else content
        chunk = TransferChunk(name, len(content))
        transfers.receive(self.ctx, self.caller, ID, chunk, [content] if pieces is None else pieces)

    def finish(self, size: int | None = None) -> StoredObject:
        file = StreamedFile(folder_key=self.caller.root_key, name="big.bin", size=size)
        return transfers.finish(self.ctx, self.caller, ID, file, lambda _known, _read: None, guard=lambda _unit: None)

    def content(self) -> bytes:
        stored = self.finish()
        with self.ctx.metadata.read() as unit:
            location = unit.files.version(self.caller.account_id, stored.object_key).location
        return b"".join(self.ctx.blobs.read(location))

    def listed(self) -> list[tuple[str, int]]:
        return [(one.name, one.size) for one in transfers.chunks(self.ctx, self.caller, ID)]

    def kept(self) -> tuple[int, int, int, int]:
        """What is left of uploads: their rows, reserved bytes, uploads with bytes, and blobs."""
        with self.ctx.metadata.read() as unit:
            rows = len(unit.uploads.page(self.caller.account_id, limit=1000))
            reserved = unit.quotas.get(self.caller.account_id, self.ctx.clock.now()).reserved
        return rows, reserved, len(list(self.ctx.blobs.list_uploads())), len(list(self.ctx.blobs.list()))


@pytest.fixture
def sending(ctx: ServiceContext, caller: Caller) -> Sending:
    return Sending(ctx, caller)


def test_chunks_come_in_any_order(ctx: ServiceContext, caller: Caller) -> None:
    for number, order in enumerate(itertools.permutations(CHUNKS)):
        sending = Sending(ctx, caller, len(WHOLE) if number % 2 else None)
        for name in order:
            sending.send(name)
        assert sending.listed() == [(name, len(content)) for name, content in CHUNKS.items()]
        assert sending.content() == WHOLE, order
        assert sending.kept()[:3] == (0, 0, 0), order


def test_numbers_may_begin_with_zero_and_have_gaps(ctx: ServiceContext, caller: Caller) -> None:
    for names in (("1", "0", "7", "3"), ("00-03", "08-13", "04-07", "14-17"), ("5", "100", "20", "3")):
        sending = Sending(ctx, caller, None)
        for name in names:
            sending.send(name, name.encode())
        assert sending.content() == "".join(sorted(names, key=lambda name: int(name.partition("-")[0]))).encode()
        assert sending.kept()[:3] == (0, 0, 0)


def test_chunks_in_their_order_are_not_copied(sending: Sending) -> None:
    for name in CHUNKS:
        sending.send(name)
        assert sending.kept() == (1, len(WHOLE), 1, 0)
    sending.send("2")
    assert sending.kept() == (1, len(WHOLE), 1, 0), "one that comes again leaves nothing"
    assert sending.content() == WHOLE


def test_chunks_come_while_others_are_on_their_way(sending: Sending) -> None:
    def first() -> Iterator[bytes]:
        yield b"on"
        sending.send("3")
        sending.send("2", pieces=second())
        yield b"e "

    def second() -> Iterator[bytes]:
        sending.send("4")
        yield CHUNKS["2"]

    sending.send("1", pieces=first())
    assert sending.kept() == (1, len(WHOLE), 1, 0), "all have their place by now"
    assert sending.content() == WHOLE


def test_a_chunk_that_comes_again_with_other_bytes_replaces_the_former_one(sending: Sending) -> None:
    for name in ("1", "2", "4"):
        sending.send(name)
    for name in ("1", "4"):
        sending.send(name, b"NEW ")
        sending.send(name, b"new!")
    sending.send("3")
    assert sending.listed() == [("1", 4), ("2", 4), ("3", 6), ("4", 4)]
    assert sending.content() == b"new!two three new!"
    assert sending.kept() == (0, 0, 0, 1)


def test_a_chunk_that_comes_again_while_the_former_one_is_appended_is_not_lost(sending: Sending) -> None:
    sending.send("2")
    with sending.ctx.metadata.read() as unit:
        transfer = min(unit.uploads.page(sending.caller.account_id, limit=10), key=lambda row: len(row.name))
    sending.send("2")
    # Another request has read what waits before it came again.
    with hold_upload(sending.ctx, sending.caller, transfer.upload_key) as held:
        Chunks(sending.ctx, sending.caller, transfer.upload_key).take_in(held.writer, transfer, all_of_them=True)
    for name in ("1", "3", "4"):
        sending.send(name)
    assert sending.content() == WHOLE
    assert sending.kept()[:3] == (0, 0, 0)


def test_a_missing_chunk_is_noticed_where_the_size_is_announced(sending: Sending) -> None:
    for name in ("1", "2", "4"):
        sending.send(name)
    with pytest.raises(ServiceError, match=f"{len(WHOLE) - 6} of {len(WHOLE)} bytes have come"):
        sending.finish(len(WHOLE))


def test_a_chunk_that_breaks_off_leaves_nothing(sending: Sending) -> None:
    def broken() -> Iterator[bytes]:
        yield b"th"
        raise ConnectionError

    for name in ("3", "1"):
        before = sending.kept()
        with pytest.raises(ConnectionError):
            sending.send(name, pieces=broken())
        assert sending.kept()[0] == before[0]
        assert sending.listed() == []
    for name in CHUNKS:
        sending.send(name)
    assert sending.content() == WHOLE


def test_a_cancelled_transfer_leaves_nothing(sending: Sending) -> None:
    for name in ("1", "3", "4"):
        sending.send(name)
    assert sending.kept()[0] == 3
    transfers.cancel(sending.ctx, sending.caller, ID)
    assert sending.kept() == (0, 0, 0, 0)


def test_an_abandoned_transfer_is_swept_with_the_chunks_that_wait(sending: Sending, clock: HeldClock) -> None:
    for name in ("1", "3", "4"):
        sending.send(name)
    clock.advance(days=8)
    for _ in expire_uploads(sending.ctx):
        pass
    assert sending.kept() == (0, 0, 0, 0)


def test_a_chunk_that_waited_for_too_long_has_not_come(sending: Sending, clock: HeldClock) -> None:
    sending.send("3")
    clock.advance(days=5)
    sending.send("1")
    clock.advance(days=4)
    for _ in expire_uploads(sending.ctx):
        pass
    assert sending.listed() == [("1", 4)]
    for name in ("2", "4", "3"):
        sending.send(name)
    assert sending.content() == WHOLE


def test_waiting_chunks_take_no_more_space_than_the_file(ctx: ServiceContext) -> None:
    sending = Sending(ctx, caller_of(new_account(ctx, "grace@example.org", quota=len(WHOLE))))
    for name in reversed(CHUNKS):
        sending.send(name)
    assert sending.kept()[1] == len(WHOLE)
    assert sending.content() == WHOLE


def test_the_chunks_that_wait_are_bounded(sending: Sending, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.wire.limits.UPLOADS_OPEN_MAX", 3)
    for name in ("3", "4"):
        sending.send(name)
    with pytest.raises(LimitReached, match="unfinished uploads"):
        sending.send("5", b"x")
    for name in ("1", "2"):
        sending.send(name)
    assert sending.content() == WHOLE
