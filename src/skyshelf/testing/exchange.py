"""Forwards one request and its response, with at most one fault."""

import asyncio
import random
import socket
import struct
from collections.abc import Mapping
from typing import Final, Protocol

from skyshelf.testing.faults import Fault, FaultPlan, FaultRecord
from skyshelf.testing.http_messages import READER_LIMIT, Message, read_body, read_head, response
from skyshelf.testing.pages import Page, is_content, is_listing, parameter, with_parameters

_CHUNK: Final = 64 * 1024
_STATUSES: Final = (500, 502, 503, 504)
_REDIRECT_URL: Final = "http://127.0.0.1:9/elsewhere"


class ProxyState(Protocol):
    """The proxy's current settings, and its log."""

    renames: Mapping[str, str]
    page_limit: int | None
    has_extensions: bool
    log: list[FaultRecord]

    @property
    def plan(self) -> FaultPlan: ...


class Exchange:
    """Forwards a request and its response. A fault is logged when it really happens."""

    def __init__(
        self, proxy: ProxyState, request: Message, writer: asyncio.StreamWriter, fault: Fault | None, rng: random.Random
    ) -> None:
        self._proxy = proxy
        self._request = request
        self._writer = writer
        self._fault = fault
        self._rng = rng

    async def run(self, upstream: tuple[str, int]) -> bool:
        """Handle the request; returns whether the connection stays open."""
        if not self._proxy.has_extensions and self._request.target.startswith("/x/"):
            await send(self._writer, response(404).head())
            return True
        if self._happens(Fault.RESET):
            reset(self._writer)
            return False
        generated = self._generated_response()
        if generated is not None:
            await send(self._writer, generated.head() + generated.body)
            return True
        if self._happens(Fault.DELAY):
            await asyncio.sleep(self._proxy.plan.delay_seconds)
        reader, writer = await asyncio.open_connection(*upstream, limit=READER_LIMIT)
        try:
            return await self._forward(reader, writer, upstream)
        finally:
            writer.close()

    def _happens(self, fault: Fault) -> bool:
        """Whether this is the request's fault; if so, it is logged."""
        if self._fault is not fault:
            return False
        self._proxy.log.append(FaultRecord(fault=fault, method=self._request.method, target=self._request.target))
        return True

    def _generated_response(self) -> Message | None:
        if self._happens(Fault.ERROR):
            return response(self._rng.choice(_STATUSES), b'{"code":"FAULT","message":"injected fault"}')
        if self._happens(Fault.THROTTLE):
            wait = self._proxy.plan.retry_after
            headers = {} if wait is None else {"retry-after": wait}
            return response(429, b'{"code":"FAULT","message":"injected throttling"}', headers)
        if self._happens(Fault.REDIRECT):
            return response(302, headers={"location": _REDIRECT_URL})
        return None

    def _tampered_target(self) -> str:
        """The target to request from the server instead of the client's."""
        target, limit = self._request.target, self._proxy.page_limit
        if is_listing(target):
            if limit is not None:
                target = with_parameters(target, {"limit": str(min(limit, parameter(target, "limit", limit)))})
            page = parameter(target, "page", 0)
            if page > 0 and self._happens(Fault.REPEAT_PAGE):
                target = with_parameters(target, {"page": str(page - 1)})
        requested_range = self._request.header("range")
        if requested_range is not None and self._happens(Fault.IGNORE_RANGE):
            self._request.set("range", None)
        elif requested_range is not None and self._happens(Fault.WRONG_RANGE):
            start = int(requested_range.removeprefix("bytes=").split("-")[0])
            self._request.set("range", f"bytes={max(0, start - self._rng.randint(1, max(1, start)))}-")
        return target

    async def _send_request(self, target: str, writer: asyncio.StreamWriter) -> None:
        request = Message(f"{self._request.method} {target} HTTP/1.1", list(self._request.headers), self._request.body)
        request.set("connection", "close")
        request.set("accept-encoding", "identity")
        await send(writer, request.head() + request.body)

    async def _is_last(self, target: str, upstream: tuple[str, int]) -> bool:
        """Whether the page after this one is empty."""
        reader, writer = await asyncio.open_connection(*upstream, limit=READER_LIMIT)
        try:
            await self._send_request(with_parameters(target, {"page": str(parameter(target, "page", 0) + 1)}), writer)
            reply = await read_head(reader)
            return reply is None or reply.status != 200 or not Page(await read_body(reader, reply)).objects
        finally:
            writer.close()

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, upstream: tuple[str, int]
    ) -> bool:
        target = self._tampered_target()
        await self._send_request(target, writer)
        reply = await read_head(reader)
        if reply is None:
            return False
        reply.set("connection", None)
        bodiless = self._request.method == "HEAD" or reply.status in {204, 304}
        framed = reply.status in {200, 206} and reply.header("content-length") is not None
        if framed and not bodiless and is_content(target):
            return await self._send_content(reply, reader)
        reply.body = await read_body(reader, reply, bodiless=bodiless)
        if is_listing(target) and reply.status == 200:
            # No client could notice that the end of the last page is missing.
            if self._fault is Fault.SHORT_PAGE and await self._is_last(target, upstream):
                self._fault = None
            reply.body = self._tampered_page(reply.body)
        return await self._send_whole(reply, bodiless=bodiless)

    def _tampered_page(self, body: bytes) -> bytes:
        page = Page(body)
        if len(page.objects) > 1 and self._happens(Fault.SHORT_PAGE):
            page.shorten(self._rng)
        if page.objects and self._happens(Fault.DUPLICATES):
            page.duplicate(self._rng)
        page.rename(self._proxy.renames)
        return page.encode()

    async def _send_whole(self, reply: Message, *, bodiless: bool) -> bool:
        """Send a response that was read completely: JSON and everything small."""
        body = reply.body
        # Truncated rather than changed: no client could notice a wrong letter in a name.
        if body and reply.status < 300 and self._happens(Fault.CORRUPT):
            body = body[: self._rng.randrange(len(body))]
        if not bodiless:
            reply.set("transfer-encoding", None)
            reply.set("content-length", str(len(body)))
        if self._happens(Fault.LOSE_RESPONSE):
            reset(self._writer)
            return False
        if body and self._happens(Fault.CUT):
            await send(self._writer, reply.head() + body[: self._rng.randrange(len(body))])
            return False
        await send(self._writer, reply.head() + body)
        return True

    async def _send_content(self, reply: Message, reader: asyncio.StreamReader) -> bool:
        """Stream file content, with the fault at a random position."""
        size = int(reply.header("content-length") or 0)
        if self._happens(Fault.LOSE_RESPONSE):
            reset(self._writer)
            return False
        position = self._rng.randrange(size) if size else 0
        stops = size > 0 and self._fault in {Fault.CUT, Fault.SHORTEN, Fault.STALL} and self._happens(self._fault)
        changes = size > 0 and self._happens(Fault.CORRUPT)
        surplus = b"surplus" if self._happens(Fault.LENGTHEN) else b""
        announced = position if stops and self._fault is Fault.SHORTEN else size + len(surplus)
        reply.set("content-length", str(announced))
        await send(self._writer, reply.head())
        done, end = 0, position if stops else size
        while done < end and (chunk := await reader.read(min(_CHUNK, end - done))):
            if changes and done <= position < done + len(chunk):
                at = position - done
                chunk = chunk[:at] + bytes([chunk[at] ^ 0xFF]) + chunk[at + 1 :]
            await send(self._writer, chunk)
            done += len(chunk)
        await send(self._writer, surplus)
        if stops and self._fault is Fault.STALL:
            await asyncio.sleep(self._proxy.plan.stall_seconds)
            reset(self._writer)
        return announced == done + len(surplus)


async def send(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Write the data and wait until the buffer has drained."""
    writer.write(data)
    await writer.drain()


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset the connection, so the peer gets an error instead of an orderly end."""
    connection = writer.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
