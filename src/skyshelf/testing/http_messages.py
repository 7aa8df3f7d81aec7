"""As much of HTTP/1.1 as a proxy between a client and a server of ours needs; it is no general one."""

import asyncio
from typing import Final

from msgspec import Struct

_HEAD_BYTES_MAX: Final = 256 * 1024


class Message(Struct):
    """A head, and the body where it was read: `first` is the request line or the status line."""

    first: str
    headers: list[tuple[str, str]]
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """The first value of a header."""
        return next((value for key, value in self.headers if key.lower() == name), None)

    def set(self, name: str, value: str | None) -> None:
        """Replace a header; None removes it."""
        self.headers = [(key, old) for key, old in self.headers if key.lower() != name]
        if value is not None:
            self.headers.append((name, value))

    @property
    def method(self) -> str:
        """Of a request."""
        return self.first.split(" ", 2)[0]

    @property
    def target(self) -> str:
        """Of a request: path and query."""
        return self.first.split(" ", 2)[1]

    @property
    def status(self) -> int:
        """Of an answer."""
        return int(self.first.split(" ", 2)[1])

    def head(self) -> bytes:
        """As it is sent."""
        lines = [self.first, *(f"{name}: {value}" for name, value in self.headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> Message | None:
    """The next head; None when the other side has closed."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        return None
    first, *lines = raw[:-4].decode("latin-1").split("\r\n")
    headers = [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    return Message(first, headers)


async def read_body(reader: asyncio.StreamReader, message: Message, *, bodiless: bool = False) -> bytes:
    """All of the body; a chunked one comes out as plain bytes."""
    if bodiless:
        return b""
    if "chunked" in (message.header("transfer-encoding") or "").lower():
        pieces = []
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            pieces.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readuntil(b"\r\n")
        return b"".join(pieces)
    length = message.header("content-length")
    if length is not None:
        return await reader.readexactly(int(length))
    return await reader.read() if message.first.startswith("HTTP/") else b""


def answer(status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> Message:
    """An answer of our own."""
    usual = {"content-length": str(len(body)), "content-type": "application/json; charset=UTF-8"}
    return Message(f"HTTP/1.1 {status} Fault", list((usual | (headers or {})).items()), body)


READER_LIMIT: Final = _HEAD_BYTES_MAX
