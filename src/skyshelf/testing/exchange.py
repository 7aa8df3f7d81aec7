"""One request and its answer, with at most one fault."""

import asyncio
import random
import socket
import struct
from collections.abc import Mapping
from typing import Final, Protocol

from skyshelf.testing.faults import Fault, FaultPlan, FaultRecord
from skyshelf.testing.http_messages import READER_LIMIT, Message, answer, read_body, read_head
from skyshelf.testing.pages import Page, is_content, is_listing, parameter, with_parameters

_PIECE: Final = 64 * 1024
_STATUSES: Final = (500, 502, 503, 504)
_ELSEWHERE: Final = "http://127.0.0.1:9/elsewhere"


class Manners(Protocol):
    """How a proxy behaves at the moment."""

    disguises: Mapping[str, str]
    page_limit: int | None
    goes_beyond: bool
    log: list[FaultRecord]

    @property
    def plan(self) -> FaultPlan: ...


class Exchange:
    """Passes a request on and its answer back. Each fault is noted when it really happens."""

    def __init__(
        self, manners: Manners, request: Message, writer: asyncio.StreamWriter, fault: Fault | None, dice: random.Random
    ) -> None:
        self._manners = manners
        self._request = request
        self._writer = writer
        self._fault = fault
        self._dice = dice

    async def answer(self, upstream: tuple[str, int]) -> bool:
        """Answer the request; false when the connection ends with it."""
        if not self._manners.goes_beyond and self._request.target.startswith("/x/"):
            await send(self._writer, answer(404).head())
            return True
        if self._is(Fault.RESET):
            reset(self._writer)
            return False
        own = self._own_answer()
        if own is not None:
            await send(self._writer, own.head() + own.body)
            return True
        if self._is(Fault.DELAY):
            await asyncio.sleep(self._manners.plan.delay_seconds)
        reader, writer = await asyncio.open_connection(*upstream, limit=READER_LIMIT)
        try:
            return await self._pass_on(reader, writer, upstream)
        finally:
            writer.close()

    def _is(self, fault: Fault) -> bool:
        """Whether this fault is to happen, which it then does."""
        if self._fault is not fault:
            return False
        self._manners.log.append(FaultRecord(fault=fault, method=self._request.method, target=self._request.target))
        return True

    def _own_answer(self) -> Message | None:
        if self._is(Fault.ERROR):
            return answer(self._dice.choice(_STATUSES), b'{"code":"FAULT","message":"a fault on purpose"}')
        if self._is(Fault.THROTTLE):
            wait = self._manners.plan.retry_after
            headers = {} if wait is None else {"retry-after": wait}
            return answer(429, b'{"code":"FAULT","message":"throttled on purpose"}', headers)
        if self._is(Fault.REDIRECT):
            return answer(302, headers={"location": _ELSEWHERE})
        return None

    def _asked(self) -> str:
        """What the server is asked for instead of what the client asks for."""
        asked, most = self._request.target, self._manners.page_limit
        if is_listing(asked):
            if most is not None:
                asked = with_parameters(asked, {"limit": str(min(most, parameter(asked, "limit", most)))})
            page = parameter(asked, "page", 0)
            if page > 0 and self._is(Fault.REPEAT_PAGE):
                asked = with_parameters(asked, {"page": str(page - 1)})
        wanted = self._request.header("range")
        if wanted is not None and self._is(Fault.IGNORE_RANGE):
            self._request.set("range", None)
        elif wanted is not None and self._is(Fault.WRONG_RANGE):
            start = int(wanted.removeprefix("bytes=").split("-")[0])
            self._request.set("range", f"bytes={max(0, start - self._dice.randint(1, max(1, start)))}-")
        return asked

    async def _ask(self, asked: str, writer: asyncio.StreamWriter) -> None:
        sent = Message(f"{self._request.method} {asked} HTTP/1.1", list(self._request.headers), self._request.body)
        sent.set("connection", "close")
        sent.set("accept-encoding", "identity")
        await send(writer, sent.head() + sent.body)

    async def _is_last(self, asked: str, upstream: tuple[str, int]) -> bool:
        """Whether the page behind this one is empty."""
        reader, writer = await asyncio.open_connection(*upstream, limit=READER_LIMIT)
        try:
            await self._ask(with_parameters(asked, {"page": str(parameter(asked, "page", 0) + 1)}), writer)
            reply = await read_head(reader)
            return reply is None or reply.status != 200 or not Page(await read_body(reader, reply)).objects
        finally:
            writer.close()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, upstream: tuple[str, int]
    ) -> bool:
        asked = self._asked()
        await self._ask(asked, writer)
        reply = await read_head(reader)
        if reply is None:
            return False
        reply.set("connection", None)
        bodiless = self._request.method == "HEAD" or reply.status in {204, 304}
        framed = reply.status in {200, 206} and reply.header("content-length") is not None
        if framed and not bodiless and is_content(asked):
            return await self._send_content(reply, reader)
        reply.body = await read_body(reader, reply, bodiless=bodiless)
        if is_listing(asked) and reply.status == 200:
            # The last page may end anywhere: nobody could tell that its end is missing.
            if self._fault is Fault.SHORT_PAGE and await self._is_last(asked, upstream):
                self._fault = None
            reply.body = self._tampered(reply.body)
        return await self._send_whole(reply, bodiless=bodiless)

    def _tampered(self, body: bytes) -> bytes:
        page = Page(body)
        if len(page.objects) > 1 and self._is(Fault.SHORT_PAGE):
            page.shorten(self._dice)
        if page.objects and self._is(Fault.DUPLICATES):
            page.duplicate(self._dice)
        page.rename(self._manners.disguises)
        return page.encode()

    async def _send_whole(self, reply: Message, *, bodiless: bool) -> bool:
        """An answer that is read as a whole: JSON, and everything small."""
        body = reply.body
        # Broken so that it shows: nobody can tell a wrong letter in a name from a right one.
        if body and reply.status < 300 and self._is(Fault.CORRUPT):
            body = body[: self._dice.randrange(len(body))]
        if not bodiless:
            reply.set("transfer-encoding", None)
            reply.set("content-length", str(len(body)))
        if self._is(Fault.LOSE_ANSWER):
            reset(self._writer)
            return False
        if body and self._is(Fault.CUT):
            await send(self._writer, reply.head() + body[: self._dice.randrange(len(body))])
            return False
        await send(self._writer, reply.head() + body)
        return True

    async def _send_content(self, reply: Message, reader: asyncio.StreamReader) -> bool:
        """The content of a file, which may be long: piece by piece, with the fault at a place chosen by lot."""
        size = int(reply.header("content-length") or 0)
        if self._is(Fault.LOSE_ANSWER):
            reset(self._writer)
            return False
        place = self._dice.randrange(size) if size else 0
        stops = size > 0 and self._fault in {Fault.CUT, Fault.SHORTEN, Fault.STALL} and self._is(self._fault)
        changes = size > 0 and self._is(Fault.CORRUPT)
        surplus = b"surplus" if self._is(Fault.LENGTHEN) else b""
        announced = place if stops and self._fault is Fault.SHORTEN else size + len(surplus)
        reply.set("content-length", str(announced))
        await send(self._writer, reply.head())
        done, end = 0, place if stops else size
        while done < end and (piece := await reader.read(min(_PIECE, end - done))):
            if changes and done <= place < done + len(piece):
                at = place - done
                piece = piece[:at] + bytes([piece[at] ^ 0xFF]) + piece[at + 1 :]
            await send(self._writer, piece)
            done += len(piece)
        await send(self._writer, surplus)
        if stops and self._fault is Fault.STALL:
            await asyncio.sleep(self._manners.plan.stall_seconds)
            reset(self._writer)
        return announced == done + len(surplus)


async def send(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send all of it."""
    writer.write(data)
    await writer.drain()


def reset(writer: asyncio.StreamWriter) -> None:
    """End the connection so that the other side gets an error, and not an orderly end."""
    wire = writer.get_extra_info("socket")
    if wire is not None and wire.fileno() >= 0:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
