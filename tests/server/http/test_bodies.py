"""How a body gets from the event loop into a thread, and what a broken or idle one costs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message

from skyshelf.server.files.file_responses import pieces_of
from skyshelf.server.pipeline import bodies
from skyshelf.server.pipeline.bodies import BLOCK, Body, drain_body_after
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import BlobCorrupt
from skyshelf.wire import error_codes as codes

END: Message = {"type": "http.request", "body": b"", "more_body": False}
GONE: Message = {"type": "http.disconnect"}


def some(data: bytes) -> Message:
    return {"type": "http.request", "body": data, "more_body": True}


class Sender:
    """A client that sends these messages, and then nothing."""

    def __init__(self, *messages: Message) -> None:
        self._messages = list(messages)
        self.asked = 0

    async def receive(self) -> Message:
        self.asked += 1
        if not self._messages:
            await asyncio.Event().wait()
        return self._messages.pop(0)

    def request(self, **headers: str) -> Request:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        return Request({"type": "http", "method": "PUT", "path": "/", "headers": raw}, self.receive)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 10))


async def read_in_a_thread(body: Body) -> list[bytes]:
    first = await body.block()
    return await asyncio.to_thread(lambda: list(body.blocks(first)))


def test_small_messages_become_large_blocks() -> None:
    async def work() -> None:
        sent = [bytes([number % 256]) * 10_000 for number in range(300)]
        blocks = await read_in_a_thread(Body(Sender(*map(some, sent), END).request()))
        assert b"".join(blocks) == b"".join(sent)
        assert [len(block) >= BLOCK for block in blocks] == [True, True, False]
        assert all(len(block) < BLOCK + 10_000 for block in blocks)

    run(work)


def test_an_empty_body_has_no_blocks() -> None:
    async def work() -> None:
        assert await read_in_a_thread(Body(Sender(END).request())) == []

    run(work)


def test_only_one_block_is_read_ahead_of_a_slow_thread() -> None:
    """What has been asked of the network stays within two blocks, however much there is to come."""

    async def work() -> None:
        sender = Sender(*(some(bytes(BLOCK)) for _ in range(100)), END)
        body = Body(sender.request())
        blocks = body.blocks(await body.block())
        await asyncio.to_thread(lambda: next(blocks))
        for _ in range(50):
            await asyncio.sleep(0)
        assert sender.asked == 2
        assert await asyncio.to_thread(lambda: len(list(blocks))) == 99

    run(work)


def test_a_client_that_goes_away_ends_the_thread_that_reads() -> None:
    async def work() -> None:
        body = Body(Sender(some(bytes(BLOCK)), some(b"x"), GONE).request())
        with pytest.raises(ClientDisconnect):
            await read_in_a_thread(body)

    run(work)


def test_an_idle_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_GRACE_SECONDS", 0.05)
    monkeypatch.setattr(bodies, "BODY_IDLE_SECONDS", 0.1)

    async def work() -> None:
        for messages in ((), (some(b"x"),), (some(bytes(BLOCK)), some(b"x"))):
            with pytest.raises(ServiceError, match="in time") as refused:
                await read_in_a_thread(Body(Sender(*messages).request()))
            assert refused.value.error is codes.BODY_TOO_SLOW

    run(work)


class Dripping(Sender):
    """A client that never pauses for long, but sends a byte at a time for ever."""

    async def receive(self) -> Message:
        await asyncio.sleep(0.01)
        return some(b"x")


def test_a_body_that_drips_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_GRACE_SECONDS", 0.1)

    async def work() -> None:
        request = Dripping().request()
        with pytest.raises(ServiceError, match="in time"):
            await Body.of(request).block()
        # And it is not waited for any longer, as it would be after another error.
        sent = await answered(request)
        assert [message.get("body") for message in sent] == [None, b"no"]

    run(work)


def test_every_kibibyte_is_good_for_another_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that came quickly so far may pause for much longer than one that has only begun."""
    monkeypatch.setattr(bodies, "BODY_GRACE_SECONDS", 0.05)

    async def work() -> None:
        body = Body(Sender(some(bytes(bodies.BODY_BYTES_PER_SECOND_MIN * 60))).request())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(body.block(), 0.5)

    run(work)


def test_a_small_body_has_a_deadline_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "SMALL_BODY_SECONDS", 0.05)

    async def work() -> None:
        with pytest.raises(ServiceError, match="in time"):
            await Body(Dripping().request()).all(10_000)

    run(work)


def test_a_body_over_its_limit_is_refused_before_it_is_read_or_as_soon_as_it_shows() -> None:
    async def work() -> None:
        sender = Sender(some(b"x" * 11), END)
        with pytest.raises(ServiceError, match="more than 10 bytes"):
            Body(sender.request(content_length="11")).limit(10)
        assert sender.asked == 0
        with pytest.raises(ServiceError, match="more than 10 bytes"):
            await Body(sender.request()).all(10)
        assert await Body(Sender(some(b"x" * 10), END).request(content_length="10")).all(10) == b"x" * 10

    run(work)


def test_a_length_that_is_no_number_announces_nothing() -> None:
    async def work() -> None:
        for length in ("", "x", "-1", "٣", "1e3"):
            assert Body(Sender().request(content_length=length)).announced is None
        assert Body(Sender().request(content_length="9" * 100)).announced == int("9" * 20)

    run(work)


async def answered(request: Request) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await drain_body_after(request, Response(b"no", 413))(request.scope, request.receive, send)
    return sent


def test_a_refusal_takes_what_is_left_of_the_body_before_its_last_byte() -> None:
    async def work() -> None:
        sender = Sender(*(some(bytes(BLOCK)) for _ in range(5)), END)
        sent = await answered(sender.request())
        assert sender.asked == 6
        assert [message.get("body") for message in sent] == [None, b"n", b"o"]
        assert [message.get("more_body", False) for message in sent] == [False, True, False]

    run(work)


def test_a_refusal_waits_for_a_client_only_as_long_as_something_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "LINGER_IDLE_SECONDS", 0.05)

    async def work() -> None:
        for messages in ((), (some(b"x"),), (some(b"x"), GONE)):
            sent = await answered(Sender(*messages).request())
            assert b"".join(message.get("body", b"") for message in sent) == b"no"

    run(work)


def test_a_refusal_after_the_whole_body_has_nothing_to_take() -> None:
    async def work() -> None:
        sender = Sender(some(b"x"), END)
        request = sender.request()
        assert await Body.of(request).all(10) == b"x"
        sent = await answered(request)
        assert [message.get("body") for message in sent] == [None, b"no"]
        assert sender.asked == 2

    run(work)


class Stream:
    """A blob that breaks, or that notices when it is let go of in the middle of a read."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self._pieces = list(pieces)
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        assert not self.is_closed
        if not self._pieces:
            raise StopIteration
        piece = self._pieces.pop(0)
        if isinstance(piece, Exception):
            raise piece
        return piece

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def threads() -> Iterator[Threads]:
    threads = Threads()
    yield threads
    threads.close()


async def take_all(pieces: AsyncIterator[bytes], received: list[bytes]) -> None:
    async for piece in pieces:
        received.append(piece)


def test_a_stream_that_breaks_breaks_the_answer(threads: Threads, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        stream = Stream(b"1", b"2", BlobCorrupt("lost"))
        received: list[bytes] = []
        with pytest.raises(BlobCorrupt):
            await take_all(pieces_of(threads, stream), received)
        assert received == [b"1", b"2"]
        assert stream.is_closed

    run(work)
    assert "lost" in caplog.text


def test_a_stream_is_closed_when_its_client_is_gone(threads: Threads) -> None:
    async def work() -> None:
        stream = Stream(*[b"x"] * 100)
        pieces: AsyncIterator[bytes] = pieces_of(threads, stream)
        assert await anext(pieces) == b"x"
        await pieces.aclose()  # type: ignore[attr-defined]
        while not stream.is_closed:
            await asyncio.sleep(0)

    run(work)


def test_a_stream_that_is_read_to_its_end_is_closed(threads: Threads) -> None:
    async def work() -> None:
        stream = Stream(b"1", b"2")
        assert [piece async for piece in pieces_of(threads, stream)] == [b"1", b"2"]
        assert stream.is_closed

    run(work)
